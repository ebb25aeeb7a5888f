"""The language models that launches can name, and how one is opened."""

from __future__ import annotations

from engine.agents.policies import POLICIES
from engine.events.log import decode
from engine.llm import models
from engine.llm.provider import Provider
from engine.llm.replay import ReplayProvider, latency_change
from webapp.live import log
from webapp.models import registry
from webapp.runs.models import Episode

SCRIPTED = models.SCRIPTED
SCRIPTED_HINT = "follows simple rules on what the agents may see, so that everything runs without a key"


def known_models() -> list[tuple[str, str]]:
    """Names and labels of the models to choose from."""
    return registry.known_models()


def asks_model(policy: str) -> bool:
    """Whether the policy is known and asks a language model."""
    return policy in POLICIES and POLICIES[policy].needs_model


def check_model(name: str) -> None:
    """Make sure that the model can be asked. A scripted one needs no database.

    Raises:
        SettingsError: no model has this name, or its settings cannot be read.
    """
    registry.check_model(name)


def open_model(name: str, seed: int) -> Provider:
    """Whoever answers under the model's name; the caller closes it.

    Raises:
        SettingsError: no model has this name, or it cannot be asked as it is set up.
    """
    return models.open_provider(name, seed, None if models.is_scripted(name) else registry.endpoint_for(name))


def open_replay(original: Episode, latency: str, model: str, seed: int) -> Provider:
    """Whoever answers with the replies recorded in an episode's log, and from the first that does not fit on the model.

    Raises:
        SettingsError: the change of latency cannot be read, or the model cannot be asked as it is set up.
    """
    recorded = decode(line for body in log.lines(original) for line in body.splitlines())
    return ReplayProvider(recorded, latency_change(latency), open_model(model, seed))


def is_scripted(name: str) -> bool:
    """Whether a script and no language model answers under this name; said wherever its results are shown."""
    return models.is_scripted(name) or name.lower().startswith(registry.SCRIPTED_PREFIX)


def is_free(name: str) -> bool:
    """Whether nothing is paid: there is no model, or a script stands in for one."""
    return not name or models.is_scripted(name)

"""The language models that launches can name, and how one is opened."""

from __future__ import annotations

from engine.agents.policies import POLICIES
from engine.llm import models
from engine.llm.models import SCRIPTED
from engine.llm.provider import Provider

SCRIPTED_HINT = "follows simple rules on what the agents may see, so that everything runs without a key"


def known_models() -> list[tuple[str, str]]:
    """Names and labels of the models to choose from."""
    return [(SCRIPTED, "Scripted planner (no key)")]


def asks_model(policy: str) -> bool:
    """Whether the policy is known and asks a language model."""
    return policy in POLICIES and POLICIES[policy].needs_model


def check_model(name: str) -> None:
    """Make sure that the model can be asked.

    Raises:
        SettingsError: no model has this name, or its settings cannot be read.
    """
    models.check_model(name)


def open_model(name: str, seed: int) -> Provider:
    """Whoever answers under the model's name; the caller closes it.

    Raises:
        SettingsError: no model has this name, or it cannot be asked as it is set up.
    """
    return models.open_provider(name, seed)


def is_scripted(name: str) -> bool:
    """Whether a script and no language model answers under this name; said wherever its results are shown."""
    return models.is_scripted(name)

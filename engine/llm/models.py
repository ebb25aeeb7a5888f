"""Models by name: `scripted` with its settings, or an endpoint that the caller knows."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import SettingsError
from engine.llm.latency import PAPER_LATENCY_S, Latency, parse
from engine.llm.provider import Provider
from engine.llm.scripted.provider import ScriptedProvider
from engine.spec.names import nearest

if TYPE_CHECKING:
    from engine.llm.endpoint import Endpoint

SCRIPTED = "scripted"
_SETTING = re.compile(r"\s*([a-z_]+)\s*=\s*([^(),]+(?:\([^()]*\))?|[a-z]+\([^()]*\))\s*")


@dataclass(frozen=True, slots=True)
class ScriptedSettings:
    """What `scripted:…` says: `latency=…`, a distribution of seconds."""

    latency: Latency


def is_scripted(model: str) -> bool:
    """Whether the name is that of the scripted planner, which is no language model."""
    return model.partition(":")[0] == SCRIPTED


def scripted_settings(model: str) -> ScriptedSettings:
    """The settings in a scripted model's name, as `scripted:latency=uniform(10,30)`.

    Raises:
        SettingsError: a setting is unknown or out of range.
    """
    _, _, text = model.partition(":")
    latency = str(PAPER_LATENCY_S)
    at = 0
    while at < len(text):
        found = _SETTING.match(text, at)
        if found is None or (found.end() < len(text) and text[found.end()] != ","):
            raise SettingsError(f"cannot read {text[at:]!r} in model {model!r}; write `scripted:latency=20`")
        if found[1] != "latency":
            raise SettingsError(f"unknown setting {found[1]!r} in model {model!r} (known: latency)")
        latency = found[2]
        at = found.end() + 1
    return ScriptedSettings(parse(latency.strip()))


def open_provider(model: str, seed: int, endpoint: Endpoint | None = None) -> Provider:
    """Whoever answers under the model's name; the caller closes it. One that is not scripted needs its endpoint.

    Raises:
        SettingsError: the name or a setting in it is unknown.
    """
    if is_scripted(model):
        return ScriptedProvider(seed, scripted_settings(model).latency)
    if endpoint is None:
        raise SettingsError(f"unknown model {model!r}: it is not scripted, and no endpoint has this name")
    from engine.llm.endpoint import EndpointProvider

    return EndpointProvider(endpoint, seed)


def check_model(model: str, known: Collection[str] = ()) -> None:
    """Make sure that the model is scripted, with settings that can be read, or one of the endpoints known.

    Raises:
        SettingsError: it is neither; the message names the nearest that is known.
    """
    if is_scripted(model):
        scripted_settings(model)
    elif model not in known:
        names = [SCRIPTED, *known]
        raise SettingsError(f"unknown model {model!r}{nearest(model, names)} (known: {', '.join(names)})")

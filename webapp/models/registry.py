"""The models that the rest of the program can name."""

from __future__ import annotations

import os

from django.conf import settings

from engine.errors import SettingsError
from engine.llm.addresses import AddressPolicy
from engine.llm.endpoint import Endpoint
from engine.llm.models import SCRIPTED, is_scripted
from webapp.models import keys
from webapp.models.models import ModelEndpoint

SCRIPTED_LABEL = "Scripted planner (built in, no language model)"


def known_models() -> list[tuple[str, str]]:
    """Name and label of every model, the built-in one first."""
    stored = ModelEndpoint.objects.values_list("name", "model")
    return [(SCRIPTED, SCRIPTED_LABEL)] + [(name, f"{name} ({model})") for name, model in stored]


def endpoint_for(name: str) -> Endpoint | None:
    """Where to ask the model of that name; None if no endpoint has it, as the scripted one has none.

    Raises:
        SettingsError: its key cannot be had.
    """
    if is_scripted(name):
        return None  # also where there is no database
    stored = ModelEndpoint.objects.filter(name=name).first()
    return endpoint_of(stored) if stored else None


def endpoint_of(stored: ModelEndpoint) -> Endpoint:
    """The stored endpoint as the engine takes it, with its key.

    Raises:
        SettingsError: its key cannot be had.
    """
    return Endpoint(
        name=stored.name,
        base_url=stored.base_url,
        model=stored.model,
        key=_key(stored),
        json_support=stored.json_support,  # type: ignore[arg-type] # one of its choices
        max_tokens=stored.max_tokens,
        temperature=stored.temperature,
        timeout_s=stored.timeout_s,
        patience_s=stored.patience_s,
        prompt_price=stored.prompt_price,
        completion_price=stored.completion_price,
        extra_body=stored.extra_body,
        declares_latency=stored.declares_latency,
        addresses=address_policy(),
    )


def address_policy() -> AddressPolicy:
    """Which hosts the operator allows."""
    policy: AddressPolicy = settings.ENDPOINT_ADDRESSES
    return policy


def _key(stored: ModelEndpoint) -> str:
    if stored.key_token:
        return keys.decrypt(stored.key_token)
    if not stored.key_variable:
        return ""
    if key := os.environ.get(stored.key_variable, "").strip():
        return key
    raise SettingsError(
        f"The key of the model {stored.name} is in the environment variable {stored.key_variable}, which is not set. "
        "Set it where the dashboard and its workers are started, or store a key on the model's page."
    )

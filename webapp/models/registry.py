"""The models that the rest of the program can name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DatabaseError

from engine.addresses import AddressPolicy
from engine.errors import SettingsError
from engine.llm import models
from engine.llm.endpoint import Endpoint
from engine.llm.models import SCRIPTED, is_scripted
from webapp.core import encryption
from webapp.models.models import ModelEndpoint

SCRIPTED_LABEL = "Scripted planner (built in, no language model)"
SCRIPTED_PREFIX = "scripted-"
"""How the names of scripted servers begin, and no others: their results are told from a model's by it."""


UNREADABLE = (
    "The models that were added cannot be read, since the database is not prepared or does not answer. "
    "`make run` prepares it; the model `scripted` needs none."
)


def known_models() -> list[tuple[str, str]]:
    """Name and label of every model, the built-in one first.

    Raises:
        SettingsError: the database cannot be read.
    """
    with _reading():
        stored = list(ModelEndpoint.objects.values_list("name", "model"))
    return [(SCRIPTED, SCRIPTED_LABEL)] + [(name, f"{name} ({model})") for name, model in stored]


def check_model(name: str) -> None:
    """Make sure that a model has this name, and that its settings can be read if it is scripted.

    Raises:
        SettingsError: none has, or they cannot; the message names the nearest that is known.
    """
    known = () if is_scripted(name) else [known for known, _ in known_models() if known != SCRIPTED]
    models.check_model(name, known)


def endpoint_for(name: str) -> Endpoint | None:
    """Where to ask the model of that name; None if no endpoint has it, as the scripted one has none.

    Raises:
        SettingsError: its key cannot be had, or the database cannot be read.
    """
    if is_scripted(name):
        return None  # also where there is no database
    with _reading():
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


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except DatabaseError as error:
        raise SettingsError(UNREADABLE) from error


def _key(stored: ModelEndpoint) -> str:
    if stored.key_token:
        return encryption.decrypt(stored.key_token)
    if not stored.key_variable:
        return ""
    if key := os.environ.get(stored.key_variable, "").strip():
        return key
    raise SettingsError(
        f"The key of the model {stored.name} is in the environment variable {stored.key_variable}, which is not set. "
        "Set it where the dashboard and its workers are started, or store a key on the model's page."
    )

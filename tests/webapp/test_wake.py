"""Waking watchers through Redis: never at the episode's expense."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import LazySettings

from webapp.live import wake as module
from webapp.live.wake import wake


class Layer:
    """Stands for the channel layer: remembers what is sent, and answers only when it is told to."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.answers = True

    async def group_send(self, name: str, message: dict[str, Any]) -> None:
        self.sent.append((name, message))
        if not self.answers:
            await asyncio.Event().wait()


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch, settings: LazySettings) -> Layer:
    settings.TEAM = True
    made = Layer()
    monkeypatch.setattr(module, "get_channel_layer", lambda: made)
    monkeypatch.setattr(module, "_tried_again_at", 0.0)
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.01)
    return made


def test_watchers_are_woken_by_their_episodes_group(layer: Layer) -> None:
    wake(7)
    wake(7)
    assert layer.sent == [("episode.7", {"type": "wake", "episode": 7})] * 2


def test_a_redis_that_does_not_answer_is_left_alone_for_a_while(
    layer: Layer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = 100.0
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: seconds))
    layer.answers = False
    wake(7)
    seconds += 4.9
    wake(7)
    assert len(layer.sent) == 1
    layer.answers = True
    seconds += 0.2
    wake(7)
    wake(7)
    assert len(layer.sent) == 3


def test_on_one_machine_nothing_is_sent(layer: Layer, settings: LazySettings) -> None:
    settings.TEAM = False
    wake(7)
    assert layer.sent == []

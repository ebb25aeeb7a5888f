"""All causes of an episode at once."""

from __future__ import annotations

from collections.abc import Iterable

from engine.episode.result import Cause
from engine.evaluation.causes.scene import Scene
from engine.evaluation.causes.watch import CAUSES
from engine.evaluation.timeline import Timeline
from engine.events.hearers import Hearers
from engine.events.log import Event
from engine.events.payloads import EpisodeEnded


class Causes:
    """Hears of an episode; after its last event, `causes` says why it failed.

    Args:
        timeline: one that is told of each event before this is.
        hearers: those who are told of the episode's events; the causes join them.
    """

    def __init__(self, timeline: Timeline, hearers: Hearers[Event]) -> None:
        self._scene = Scene(timeline)
        self._watches = [info.watch(self._scene) for info in CAUSES.values()]
        for kind, handle in self._scene.handlers.items():
            hearers.add(handle, (kind,))
        for watch in self._watches:
            hearers.add(watch.apply, watch.hears)

    def causes(self) -> list[Cause]:
        """The greatest first; none unless the episode was played to an end without success."""
        end: EpisodeEnded | None = self._scene.end.payload if self._scene.end else None
        if end is None or end.success is not False:
            return []
        found = [cause for watch in self._watches for cause in watch.found()]
        return sorted(found, key=lambda cause: -cause.weight)


def causes(events: Iterable[Event]) -> list[Cause]:
    """Why the episode of this log failed; nothing if the log does not say how it ended."""
    timeline = Timeline()
    hearers: Hearers[Event] = Hearers()
    hearers.add(timeline.apply, timeline.hears)
    fold = Causes(timeline, hearers)
    for event in events:
        for tell in hearers[type(event.payload)]:
            tell(event)
    return fold.causes()

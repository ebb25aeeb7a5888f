"""All causes of an episode at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from engine.episode.result import Cause
from engine.evaluation.causes.scene import Scene
from engine.evaluation.causes.watch import CAUSES
from engine.evaluation.timeline import Timeline
from engine.events.log import Event
from engine.events.payloads import EpisodeEnded, Payload

Handler = Callable[[Event], None]


class Causes:
    """Feed it events in order, all or those whose types it `hears`; after the last, `causes` says why it failed.

    Args:
        timeline: one that is fed each event before this is; without it, it makes its own.
    """

    def __init__(self, timeline: Timeline | None = None) -> None:
        self._own = Timeline() if timeline is None else None
        self._scene = Scene(timeline or self._own or Timeline())
        self._watches = [info.watch(self._scene) for info in CAUSES.values()]
        self._handlers: dict[type[Payload], list[Handler]] = {
            kind: [handle] for kind, handle in self._scene.handlers.items()
        }
        for watch in self._watches:
            for kind in watch.hears:
                self._handlers.setdefault(kind, []).append(watch.apply)

    @property
    def hears(self) -> Collection[type[Payload]]:
        """The types of events that matter to any of the causes, if the timeline is fed by somebody else."""
        return self._handlers.keys()

    def apply(self, event: Event) -> None:
        """Take in one event."""
        if self._own is not None:
            self._own.apply(event)
        for handle in self._handlers.get(type(event.payload), ()):
            handle(event)

    def causes(self) -> list[Cause]:
        """The greatest first; none unless the episode was played to an end without success."""
        end: EpisodeEnded | None = self._scene.end.payload if self._scene.end else None
        if end is None or end.success is not False:
            return []
        found = [cause for watch in self._watches for cause in watch.found()]
        return sorted(found, key=lambda cause: -cause.weight)


def causes(events: Iterable[Event]) -> list[Cause]:
    """Why the episode of this log failed."""
    fold = Causes()
    for event in events:
        fold.apply(event)
    return fold.causes()

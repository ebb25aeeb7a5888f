"""Reading an episode's stored log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webapp.live.models import EventSegment
from webapp.runs.models import Episode


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive events of one attempt, as lines joined by newlines."""

    attempt: int
    first_seq: int
    last_seq: int
    body: str

    def after(self, seq: int) -> Segment:
        """The part behind this sequence number."""
        if seq < self.first_seq:
            return self
        lines = self.body.split("\n")[seq - self.first_seq + 1 :]
        return Segment(self.attempt, seq + 1, self.last_seq, "\n".join(lines))


def segments(episode_id: int, attempt: int, after: int, max_bytes: int) -> list[Segment]:
    """Stored segments with events behind `after`, in order, the first one cut to them.

    Args:
        episode_id: the episode's primary key.
        attempt: which execution's log.
        after: sequence number of the last event that is not wanted.
        max_bytes: stop before the bodies exceed this many characters; the first one is there in any case.
    """
    rows = EventSegment.objects.filter(episode_id=episode_id, attempt=attempt, last_seq__gt=after)
    fields = rows.order_by("first_seq").values_list("attempt", "first_seq", "last_seq", "body")
    found: list[Segment] = []
    size = 0
    for row in fields.iterator(chunk_size=8):
        segment = Segment(*row).after(after)
        size += len(segment.body)
        if found and size > max_bytes:
            break
        found.append(segment)
    return found


def lines(episode: Episode) -> Iterator[bytes]:
    """The whole log, each line with its newline, as the engine wrote it."""
    rows = EventSegment.objects.filter(episode=episode, attempt=episode.attempt).order_by("first_seq")
    for body in rows.values_list("body", flat=True).iterator(chunk_size=8):
        yield body.encode() + b"\n"


def page(episode: Episode, after: int, limit: int) -> list[str]:
    """At most `limit` events behind `after`, each as its line."""
    rows = EventSegment.objects.filter(episode=episode, attempt=episode.attempt, last_seq__gt=after)
    fields = rows.order_by("first_seq").values_list("attempt", "first_seq", "last_seq", "body")
    found: list[str] = []
    for row in fields.iterator(chunk_size=4):
        found += Segment(*row).after(after).body.split("\n")
        if len(found) >= limit:
            break
    return found[:limit]

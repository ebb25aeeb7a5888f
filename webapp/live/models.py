"""The event log as it is stored: in segments."""

from __future__ import annotations

from django.db import models

from webapp.runs.models import Episode


class EventSegment(models.Model):
    r"""A batch of consecutive events of one episode's log.

    Attributes:
        attempt: which execution of the episode wrote it; a retry drops the segments of older ones.
        first_tick, last_tick: world time of its first and last event, in ticks.
        body: the events' lines exactly as the engine encoded them, joined by "\\n".
        wall_time: when it was written. The log itself holds no wall time.
    """

    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="segments")
    attempt = models.PositiveIntegerField()
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    first_tick = models.PositiveIntegerField()
    last_tick = models.PositiveIntegerField()
    body = models.TextField()
    wall_time = models.DateTimeField()

    class Meta:
        ordering = ["episode", "attempt", "first_seq"]
        constraints = [
            models.UniqueConstraint(fields=["episode", "attempt", "first_seq"], name="segment_first_seq")
        ]

    def __str__(self) -> str:
        """Which events of which episode."""
        return f"Episode {self.episode_id}: events {self.first_seq} to {self.last_seq}"

"""What if the model had been faster or slower? A run that replays another's replies with other latencies."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Sum

from engine.errors import SettingsError
from engine.llm.replay import latency_change
from webapp.runs.models import Episode, Run, Status
from webapp.runs.queue import enqueue

CHOICES = (("x0", "no latency at all"), ("x0.5", "half"), ("x2", "twice"), ("5", "5 s a call"))
"""Changes that a page offers, as `engine.llm.replay.latency_change` reads them, and in words."""
REPLAYABLE = (Status.FINISHED, Status.BUDGET)
FASTEST = 0.0


@dataclass(frozen=True, slots=True)
class Replayed:
    """How much of a what-if run are recorded replies.

    Attributes:
        source: the run whose replies are replayed; None if it is gone.
        latency: the change, as `x0.5`.
        replies: inferences so far, of which `recorded` were answered from the record.
    """

    source: Run | None
    latency: str
    replies: int
    recorded: int

    @property
    def share(self) -> float:
        """Percent of the replies that were recorded."""
        return 100 * self.recorded / self.replies if self.replies else 0.0


def start(source: Run, latency: str, index: int | None = None) -> Run:
    """Launch a run with a replay of each episode that asked a model and was played, or of just one.

    A reply is replayed as long as its question is the same; from the first that differs on, an agent's (or the
    master's) replies come from the episode's own model.

    Raises:
        ValidationError: the change cannot be read, or there is nothing to replay.
    """
    try:
        change = latency_change(latency)
    except SettingsError as error:
        raise ValidationError(str(error)) from error
    played = source.episodes.filter(status__in=REPLAYABLE).exclude(model="").order_by("index")
    if index is not None:
        played = played.filter(index=index)
    originals = list(played.defer("result"))
    if not originals:
        raise ValidationError("Nothing to replay: no episode that asked a model has been played to an end.")
    with transaction.atomic():
        run = Run.objects.create(
            name=f"What if latency {change.text}: {source.name}"[:200],
            pace=FASTEST,
            settings={**_axes(source, originals), "what_if": {"run": source.pk, "latency": change.text}},
        )
        episodes = Episode.objects.bulk_create(
            [_replay(run, number, original) for number, original in enumerate(originals, start=1)],
            batch_size=500,
        )
        enqueue([episode.pk for episode in episodes])
    return run


def _axes(source: Run, originals: list[Episode]) -> dict[str, object]:
    """A run's settings, narrowed to what is replayed."""
    return {
        **source.settings,
        "tasks": sorted({one.task_id for one in originals}),
        "policies": sorted({one.policy for one in originals}),
        "models": sorted({one.model for one in originals}),
        "modes": sorted({one.mode for one in originals}),
        "worlds": sorted({one.world for one in originals}),
        "seeds": sorted({one.seed for one in originals}),
        "estimate": None,
    }


def _replay(run: Run, index: int, original: Episode) -> Episode:
    return Episode(
        run=run,
        index=index,
        replay_of=original,
        task=original.task,
        task_type=original.task_type,
        agents=original.agents,
        policy=original.policy,
        model=original.model,
        mode=original.mode,
        world=original.world,
        seed=original.seed,
        repeat=original.repeat,
        pace=FASTEST,
    )


def replayed(run: Run) -> Replayed | None:
    """How much of the run is replayed; None if it is no what-if run."""
    settings = run.settings.get("what_if")
    if not settings:
        return None
    sums = run.episodes.aggregate(replies=Sum("n_inferences"), recorded=Sum("n_replayed"))
    return Replayed(
        source=Run.objects.filter(pk=settings["run"]).first(),
        latency=settings["latency"],
        replies=sums["replies"] or 0,
        recorded=sums["recorded"] or 0,
    )


def can_replay(run: Run) -> bool:
    """Whether there is anything to replay in the run."""
    return run.episodes.filter(status__in=REPLAYABLE).exclude(model="").exists()

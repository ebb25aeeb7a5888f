"""Runs and episodes."""

from __future__ import annotations

from django.db import models
from django.urls import reverse

from webapp.tasks.models import Task


class Status(models.TextChoices):
    """Where an episode stands. `error` and `lost` are faults of the infrastructure, never of the agents."""

    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    FINISHED = "finished", "Finished"
    BUDGET = "budget", "Out of budget"
    CANCELLED = "cancelled", "Cancelled"
    ERROR = "error", "Error"
    LOST = "lost", "Lost"


ACTIVE = (Status.QUEUED, Status.RUNNING)
"""Statuses that still change by themselves."""

RETRYABLE = (Status.LOST, Status.ERROR, Status.CANCELLED)
"""Statuses from which an episode may be started again."""

PACES = (1.0, 4.0, 16.0, 0.0)
"""World seconds per wall second that watchers may choose; 0 is as fast as possible."""


ORACLE_OF = "oracle_of"
"""In a run's settings: the episode that the oracle's of this run was first played for, to be watched beside it."""


class RunSet(models.QuerySet["Run"]):
    """Runs, told apart by who wanted them."""

    def launched(self) -> RunSet:
        """Those that somebody launched."""
        return self.exclude(settings__has_key=ORACLE_OF)

    def of_oracles(self) -> RunSet:
        """Those in which the oracle only plays to be watched beside an episode."""
        return self.filter(settings__has_key=ORACLE_OF)


class Run(models.Model):
    """One launch: a grid of task × policy × model × mode × world × seed × repeats.

    Attributes:
        settings: the grid, as `{"tasks": [ids], "policies": […], "models": […], "modes": […], "worlds": […],
            "seeds": […], "repeats": n, "server": name, "clock": name}`; what each episode may spend, as `"budget":
            {"inference_s", "inferences", "tokens", "usd"}`, and the whole run, as `"run_budget"` of the same form
            (None: as much as it takes); what was expected of it, as `"estimate"`; and perhaps `ORACLE_OF`.
        pace: world seconds per wall second that its episodes start with; 0 is as fast as possible.
        cancel_requested: somebody asked for the run to stop.
    """

    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)
    settings = models.JSONField()
    pace = models.FloatField(default=0.0)
    cancel_requested = models.BooleanField(default=False)

    objects = RunSet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        """The name."""
        return self.name

    def get_absolute_url(self) -> str:
        """The run's page."""
        return reverse("runs:run", args=[self.pk])

    def counts(self) -> dict[str, int]:
        """Number of episodes by status; every status is there, also with 0."""
        found = dict(self.episodes.order_by().values_list("status").annotate(models.Count("pk")))
        return {status: found.get(status, 0) for status in Status.values}

    @property
    def is_finished(self) -> bool:
        """No episode waits or runs any more."""
        return not self.episodes.filter(status__in=ACTIVE).exists()

    @property
    def is_mixed(self) -> bool:
        """Its episodes are played under several conditions, whose successes no single rate sums up."""
        return any(len(self.settings.get(axis, [])) > 1 for axis in ("policies", "models", "modes", "worlds"))


class Episode(models.Model):
    """One episode of a run: what to execute, where it stands, and what came out.

    Attributes:
        index: 1-based place in the run's grid.
        model: name of the language model that its policy asks; empty for policies that ask none.
        task_type, agents: the task's type and team size, kept here for tables.
        pace: world seconds per wall second, may be changed while it runs; 0 is as fast as possible.
        attempt: number of the current execution; 0 when none has begun. Writers check it, so that an
            execution that was given up cannot write any more.
        address: where a Minecraft client can join and watch while it runs; empty if nowhere.
        heartbeat_at: when the execution last showed a sign of life.
        last_seq: number of the last stored event.
        world_tick: world time reached, in ticks (1/20 s).
        success, partial_score: what the agents came to; None unless it was played to an end of its own.
        result: `EpisodeResult.to_dict()`; None until it ended.
        error: what went wrong and what to do, in words; also why the run's budget kept it from beginning.
        enqueued_at: when the workers were told of it; None while whoever launched it runs it by itself.
        oracle_score, score_bound: the partial score that the oracle reaches on the same task and seed, and the one that
            nobody could exceed; None for policies without a model, and until they have been worked out.
        replay_of: the episode whose recorded replies it replays with other latencies, of which `n_replayed` were used.
        spent_inferences, spent_tokens, spent_usd, spent_inference_s: what all its executions have cost so far, as a
            run's budget counts it; seconds of calls that overlapped are counted each.
        n_inferences … wall_seconds: what the last execution came to, in columns for tables; 0 or None until it ended.
            Steps are sums over the agents, and `master_steps` the part of `planning_steps` during which they waited
            for one decision for all. `latencies` holds the seconds of each inference.
        causes: why it failed, as `[name, subject, agent-steps]`, those of all agents added up.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="episodes")
    index = models.PositiveIntegerField()
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="episodes")
    task_type = models.CharField(max_length=40, blank=True)
    agents = models.PositiveIntegerField(default=0)
    policy = models.CharField(max_length=80)
    model = models.CharField(max_length=200, blank=True)
    mode = models.CharField(max_length=20)
    world = models.CharField(max_length=20)
    seed = models.PositiveIntegerField()
    repeat = models.PositiveIntegerField(default=1)

    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    pace = models.FloatField(default=0.0)
    cancel_requested = models.BooleanField(default=False)
    attempt = models.PositiveIntegerField(default=0)
    enqueued_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    address = models.CharField(max_length=280, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    last_seq = models.PositiveIntegerField(default=0)
    world_tick = models.PositiveIntegerField(default=0)

    success = models.BooleanField(null=True, blank=True)
    partial_score = models.FloatField(null=True, blank=True)
    steps = models.FloatField(null=True, blank=True)
    result = models.JSONField(null=True, blank=True)
    error = models.TextField(blank=True)

    oracle_score = models.FloatField(null=True, blank=True)
    score_bound = models.FloatField(null=True, blank=True)

    spent_inferences = models.PositiveIntegerField(default=0)
    spent_tokens = models.PositiveBigIntegerField(default=0)
    spent_usd = models.FloatField(default=0.0)
    spent_inference_s = models.FloatField(default=0.0)

    replay_of = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="replays"
    )
    n_replayed = models.PositiveIntegerField(default=0)

    n_inferences = models.PositiveIntegerField(default=0)
    prompt_tokens = models.PositiveBigIntegerField(default=0)
    completion_tokens = models.PositiveBigIntegerField(default=0)
    cost_usd = models.FloatField(null=True, blank=True)
    latency_s = models.FloatField(default=0.0)
    latencies = models.JSONField(default=list)
    messages = models.PositiveIntegerField(default=0)
    message_bytes = models.PositiveBigIntegerField(default=0)
    re_asks = models.PositiveIntegerField(default=0)
    parse_errors = models.PositiveIntegerField(default=0)
    planning_steps = models.FloatField(default=0.0)
    action_steps = models.FloatField(default=0.0)
    idle_steps = models.FloatField(default=0.0)
    dead_steps = models.FloatField(default=0.0)
    master_steps = models.FloatField(default=0.0)
    wall_seconds = models.FloatField(null=True, blank=True)
    causes = models.JSONField(default=list)

    class Meta:
        ordering = ["run", "index"]
        constraints = [models.UniqueConstraint(fields=["run", "index"], name="episode_index_in_run")]
        indexes = [
            models.Index(fields=["status", "heartbeat_at"], name="episode_status_heartbeat"),
            models.Index(fields=["run", "task_type", "policy", "model"], name="episode_condition"),
            models.Index(fields=["policy", "model", "mode", "task_type"], name="episode_likeness"),
        ]

    def __str__(self) -> str:
        """`Run 3, episode 7`."""
        return f"Run {self.run_id}, episode {self.index}"

    def get_absolute_url(self) -> str:
        """The episode's page."""
        return reverse("runs:episode", args=[self.run_id, self.index])

    @property
    def server(self) -> str:
        """Name of the user's own Minecraft server that it happens on; empty for the embedded one and the simulator."""
        name: str = self.run.settings.get("server", "")
        return name if self.world == "minecraft" else ""

    @property
    def is_active(self) -> bool:
        """It waits or runs, so it may still change by itself."""
        return self.status in ACTIVE

    @property
    def can_retry(self) -> bool:
        """It may be started again."""
        return self.status in RETRYABLE

"""What an episode comes to, as `run_episode --json` prints it (SPEC section 11)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Status = Literal["finished", "error", "cancelled", "budget"]


@dataclass(frozen=True, slots=True)
class CheckpointScore:
    """One checkpoint at the end: `have` of `need`."""

    name: str
    have: float
    need: float


@dataclass(frozen=True, slots=True)
class StepBreakdown:
    """How one agent spent the episode, in steps. The four add up to the episode's steps."""

    planning: float = 0.0
    action: float = 0.0
    idle: float = 0.0
    dead: float = 0.0


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds of inference: total, mean, median and 95th percentile; the last three None without calls."""

    total: float = 0.0
    mean: float | None = None
    p50: float | None = None
    p95: float | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Seconds that an inference lost before the request that was answered, to requests refused or broken off.

    It is kept beside the log, which holds only what a replay needs.
    """

    caller: str
    call: int
    attempt: int
    queue_s: float
    retries: int


@dataclass(frozen=True, slots=True)
class Costs:
    """What the episode's decisions cost.

    Attributes:
        prompt_tokens, completion_tokens: of all inferences; `reasoning_tokens` are part of the completions'.
        cost_usd: None without a price.
        re_asks: replies that could not be read, after which the model was asked again.
        parse_errors: decisions given up since the second reply could not be read either.
        replayed: inferences whose reply came from an earlier episode's log.
        retries, queue_s: requests that an endpoint refused or broke off, and the seconds lost to them; `waits` has
            them by inference, those without any left out.
    """

    inferences: int = 0
    latency_s: Latency = field(default_factory=Latency)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    messages: int = 0
    message_bytes: int = 0
    re_asks: int = 0
    parse_errors: int = 0
    reasoning_tokens: int = 0
    replayed: int = 0
    retries: int = 0
    queue_s: float = 0.0
    waits: tuple[Wait, ...] = ()


@dataclass(frozen=True, slots=True)
class Cause:
    """One reason why an episode failed.

    Attributes:
        name: from `engine.evaluation.causes.CAUSES`.
        agent: whom it befell; None for the team as a whole.
        tick: world time of the first occurrence.
        events: numbers of the events that show it, ascending.
        detail: one sentence for people.
        weight: agent-steps that it cost.
        subject: what did it, where one name stands for several things, as with deaths; else empty.
    """

    name: str
    agent: str | None
    tick: int
    events: list[int]
    detail: str
    weight: float
    subject: str = ""


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """An episode's outcome.

    Attributes:
        success: None unless the status is `finished` or `budget`.
        steps: world time at the end, in steps (ticks / 20).
        breakdown: by agent name.
        events: number of events in the log.
        wall_seconds: of the episode alone, without start-up.
        error: what failed, when the status is `error`; empty otherwise.
        causes: why it failed, the greatest cause first; none unless it was played without success.
    """

    success: bool | None
    partial_score: float
    checkpoints: list[CheckpointScore]
    steps: float
    status: Status
    breakdown: dict[str, StepBreakdown]
    costs: Costs
    events: int
    wall_seconds: float
    error: str = ""
    causes: list[Cause] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-ready form, without `error` unless there is one."""
        plain = asdict(self)
        if not self.error:
            del plain["error"]
        return plain

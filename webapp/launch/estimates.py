"""What a launch will probably take: inferences, tokens, money and wall time, from episodes played before."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings

from webapp.runs.models import Episode
from webapp.runs.providers import is_free
from webapp.runs.summary import PLAYED

SAMPLE = 200
"""Most earlier episodes, the newest, that an average is taken over."""
NORMAL_95 = 1.96
FACTOR = 3.0
"""How far off a figure may be that rests on no earlier episode, or on a single one: a third to three times."""

ALIKE = "earlier episodes of the same policy, model, mode and type of task"
SIMILAR = "earlier episodes of the same policy and model, in other modes or on other types of task"

CALLS = 12.0
"""Inferences of a caller in an episode where nothing is known: a guess, as are the tokens of each."""
TOKENS_A_CALL = 3_000.0
LATENCY_S = 20.0
"""Seconds of a call where nothing is known, as in the paper."""
ENGINE_SECONDS = 0.5
"""Wall time of an episode besides its pace and its models, where nothing is known."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Episodes that are expected to take the same."""

    policy: str
    model: str
    mode: str
    task_type: str
    agents: int
    max_steps: int


@dataclass(frozen=True, slots=True)
class Amount:
    """What is expected, and the range in which it will probably be (95 %)."""

    expected: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a launch will probably take.

    Attributes:
        episodes: how many it holds.
        wall_s: seconds until all are done, `workers` of them running at once.
        usd: None where a model has no known price.
        bases: what the figures rest on, in words, what most episodes rest on first.
    """

    episodes: int
    inferences: Amount
    tokens: Amount
    usd: Amount | None
    wall_s: Amount
    workers: int
    bases: tuple[str, ...]

    def plain(self) -> dict[str, Any]:
        """As a run's settings hold it."""
        return {**asdict(self), "bases": list(self.bases)}


@dataclass(frozen=True, slots=True)
class _Figures:
    """One quantity of an episode: its mean, its spread, and how many episodes they come from (0: a guess)."""

    mean: float
    deviation: float
    known: int


@dataclass(frozen=True, slots=True)
class _Expectation:
    inferences: _Figures
    tokens: _Figures
    usd: _Figures | None
    wall_s: _Figures
    basis: str


def estimate(kinds: Mapping[Kind, int], pace: float, workers: int | None = None) -> Estimate:
    """What the episodes will probably take.

    Args:
        kinds: how many episodes of each kind.
        pace: world seconds per wall second; 0 is as fast as possible.
        workers: how many run at once; None for as many as the dashboard's workers do.
    """
    at_once = max(1, workers or settings.WORKERS)
    expected = [(_expect(kind, pace), count) for kind, count in kinds.items()]
    episodes = sum(kinds.values())
    prices = [(one.usd, count) for one, count in expected]
    known = [(usd, count) for usd, count in prices if usd is not None]
    bases = Counter[str]()
    for one, count in expected:
        bases[one.basis] += count
    wall = _total((one.wall_s, count) for one, count in expected)
    share = min(at_once, episodes) or 1
    return Estimate(
        episodes=episodes,
        inferences=_total((one.inferences, count) for one, count in expected),
        tokens=_total((one.tokens, count) for one, count in expected),
        usd=_total(known) if len(known) == len(prices) else None,
        wall_s=Amount(wall.expected / share, wall.low / share, wall.high / share),
        workers=at_once,
        bases=tuple(f"{count:,} of {episodes:,} by {basis}" for basis, count in bases.most_common()),
    )


def _total(parts: Iterable[tuple[_Figures, int]]) -> Amount:
    """The sum over independent episodes.

    The sum of n new ones differs from n times the mean of m old ones with variance n s² + n² s² / m; guesses are off
    by `FACTOR` all together.
    """
    expected = guessed = variance = 0.0
    for figures, count in parts:
        expected += count * figures.mean
        if figures.known > 1:
            variance += figures.deviation**2 * (count + count**2 / figures.known)
        else:
            guessed += count * figures.mean
    spread = NORMAL_95 * math.sqrt(variance)
    low = max(0.0, expected - spread - guessed * (1 - 1 / FACTOR))
    return Amount(expected, low, expected + spread + guessed * (FACTOR - 1))


def _expect(kind: Kind, pace: float) -> _Expectation:
    like = Episode.objects.filter(policy=kind.policy, model=kind.model, status__in=PLAYED)
    for rows, basis in (
        (_rows(like.filter(mode=kind.mode, task_type=kind.task_type)), ALIKE),
        (_rows(like), SIMILAR),
    ):
        if rows:
            return _from_rows(rows, pace, basis)
    who = f"{kind.policy} · {kind.model}" if kind.model else kind.policy
    return _guess(kind, pace, f"rough defaults, since {who} was never played")


_COLUMNS = (
    "model",
    "n_inferences",
    "prompt_tokens",
    "completion_tokens",
    "cost_usd",
    "wall_seconds",
    "steps",
    "pace",
)


def _rows(episodes: Any) -> list[dict[str, Any]]:
    """The newest ones that ended."""
    ended = episodes.exclude(wall_seconds=None).exclude(steps=None)
    return list(ended.order_by("-ended_at").values(*_COLUMNS)[:SAMPLE])


def _from_rows(rows: Sequence[Mapping[str, Any]], pace: float, basis: str) -> _Expectation:
    money = [_money(row) for row in rows]
    known = [usd for usd in money if usd is not None]
    return _Expectation(
        inferences=_figures([row["n_inferences"] for row in rows]),
        tokens=_figures([row["prompt_tokens"] + row["completion_tokens"] for row in rows]),
        usd=_figures(known) if known else None,
        wall_s=_figures([_wall_at(row, pace) for row in rows]),
        basis=basis,
    )


def _money(row: Mapping[str, Any]) -> float | None:
    if not row["n_inferences"] or is_free(row["model"]):
        return 0.0
    price: float | None = row["cost_usd"]
    return price


def _wall_at(row: Mapping[str, Any], pace: float) -> float:
    """Wall time that the episode would have taken at this pace: its own without its pace, and the new pace's."""
    own = row["wall_seconds"] - (row["steps"] / row["pace"] if row["pace"] else 0.0)
    return max(0.0, float(own)) + (row["steps"] / pace if pace else 0.0)


def _figures(values: Sequence[float]) -> _Figures:
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    return _Figures(statistics.fmean(values), spread, len(values))


def _guess(kind: Kind, pace: float, basis: str) -> _Expectation:
    nothing = _Figures(0.0, 0.0, 0)
    paced = kind.max_steps / pace if pace else 0.0
    if not kind.model:
        return _Expectation(nothing, nothing, nothing, _Figures(paced + ENGINE_SECONDS, 0.0, 0), basis)
    callers = kind.agents if kind.policy == "distributed" else 1
    calls = CALLS * callers
    thinking = 0.0 if is_free(kind.model) else CALLS * LATENCY_S
    return _Expectation(
        inferences=_Figures(calls, 0.0, 0),
        tokens=_Figures(calls * TOKENS_A_CALL, 0.0, 0),
        usd=nothing if is_free(kind.model) else None,
        wall_s=_Figures(paced + ENGINE_SECONDS + thinking, 0.0, 0),
        basis=basis,
    )

"""What an ended episode comes to, as columns that tables add up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.episode.result import Costs, EpisodeResult
from webapp.runs.models import Episode

ACTIVITIES = ("planning", "action", "idle", "dead")


def columns(result: Mapping[str, Any], *, latencies: Iterable[float], by_master: bool) -> dict[str, Any]:
    """Fields of `Episode` from `EpisodeResult.to_dict()`.

    Args:
        result: the episode's result.
        latencies: seconds of each inference.
        by_master: all inferences decided for the whole team, so that planning is waiting for the master.
    """
    costs = result["costs"]
    spent = {
        activity: sum(steps[activity] for steps in result["breakdown"].values()) for activity in ACTIVITIES
    }
    return {
        "n_inferences": costs["inferences"],
        "n_replayed": costs["replayed"],
        "prompt_tokens": costs["prompt_tokens"],
        "completion_tokens": costs["completion_tokens"],
        "cost_usd": costs["cost_usd"],
        "latency_s": costs["latency_s"]["total"],
        "latencies": [round(seconds, 3) for seconds in latencies],
        "messages": costs["messages"],
        "message_bytes": costs["message_bytes"],
        "re_asks": costs["re_asks"],
        "parse_errors": costs["parse_errors"],
        **{f"{activity}_steps": steps for activity, steps in spent.items()},
        "master_steps": spent["planning"] if by_master else 0.0,
        "wall_seconds": result["wall_seconds"],
        "causes": _causes(result.get("causes", [])),
    }


def _causes(found: Iterable[Mapping[str, Any]]) -> list[tuple[str, str, float]]:
    """What each cause cost all agents together."""
    weights: dict[tuple[str, str], float] = {}
    for cause in found:
        kind = (cause["name"], cause["subject"])
        weights[kind] = weights.get(kind, 0.0) + cause["weight"]
    return [(*kind, round(weight, 2)) for kind, weight in weights.items()]


def cleared() -> dict[str, Any]:
    """The same fields of an episode that starts over."""
    nothing = EpisodeResult(None, 0.0, [], 0.0, "cancelled", {}, Costs(), 0, 0.0).to_dict()
    names = columns(nothing, latencies=(), by_master=False)
    blank = Episode()
    return {name: getattr(blank, name) for name in names}

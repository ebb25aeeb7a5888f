"""Pages of what models were asked and answered in an episode."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.events.payloads import InferenceEnded
from webapp.access import get_episode_for_user
from webapp.live import log
from webapp.runs import minds
from webapp.runs.models import Episode


@require_safe
def decisions(request: HttpRequest, run_id: int, index: int) -> HttpResponse:
    """All decisions of an episode, and all messages between its agents."""
    episode = get_episode_for_user(request.user, run_id, index)
    found, messages = minds.overview(log.lines(episode))
    return render(request, "runs/decisions.html", {"episode": episode, "decisions": found, "told": messages})


@require_safe
def decision(request: HttpRequest, run_id: int, index: int, seq: int) -> HttpResponse:
    """One decision: the whole prompt, the whole reply, and what became of its plan."""
    episode = get_episode_for_user(request.user, run_id, index)
    found = minds.insight(log.lines(episode), seq)
    if found is None:
        raise Http404("There is no decision with this number.")
    return render(
        request,
        "runs/decision.html",
        {
            "episode": episode,
            "insight": found,
            "reply": minds.pretty(found.decision.inference.completion),
            "wait": _wait(episode, found.decision.inference),
        },
    )


def _wait(episode: Episode, inference: InferenceEnded) -> dict[str, Any] | None:
    """What the inference lost to refused requests, once the episode has ended; None if nothing."""
    waits: list[dict[str, Any]] = (episode.result or {}).get("costs", {}).get("waits", [])
    key = (inference.caller, inference.call, inference.attempt)
    return next((one for one in waits if (one["caller"], one["call"], one["attempt"]) == key), None)

"""Exports, the JSON page of events, and the buttons' endpoints."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect, JsonResponse
from django.views.decorators.http import require_POST, require_safe

from webapp.access import get_episode_for_user, get_run_for_user
from webapp.core.params import number
from webapp.launch import oracle, what_if
from webapp.live import log
from webapp.runs import actions
from webapp.runs.models import Episode
from webapp.runs.summary import episodes

MAX_EVENTS = 1000


@require_safe
def log_file(request: HttpRequest, run_id: int, index: int) -> HttpResponse:
    """The event log, byte for byte as the engine wrote it, as a download."""
    episode = get_episode_for_user(request.user, run_id, index)
    body = b"".join(log.lines(episode))
    name = f"run-{run_id}-episode-{index}.jsonl"
    return HttpResponse(
        body,
        content_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_safe
def events(request: HttpRequest, run_id: int, index: int) -> HttpResponse:
    """One page of events after a sequence number: `{"events", "last_seq", "attempt", "status"}`.

    `last_seq` is the number of the last stored event, so there is more while it exceeds the page's last one.
    """
    episode = get_episode_for_user(request.user, run_id, index)
    after = _number(request, "after", 0)
    limit = _number(request, "limit", MAX_EVENTS)
    if after is None or limit is None or not 1 <= limit <= MAX_EVENTS:
        return HttpResponseBadRequest(
            f"`after` must be a whole number from 0, `limit` one from 1 to {MAX_EVENTS}.",
            content_type="text/plain",
        )
    page = ",".join(log.page(episode, after, limit))
    body = (
        f'{{"events":[{page}],"last_seq":{episode.last_seq},'
        f'"attempt":{episode.attempt},"status":"{episode.status}"}}'
    )
    return HttpResponse(body, content_type="application/json")


@require_POST
def start_what_if(request: HttpRequest, run_id: int) -> HttpResponse:
    """Launch a replay of the run's recorded replies, or of one episode's (`episode`), with other latencies."""
    run = get_run_for_user(request.user, run_id)
    latency = request.POST.get("other", "").strip() or request.POST.get("latency", "")
    try:
        new = what_if.start(run, latency, number(request.POST.get("episode")))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return HttpResponseRedirect(f"{run.get_absolute_url()}#what-if")
    return HttpResponseRedirect(new.get_absolute_url())


@require_POST
def watch_oracle(request: HttpRequest, run_id: int, index: int) -> HttpResponse:
    """Have the oracle play the episode's task, unless it has, and show both side by side."""
    episode = get_episode_for_user(request.user, run_id, index)
    try:
        other = oracle.beside(episode)
    except ValidationError as error:
        messages.error(request, "The oracle cannot play this: " + " ".join(error.messages))
        return HttpResponseRedirect(episode.get_absolute_url())
    return HttpResponseRedirect(f"{episode.get_absolute_url()}?beside={other.pk}")


@require_POST
def cancel_run(request: HttpRequest, run_id: int) -> HttpResponse:
    """Stop all of a run's episodes."""
    run = get_run_for_user(request.user, run_id)
    count = actions.cancel_run(run)
    stopping = f"Stopping {episodes(count)}."
    return _answer(request, run.get_absolute_url(), stopping if count else "The run had ended.")


@require_POST
def cancel_episode(request: HttpRequest, run_id: int, index: int) -> HttpResponse:
    """Stop an episode."""
    episode = get_episode_for_user(request.user, run_id, index)
    stopped = actions.cancel_episode(episode)
    return _answer(request, _page_of(episode, request), "Stopping." if stopped else "The episode had ended.")


@require_POST
def retry_episode(request: HttpRequest, run_id: int, index: int) -> HttpResponse:
    """Queue an episode again."""
    episode = get_episode_for_user(request.user, run_id, index)
    queued = actions.retry_episode(episode)
    refusal = "Only lost, cancelled and faulty episodes can be started again."
    return _answer(request, _page_of(episode, request), "Queued again." if queued else refusal)


@require_POST
def set_pace(request: HttpRequest, run_id: int, index: int) -> HttpResponse:
    """Change an episode's pace to `pace`."""
    episode = get_episode_for_user(request.user, run_id, index)
    try:
        pace = float(request.POST.get("pace", ""))
        changed = actions.set_pace(episode, pace)
    except (ValueError, ValidationError):
        return HttpResponseBadRequest("`pace` must be 1, 4, 16 or 0.", content_type="text/plain")
    if _wants_json(request):
        return JsonResponse({"pace": pace, "changed": changed})
    return HttpResponseRedirect(episode.get_absolute_url())


def _page_of(episode: Episode, request: HttpRequest) -> str:
    """Its page, with the episode beside it that the button's address names."""
    key = number(request.GET.get("beside"))
    return episode.get_absolute_url() + ("" if key is None else f"?beside={key}")


def _answer(request: HttpRequest, address: str, text: str) -> HttpResponse:
    if _wants_json(request):
        return JsonResponse({"message": text})
    messages.info(request, text)
    return HttpResponseRedirect(address)


def _wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


def _number(request: HttpRequest, name: str, default: int) -> int | None:
    text: Any = request.GET.get(name, str(default))
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None

"""What one may take away of an episode besides its log: a trace and a replay that opens from disk."""

from __future__ import annotations

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.views.decorators.http import require_safe

from engine.errors import RuleError
from engine.evaluation.trace import chrome_trace
from engine.events.log import decode
from webapp.access import get_episode_for_user
from webapp.live import log
from webapp.runs import beside, takeaway
from webapp.runs.models import Episode


@require_safe
def trace(request: HttpRequest, run_id: int, index: int) -> HttpResponse:
    """The episode as a trace that Perfetto and chrome://tracing open, as a download."""
    episode = get_episode_for_user(request.user, run_id, index)
    try:
        found = chrome_trace(decode(line for body in log.lines(episode) for line in body.splitlines()))
    except RuleError as error:
        text = f"This version cannot read the episode's log: {error}. Its log can still be downloaded."
        return HttpResponse(text, status=409, content_type="text/plain")
    return _file(episode, "trace.json", msgspec.json.encode(found), "application/json")


@require_safe
def replay(request: HttpRequest, run_id: int, index: int) -> HttpResponse:
    """The episode as one HTML file that plays it without a server, as a download.

    `?beside=<key>` puts another one of the same task beside it, as on the episode's page.
    """
    episode = get_episode_for_user(request.user, run_id, index)
    other, fault = beside.chosen(request.user, episode, request.GET)
    if fault:
        return HttpResponseBadRequest(fault, content_type="text/plain")
    return _file(episode, "replay.html", takeaway.replay(episode, other).encode(), "text/html")


def _file(episode: Episode, kind: str, body: bytes, content_type: str) -> HttpResponse:
    name = f"run-{episode.run_id}-episode-{episode.index}-{kind}"
    return HttpResponse(
        body,
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )

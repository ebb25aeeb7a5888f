"""Who may see and do what. Without login everybody who reaches the server may do everything."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from asgiref.sync import sync_to_async
from channels.auth import get_user
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.shortcuts import get_object_or_404

from webapp.runs.models import Episode, Run

User = AbstractBaseUser | AnonymousUser


def may_enter(user: User) -> bool:
    """Whether this user may use the dashboard at all."""
    return not settings.LOGIN or user.is_authenticated


def get_run_for_user(user: User, run_id: int) -> Run:
    """The run, if the user may see it.

    Raises:
        Http404: there is no such run for this user.
    """
    if not may_enter(user):
        raise Http404
    return get_object_or_404(Run, pk=run_id)


def get_episode_for_user(user: User, run_id: int, index: int) -> Episode:
    """The episode, with its run, task and suite, if the user may see it.

    Raises:
        Http404: there is no such episode for this user.
    """
    if not may_enter(user):
        raise Http404
    episodes = Episode.objects.select_related("run", "task__suite")
    return get_object_or_404(episodes, run_id=run_id, index=index)


async def may_stay(scope: dict[str, Any]) -> bool:
    """Whether the user of an open socket is still logged in, asked afresh from the stored session."""
    if not settings.LOGIN:
        return True
    key = getattr(scope.get("session"), "session_key", None)
    if not key:
        return False
    session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    await sync_to_async(session.load)()
    return may_enter(await get_user({"session": session}))

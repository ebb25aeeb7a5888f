"""Addresses of runs, episodes, exports and their actions."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from webapp.runs import views_api

app_name = "runs"

episode: list[URLPattern | URLResolver] = [
    path("log.jsonl", views_api.log_file, name="log"),
    path("events/", views_api.events, name="events"),
    path("cancel/", views_api.cancel_episode, name="cancel_episode"),
    path("retry/", views_api.retry_episode, name="retry"),
    path("pace/", views_api.set_pace, name="pace"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("<int:run_id>/cancel/", views_api.cancel_run, name="cancel"),
    path("<int:run_id>/episodes/<int:index>/", include(episode)),
]

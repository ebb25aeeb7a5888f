"""Addresses of runs, episodes, exports and their actions."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from webapp.runs import views, views_api, views_files, views_minds, views_parts, views_wall

app_name = "runs"

episode: list[URLPattern | URLResolver] = [
    path("", views.episode, name="episode"),
    path("head/", views.episode_head, name="head"),
    path("table/", views.event_table, name="table"),
    path("decisions/", views_minds.decisions, name="decisions"),
    path("decisions/<int:seq>/", views_minds.decision, name="decision"),
    path("log.jsonl", views_api.log_file, name="log"),
    path("trace.json", views_files.trace, name="trace"),
    path("replay.html", views_files.replay, name="replay"),
    path("events/", views_api.events, name="events"),
    path("cancel/", views_api.cancel_episode, name="cancel_episode"),
    path("retry/", views_api.retry_episode, name="retry"),
    path("oracle/", views_api.watch_oracle, name="watch_oracle"),
    path("pace/", views_api.set_pace, name="pace"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.run_list, name="list"),
    path("<int:run_id>/", views.run, name="run"),
    path("<int:run_id>/progress/", views.run_progress, name="progress"),
    path("<int:run_id>/episodes/", views.run_episodes, name="episodes"),
    path("<int:run_id>/parts/<slug:name>/", views_parts.part, name="part"),
    path("<int:run_id>/tables/<slug:name>.csv", views_parts.table_csv, name="table_csv"),
    path("<int:run_id>/tables/<slug:name>.json", views_parts.table_json, name="table_json"),
    path("<int:run_id>/wall/", views_wall.wall, name="wall"),
    path("<int:run_id>/wall/episodes.json", views_wall.episodes, name="wall_episodes"),
    path("<int:run_id>/what-if/", views_api.start_what_if, name="what_if"),
    path("<int:run_id>/cancel/", views_api.cancel_run, name="cancel"),
    path("<int:run_id>/episodes/<int:index>/", include(episode)),
]

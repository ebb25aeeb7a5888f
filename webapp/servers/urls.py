"""Addresses of the servers page."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from webapp.servers import views

app_name = "servers"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.server_list, name="list"),
    path("new/", views.new, name="new"),
    path("<str:name>/", views.server, name="server"),
    path("<str:name>/edit/", views.edit, name="edit"),
    path("<str:name>/delete/", views.delete, name="delete"),
    path("<str:name>/check/", views.start_check, name="check"),
    path("<str:name>/check/cancel/", views.cancel_check, name="cancel"),
    path("<str:name>/check/progress/", views.check_progress, name="progress"),
]

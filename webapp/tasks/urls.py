"""Addresses of the task library."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from webapp.tasks import views

app_name = "tasks"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.library, name="library"),
    path("new/", views.new, name="new"),
    path("<slug:suite>/<slug:slug>/", views.task, name="task"),
    path("<slug:suite>/<slug:slug>/task.yaml", views.yaml, name="yaml"),
    path("<slug:suite>/<slug:slug>/preview.json", views.rehearsal, name="rehearsal"),
]

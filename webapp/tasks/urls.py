"""Addresses of the task library."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "tasks"
urlpatterns: list[URLPattern | URLResolver] = []

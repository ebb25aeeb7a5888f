"""Addresses of runs, episodes, exports and their actions."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "runs"
urlpatterns: list[URLPattern | URLResolver] = []

"""Addresses of the launch form."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "launch"
urlpatterns: list[URLPattern | URLResolver] = []

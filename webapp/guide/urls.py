"""Addresses of the user guide."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "guide"
urlpatterns: list[URLPattern | URLResolver] = []

"""Addresses of the first page."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from webapp.home import views

app_name = "home"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("live/", views.live, name="live"),
    path("recent/", views.recent, name="recent"),
]

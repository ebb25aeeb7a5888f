"""Addresses of the user guide."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from webapp.guide import views

app_name = "guide"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.index, name="index"),
    path("<slug:name>/", views.page, name="page"),
]

"""Addresses of the launch form."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from webapp.launch import views

app_name = "launch"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.launch_form, name="form"),
    path("estimate/", views.launch_estimate, name="estimate"),
]

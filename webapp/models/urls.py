"""Addresses of the models page."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from webapp.models import views

app_name = "models"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.model_list, name="list"),
    path("new/", views.new, name="new"),
    path("<str:name>/", views.edit, name="edit"),
    path("<str:name>/delete/", views.delete, name="delete"),
    path("<str:name>/try/", views.try_model, name="try"),
]

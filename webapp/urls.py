"""All addresses: each app brings its own."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import views as auth
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("webapp.home.urls")),
    path("tasks/", include("webapp.tasks.urls")),
    path("launch/", include("webapp.launch.urls")),
    path("runs/", include("webapp.runs.urls")),
    path("models/", include("webapp.models.urls")),
    path("servers/", include("webapp.servers.urls")),
    path("guide/", include("webapp.guide.urls")),
]

if settings.LOGIN:
    urlpatterns += [
        path("login/", auth.LoginView.as_view(), name="login"),
        path("logout/", auth.LogoutView.as_view(), name="logout"),
    ]

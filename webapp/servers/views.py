"""The servers page: the list, adding, changing, deleting and checking."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from webapp.core.params import number
from webapp.runs.views_parts import fragment
from webapp.servers import checks
from webapp.servers.forms import CheckForm, ServerForm
from webapp.servers.models import MinecraftServer, ServerCheck


@require_safe
def server_list(request: HttpRequest) -> HttpResponse:
    """All servers, the embedded one last."""
    return render(request, "servers/list.html", {"servers": MinecraftServer.objects.all()})


@require_safe
def server(request: HttpRequest, name: str) -> HttpResponse:
    """One server, and what checking it came to: the newest time, or the time of a check (`?check=<id>`)."""
    return _page(request, get_object_or_404(MinecraftServer, name=name), CheckForm())


def _page(request: HttpRequest, stored: MinecraftServer, form: CheckForm, status: int = 200) -> HttpResponse:
    context = {"server": stored, "form": form, "high": checks.HIGH, **_check(request, stored)}
    return render(request, "servers/server.html", context, status=status)


def _check(request: HttpRequest, stored: MinecraftServer) -> dict[str, Any]:
    """The check to show, and the others."""
    found = list(stored.checks.all())
    asked = number(request.GET.get("check"))
    shown = next((one for one in found if one.pk == asked), found[0] if found else None)
    return {"check": shown, "newest": found[0] if found else None, "others": [c for c in found if c != shown]}


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Add a server."""
    return _form(request, None)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, name: str) -> HttpResponse:
    """Change a server."""
    return _form(request, get_object_or_404(MinecraftServer, name=name))


@sensitive_variables()
def _form(request: HttpRequest, stored: MinecraftServer | None) -> HttpResponse:
    title = stored.name if stored else ""  # a form with faults has written into the object
    form = ServerForm(request.POST or None, instance=stored)
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        messages.success(request, f"The server “{saved.name}” is saved.")
        return redirect(saved)
    status = 400 if request.method == "POST" else 200
    return render(request, "servers/form.html", {"form": form, "title": title}, status=status)


@require_POST
def delete(request: HttpRequest, name: str) -> HttpResponse:
    """Forget a server, its password and its checks."""
    get_object_or_404(MinecraftServer, name=name).delete()
    messages.success(request, f"The server “{name}” is deleted, and its password with it.")
    return redirect("servers:list")


@require_POST
def start_check(request: HttpRequest, name: str) -> HttpResponse:
    """Ask the server who it is, and queue the check of what it can do."""
    stored = get_object_or_404(MinecraftServer, name=name)
    form = CheckForm(request.POST)
    if not form.is_valid():
        return _page(request, stored, form, status=400)
    try:
        checks.start(stored, form.cleaned_data["player"])
    except checks.CannotStartError as why:
        messages.error(request, str(why))
    return redirect(stored)


@require_POST
def cancel_check(request: HttpRequest, name: str) -> HttpResponse:
    """Stop the server's check."""
    stored = get_object_or_404(MinecraftServer, name=name)
    if not checks.cancel(stored):
        messages.info(request, "The check had ended.")
    return redirect(stored)


@require_safe
def check_progress(request: HttpRequest, name: str) -> HttpResponse:
    """How far the newest check is, as a fragment."""
    stored = get_object_or_404(MinecraftServer, name=name)
    shown: ServerCheck | None = stored.last_check
    context = {"server": stored, "check": shown}
    return fragment(request, "servers/_check.html", context, done=shown is None or not shown.is_active)

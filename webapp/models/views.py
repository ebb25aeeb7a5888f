"""The models page: the list, adding, changing, deleting and trying."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.errors import SettingsError
from webapp.models.forms import KEY_CLEARED, EndpointForm
from webapp.models.models import ModelEndpoint
from webapp.models.registry import endpoint_of
from webapp.models.trial import Trial, try_endpoint


@require_safe
def model_list(request: HttpRequest) -> HttpResponse:
    """All models, the built-in one first."""
    return _list(request)


def _list(
    request: HttpRequest, tried: ModelEndpoint | None = None, trial: Trial | None = None
) -> HttpResponse:
    context = {"models": ModelEndpoint.objects.all(), "tried": tried, "trial": trial}
    return render(request, "models/list.html", context)


@sensitive_post_parameters("key")
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Add a model."""
    return _form(request, None)


@sensitive_post_parameters("key")
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, name: str) -> HttpResponse:
    """Change a model."""
    return _form(request, get_object_or_404(ModelEndpoint, name=name))


@sensitive_variables()
def _form(request: HttpRequest, stored: ModelEndpoint | None) -> HttpResponse:
    title = stored.name if stored else ""  # a form with faults has written into the object
    form = EndpointForm(request.POST or None, instance=stored)
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        messages.success(request, f"The model “{saved.name}” is saved.")
        if form.has_cleared_key:
            messages.warning(request, KEY_CLEARED)
            return redirect(saved)
        return redirect("models:list")
    status = 400 if request.method == "POST" else 200
    return render(request, "models/form.html", {"form": form, "title": title}, status=status)


@require_POST
def delete(request: HttpRequest, name: str) -> HttpResponse:
    """Forget a model and its key."""
    get_object_or_404(ModelEndpoint, name=name).delete()
    messages.success(request, f"The model “{name}” is deleted, and its key with it.")
    return redirect("models:list")


@require_POST
def try_model(request: HttpRequest, name: str) -> HttpResponse:
    """Ask the model a tiny question: a fragment for scripts, the whole list with the outcome in it for forms."""
    stored = get_object_or_404(ModelEndpoint, name=name)
    try:
        trial = try_endpoint(endpoint_of(stored))
    except SettingsError as fault:
        trial = Trial(str(fault))
    if request.headers.get("X-Requested-With") == "fetch":
        return render(request, "models/_trial.html", {"trial": trial})
    return _list(request, stored, trial)

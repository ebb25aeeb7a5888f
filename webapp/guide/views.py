"""The user guide's pages."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from webapp.guide import pages


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The guide's first page."""
    return _show(request, "index")


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """One page of the guide."""
    if name == "index":
        return redirect("guide:index", permanent=True)
    return _show(request, name)


def _show(request: HttpRequest, name: str) -> HttpResponse:
    shown = pages.load(name)
    if shown is None:
        raise Http404
    menu = pages.pages()
    place = [entry.name for entry in menu].index(name)
    return render(
        request,
        "guide/page.html",
        {
            "page": shown,
            "menu": menu,
            "previous": menu[place - 1] if place else None,
            "next": menu[place + 1] if place + 1 < len(menu) else None,
        },
    )

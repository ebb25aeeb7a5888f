"""What the pages say the same way everywhere: status badges, times, paces, navigation, icons."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from typing import Any

from django import template
from django.template.context import RequestContext
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from engine import VERSION
from engine.agents.policies import POLICIES
from webapp.core import words
from webapp.core.modules import modules
from webapp.runs.models import Status
from webapp.runs.providers import is_scripted

register = template.Library()

TICKS_A_STEP = 20
LISTED = 6
"""Entries of a list shown in one line."""
LONGEST = 240
"""Characters of a value shown in one line."""
_ICONS = {
    "play": '<path d="M7 5v14l12-7z" fill="currentColor" stroke="none"/>',
    "plus": '<path d="M12 5v14M5 12h14"/>',
    "stop": '<rect x="6" y="6" width="12" height="12" rx="1.5"/>',
    "again": '<path d="M19 12a7 7 0 1 1-2.2-5.1M19 4v4.5h-4.5"/>',
    "download": '<path d="M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 20h14"/>',
    "search": '<circle cx="11" cy="11" r="6"/><path d="m20 20-4.6-4.6"/>',
    "contrast": '<circle cx="12" cy="12" r="8.5"/>'
    '<path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor" stroke="none"/>',
    "right": '<path d="m9 5 7 7-7 7"/>',
    "left": '<path d="m15 5-7 7 7 7"/>',
    "check": '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
    "cross": '<path d="m6.5 6.5 11 11m0-11-11 11"/>',
}


@register.simple_tag
def preload_modules(entry: str) -> SafeString:
    """Links that have the browser load a script's modules at once, instead of finding one after the other."""
    links = ((static(path),) for path in modules(entry))
    return format_html_join("\n", '<link rel="modulepreload" href="{}">', links)


@register.simple_tag
def engine_version() -> str:
    """The version of the rules, as event logs record it."""
    return VERSION


@register.simple_tag
def icon(name: str) -> SafeString:
    """A small decorative drawing; its meaning must also stand in text or in the control's label."""
    return format_html(
        '<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" '
        'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">{}</svg>',
        mark_safe(_ICONS[name]),  # noqa: S308 - one of the constants above
    )


@register.simple_tag(takes_context=True)
def nav_link(context: RequestContext, name: str, label: str) -> SafeString:
    """A link of the main navigation, marked when the page shown is in its part of the site."""
    match = getattr(context.get("request"), "resolver_match", None)
    here = bool(match and match.app_name == name.partition(":")[0])
    return format_html(
        '<a href="{}"{}>{}</a>', reverse(name), mark_safe(' aria-current="page"') if here else "", label
    )


@register.inclusion_tag("ui/field.html")
def field(bound: Any, *, optional: bool = True) -> dict[str, Any]:
    """A form field with its label, help and errors, tied together for screen readers.

    Args:
        bound: the field.
        optional: say so beside the label if it may stay empty.
    """
    return {"field": bound, "optional": optional}


@register.simple_tag
def status_badge(status: str) -> SafeString:
    """An episode's status in a word, coloured."""
    return format_html('<span class="pill pill-{}">{}</span>', status, Status(status).label)


@register.simple_tag
def outcome(success: bool | None) -> SafeString:
    """Success or failure of the task; a dash while, or where, there is neither."""
    if success is None:
        return format_html('<span class="muted">{}</span>', "–")
    kind, word = ("good", "Success") if success else ("bad", "Failure")
    return format_html(
        '<span class="outcome-{}">{} {}</span>', kind, icon("check" if success else "cross"), word
    )


@register.filter
def kind_name(kind: str) -> str:
    """A task type in words."""
    return words.KINDS.get(kind, kind.replace("_", " ").capitalize())


@register.filter
def policy_name(name: str) -> str:
    """A policy's label; its name when this version does not know it any more."""
    return POLICIES[name].label if name in POLICIES else name


@register.filter
def model_name(name: str) -> str:
    """A model's name, and that it is none where a script stands in for one; a dash for nothing."""
    if not name:
        return "–"
    return f"{name} (no LLM)" if is_scripted(name) else name


@register.filter
def is_scripted_model(name: str) -> bool:
    """Whether a script answers under this name, and no language model."""
    return is_scripted(name)


@register.filter
def mode_name(name: str) -> str:
    """A mode in words."""
    return words.MODES.get(name, name)


@register.filter
def world_name(name: str) -> str:
    """A world in words."""
    return words.WORLDS.get(name, name)


@register.filter
def pace_name(pace: float) -> str:
    """`4×`, or that there is no limit."""
    return words.PACES.get(float(pace), f"{pace:g}×")


@register.filter
def humanise(name: str) -> str:
    """`gold_ore` → `gold ore`, `AgentMoved` → `agent moved`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ")


@register.filter
def number(value: float | None, digits: int = 1) -> str:
    """At most `digits` decimals, none that say nothing; a dash for nothing at all."""
    if value is None:
        return "–"
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


@register.filter
def decimals(value: float | None, digits: int) -> str:
    """Just so many decimals, so that a column lines up; a dash for None."""
    return "–" if value is None else f"{value:,.{digits}f}"


@register.filter
def percent(value: float | None) -> str:
    """0.425 → `43 %`, but never 100 % (0 %) for what is not quite all (nothing); a dash for None."""
    if value is None:
        return "–"
    whole = round(value * 100)
    if whole == 100 and value < 1:
        return "> 99 %"
    if whole == 0 and value > 0:
        return "< 1 %"
    return f"{whole} %"


@register.filter
def interval_style(bounds: tuple[float, float]) -> str:
    """Where an interval of shares lies on a line from 0 to 1, as CSS."""
    low, high = bounds
    return f"left:{100 * low:.2f}%;width:{100 * (high - low):.2f}%"


@register.simple_tag
def mean_and_sum(figures: tuple[float | None, float | None], digits: int = 1) -> SafeString:
    """A mean, and the sum below it."""
    mean, total = figures
    if mean is None:
        return format_html('<span class="muted">{}</span>', "–")
    return format_html("{}<small>Σ {}</small>", number(mean, digits), number(total, digits))


@register.simple_tag
def spoilt(row: Any) -> str:
    """How many episodes do not count, and why: `2 errors, 1 lost`; 0 for none."""
    counts = [(row.errors, "error" if row.errors == 1 else "errors"), (row.lost, "lost")]
    counts.append((row.cancelled, "cancelled"))
    return ", ".join(f"{count} {word}" for count, word in counts if count) or "0"


@register.filter
def duration(seconds: float | None) -> str:
    """`40 s`, `12 min`, `3 h 20 min`; a dash for None."""
    if seconds is None:
        return "–"
    if seconds < 10:
        return f"{number(seconds)} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,} h {minutes} min" if hours < 48 else f"{hours / 24:,.0f} days"


@register.filter
def usd(value: float | None) -> str:
    """`$ 0.0123`, `$ 12.35`; a dash for None."""
    if value is None:
        return "–"
    return f"$ {value:,.2f}" if value >= 1 or not value else f"$ {value:.4f}"


@register.filter
def in_steps(ticks: int) -> str:
    """Ticks as steps: 690 → `34.5`."""
    return number(ticks / TICKS_A_STEP)


@register.filter
def steps_value(ticks: int) -> float:
    """Ticks as steps for attributes: plain digits, no grouping."""
    return ticks / TICKS_A_STEP


@register.filter
def position(cell: Any) -> str:
    """`8, 64, 18`."""
    return ", ".join(number(value) for value in cell)


@register.filter
def ago(moment: datetime | None) -> SafeString | str:
    """`3 min ago`, with the full time (UTC) behind it."""
    if moment is None:
        return "–"
    return format_html(
        '<time datetime="{}" title="{} UTC">{}</time>',
        moment.isoformat(timespec="seconds"),
        moment.strftime("%d %B %Y, %H:%M:%S"),
        _ago(timezone.now() - moment, moment),
    )


def _ago(age: timedelta, moment: datetime) -> str:
    seconds = age.total_seconds()
    if seconds < 10:
        return "just now"
    for limit, size, unit in ((60, 1, "s"), (3_600, 60, "min"), (86_400, 3_600, "h")):
        if seconds < limit:
            return f"{int(seconds // size)} {unit} ago"
    return moment.strftime("%d %b %Y")


@register.filter
def details(payload: dict[str, Any]) -> str:
    """An event's payload in one line, without the agent that has a column of its own; long values are cut."""
    facts = (
        (key, value) for key, value in payload.items() if key != "agent" and value not in ("", None, [], {})
    )
    return " · ".join(f"{humanise(key)}: {_brief(value)}" for key, value in facts)


def _brief(value: Any) -> str:
    if isinstance(value, list) and len(value) > LISTED:
        return f"{_brief(value[:LISTED])} and {len(value) - LISTED} more"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


@register.filter
def pressed(pace: float, of_button: float) -> str:
    """`true` for the button whose pace is in force, for `aria-pressed`."""
    return "true" if pace == of_button else "false"

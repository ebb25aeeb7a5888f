"""Which episode stands beside another one on its page, and which others could."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webapp.access import User, may_enter
from webapp.core.params import number
from webapp.core.templatetags.ui import world_name
from webapp.launch import oracle
from webapp.runs.models import Episode

MOST_OFFERED = 50
"""Most episodes that a page offers to show beside its own."""
LONGEST_SHOWN = 40
"""Characters of an odd address that are repeated."""
CHOOSE = "Choose one of the same task at “Outcome” below, or watch the oracle."


def chosen(user: User, episode: Episode, asked: Mapping[str, str]) -> tuple[Episode | None, str]:
    """The episode that the address asks for (`?beside=<key>`), and what is wrong with it in words.

    Args:
        user: who looks.
        episode: the page's own.
        asked: the address's query.
    """
    if "beside" not in asked or not may_enter(user):
        return None, ""
    text = asked["beside"]
    key = number(text)
    if key is None:
        return (
            None,
            f"The address asks for “{text[:LONGEST_SHOWN]}” beside this episode, which is no number. {CHOOSE}",
        )
    found = Episode.objects.select_related("run", "task").filter(pk=key).first()
    if found is None:
        return None, f"There is no episode with the key {key} (any more) to stand beside this one. {CHOOSE}"
    if found.pk == episode.pk:
        return None, f"The address asks for this episode beside itself. {CHOOSE}"
    if found.task_id != episode.task_id:
        return (
            None,
            f"{found} plays another task, {found.task.title}, and cannot stand beside this one. {CHOOSE}",
        )
    return found, ""


def context(episode: Episode, beside: Episode | None) -> dict[str, Any]:
    """What templates need: the episode beside, what it is called, and what else could stand there."""
    is_oracle = beside is not None and oracle.is_oracle(beside)
    return {
        "beside": beside,
        "beside_name": _name(beside, episode) if beside else "",
        "beside_is_oracle": is_oracle,
        "can_watch_oracle": not oracle.is_oracle(episode) and not is_oracle,
    }


def offered(episode: Episode) -> list[tuple[int, str]]:
    """Key and name of other episodes of the same task, those of the same seed first, then the newest."""
    others = Episode.objects.filter(task=episode.task_id).exclude(pk=episode.pk).select_related("run")
    plain = others.defer("result", "latencies", "causes")
    same = list(plain.filter(seed=episode.seed).order_by("-pk")[:MOST_OFFERED])
    rest = list(plain.exclude(seed=episode.seed).order_by("-pk")[: MOST_OFFERED - len(same)])
    return [(one.pk, f"{_name(one, episode)}: {_facts(one)}") for one in same + rest]


def _name(other: Episode, episode: Episode) -> str:
    if oracle.is_oracle(other):
        return "Oracle"
    return f"Episode {other.index}" if other.run_id == episode.run_id else str(other)


def _facts(episode: Episode) -> str:
    outcome = {True: "success", False: "failure", None: episode.get_status_display().lower()}[episode.success]
    who = f"{episode.policy}, {episode.model}" if episode.model else episode.policy
    where = "" if episode.world == "simulator" else f", {world_name(episode.world).lower()}"
    return f"{who}, {episode.mode}{where}, seed {episode.seed}, {outcome}"

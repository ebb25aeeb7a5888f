"""Beside what agents reached: what the oracle reaches on the same task and seed, and what nobody could exceed."""

from __future__ import annotations

import logging

from engine.errors import EngineError
from engine.evaluation.prospects import prospects
from engine.spec.loader import load_task_text
from webapp.runs.models import Episode

logger = logging.getLogger(__name__)


def keep(episode: Episode) -> None:
    """Store oracle's score and bound with an ended episode whose policy asked a model; nothing if they cannot be had.

    They depend on the task and the seed alone, so those of another episode are taken over where there are any.
    """
    if not episode.model:
        return
    known = (
        Episode.objects.filter(task=episode.task_id, seed=episode.seed, score_bound__isnull=False)
        .values_list("oracle_score", "score_bound")
        .first()
    )
    found = known or _work_out(episode)
    if found is not None:
        oracle, bound = found
        Episode.objects.filter(pk=episode.pk, attempt=episode.attempt).update(
            oracle_score=oracle, score_bound=bound
        )


def _work_out(episode: Episode) -> tuple[float, float] | None:
    try:
        spec = load_task_text(episode.task.yaml, f"{episode.task.slug}.yaml").spec
        found = prospects(spec, episode.seed)
    except EngineError as error:
        logger.warning("No prospects for %s: %s", episode, error)
        return None
    return found["oracle"], found["bound"]

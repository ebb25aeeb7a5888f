"""scout_blocks_at, find_blocks and find_entities: looking round, never past one's own perception range."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.agents.actions import FindBlocks, FindEntities, ScoutBlocksAt
from engine.simulator.actions.walking import approach, stand, standing_place
from engine.simulator.body import Body, Progress, Steps

if TYPE_CHECKING:
    from engine.simulator.world import SimulatedWorld

LOOK_TICKS = 10
"""Looking round (SPEC section 11)."""


def scout_blocks_at(
    world: SimulatedWorld, body: Body, parameters: ScoutBlocksAt, progress: Progress
) -> Steps:
    """Walk to the position and report the blocks in sight."""
    target = parameters.target_pos
    place, reach = standing_place(world.terrain, target)
    if reason := (yield from approach(world, body, place, reach)):
        progress.blame(reason, f"there is no way to {list(target)}")
        return
    yield from stand(world, LOOK_TICKS)
    progress.done = 1
    seen = world.sense(body.name, parameters.max_distance)
    progress.detail = _describe((sighting.block for sighting in seen), "blocks")


def find_blocks(world: SimulatedWorld, body: Body, parameters: FindBlocks, progress: Progress) -> Steps:
    """Report up to `count` of the nearest blocks of the given types."""
    yield from stand(world, LOOK_TICKS)
    seen = (sighting.block for sighting in world.sense(body.name, parameters.max_distance))
    _report(progress, parameters.count, [kind for kind in seen if kind in parameters.block_types], "blocks")


def find_entities(world: SimulatedWorld, body: Body, parameters: FindEntities, progress: Progress) -> Steps:
    """Report up to `count` of the nearest mobs of the given types."""
    yield from stand(world, LOOK_TICKS)
    seen = (mob.entity for mob in world.sense_mobs(body.name, parameters.max_distance))
    _report(progress, parameters.count, [kind for kind in seen if kind in parameters.entity_types], "mobs")


def _report(progress: Progress, wanted: int, kinds: list[str], what: str) -> None:
    """What of the wanted was found, nearest first; the rest is `not_found`."""
    found = kinds[:wanted]
    progress.wanted, progress.done = wanted, len(found)
    progress.detail = _describe(found, what)
    if len(found) < wanted:
        progress.reason = "not_found"


def _describe(kinds: Iterable[str], what: str) -> str:
    counts = Counter(kinds)
    if not counts:
        return f"no {what} in sight"
    return "in sight: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))

"""scout_blocks_at and find_blocks: looking round, never past one's own perception range."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.agents.actions import FindBlocks, ScoutBlocksAt
from engine.simulator.actions.walking import approach, stand, standing_place
from engine.simulator.body import Body, Progress, Steps
from engine.world.protocol import Sighting

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
    progress.detail = _describe(world.sense(body.name, parameters.max_distance))


def find_blocks(world: SimulatedWorld, body: Body, parameters: FindBlocks, progress: Progress) -> Steps:
    """Report up to `count` of the nearest blocks of the given types."""
    yield from stand(world, LOOK_TICKS)
    progress.wanted = parameters.count
    seen = world.sense(body.name, parameters.max_distance)
    found = [sighting for sighting in seen if sighting.block in parameters.block_types][: parameters.count]
    progress.done = len(found)
    progress.detail = _describe(found)
    if len(found) < parameters.count:
        progress.reason = "not_found"


def _describe(seen: Iterable[Sighting]) -> str:
    counts = Counter(sighting.block for sighting in seen)
    if not counts:
        return "no blocks in sight"
    return "in sight: " + ", ".join(f"{count} {block}" for block, count in sorted(counts.items()))

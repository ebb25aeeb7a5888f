"""The simulated world by itself: no oracle, no events, no scores, no log, and agents who do what is drawn at random.

That is what other environments are when their bare `step` is called with random actions.
"""

from __future__ import annotations

import random
import time

from engine.agents.actions import MineBlocksAt, ScoutBlocksAt
from engine.simulator.world import SimulatedWorld
from engine.spec.model import TaskSpec
from engine.world.geometry import TICKS_PER_STEP
from engine.world.protocol import Action, ActionReport
from engine.world.terrain import FREE_Y, GROUND_Y

AHEAD = 8
"""How far off in x and z what is drawn lies at most, in blocks."""


def agent_steps_a_second(spec: TaskSpec, seed: int) -> float:
    """Agents times seconds of world time, by seconds of CPU time."""
    world = SimulatedWorld(spec, lambda _payload: None)
    dice = random.Random(seed)

    def begin(agent: str, _ended: ActionReport | None = None) -> None:
        world.begin(agent, _draw(world, agent, dice))

    began = time.process_time()
    for agent in world.bodies:
        begin(agent)
    last = spec.environment.max_steps * TICKS_PER_STEP
    while (tick := world.next_tick()) is not None and tick <= last:
        world.advance(tick)
        world.settle_contact()
        world.settle(begin)
    return len(world.bodies) * spec.environment.max_steps / (time.process_time() - began)


def _draw(world: SimulatedWorld, agent: str, dice: random.Random) -> Action:
    """Go somewhere nearby and look round, or dig there: evens. Where nobody can stand, nobody is sent."""
    x, _, z = world.position(agent)
    while True:
        place = round(x) + dice.randint(-AHEAD, AHEAD), round(z) + dice.randint(-AHEAD, AHEAD)
        if FREE_Y in world.terrain.floors(*place):
            break
    if dice.random() < 0.5:
        return Action("scout_blocks_at", ScoutBlocksAt(target_pos=(place[0], FREE_Y, place[1])))
    return Action("mine_blocks_at", MineBlocksAt(block_positions=[(place[0], GROUND_Y, place[1])]))

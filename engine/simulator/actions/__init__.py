"""What bodies can do in the simulator: one coroutine for each action of `engine.agents.actions`.

A coroutine gets the world, the body, the checked parameters and a `Progress` to keep; it yields `Pause`s.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.simulator.actions.chests import deposit_to_chest
from engine.simulator.actions.looking import find_blocks, scout_blocks_at
from engine.simulator.actions.mining import mine_blocks_at
from engine.simulator.actions.waiting import wait
from engine.simulator.body import Steps

ABILITIES: dict[str, Callable[..., Steps]] = {
    ability.__name__: ability
    for ability in (scout_blocks_at, find_blocks, mine_blocks_at, deposit_to_chest, wait)
}
"""By action name. Their second half is typed by the parameter model that the action space declares."""

__all__ = ["ABILITIES"]

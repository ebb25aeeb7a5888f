"""What bodies can do in the simulator: one coroutine for each action of `engine.agents.actions`.

A coroutine gets the world, the body, the checked parameters and a `Progress` to keep; it yields `Pause`s.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.simulator.actions.building import build_floor
from engine.simulator.actions.chests import deposit_to_chest, get_from_chest
from engine.simulator.actions.fighting import attack
from engine.simulator.actions.holding import equip_item, use_item
from engine.simulator.actions.looking import find_blocks, find_entities, scout_blocks_at
from engine.simulator.actions.mining import mine_blocks_at
from engine.simulator.actions.moving import move_to, wait
from engine.simulator.body import Steps

ABILITIES: dict[str, Callable[..., Steps]] = {
    ability.__name__: ability
    for ability in (
        attack,
        build_floor,
        deposit_to_chest,
        equip_item,
        find_blocks,
        find_entities,
        get_from_chest,
        mine_blocks_at,
        move_to,
        scout_blocks_at,
        use_item,
        wait,
    )
}
"""By action name. Each is typed by the parameter model that the action space declares."""

__all__ = ["ABILITIES"]

"""The action space (paper, table 5; SPEC section 4): names, parameters, and which task type offers what.

Parameters come from models of language, so they are checked here once; worlds get typed objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from engine.spec.model import BlockName, EntityName, ItemName, Point
from engine.world.geometry import Cell
from engine.world.protocol import Action, Reason

MAX_WAIT = 50
"""Longest `wait`, in steps (paper, appendix G)."""

Limit = Annotated[int, Field(ge=1, le=1_000)]
Reach = Annotated[float, Field(gt=0, le=1_000)]


class Parameters(BaseModel):
    """Base of all parameter models: unknown parameters are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ScoutBlocksAt(Parameters):
    """Walk to a position and look round."""

    target_pos: Point
    max_distance: Reach = 1_000


class MineBlocksAt(Parameters):
    """Mine blocks one after the other and collect what they drop."""

    block_positions: Annotated[list[Point], Field(min_length=1, max_length=256)]


class BuildFloor(Parameters):
    """Build a platform of layers around a centre."""

    center_pos: Point
    width: Annotated[int, Field(ge=1, le=64)]
    depth: Annotated[int, Field(ge=1, le=64)]
    height: Annotated[int, Field(ge=1, le=16)] = 1

    def cells(self) -> Iterator[Cell]:
        """Width along x and depth along z around the centre, layers upwards from it."""
        x, y, z = self.center_pos
        left, back = (self.width - 1) // 2, (self.depth - 1) // 2
        for dy in range(self.height):
            for dx in range(self.width):
                for dz in range(self.depth):
                    yield x - left + dx, y + dy, z - back + dz


class MoveTo(Parameters):
    """Walk to a position."""

    target_pos: Point


class ChestTransfer(Parameters):
    """Move items between the agent and a chest: the n-th quantity is of the n-th item."""

    chest_pos: Point
    items: Annotated[list[ItemName], Field(min_length=1, max_length=36)]
    quantities: Annotated[list[Limit], Field(min_length=1, max_length=36)]

    @model_validator(mode="after")
    def _same_length(self) -> ChestTransfer:
        if len(self.items) != len(self.quantities):
            raise ValueError(f"{len(self.items)} items but {len(self.quantities)} quantities")
        return self


class FindEntities(Parameters):
    """Look for mobs nearby."""

    entity_types: Annotated[list[EntityName], Field(min_length=1, max_length=32)]
    count: Limit = 1
    max_distance: Reach = 1_000


class FindBlocks(Parameters):
    """Look for blocks nearby, without walking."""

    block_types: Annotated[list[BlockName], Field(min_length=1, max_length=32)]
    count: Limit = 1
    max_distance: Reach = 1_000


class Attack(Parameters):
    """Attack the nearest mob of a type until it is dead or 15 s have passed."""

    entity_type: EntityName


class OneItem(Parameters):
    """Hold or use an item that is carried."""

    item: ItemName


class Wait(Parameters):
    """Do nothing for a number of steps."""

    duration: Annotated[int, Field(ge=1, le=MAX_WAIT)]


@dataclass(frozen=True, slots=True)
class ActionInfo:
    """One kind of action: its parameter model and the task types that offer it."""

    name: str
    parameters: type[Parameters]
    offered_by: frozenset[str]

    @property
    def description(self) -> str:
        """What it does, in one sentence."""
        return (self.parameters.__doc__ or "").strip()


_PREPARE, _MINE, _RAID, _CUSTOM = "prepare_crisis", "mine_vanishing_blocks", "raid_boss", "custom"


def _info(name: str, parameters: type[Parameters], *offered_by: str) -> ActionInfo:
    return ActionInfo(name, parameters, frozenset({*offered_by, _CUSTOM}))


ACTIONS: dict[str, ActionInfo] = {
    info.name: info
    for info in (
        _info("scout_blocks_at", ScoutBlocksAt, _PREPARE, _MINE),
        _info("mine_blocks_at", MineBlocksAt, _PREPARE, _MINE),
        _info("build_floor", BuildFloor, _PREPARE),
        _info("move_to", MoveTo, _PREPARE, _RAID),
        _info("deposit_to_chest", ChestTransfer, _PREPARE, _MINE, _RAID),
        _info("get_from_chest", ChestTransfer, _PREPARE, _RAID),
        _info("find_entities", FindEntities, _RAID),
        _info("attack", Attack, _RAID),
        _info("equip_item", OneItem, _RAID),
        _info("use_item", OneItem, _RAID),
        # The paper's prompts name these two beside its table: finding before scouting, waiting in every task.
        _info("find_blocks", FindBlocks, _PREPARE, _MINE),
        _info("wait", Wait, _PREPARE, _MINE, _RAID),
    )
}


def offered(task_type: str) -> list[ActionInfo]:
    """The actions that agents of a task type may take."""
    return [info for info in ACTIONS.values() if task_type in info.offered_by]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action cannot even begin."""

    reason: Reason
    detail: str


def parse(task_type: str, name: str, parameters: Mapping[str, Any]) -> Action | Refusal:
    """The checked action, or why it is refused: unknown, not offered by this task type, or bad parameters."""
    info = ACTIONS.get(name)
    if info is None:
        return Refusal("unknown_action", f"there is no action {name!r}")
    if task_type not in info.offered_by:
        return Refusal("not_offered", f"{name} is not offered in {task_type} tasks")
    try:
        return Action(name, info.parameters.model_validate(parameters))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in fault["loc"])
        return Refusal("bad_parameters", f"{where or name}: {fault['msg']}")

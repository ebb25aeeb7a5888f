"""The task schema: what a task YAML may say, as immutable typed models.

Units: positions are block coordinates, times are steps (1 s of world time), speeds are blocks a second,
health is in half hearts. Text becomes a `TaskSpec` through `engine.spec.loader` only, which adds line
numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from engine.spec.names import block_name, effect_name, entity_name, item_name
from engine.world.geometry import Cell, box

MAX_COORDINATE = 1_000
MAX_RADIUS = 128
MAX_COUNT = 1_000
MAX_AGENTS = 64
MAX_STEPS = 10_000
MIN_Y, MAX_Y = -64, 319

TaskType = Literal["prepare_crisis", "mine_vanishing_blocks", "raid_boss", "custom"]
TASK_TYPES: tuple[TaskType, ...] = ("prepare_crisis", "mine_vanishing_blocks", "raid_boss", "custom")
Direction = Literal["east", "west", "north", "south", "up", "down"]
_AXES: dict[Direction, int] = {"east": 0, "west": 0, "up": 1, "down": 1, "north": 2, "south": 2}

BlockName = Annotated[str, AfterValidator(block_name)]
ItemName = Annotated[str, AfterValidator(item_name)]
EntityName = Annotated[str, AfterValidator(entity_name)]
EffectName = Annotated[str, AfterValidator(effect_name)]


def _point(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise ValueError("expected a point [x, y, z]")
    return tuple(value)


def _true(value: Any) -> Any:
    if value is not True:
        raise ValueError("expected true")
    return value


def _identifier(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", value):
        raise ValueError("expected 1 to 64 of A-Z a-z 0-9 _ . -")
    return value


def _agent_name(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_]{3,16}", value):
        raise ValueError("expected 3 to 16 of A-Z a-z 0-9 _")
    return value


Horizontal = Annotated[int, Field(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
Vertical = Annotated[int, Field(ge=MIN_Y, le=MAX_Y)]
Point = Annotated[tuple[Horizontal, Vertical, Horizontal], BeforeValidator(_point)]
"""A block position `[x, y, z]`."""

Step = Annotated[int, Field(ge=0, le=MAX_STEPS)]
Count = Annotated[int, Field(ge=1, le=MAX_COUNT)]
Speed = Annotated[float, Field(gt=0, le=20, allow_inf_nan=False)]
Health = Annotated[float, Field(gt=0, le=1_024, allow_inf_nan=False)]
Damage = Annotated[float, Field(ge=0, le=1_024, allow_inf_nan=False)]
Radius = Annotated[int, Field(ge=0, le=MAX_RADIUS)]
Identifier = Annotated[str, AfterValidator(_identifier)]
AgentName = Annotated[str, AfterValidator(_agent_name)]
True_ = Annotated[Literal[True], BeforeValidator(_true)]  # Literal alone lets 1 pass


class Strict(BaseModel):
    """Base of all models here: unknown keys and wrong types are errors, nothing changes after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Area(Strict):
    """An axis-aligned box of cells, both corners included."""

    min: Point
    max: Point


class Effect(Strict):
    """A status effect; amplifier 0 is level I, as in Minecraft's commands. `seconds` absent: for ever."""

    type: EffectName
    amplifier: Annotated[int, Field(ge=0, le=255)] = 0
    seconds: Annotated[float, Field(gt=0, le=MAX_STEPS)] | None = None


class Stack(Strict):
    """How many of an item, and whether using it wears it out."""

    count: Annotated[int, Field(ge=1, le=2_304)] = 1
    unbreakable: bool = False


def counts(stacks: Mapping[str, Stack]) -> dict[str, int]:
    """How many of each item, in the order given."""
    return {item: stack.count for item, stack in stacks.items()}


# --- task ---------------------------------------------------------------------------------------------------


class Guidance(Strict):
    """Free text that is shown to agents beside the goal."""

    text: str = ""


class Target(Strict):
    """A quota: this many blocks of a kind must be mined and their drops deposited."""

    block: BlockName
    count: Count


class Shelter(Strict):
    """prepare_crisis: how many blocks the feasibility verdict counts. Default (layers + 1) x agents."""

    blocks_required: Count


class ItemCount(Strict):
    """`{item, count}`, for conditions on a chest."""

    item: ItemName
    count: Count = 1


class AgentItemCount(ItemCount):
    """`{item, count, agent}`: without `agent`, all agents' inventories together."""

    agent: AgentName | None = None


class EntitySelector(Strict):
    """Names entities by type, by role, or both."""

    entity: EntityName | None = None
    role: Literal["boss", "minion"] | None = None


class EntityCount(EntitySelector):
    """At least `count` of the selected entities; absent: every one that has ever lived."""

    count: Count | None = None


class BlockCount(Strict):
    """At least `count` blocks placed by agents, of one kind or of any."""

    block: BlockName | None = None
    count: Count = 1


class AgentArea(Strict):
    """The named agent, or at least `count` living agents (default: all of them), within the area."""

    area: Area
    agent: AgentName | None = None
    count: Count | None = None


class Condition(Strict):
    """A mapping with exactly one key, for `success` and `when`. A list of conditions means all."""

    all_alive: True_ | None = None
    alive_at_least: Count | None = None
    chest_contains: ItemCount | None = None
    inventory_contains: AgentItemCount | None = None
    entity_dead: EntitySelector | None = None
    entities_dead: EntityCount | None = None
    blocks_placed: BlockCount | None = None
    agent_in_area: AgentArea | None = None
    step_reached: Step | None = None
    all: list[Condition] | None = Field(default=None, min_length=1)
    any: list[Condition] | None = Field(default=None, min_length=1)
    not_: Condition | None = Field(default=None, alias="not")

    @property
    def kind(self) -> str:
        """The name of the one key that is set, as the YAML spells it."""
        return next(iter(self.model_dump(exclude_none=True, by_alias=True)))


class Task(Strict):
    """What is to be achieved, in words and in figures."""

    type: TaskType
    id: Identifier | None = None
    goal: Annotated[str, Field(min_length=1, max_length=4_000)]
    guidance: Guidance = Guidance()
    targets: list[Target] = Field(default=[], max_length=64)
    shelter: Shelter | None = None
    success: list[Condition] | None = Field(default=None, min_length=1)


# --- events -------------------------------------------------------------------------------------------------


class Trigger(Strict):
    """When an event's actions fire, in steps.

    `start`, `start + interval`, … up to and including `end`; or the listed steps `at`; or once when `when`
    becomes true. Without `interval` and `end`, anything but a fill fires once, a fill in any case.
    `probability` is drawn for each firing.
    """

    start: Step = 0
    end: Step | None = None
    interval: Annotated[int, Field(ge=1, le=MAX_STEPS)] | None = None
    at: list[Step] | None = Field(default=None, min_length=1, max_length=MAX_STEPS)
    when: list[Condition] | None = Field(default=None, min_length=1)
    probability: Annotated[float, Field(ge=0, le=1)] | None = None


class ContactDamage(Strict):
    """Damage to whoever touches a crisis: `amount` half hearts every `every` seconds."""

    amount: Damage
    every: Annotated[float, Field(ge=0.05, le=60)] = 1.0


class ProgressiveFill(Strict):
    """A crisis: fills the area slice by slice from one side, `speed_bps` slices a step."""

    type: Literal["progressive_fill"]
    block: BlockName
    area: Area
    direction: Direction
    speed_bps: Speed
    damage: ContactDamage | None = None

    @property
    def axis(self) -> int:
        """The coordinate along which it moves: 0 for x, 1 for y, 2 for z."""
        return _AXES[self.direction]

    @property
    def slices(self) -> int:
        """How many slices, one block thick along its direction, its area has."""
        return self.area.max[self.axis] - self.area.min[self.axis] + 1


class SpawnBlocks(Strict):
    """Places `count` blocks on free ground cells within the radius; they vanish after `lifetime` steps."""

    type: Literal["spawn_blocks"]
    block: BlockName
    count: Count
    center: Point
    radius: Radius
    lifetime: Annotated[int, Field(ge=1, le=MAX_STEPS)] | None = None


class SpawnEntities(Strict):
    """Spawns `count` mobs within the radius. Absent health and damage are the vanilla mob's."""

    type: Literal["spawn_entities"]
    entity: EntityName
    count: Count
    center: Point
    radius: Radius
    role: Literal["boss", "minion"] = "minion"
    health: Health | None = None
    damage: Damage | None = None
    speed_bps: Speed = 3.0
    lifetime: Annotated[int, Field(ge=1, le=MAX_STEPS)] | None = None


class SetBlocks(Strict):
    """Sets every cell of the area to a block (`air` clears it)."""

    type: Literal["set_blocks"]
    block: BlockName
    area: Area


class RemoveBlocks(Strict):
    """Turns blocks of one kind (or every block) in the area into air."""

    type: Literal["remove_blocks"]
    block: BlockName | None = None
    area: Area


class DespawnEntities(Strict):
    """Removes living mobs of the selected kind, at most `count`."""

    type: Literal["despawn_entities"]
    entity: EntityName | None = None
    role: Literal["boss", "minion"] | None = None
    count: Count | None = None


class ApplyEffect(Strict):
    """Gives agents a status effect: those named, those in the area, or everyone."""

    type: Literal["apply_effect"]
    effect: Effect
    agents: list[AgentName] | None = Field(default=None, min_length=1)
    area: Area | None = None


class DealDamage(Strict):
    """Hurts agents: those named, those in the area, or everyone."""

    type: Literal["damage"]
    amount: Damage
    agents: list[AgentName] | None = Field(default=None, min_length=1)
    area: Area | None = None


class Message(Strict):
    """A broadcast that agents can read from the next tick on."""

    type: Literal["message"]
    text: Annotated[str, Field(min_length=1, max_length=2_000)]
    agents: list[AgentName] | None = Field(default=None, min_length=1)


class SetRegion(Strict):
    """Switches a region of `environment.regions` on or off, or moves it."""

    type: Literal["set_region"]
    region: Identifier
    active: bool = True
    area: Area | None = None


EventAction = Annotated[
    ProgressiveFill
    | SpawnBlocks
    | SpawnEntities
    | SetBlocks
    | RemoveBlocks
    | DespawnEntities
    | ApplyEffect
    | DealDamage
    | Message
    | SetRegion,
    Field(discriminator="type"),
]


class Event(Strict):
    """Something that happens to the world by itself."""

    id: Identifier
    trigger: Trigger = Trigger()
    actions: list[EventAction] = Field(min_length=1, max_length=64)


# --- agents -------------------------------------------------------------------------------------------------


class Capabilities(Strict):
    """What one agent can do. Defaults are a Minecraft player's."""

    max_health: Health = 20.0
    speed_bps: Speed = 4.317
    perception_range: Annotated[float, Field(gt=0, le=MAX_RADIUS)] = 16.0
    damage_multipliers: dict[EntityName, Annotated[float, Field(ge=0, le=100)]] = {}


class Agent(Strict):
    """One member of the team at the start. The first item listed is held."""

    name: AgentName
    position: Point
    inventory: dict[ItemName, Stack] = {}
    capabilities: Capabilities = Capabilities()
    effects: list[Effect] = []


class Agents(Strict):
    """The team. `count`, if given, must equal the number spawned."""

    count: Annotated[int, Field(ge=1, le=MAX_AGENTS)] | None = None
    spawn: list[Agent] = Field(min_length=1, max_length=MAX_AGENTS)


# --- environment --------------------------------------------------------------------------------------------


class WorldSettings(Strict):
    """Minecraft's own world settings; the simulator's world is always flat grass."""

    world_type: Literal["flatgrass"] = "flatgrass"
    difficulty: Literal["peaceful", "easy", "normal", "hard"] = "hard"
    time: Literal["day", "noon", "night", "midnight"] = "day"
    gamerules: dict[str, bool | int] = {}


class Chest(Strict):
    """A chest of 27 slots and what lies in it at the start."""

    position: Point
    items: dict[ItemName, Stack] = {}


class Hostile(Strict):
    """A mob that is there from the start."""

    entity: EntityName
    role: Literal["boss", "minion"] = "minion"
    position: Point
    health: Health | None = None
    damage: Damage | None = None
    speed_bps: Speed = 3.0


class Entities(Strict):
    """Mobs that are there from the start."""

    hostiles: list[Hostile] = Field(default=[], max_length=MAX_COUNT)


class Grid(Strict):
    """A box of one block; `position` is its least corner (width along x, height along y, depth along z)."""

    block: BlockName
    position: Point
    width: Annotated[int, Field(ge=1, le=256)] = 1
    height: Annotated[int, Field(ge=1, le=64)] = 1
    depth: Annotated[int, Field(ge=1, le=256)] = 1

    @property
    def cells(self) -> list[Cell]:
        """Its cells, in x, y, z order."""
        x, y, z = self.position
        return list(box(self.position, (x + self.width - 1, y + self.height - 1, z + self.depth - 1)))

    @property
    def volume(self) -> int:
        """How many cells it has."""
        return self.width * self.height * self.depth


class Materials(Strict):
    """Blocks that stand in the world at the start."""

    grid: list[Grid] = Field(default=[], max_length=MAX_COUNT)


class Region(Strict):
    """An area that gives effects to whoever is in it."""

    id: Identifier
    area: Area
    effects: list[Effect] = []
    active: bool = True


class InventoryWeight(Strict):
    """Each item beyond `free_items` takes `slowdown_per_item` of the carrier's speed."""

    free_items: Annotated[int, Field(ge=0, le=2_304)] = 16
    slowdown_per_item: Annotated[float, Field(ge=0, le=1)] = 0.01


class Mechanics(Strict):
    """Optional rules that Minecraft does not have."""

    inventory_weight: InventoryWeight | None = None


class Environment(Strict):
    """Where it happens and for how long."""

    max_steps: Annotated[int, Field(ge=1, le=MAX_STEPS)]
    world: WorldSettings = WorldSettings()
    chest: Chest | None = None
    chests: list[Chest] = Field(default=[], max_length=64)
    entities: Entities = Entities()
    materials: Materials = Materials()
    regions: list[Region] = Field(default=[], max_length=64)
    mechanics: Mechanics = Field(default_factory=Mechanics)


class TaskSpec(Strict):
    """A whole task file, valid and normalised."""

    task: Task
    events: list[Event] = Field(default=[], max_length=256)
    agents: Agents
    environment: Environment

    @property
    def id(self) -> str:
        """The task's id; the loader fills it from the file's name when the YAML has none."""
        return self.task.id or "task"

    @property
    def all_chests(self) -> list[Chest]:
        """`environment.chest` and `environment.chests` as one list, in that order."""
        first = [self.environment.chest] if self.environment.chest else []
        return [*first, *self.environment.chests]

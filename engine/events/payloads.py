"""What an event log can say. One class per event type; its name in snake case is the type's name in the log.

Positions are block coordinates `[x, y, z]`; an agent's may be fractional while it walks. Ticks are 1/20 s of world
time since the episode's start. A change to a payload's meaning raises its `version`.
"""

from __future__ import annotations

import re
from typing import ClassVar

import msgspec

Cell = tuple[int, int, int]
Position = tuple[float, float, float]


class Payload(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Base of all payloads; every direct subclass in this module is an event type.

    What an event says never leads back to the event, so the garbage collector need not look (`gc`).
    """

    type: ClassVar[str]
    version: ClassVar[int] = 1


# --- parts -----------------------------------------------------------------------------------------------------------


class AgentStart(msgspec.Struct, frozen=True, kw_only=True):
    """One agent as it enters the world. `inventory` maps items to counts, the held one first."""

    name: str
    position: Cell
    max_health: float
    speed_bps: float
    perception_range: float
    damage_multipliers: dict[str, float]
    inventory: dict[str, int]
    effects: list[str]


class ChestStart(msgspec.Struct, frozen=True, kw_only=True):
    """One chest and its contents at the start."""

    position: Cell
    items: dict[str, int]


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """One figure of the score: `have` of `need`. Complete when have >= need."""

    name: str
    have: float
    need: float


class PlanStep(msgspec.Struct, frozen=True, kw_only=True, rename={"with_": "with"}):
    """One action of a plan: what to do, with which parameters, after which steps of the same plan."""

    id: str
    do: str
    with_: dict[str, object]
    after: list[str]
    note: str


# --- the episode -----------------------------------------------------------------------------------------------------


class EpisodeStarted(Payload, frozen=True, kw_only=True):
    """Always the first event: everything a reader needs to know before anything happens.

    Attributes:
        engine_version: version of the rules.
        task_id: id of the task; `task_digest` is the SHA-256 of its normalised form.
        model: name of the language model; None for policies that call none.
        mode: `sync` or `async`.
        world: `simulator` or `minecraft`.
        max_steps: length limit in steps (20 ticks each).
        ground_y: y of the topmost ground block of the flat world.
        checkpoints: what the score counts, at its starting values.
    """

    engine_version: str
    task_id: str
    task_type: str
    task_digest: str
    goal: str
    policy: str
    model: str | None
    mode: str
    world: str
    seed: int
    max_steps: int
    ground_y: int
    agents: list[AgentStart]
    chests: list[ChestStart]
    checkpoints: list[Checkpoint]


class CheckpointChanged(Payload, frozen=True, kw_only=True):
    """A checkpoint's figure changed."""

    name: str
    have: float
    need: float


class EpisodeEnded(Payload, frozen=True, kw_only=True):
    """Always the last event.

    Attributes:
        status: `finished`, `budget`, `cancelled` or `error`.
        success: None unless finished or budget.
        partial_score: 0 to 1, the mean completion of the checkpoints.
        reason: why it ended, in words.
        checkpoints: final figures.
    """

    status: str
    success: bool | None
    partial_score: float
    reason: str
    checkpoints: list[Checkpoint]


# --- the world -------------------------------------------------------------------------------------------------------


class BlocksChanged(Payload, frozen=True, kw_only=True):
    """Cells that became a block at this tick, for one cause.

    Attributes:
        block: the new block; `air` where one went away.
        cells: the cells, in the order in which they changed.
        cause: `setup`, `event`, `lifetime`, `fire`, or `agent`.
        source: id of the event, or name of the agent; empty for setup.
        vanish_tick: when they will vanish by themselves; None if they stay.
    """

    block: str
    cells: list[Cell]
    cause: str
    source: str
    vanish_tick: int | None


class EventFired(Payload, frozen=True, kw_only=True):
    """An environment event's action took place. `done` below `wanted`: there was no room for the rest."""

    event: str
    firing: int
    action: str
    subject: str
    wanted: int
    done: int


class ItemDropped(Payload, frozen=True, kw_only=True):
    """An item lies on the ground. `drop` identifies it."""

    drop: int
    item: str
    count: int
    cell: Cell


class ItemPickedUp(Payload, frozen=True, kw_only=True):
    """An agent took (some of) a drop; `left` stays on the ground."""

    drop: int
    agent: str
    item: str
    count: int
    left: int


class ChestChanged(Payload, frozen=True, kw_only=True):
    """A chest now holds `count` of the item, after an agent put in (`delta` > 0) or took out."""

    chest: Cell
    item: str
    delta: int
    count: int
    agent: str


# --- agents ----------------------------------------------------------------------------------------------------------


class PlanningStarted(Payload, frozen=True, kw_only=True):
    """These agents wait for a decision from here on. They are acting, not planning, while an action still runs."""

    agents: list[str]


class PlanningEnded(Payload, frozen=True, kw_only=True):
    """The decision arrived."""

    agents: list[str]


class PlanSet(Payload, frozen=True, kw_only=True):
    """A plan replaced whatever was left of the agent's last one."""

    agent: str
    reasoning: str
    steps: list[PlanStep]


class PlanRefused(Payload, frozen=True, kw_only=True):
    """A decision for an agent could not be carried out, or not all of it; `fault` names why."""

    agent: str
    fault: str


class PlanEnded(Payload, frozen=True, kw_only=True):
    """Nothing of the agent's plan is left to do."""

    agent: str


class ActionStarted(Payload, frozen=True, kw_only=True, rename={"with_": "with"}):
    """An agent began an action of its plan."""

    agent: str
    id: str
    do: str
    with_: dict[str, object]


class ActionEnded(Payload, frozen=True, kw_only=True):
    """An action came to its end.

    Attributes:
        outcome: `ok`, `partial` or `failed`.
        reason: the typed reason unless `ok`; empty otherwise.
        done, wanted: exact counts of what the action is about (blocks mined, items deposited, …).
        detail: one sentence for people and models.
    """

    agent: str
    id: str
    do: str
    outcome: str
    reason: str
    done: int
    wanted: int
    detail: str


class ActionSkipped(Payload, frozen=True, kw_only=True):
    """An action was not begun, since one that it comes after did not succeed."""

    agent: str
    id: str
    do: str
    after: str


class RoleTaken(Payload, frozen=True, kw_only=True):
    """An agent says which part it plays in its team from here on."""

    agent: str
    role: str


class BriefingGiven(Payload, frozen=True, kw_only=True):
    """The standing part of a caller's prompts: rules, task, actions. `caller` is an agent, or `(master)` for all."""

    caller: str
    text: str


class InferenceEnded(Payload, frozen=True, kw_only=True):
    """A language model was asked, and its reply takes effect now.

    Attributes:
        caller: whose decision it is: an agent, or `(master)` for all.
        agents: whom it concerns.
        call: number of the caller's decision, from 1.
        attempt: 1; 2 where the first reply could not be read and the model was asked again.
        asked_tick: when it was asked.
        prompt: the turn that ended the conversation; before it came the caller's briefing and, for a second attempt,
            the first one's prompt and completion.
        completion: the whole reply.
        prompt_tokens, completion_tokens: of the request; `reasoning_tokens` are part of the completion's.
        latency_s: seconds that the model took.
        cost_usd: None without a price.
        is_cut_off: the endpoint stopped the reply at its length limit.
        outcome: `ok`, `malformed` or `empty`.
        fault: what was wrong with the reply, in words; empty when ok.
        took_effect: False if the episode ended before the reply came.
    """

    caller: str
    agents: list[str]
    call: int
    attempt: int
    asked_tick: int
    prompt: str
    completion: str
    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    latency_s: float
    cost_usd: float | None
    outcome: str
    fault: str
    took_effect: bool
    is_cut_off: bool = False


class AgentMoved(Payload, frozen=True, kw_only=True):
    """An agent set out along straight lines at constant speed, from this event's tick on.

    It holds until the agent's next `agent_moved` or `agent_stopped`; at the end of the path it stands at the last
    point.
    """

    agent: str
    points: list[Position]
    speed_bps: float


class AgentStopped(Payload, frozen=True, kw_only=True):
    """An agent stopped on its way, here."""

    agent: str
    position: Position


class InventoryChanged(Payload, frozen=True, kw_only=True):
    """An agent now carries `count` of the item."""

    agent: str
    item: str
    count: int


class ItemHeld(Payload, frozen=True, kw_only=True):
    """An agent took an item in hand."""

    agent: str
    item: str


class AgentHealthChanged(Payload, frozen=True, kw_only=True):
    """An agent was hurt or healed; `health` is what it has now, in half hearts, beside what `absorption` keeps off.

    `cause` is what did it: a block's name, `burning`, `fall`, an effect's or item's name, a mob's type, or `event`.
    """

    agent: str
    health: float
    delta: float
    absorption: float
    cause: str


class EffectChanged(Payload, frozen=True, kw_only=True):
    """An agent has a status effect from here until `until_tick` (None: for good); amplifier None: it wore off."""

    agent: str
    effect: str
    amplifier: int | None
    until_tick: int | None


class AgentDied(Payload, frozen=True, kw_only=True):
    """An agent is dead for good."""

    agent: str
    cause: str
    position: Position


# --- mobs ------------------------------------------------------------------------------------------------------------


class MobSpawned(Payload, frozen=True, kw_only=True):
    """A mob is there. `mob` identifies it; `source` is the event's id, empty for those of the task's beginning."""

    mob: int
    entity: str
    role: str
    position: Position
    health: float
    damage: float
    speed_bps: float
    source: str
    vanish_tick: int | None


class MobMoved(Payload, frozen=True, kw_only=True):
    """A mob set out along straight lines; as `agent_moved`."""

    mob: int
    points: list[Position]
    speed_bps: float


class MobStopped(Payload, frozen=True, kw_only=True):
    """A mob stopped on its way, here."""

    mob: int
    position: Position


class MobHealthChanged(Payload, frozen=True, kw_only=True):
    """A mob was hurt by an agent."""

    mob: int
    health: float
    delta: float
    agent: str


class MobDied(Payload, frozen=True, kw_only=True):
    """A mob was killed by an agent."""

    mob: int
    agent: str
    position: Position


class MobDespawned(Payload, frozen=True, kw_only=True):
    """A mob went away without being killed: its lifetime was over, or an event took it."""

    mob: int
    cause: str


# --- messages and regions --------------------------------------------------------------------------------------------


class MessageSent(Payload, frozen=True, kw_only=True):
    """Words to agents, who can read them from the next tick on. `sender` is an agent or an event's id.

    `tag` is the tag that an agent put before its words, as `PROPOSAL`; empty for none and for events.
    """

    sender: str
    to: list[str]
    text: str
    tag: str = ""


class RegionChanged(Payload, frozen=True, kw_only=True):
    """A region was switched on or off, or lies elsewhere now; one event a region at the start."""

    region: str
    active: bool
    low: Cell
    high: Cell
    effects: list[str]


def _register() -> dict[str, type[Payload]]:
    for kind in Payload.__subclasses__():
        kind.type = re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
    return {kind.type: kind for kind in Payload.__subclasses__()}


PAYLOADS = _register()
"""Payload class by event type name."""

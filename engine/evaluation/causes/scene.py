"""What several causes need to know of an episode: who does what by which plan, and what has become of its targets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import msgspec
from pydantic import ValidationError

from engine.agents.actions import ACTIONS, MineBlocksAt, Parameters
from engine.evaluation.timeline import Segment, Timeline
from engine.events.log import Event
from engine.events.payloads import (
    ActionEnded,
    ActionStarted,
    AgentStart,
    BlocksChanged,
    EpisodeEnded,
    EpisodeStarted,
    InferenceEnded,
    MobDespawned,
    MobDied,
    MobSpawned,
    Payload,
    PlanningEnded,
    PlanningStarted,
    PlanSet,
)
from engine.world.geometry import TICKS_PER_STEP, Cell
from engine.world.terrain import AIR

GONE = frozenset({AIR, "water", "lava", "powder_snow"})
"""What a cell holds when its block is no longer there."""
LOST_REASONS = frozenset({"vanished", "not_found"})
"""How actions end whose target is not there."""


class Made(msgspec.Struct, frozen=True):
    """A plan: the event that set it, the tick at which it was asked for, and the prompt, if there was one."""

    seq: int
    informed: int
    prompt: str


@dataclass(slots=True)
class Doing:
    """An action under way, or the agent's last one."""

    agent: str
    seq: int
    tick: int
    do: str
    with_: Mapping[str, object]
    plan: Made
    placed: int = 0

    def parameters(self) -> Parameters | None:
        """Its checked parameters; None if they are wrong."""
        info = ACTIONS.get(self.do)
        try:
            return info.parameters.model_validate(self.with_) if info else None
        except ValidationError:
            return None


@dataclass(slots=True)
class Mob:
    """A mob: its kind, when it came, and the event with which it went."""

    entity: str
    since: int
    gone: Event | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """A target that was not there (any more).

    Attributes:
        what: in words.
        gone: the event with which it went.
        by: the agent that took it, and the action with which it did; None if it went by itself.
    """

    what: str
    gone: Event
    by: Doing | None


@dataclass(slots=True)
class _Plans:
    """What is known of how plans came about."""

    asked: dict[str, int] = field(default_factory=dict)
    informed: dict[str, tuple[int, int]] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    current: dict[str, Made] = field(default_factory=dict)


class Scene:
    """A fold over events. After an action's end, `doing` still holds the action, and `lost` its missing targets."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.agents: dict[str, AgentStart] = {}
        self.max_ticks = 0
        self.doing: dict[str, Doing] = {}
        self.lost: list[Lost] = []
        self.blocks: dict[Cell, Event] = {}
        self.mobs: dict[int, Mob] = {}
        self.end: Event | None = None
        self._gone: dict[Cell, tuple[Event, Doing | None]] = {}
        self._plans = _Plans()
        self.handlers: dict[type[Payload], Callable[[Event], None]] = {
            EpisodeStarted: self._start,
            EpisodeEnded: self._finish,
            PlanningStarted: self._ask,
            PlanningEnded: self._answer,
            InferenceEnded: self._prompt,
            PlanSet: self._plan,
            ActionStarted: self._begin,
            ActionEnded: self._over,
            BlocksChanged: self._change,
            MobSpawned: self._spawn,
            MobDied: self._lose_mob,
            MobDespawned: self._lose_mob,
        }

    def segments(self, agent: str) -> list[Segment]:
        """How the agent spent its time; complete once the episode has ended."""
        return self.timeline.lanes[agent]

    # --- the episode and its plans

    def _start(self, event: Event) -> None:
        payload: EpisodeStarted = event.payload
        self.agents = {agent.name: agent for agent in payload.agents}
        self.max_ticks = payload.max_steps * TICKS_PER_STEP
        self._plans.current = dict.fromkeys(self.agents, Made(event.seq, 0, ""))

    def _finish(self, event: Event) -> None:
        self.end = event

    def _ask(self, event: Event) -> None:
        for agent in event.payload.agents:
            self._plans.asked[agent] = event.world_time

    def _answer(self, event: Event) -> None:
        for agent in event.payload.agents:
            self._plans.informed[agent] = (event.world_time, self._plans.asked.pop(agent, event.world_time))

    def _prompt(self, event: Event) -> None:
        """A second attempt's prompt only says what was wrong with the reply."""
        payload: InferenceEnded = event.payload
        if payload.attempt == 1:
            self._plans.prompts.update(dict.fromkeys(payload.agents, payload.prompt))

    def _plan(self, event: Event) -> None:
        agent = event.payload.agent
        answered, asked = self._plans.informed.get(agent, (-1, 0))
        informed = asked if answered == event.world_time else event.world_time
        self._plans.current[agent] = Made(event.seq, informed, self._plans.prompts.get(agent, ""))

    # --- actions and their targets

    def _begin(self, event: Event) -> None:
        payload: ActionStarted = event.payload
        agent = payload.agent
        plan = self._plans.current[agent]
        self.doing[agent] = Doing(agent, event.seq, event.world_time, payload.do, payload.with_, plan)

    def _over(self, event: Event) -> None:
        payload: ActionEnded = event.payload
        self.lost = []
        if payload.reason in LOST_REASONS:
            doing = self.doing[payload.agent]
            if payload.do == "attack":
                self._find_lost_mob(doing)
            elif payload.do == "mine_blocks_at":
                self._find_lost_blocks(doing)

    def _find_lost_blocks(self, doing: Doing) -> None:
        parameters = doing.parameters()
        if not isinstance(parameters, MineBlocksAt):
            return
        for cell in parameters.block_positions:
            gone, by = self._gone.get(cell, (None, None))
            if gone is None or (by is not None and by.agent == doing.agent):
                continue
            plan = doing.plan
            if gone.world_time > plan.informed or _names(plan.prompt, cell):
                block = self.blocks[cell].payload.block.replace("_", " ")
                self.lost.append(Lost(f"the {block} at {list(cell)}", gone, by))

    def _find_lost_mob(self, doing: Doing) -> None:
        """Which one was meant is not in the log: the last of its kind that went counts, unless it was its own kill."""
        kind = doing.with_.get("entity_type")
        since, prompt = doing.plan.informed, doing.plan.prompt
        gone = [
            mob.gone
            for mob in self.mobs.values()
            if mob.gone is not None
            and mob.entity == kind
            and (since < mob.gone.world_time or f'"{kind}"' in prompt)
            and getattr(mob.gone.payload, "agent", None) != doing.agent
        ]
        if gone:
            last = max(gone, key=lambda event: event.seq)
            killer = getattr(last.payload, "agent", None)
            self.lost.append(Lost(f"the {str(kind).replace('_', ' ')}", last, self.doing.get(killer or "")))

    # --- the world

    def _change(self, event: Event) -> None:
        payload: BlocksChanged = event.payload
        by = self.doing.get(payload.source) if payload.cause == "agent" else None
        if payload.block not in GONE:
            self.blocks.update(dict.fromkeys(payload.cells, event))
            if by is not None:
                by.placed += len(payload.cells)
            for cell in payload.cells if self._gone else ():
                self._gone.pop(cell, None)
            return
        for cell in payload.cells:
            if cell in self.blocks and cell not in self._gone:
                self._gone[cell] = (event, by)

    def stands(self, cell: Cell) -> Event | None:
        """The event that put the block into the cell that is there now; None for flat ground and what is gone."""
        return None if cell in self._gone else self.blocks.get(cell)

    def _spawn(self, event: Event) -> None:
        payload: MobSpawned = event.payload
        self.mobs[payload.mob] = Mob(payload.entity, event.world_time)

    def _lose_mob(self, event: Event) -> None:
        self.mobs[event.payload.mob].gone = event


def _names(prompt: str, cell: Cell) -> bool:
    """Whether the position stands in a prompt, as JSON writes it."""
    x, y, z = cell
    return any(f"[{x},{gap}{y},{gap}{z}{end}" in prompt for gap in (" ", "") for end in (",", "]"))

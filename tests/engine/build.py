"""Small tasks and a stage for tests of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import msgspec

from engine.agents.actions import Refusal, parse
from engine.agents.plans import Plan, Step
from engine.agents.policies import POLICIES
from engine.agents.policy import Call, Moment, Policy, PolicyInfo, Reply
from engine.episode.run import Episode
from engine.episode.settings import Control, EpisodeSettings, Mode, Unhurried, WorldName
from engine.events import Event, EventLog, Payload
from engine.minecraft.servers import Server
from engine.simulator.world import SimulatedWorld
from engine.spec.model import TaskSpec
from engine.world.geometry import Cell
from engine.world.protocol import ActionReport


def agent(
    name: str,
    position: Cell = (0, 64, 0),
    *,
    tools: Sequence[str] = (),
    items: Mapping[str, int] | None = None,
    effects: Sequence[str] = (),
    multipliers: Mapping[str, float] | None = None,
    **capabilities: float,
) -> dict[str, Any]:
    """An agent of a task, as the YAML would have it."""
    inventory = {tool: {"count": 1, "unbreakable": True} for tool in tools}
    inventory |= {item: {"count": count} for item, count in (items or {}).items()}
    return {
        "name": name,
        "position": list(position),
        "inventory": inventory,
        "capabilities": {"speed_bps": 4.0, "damage_multipliers": dict(multipliers or {}), **capabilities},
        "effects": [{"type": effect} for effect in effects],
    }


def task(
    *agents: dict[str, Any],
    targets: Mapping[str, int] | None = None,
    events: Sequence[dict[str, Any]] = (),
    blocks: Mapping[Cell, str] | None = None,
    chest: Cell = (0, 64, -10),
    chest_items: Mapping[str, int] | None = None,
    max_steps: int = 100,
    kind: str = "mine_vanishing_blocks",
    success: Sequence[dict[str, Any]] = (),
    hostiles: Sequence[dict[str, Any]] = (),
    regions: Sequence[dict[str, Any]] = (),
    mechanics: Mapping[str, Any] | None = None,
    difficulty: str = "hard",
    gamerules: Mapping[str, bool | int] | None = None,
) -> TaskSpec:
    """A task, of type mine_vanishing_blocks unless it says otherwise."""
    wanted = targets or ({"oak_log": 1} if kind == "mine_vanishing_blocks" else {})
    return TaskSpec.model_validate(
        {
            "task": {
                "type": kind,
                "id": "test_v1",
                "goal": "do it",
                "targets": [{"block": block, "count": count} for block, count in wanted.items()],
                "success": list(success) or None,
            },
            "events": list(events),
            "agents": {"spawn": list(agents) or [agent("Ada")]},
            "environment": {
                "max_steps": max_steps,
                "world": {"difficulty": difficulty, "gamerules": dict(gamerules or {})},
                "entities": {"hostiles": list(hostiles)},
                "regions": list(regions),
                "mechanics": dict(mechanics or {}),
                "chest": {
                    "position": list(chest),
                    "items": {item: {"count": count} for item, count in (chest_items or {}).items()},
                },
                "materials": {
                    "grid": [
                        {"block": block, "position": list(cell)} for cell, block in (blocks or {}).items()
                    ]
                },
            },
        }
    )


def custom(*agents: dict[str, Any], **more: Any) -> TaskSpec:
    """A task that offers every action and goes on until `max_steps`."""
    forever = [{"step_reached": more.get("max_steps", 100)}]
    return task(*agents, **{"kind": "custom", "success": forever} | more)


def mob(position: Cell, entity: str = "zombie", **more: Any) -> dict[str, Any]:
    """A hostile of a task; it does no harm and hardly moves unless told to."""
    return {"entity": entity, "position": list(position), "damage": 0, "speed_bps": 0.001, **more}


def area(low: Cell, high: Cell) -> dict[str, Any]:
    """An area of a task."""
    return {"min": list(low), "max": list(high)}


def event(name: str, trigger: Mapping[str, Any], *actions: Mapping[str, Any]) -> dict[str, Any]:
    """An event of a task."""
    return {"id": name, "trigger": dict(trigger), "actions": [dict(action) for action in actions]}


def do(action: str, *after: str, **parameters: Any) -> Step:
    """One action of a plan, to be carried out in the order of writing."""
    return Step(action, action, parameters, after)


class Actors(Policy):
    """A policy that gives agents their lines once, at the start."""

    def __init__(self, lines: Mapping[str, Sequence[Step]]) -> None:
        self._lines = dict(lines)

    def calls(self, moment: Moment) -> list[Call]:
        lines, self._lines = self._lines, {}
        plans = {name: Plan(tuple(_in_order(steps))) for name, steps in lines.items()}
        return [Call(tuple(plans), lambda: Reply(plans))] if plans else []


def _in_order(steps: Sequence[Step]) -> Iterator[Step]:
    for number, step in enumerate(steps):
        yield msgspec.structs.replace(step, id=str(number))


class Watcher(Control, Protocol):
    """A control that looks into its episode."""

    episode: Episode | None


class Played:
    """An episode that is over."""

    def __init__(
        self,
        spec: TaskSpec,
        policy: Policy | str,
        seed: int = 0,
        *,
        mode: Mode = "sync",
        world: WorldName = "simulator",
        control: Watcher | None = None,
        server: Server | None = None,
        release: str = "",
        rcon_port: int | None = None,
    ) -> None:
        self.server = server
        self.events: list[Event] = []
        self.lines: list[bytes] = []
        where = server.address if server else ""
        settings = EpisodeSettings(
            policy="test",
            mode=mode,
            world=world,
            seed=seed,
            server=where,
            release=release,
            rcon_port=rcon_port,
        )
        if isinstance(policy, str):
            self._run(spec, replace(settings, policy=policy), control)
            return
        POLICIES["test"] = PolicyInfo("test", "Test", "", lambda _setting: policy)
        try:
            self._run(spec, settings, control)
        finally:
            del POLICIES["test"]

    def _run(self, spec: TaskSpec, settings: EpisodeSettings, control: Watcher | None) -> None:
        self.episode = Episode(spec, settings, self._take, control or Unhurried(), server=self.server)
        if control is not None:
            control.episode = self.episode
        self.result = self.episode.run()
        assert self.result.status == "finished", self.result.error

    def _take(self, event: Event, line: bytes) -> None:
        self.events.append(event)
        self.lines.append(line)

    @property
    def end(self) -> tuple[int, str]:
        """The tick at which it ended, and why."""
        return self.events[-1].world_time, self.events[-1].payload.reason

    def of(self, kind: str) -> list[tuple[int, Any]]:
        """Ticks and payloads of one event type."""
        return [(event.world_time, event.payload) for event in self.events if event.type == kind]

    def outcomes(self, agent: str) -> list[tuple[int, str, str, int, int]]:
        """How the agent's actions ended: tick, outcome, reason, done, wanted."""
        return [
            (tick, ended.outcome, ended.reason, ended.done, ended.wanted)
            for tick, ended in self.of("action_ended")
            if ended.agent == agent
        ]

    def hurts(self, agent: str) -> list[tuple[int, float, str]]:
        """What happened to the agent's health: tick, health afterwards, cause."""
        return hurts(self.events, agent)


def play(spec: TaskSpec, seed: int = 0, **lines: Sequence[Step]) -> Played:
    """Play an episode in which each named agent carries out its lines."""
    return Played(spec, Actors(lines), seed)


def hurts(events: Sequence[Event], agent: str) -> list[tuple[int, float, str]]:
    """What happened to an agent's health: tick, health afterwards, cause."""
    return [
        (event.world_time, event.payload.health, event.payload.cause)
        for event in events
        if event.type == "agent_health_changed" and event.payload.agent == agent
    ]


class Stage:
    """A simulated world without an episode around it: begin actions by hand, let time pass, see what was logged."""

    def __init__(self, spec: TaskSpec) -> None:
        self.events: list[Event] = []
        self.ended: dict[str, tuple[int, ActionReport]] = {}
        self._log = EventLog(lambda event, _: self.events.append(event))
        self.tick = 0
        self.world = SimulatedWorld(spec, self._emit)

    def _emit(self, payload: Payload) -> None:
        self._log.append(self.tick, payload)

    def begin(self, name: str, action: str, **parameters: Any) -> None:
        parsed = parse("custom", action, parameters)
        assert not isinstance(parsed, Refusal), parsed
        self.world.begin(name, parsed)

    def run(self, until: int) -> None:
        """Let world time pass up to and including `until`."""
        while (tick := self.world.next_tick()) is not None and tick <= until:
            self._go(tick)
        self._go(until)

    def _go(self, tick: int) -> None:
        self.tick = tick
        self.world.advance(tick)
        self.world.settle(lambda name, ended: self.ended.__setitem__(name, (self.tick, ended)))

    def finish(self, name: str, limit: int = 4_000) -> tuple[int, ActionReport]:
        """Run until the agent's action ends; its tick and report."""
        while name not in self.ended:
            tick = self.world.next_tick()
            assert tick is not None, f"{name} never ends"
            assert tick <= limit, f"{name} is not done by tick {limit}"
            self._go(tick)
        return self.ended.pop(name)

    def hurts(self, agent: str) -> list[tuple[int, float, str]]:
        """What happened to the agent's health: tick, health afterwards, cause."""
        return hurts(self.events, agent)

    def at(self, kind: str) -> list[tuple[int, Any]]:
        """Ticks and payloads of one event type."""
        return [(event.world_time, event.payload) for event in self.events if event.type == kind]

    def of(self, kind: str) -> list[Any]:
        """Payloads of one event type."""
        return [event.payload for event in self.events if event.type == kind]

"""Small tasks and a stage for tests of the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.agents.actions import Refusal, parse
from engine.events import Event, EventLog, Payload
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
    **capabilities: float,
) -> dict[str, Any]:
    """An agent of a task, as the YAML would have it."""
    inventory = {tool: {"count": 1, "unbreakable": True} for tool in tools}
    inventory |= {item: {"count": count} for item, count in (items or {}).items()}
    return {
        "name": name,
        "position": list(position),
        "inventory": inventory,
        "capabilities": {"speed_bps": 4.0, **capabilities},
    }


def task(
    *agents: dict[str, Any],
    targets: Mapping[str, int] | None = None,
    events: Sequence[dict[str, Any]] = (),
    blocks: Mapping[Cell, str] | None = None,
    chest: Cell = (0, 64, -10),
    chest_items: Mapping[str, int] | None = None,
    max_steps: int = 100,
) -> TaskSpec:
    """A mine_vanishing_blocks task."""
    wanted = targets or {"oak_log": 1}
    return TaskSpec.model_validate(
        {
            "task": {
                "type": "mine_vanishing_blocks",
                "id": "test_v1",
                "goal": "mine",
                "targets": [{"block": block, "count": count} for block, count in wanted.items()],
            },
            "events": list(events),
            "agents": {"spawn": list(agents) or [agent("Ada")]},
            "environment": {
                "max_steps": max_steps,
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

    def of(self, kind: str) -> list[Any]:
        """Payloads of one event type."""
        return [event.payload for event in self.events if event.type == kind]

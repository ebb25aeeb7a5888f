"""The simulated world: terrain, bodies, drops and chests, moved from event to event.

Nothing is done tick by tick. A queue holds the ticks at which some agent's action goes on; between them positions
follow from motions (`Body.at`). Within a tick agents act in YAML order (SPEC section 11).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.events import payloads
from engine.simulator.actions import ABILITIES
from engine.simulator.body import Body, Progress, Running
from engine.simulator.drops import Drops
from engine.spec.model import TaskSpec
from engine.world import rules
from engine.world.geometry import TICKS_PER_STEP, Cell, Position, distance, nearest_cell
from engine.world.inventory import CHEST_SLOTS, Inventory
from engine.world.motion import Motion
from engine.world.protocol import Action, ActionReport, Emit, OnActionEnd, Sighting, report
from engine.world.terrain import AIR, Terrain

ACTION_LIMIT = 120 * TICKS_PER_STEP
"""No action outlives this: it ends with what it has done by then, and `timeout`."""


class _Entry(NamedTuple):
    """Something due at a tick; entries of one tick are ordered by agent, then by age."""

    tick: int
    order: int
    number: int
    body: Body
    ticket: int | None
    call: Callable[[], None] | None

    def is_stale(self) -> bool:
        """Whether a later wake-up of the same body has replaced this one."""
        return self.ticket is not None and self.ticket != self.body.wake_ticket


class SimulatedWorld:
    """Implements `engine.world.protocol.World`."""

    def __init__(self, spec: TaskSpec, emit: Emit) -> None:
        self.emit = emit
        self.terrain = Terrain()
        self.bodies = {agent.name: Body.from_spec(i, agent) for i, agent in enumerate(spec.agents.spawn)}
        self.chests: dict[Cell, Inventory] = {}
        self.drops = Drops(self)
        self._tick = 0
        self._queue: list[_Entry] = []
        self._entries = 0
        self._watchers: dict[Cell, list[Body]] = {}
        self._place_chests(spec)
        self._place_materials(spec)

    def _place_chests(self, spec: TaskSpec) -> None:
        for chest in spec.all_chests:
            items = {item: stack.count for item, stack in chest.items.items()}
            self.chests[chest.position] = Inventory(CHEST_SLOTS, items)
        self._set_up("chest", list(self.chests))

    def _place_materials(self, spec: TaskSpec) -> None:
        for grid in spec.environment.materials.grid:
            x, y, z = grid.position
            cells = [
                (x + dx, y + dy, z + dz)
                for dx in range(grid.width)
                for dy in range(grid.height)
                for dz in range(grid.depth)
            ]
            self._set_up(grid.block, cells)

    def _set_up(self, block: str, cells: Sequence[Cell]) -> None:
        if cells:
            self.set_blocks(cells, block, cause="setup", source="")

    # --- time --------------------------------------------------------------------------------------------------------

    @property
    def tick(self) -> int:
        """World time now."""
        return self._tick

    def next_tick(self) -> int | None:
        """The next tick at which an agent's action goes on, or somebody passes a thing on the ground."""
        while self._queue and self._queue[0].is_stale():
            heapq.heappop(self._queue)
        return self._queue[0].tick if self._queue else None

    def advance(self, tick: int) -> None:
        """Let the clock come to `tick`; positions follow by themselves."""
        self._tick = tick

    def settle(self, on_end: OnActionEnd) -> None:
        """Let every agent whose wait is over go on, in YAML order, until nobody has anything left at this tick."""
        while self.next_tick() == self._tick:
            entry = heapq.heappop(self._queue)
            if entry.call is not None:
                entry.call()
                continue
            body = entry.body
            self._resume(body)
            running = body.running
            if running is not None and running.over is not None and self._tick > running.began:
                body.running = None
                on_end(body.name, running.over)

    def call_at(self, tick: int, body: Body, call: Callable[[], None]) -> None:
        """Have something that concerns the body done at a later tick."""
        self._entries += 1
        heapq.heappush(self._queue, _Entry(tick, body.index, self._entries, body, None, call))

    def _wake(self, body: Body, tick: int) -> None:
        self._entries += 1
        body.wake_ticket = self._entries
        heapq.heappush(self._queue, _Entry(tick, body.index, self._entries, body, self._entries, None))

    # --- actions -----------------------------------------------------------------------------------------------------

    def begin(self, agent: str, action: Action) -> None:
        """Start an action; whatever it does at once is done at this tick, its end comes at a later one."""
        body = self.bodies[agent]
        progress = Progress()
        steps = ABILITIES[action.name](self, body, action.parameters, progress)
        body.running = Running(steps, progress, self._tick, self._tick + ACTION_LIMIT)
        self._resume(body)

    def _resume(self, body: Body) -> None:
        running = body.running
        if running is None or running.over is not None:
            return
        self._unwatch(body)
        if self._tick >= running.deadline:
            running.progress.blame("timeout", "it took longer than an action may")
            self._finish(body, running)
            return
        try:
            pause = next(running.steps)
        except StopIteration:
            self._finish(body, running)
            return
        body.watched = pause.watch
        for cell in pause.watch:
            self._watchers.setdefault(cell, []).append(body)
        self._wake(body, min(max(pause.until, self._tick), running.deadline))

    def _finish(self, body: Body, running: Running) -> None:
        running.steps.close()
        self.stop(body)
        done = running.progress
        running.over = report(done.done, done.wanted, done.reason, done.detail)
        self._wake(body, max(self._tick, running.began + 1))

    def interrupt(self, agent: str) -> ActionReport | None:
        """Stop the agent's action here and now; what it has done so far counts."""
        body = self.bodies[agent]
        running = body.running
        if running is None:
            return None
        self._unwatch(body)
        if running.over is None:
            running.progress.blame("interrupted", "a new plan replaced it")
            self._finish(body, running)
        body.running = None
        body.wake_ticket = 0
        return running.over

    def _unwatch(self, body: Body) -> None:
        for cell in body.watched:
            self._watchers[cell].remove(body)
            if not self._watchers[cell]:
                del self._watchers[cell]
        body.watched = ()

    # --- bodies ------------------------------------------------------------------------------------------------------

    def position(self, agent: str) -> Position:
        """Where the agent is."""
        return self.bodies[agent].at(self._tick)

    def walk(self, body: Body, points: Sequence[Position]) -> Motion:
        """Set a body in motion along the points, from where it is."""
        motion = Motion(self._tick, points, body.speed)
        body.motion = motion
        body.obstructed = False
        self.emit(payloads.AgentMoved(agent=body.name, points=motion.points, speed_bps=body.speed))
        self.drops.expect(body, motion)
        return motion

    def stop(self, body: Body) -> None:
        """Let a body stand where it is now."""
        motion = body.motion
        if motion is None:
            return
        body.position = motion.at(self._tick)
        body.motion = None
        if self._tick < motion.arrival:
            self.emit(payloads.AgentStopped(agent=body.name, position=body.position))

    def carry(self, body: Body, item: str, delta: int) -> None:
        """Put items into a body's inventory or take them out; the caller has seen to it that they fit."""
        if delta > 0:
            body.inventory.add(item, delta)
        else:
            body.inventory.remove(item, -delta)
        self.emit(payloads.InventoryChanged(agent=body.name, item=item, count=body.inventory.count(item)))

    def wear_out(self, body: Body, tool: str | None, block: str) -> None:
        """Breaking the block has worn the tool, and broken it if that was its last use."""
        uses = rules.wear(tool, block)
        if tool is None or not uses or body.is_unbreakable(tool):
            return
        body.wear[tool] = body.wear.get(tool, 0) + uses
        if body.wear[tool] >= (rules.items()[tool].durability or 0):
            del body.wear[tool]
            self.carry(body, tool, -1)

    # --- blocks ------------------------------------------------------------------------------------------------------

    def block(self, cell: Cell) -> str:
        """What is in the cell."""
        return self.terrain.block(cell)

    def is_free(self, cell: Cell) -> bool:
        """Whether something may be spawned here: room, ground, and nobody standing in it."""
        if not self.terrain.is_free(cell):
            return False
        for body in self.bodies.values():
            feet = nearest_cell(body.at(self._tick))
            if body.alive and cell in (feet, (feet[0], feet[1] + 1, feet[2])):
                return False
        return True

    def set_blocks(
        self, cells: Sequence[Cell], block: str, *, cause: str, source: str, vanish_tick: int | None = None
    ) -> None:
        """Change blocks, log it once, and wake whoever watches one of them or now has it in the way."""
        for cell in cells:
            self.terrain.set(cell, block)
        self.emit(
            payloads.BlocksChanged(
                block=block, cells=list(cells), cause=cause, source=source, vanish_tick=vanish_tick
            )
        )
        if block == AIR:
            self._let_fall(cells)
        self._wake_affected(cells)

    def _wake_affected(self, cells: Sequence[Cell]) -> None:
        affected = {body for cell in cells for body in self._watchers.get(cell, ())}
        for body in self.bodies.values():
            if body.motion is not None and body.running is not None:
                way = body.motion.cells()
                near = ((x, y + dy, z) for x, y, z in cells for dy in (-1, 0, 1))
                if any(cell in way for cell in near):
                    body.obstructed = True
                    affected.add(body)
        for body in sorted(affected, key=lambda one: one.index):
            self._wake(body, self._tick)

    def _let_fall(self, cells: Sequence[Cell]) -> None:
        """Whoever stood on a block that is gone, and every drop on it, comes down to the next floor."""
        for body in self.bodies.values():
            feet = nearest_cell(body.at(self._tick))
            if body.motion is None and (feet[0], feet[1] - 1, feet[2]) in cells:
                floor = self.terrain.floor_below(feet)
                if floor < feet[1]:
                    body.position = (float(feet[0]), float(floor), float(feet[2]))
                    self.emit(payloads.AgentStopped(agent=body.name, position=body.position))
        self.drops.let_fall(cells)

    # --- perception --------------------------------------------------------------------------------------------------

    def perceives(self, body: Body, cell: Cell) -> bool:
        """Whether the cell is within the body's perception range now."""
        return distance(body.at(self._tick), cell) <= body.spec.capabilities.perception_range

    def sense(self, agent: str, radius: float) -> list[Sighting]:
        """The blocks, flat ground left out, within the radius and the agent's own range; nearest first."""
        body = self.bodies[agent]
        here = body.at(self._tick)
        radius = min(radius, body.spec.capabilities.perception_range)
        seen = [Sighting(cell, block) for cell, block in self.terrain.changed_near(here, radius)]
        return sorted(seen, key=lambda sighting: (distance(here, sighting.cell), sighting.cell))

"""The Minecraft world as an episode sees it: commands out, once a tick, and events in; on whichever server."""

from __future__ import annotations

import heapq
import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from typing import Any

import msgspec
from pydantic import BaseModel

from engine.errors import InfrastructureError
from engine.events import payloads
from engine.minecraft.setup import ticks
from engine.minecraft.stage import Stage
from engine.minecraft.tracks import Track
from engine.spec.model import Effect, TaskSpec
from engine.world import combat
from engine.world.contact import Contact, contact_of
from engine.world.geometry import Cell, Position, distance, nearest_cell
from engine.world.protocol import Action, ActionReport, Emit, MobSighting, OnActionEnd, Sighting
from engine.world.terrain import Terrain

logger = logging.getLogger(__name__)

OF_MOBS = (payloads.MobMoved, payloads.MobStopped, payloads.MobHealthChanged, payloads.MobDied)


@dataclass(slots=True)
class Mob:
    """A living mob, as the server reports it."""

    number: int
    entity: str
    role: str
    position: Position
    health: float


class MinecraftWorld:
    """Implements `engine.world.protocol.World` with bots on a stage, which is closed with the world.

    Raises:
        InfrastructureError: a bot was lost, or the server.
    """

    def __init__(self, spec: TaskSpec, emit: Emit, stage: Stage) -> None:
        self.emit = emit
        self.terrain = Terrain()
        self._tracks = {
            agent.name: Track(agent.name, agent.position, agent.position) for agent in spec.agents.spawn
        }
        self._range = {agent.name: agent.capabilities.perception_range for agent in spec.agents.spawn}
        self._alive = dict.fromkeys(self._tracks, True)
        self._busy: dict[str, int] = {}
        self._actions = 0
        self._mobs: dict[int, Mob] = {}
        self._mob_numbers = 0
        self._mortal: list[tuple[int, int]] = []
        self._regions = {region.id: region for region in spec.environment.regions}
        self._difficulty = spec.environment.world.difficulty
        self._tick = 0
        self._commands: list[dict[str, Any]] = []
        self._news: list[dict[str, Any]] = []
        self._over: list[tuple[str, int, ActionReport]] = []
        self._take: dict[str, Callable[[dict[str, Any]], None]] = {
            "action_over": self._take_end,
            "walk": self._take_walk,
            "halt": lambda event: self._tracks[event["agent"]].halt(),
            "bot_lost": self._take_loss,
            "fault": lambda event: logger.warning("a fault in bot %s: %s", event["agent"], event["text"]),
        }
        self._stage = stage
        try:
            logger.info("%s", stage.where)
            with stage.hold():
                self._set_up(spec)
        except BaseException:
            self.close()
            raise

    def _set_up(self, spec: TaskSpec) -> None:
        chests = [chest.position for chest in spec.all_chests]
        if chests:
            self.set_blocks(chests, "chest", cause="setup", source="")
        for grid in spec.environment.materials.grid:
            self.set_blocks(grid.cells, grid.block, cause="setup", source="")
        for hostile in spec.environment.entities.hostiles:
            self.spawn_mob(
                hostile.entity,
                hostile.role,
                hostile.position,
                health=hostile.health,
                damage=hostile.damage,
                speed=hostile.speed_bps,
                source="",
            )
        for region in self._regions.values():
            self._log_region(region.id, region.active, region.area.min, region.area.max, region.effects)
        for agent in spec.agents.spawn:
            for effect in agent.effects:
                self.give_effect(agent.name, effect.type, effect.amplifier, effect.seconds)
        self._command("home")
        self._exchange(0)
        self.settle_contact()

    def close(self) -> None:
        """End the bots, and what else there is on the stage."""
        self._stage.close()

    @property
    def address(self) -> str:
        """The server's, for players."""
        return self._stage.address

    def hold(self) -> AbstractContextManager[None]:
        """Stop the server, if it does not stand anyway."""
        return self._stage.hold()

    # --- time --------------------------------------------------------------------------------------------------------

    @property
    def tick(self) -> int:
        """World time now."""
        return self._tick

    def next_tick(self) -> int:
        """The next tick: bots and mobs may do something at each."""
        return self._tick + 1

    def advance(self, tick: int) -> None:
        """Let the server and the bots live on until `tick`."""
        passed, self._tick = tick - self._tick, tick
        if passed:
            self._exchange(passed)

    def _exchange(self, passed: int) -> None:
        commands, self._commands = self._commands, []
        answer = self._stage.exchange(commands, passed)
        for fault in answer["faults"]:
            logger.warning("the Minecraft world survived a fault: %s", fault)
        self._news += answer["events"]
        for name, position in answer["agents"].items():
            track = self._tracks[name]
            track.position, track.moved = tuple(position), True
        for number, position in answer["mobs"].items():
            if int(number) in self._mobs:
                self._mobs[int(number)].position = tuple(position)

    def settle_contact(self) -> None:
        """Log what has happened since the last tick; the ends of actions wait until `settle`."""
        while self._mortal and self._mortal[0][0] <= self._tick:
            _, number = heapq.heappop(self._mortal)
            if number in self._mobs:
                self.despawn_mob(number, "lifetime")
        if any(command["do"] != "begin" for command in self._commands):
            self._exchange(0)  # what the environment does is felt at this tick
        news, self._news = self._news, []
        for event in news:
            self._take.get(event["type"], self._take_payload(event["type"]))(event["payload"])
        for name, track in self._tracks.items():
            if self._alive[name]:
                track.review(self._tick, self.emit)

    def settle(self, on_end: OnActionEnd) -> None:
        """Tell whose actions have ended."""
        over, self._over = self._over, []
        for agent, number, ended in over:
            if self._busy.get(agent) == number:
                del self._busy[agent]
                on_end(agent, ended if self._alive[agent] else _cut_short(ended))

    # --- events of the JavaScript side -------------------------------------------------------------------------------

    def _take_payload(self, kind: str) -> Callable[[dict[str, Any]], None]:
        def take(fields: dict[str, Any]) -> None:
            payload = msgspec.convert(fields, payloads.PAYLOADS[kind], strict=False)
            if isinstance(payload, OF_MOBS) and payload.mob not in self._mobs:
                return  # the environment has taken it away at the same tick
            self._note(payload)
            self.emit(payload)

        return take

    def _note(self, payload: payloads.Payload) -> None:
        """Keep the mirror up to date."""
        if isinstance(payload, payloads.BlocksChanged):
            self.terrain.set_all(payload.cells, payload.block)
        elif isinstance(payload, payloads.MobHealthChanged):
            self._mobs[payload.mob].health = payload.health
        elif isinstance(payload, payloads.MobDied):
            del self._mobs[payload.mob]
        elif isinstance(payload, payloads.AgentDied):
            self._alive[payload.agent] = False

    def _take_end(self, fields: dict[str, Any]) -> None:
        self._tracks[fields["agent"]].settle()
        self._over.append((fields["agent"], fields["number"], _report(fields)))

    def _take_walk(self, fields: dict[str, Any]) -> None:
        points = [tuple(point) for point in fields["points"]]
        self._tracks[fields["agent"]].walk(self._tick, points, fields["speed"], self.emit)

    def _take_loss(self, fields: dict[str, Any]) -> None:
        raise InfrastructureError(f"bot {fields['agent']} lost its connection: {fields['reason']}")

    # --- actions -----------------------------------------------------------------------------------------------------

    def begin(self, agent: str, action: Action) -> None:
        """Let the agent's bot start an action."""
        parameters = action.parameters
        fields = parameters.model_dump(mode="json") if isinstance(parameters, BaseModel) else {}
        self._actions += 1
        self._busy[agent] = self._actions
        self._command("begin", agent=agent, action=action.name, parameters=fields, number=self._actions)

    def interrupt(self, agent: str) -> ActionReport | None:
        """Stop the agent's action here and now; what it has done so far counts."""
        number = self._busy.pop(agent, None)
        if number is None:
            return None
        self._exchange(0)
        ends = [event["payload"] for event in self._news if event["type"] == "action_over"]
        fresh = [(end["agent"], end["number"], _report(end)) for end in ends]
        for name, which, ended in [*self._over, *fresh]:
            if (name, which) == (agent, number):
                return ended  # it was over before it could be stopped
        answer = self._stage.interrupt(agent, "interrupted", "a new plan replaced it")
        return ActionReport(**answer) if answer else None

    def _command(self, name: str, **parameters: Any) -> None:
        self._commands.append({"do": name, **parameters})

    # --- what is where -----------------------------------------------------------------------------------------------

    def position(self, agent: str) -> Position:
        """Where the agent's bot is."""
        return self._tracks[agent].position

    def block(self, cell: Cell) -> str:
        """What is in the cell."""
        return self.terrain.block(cell)

    def is_solid(self, cell: Cell) -> bool:
        """Whether the cell holds something that one cannot walk through."""
        return self.terrain.is_solid(cell)

    def is_free(self, cell: Cell) -> bool:
        """Whether something may be spawned here: room, ground, and nobody standing in it."""
        return self.terrain.is_free(cell) and not any(
            self._alive[name] and _is_in(track.position, cell) for name, track in self._tracks.items()
        )

    def set_blocks(
        self,
        cells: Sequence[Cell],
        block: str,
        *,
        cause: str,
        source: str,
        vanish_tick: int | None = None,
        contact: Contact | None = None,
    ) -> None:
        """Change blocks on behalf of the environment, at this tick."""
        self.terrain.set_all(cells, block)
        does = contact or contact_of(block)
        self._command("blocks", block=block, cells=list(cells), contact=asdict(does) if does else None)
        self.emit(
            payloads.BlocksChanged(
                block=block, cells=list(cells), cause=cause, source=source, vanish_tick=vanish_tick
            )
        )

    # --- mobs --------------------------------------------------------------------------------------------------------

    def spawn_mob(
        self,
        entity: str,
        role: str,
        position: Cell,
        *,
        health: float | None,
        damage: float | None,
        speed: float,
        source: str,
        vanish_tick: int | None = None,
    ) -> None:
        """Let a mob be there; absent health and damage are the vanilla mob's."""
        self._mob_numbers += 1
        vanilla = combat.mob(entity, self._difficulty)
        mob = Mob(self._mob_numbers, entity, role, position, vanilla.health if health is None else health)
        hit = vanilla.damage if damage is None else damage
        self._mobs[mob.number] = mob
        if vanish_tick is not None:
            heapq.heappush(self._mortal, (vanish_tick, mob.number))
        self._command(
            "mob",
            number=mob.number,
            entity=entity,
            position=position,
            health=mob.health,
            damage=hit,
            speed=speed,
        )
        self.emit(
            payloads.MobSpawned(
                mob=mob.number,
                entity=entity,
                role=role,
                position=position,
                health=mob.health,
                damage=hit,
                speed_bps=speed,
                source=source,
                vanish_tick=vanish_tick,
            )
        )

    def living_mobs(self) -> list[MobSighting]:
        """All living mobs, oldest first."""
        return [_sighting(mob) for mob in self._mobs.values()]

    def despawn_mob(self, mob: int, cause: str) -> None:
        """Take a mob away."""
        del self._mobs[mob]
        self._command("unmob", number=mob)
        self.emit(payloads.MobDespawned(mob=mob, cause=cause))

    # --- what the environment does to agents -------------------------------------------------------------------------

    def give_effect(self, agent: str, effect: str, amplifier: int, seconds: float | None) -> None:
        """Give an agent a status effect; without seconds for good."""
        self._command("effect", agent=agent, effect=effect, amplifier=amplifier, ticks=ticks(seconds))

    def set_speed_factor(self, agent: str, source: str, factor: float) -> None:
        """Let an agent be slower or faster for a reason of somebody's; the factors of all reasons multiply."""
        self._command("pace", agent=agent, source=source, factor=factor)

    def hurt(self, agent: str, amount: float) -> None:
        """Hurt an agent."""
        self._command("hurt", agent=agent, amount=amount, cause="event")

    def set_region(self, region: str, active: bool, area: tuple[Cell, Cell] | None) -> None:
        """Switch a region on or off, or move it."""
        old = self._regions[region]
        low, high = area or (old.area.min, old.area.max)
        self._regions[region] = old.model_copy(
            update={"active": active, "area": old.area.model_copy(update={"min": low, "max": high})}
        )
        self._log_region(region, active, low, high, old.effects)

    def _log_region(
        self, region: str, active: bool, low: Cell, high: Cell, effects: Sequence[Effect]
    ) -> None:
        given = [
            {"type": effect.type, "amplifier": effect.amplifier, "ticks": ticks(effect.seconds)}
            for effect in effects
        ]
        self._command("region", id=region, active=active, low=low, high=high, effects=given)
        kinds = [effect.type for effect in effects]
        self.emit(payloads.RegionChanged(region=region, active=active, low=low, high=high, effects=kinds))

    # --- perception --------------------------------------------------------------------------------------------------

    def sense(self, agent: str, radius: float) -> list[Sighting]:
        """The blocks, flat ground left out, within the radius and the agent's own range; nearest first."""
        here = self.position(agent)
        near = self.terrain.nearest_changed(here, min(radius, self._range[agent]))
        return [Sighting(cell, block) for cell, block in near]

    def sense_mobs(self, agent: str, radius: float) -> list[MobSighting]:
        """The living mobs within the radius and the agent's own range; nearest first."""
        here = self.position(agent)
        reach = min(radius, self._range[agent])
        seen = [mob for mob in self.living_mobs() if distance(here, mob.position) <= reach]
        return sorted(seen, key=lambda mob: (distance(here, mob.position), mob.number))


def _is_in(position: Position, cell: Cell) -> bool:
    x, y, z = nearest_cell(position)
    return cell in ((x, y, z), (x, y + 1, z))


def _sighting(mob: Mob) -> MobSighting:
    return MobSighting(mob.number, mob.entity, mob.role, mob.position, max(0.0, mob.health))


def _cut_short(ended: ActionReport) -> ActionReport:
    """The end of an action whose agent died at the same tick."""
    if ended.reason:
        return ended
    return ActionReport("partial" if ended.done else "failed", "dead", ended.done, ended.wanted, ended.detail)


def _report(fields: dict[str, Any]) -> ActionReport:
    names = ("outcome", "reason", "done", "wanted", "detail")
    return ActionReport(**{name: fields[name] for name in names})

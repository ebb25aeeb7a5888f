"""The stage on a server of the user's own: commands over RCON, and bots that tell what comes of it."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from engine.errors import EngineError, InfrastructureError
from engine.minecraft.answers import says
from engine.minecraft.bridge import OPEN_SECONDS, Thread
from engine.minecraft.commands import Daytime
from engine.minecraft.own.arena import Arena, arena, boxes
from engine.minecraft.own.bodies import Bodies, Zone, usernames
from engine.minecraft.own.harm import HURTS_BY_ITSELF, IGNITES
from engine.minecraft.own.limits import unfrozen
from engine.minecraft.own.mobs import Mobs
from engine.minecraft.own.operator import Operator, explain
from engine.minecraft.own.originals import originals
from engine.minecraft.own.slots import is_alone, take
from engine.minecraft.servers import Server
from engine.minecraft.setup import settings
from engine.minecraft.stage import Command
from engine.spec.model import TaskSpec, counts
from engine.world import rules
from engine.world.combat import Difficulty
from engine.world.contact import Contact
from engine.world.protocol import Waiting, undisturbed

logger = logging.getLogger(__name__)

RULES: dict[str, bool | int] = {
    "announceAdvancements": False,
    "disableRaids": True,
    "doDaylightCycle": False,
    "doImmediateRespawn": False,
    "doInsomnia": False,
    "doMobLoot": False,
    "doMobSpawning": False,
    "doPatrolSpawning": False,
    "doTraderSpawning": False,
    "doWeatherCycle": False,
    "keepInventory": False,
    "mobGriefing": False,
    "naturalRegeneration": False,
    "randomTickSpeed": 0,
}
"""The rules of the benchmark as far as they are Minecraft's; the task's own come after."""
PATIENCE = {"answer_ticks": 20, "lag_ticks": 1, "pickup_ticks": 30}
"""Ticks for packets on their way: to an answer, to the server alone, and until a dropped item can be picked up."""
TOLD = frozenset(("begin", "blocks", "mob", "unmob", "hurt"))
"""Commands of which bots must know, so that they do not take them for something that happened by itself."""


class OwnStage:
    """A slot of the server with the task's arena and bots in it.

    Raises:
        InfrastructureError: the server cannot be used, for a reason that the message gives in plain words.
    """

    def __init__(self, spec: TaskSpec, server: Server, waiting: Waiting = undisturbed) -> None:
        self._server = server
        self._waiting = waiting
        self._is_closing = False
        self.address = server.address
        self._tick = 0
        self._is_frozen = self._is_built = False
        self._closing = ExitStack()
        try:
            self._open(spec)
        except BaseException as fault:
            self.close()
            if isinstance(fault, InfrastructureError) and explain(str(fault)) != str(fault):
                raise InfrastructureError(explain(str(fault))) from None
            raise

    def _open(self, spec: TaskSpec) -> None:
        self._operator = Operator(self._server, self._look_up)
        self._closing.callback(self._operator.close)
        used = self._letters()
        self._slot = take(self._server.address, lambda letter: letter in used)
        self._closing.callback(self._leave)
        self._arena = arena(spec, self._slot.number, self._server.origin)
        self._chests = {chest.position: counts(chest.items) for chest in spec.all_chests}
        world = spec.environment.world
        names = usernames([agent.name for agent in spec.agents.spawn], self._slot.letter)
        self._bodies = Bodies(spec, self._operator, self._arena, names)
        tag = f"ticking_{self._slot.letter}"
        self._mobs = Mobs(self._operator, self._arena, tag, world.difficulty)
        self.where = (
            f"Minecraft {self._operator.version} on {self._server.address}, arena at {self._arena.offset}"
        )
        self._set(RULES | world.gamerules, world.difficulty, world.time)
        self._build()
        self._thread = Thread(self._look_up)
        self._closing.callback(self._thread.close)
        self._join(spec, names)
        goes_on = "; ".join(unfrozen(self._operator.version))
        logger.info("what goes on in sync mode while a policy decides: %s", goes_on)

    def _look_up(self) -> None:
        """Let the caller get a word in. Whoever asks it to stop is not heard any more once the end has come."""
        try:
            self._waiting()
        except Exception:
            if not self._is_closing:
                raise

    def _set(self, rules: Mapping[str, bool | int], difficulty: Difficulty, daytime: Daytime) -> None:
        """Make the whole server what the task wants it to be, once its own settings are known."""
        commands = self._operator.commands
        with originals(self._server.address, self._look_up) as kept:
            lost = kept.keep(self._operator.ask, commands, rules).unknown(rules)
        if lost:
            logger.warning(
                "%s does not say in known words what these are, so they will not be put back: %s",
                self._server.address,
                ", ".join(lost),
            )
        self._operator.do(*(commands.gamerule(rule, value) for rule, value in rules.items()))
        self._operator.do(commands.difficulty(difficulty), commands.time(daytime))

    def _build(self) -> None:
        """Flat ground, and nothing on it of what an earlier episode has left."""
        commands = self._operator.commands
        left = self._slot.leftovers()
        if left:
            self._clear(Arena((0, 0), *left))
            self._load(Arena((0, 0), *left), on=False)
        self._slot.note(self._arena.corners)
        self._is_built = True
        if commands.has("tick") and self._is_alone():
            self._operator.do(commands.unfreeze(self._mobs.all))  # a killed worker may have left it frozen
        self._clear(self._arena)

    def _clear(self, place: Arena) -> None:
        self._load(place)
        kill, *fills = place.clear(self._operator.commands)
        self._operator.do(kill, self._operator.commands.kill(self._mobs.all))
        self._operator.do(*fills, holds=says("filled"))

    def _load(self, place: Arena, on: bool = True) -> None:
        commands = self._operator.commands
        low, high = place.corners
        self._operator.do(commands.forceload(low, high, on=on))
        if on:
            for x, z in ((low[0], low[2]), (low[0], high[2]), (high[0], low[2]), (high[0], high[2])):
                question = commands.is_block((x, low[1], z), "bedrock")
                self._operator.wait_for(
                    question, lambda answer: answer.startswith("Test"), "the arena does not load"
                )

    def _join(self, spec: TaskSpec, names: dict[str, str]) -> None:
        given = settings(spec, version=self._operator.version)
        for agent in given["agents"]:
            agent["username"] = names[agent["name"]]
        given |= PATIENCE
        given["server"] = {
            "host": self._server.host,
            "port": self._server.port,
            "where": f"the Minecraft server {self._server.address}",
            "origin": self._arena.offset,
            "low": self._arena.low,
            "high": self._arena.high,
            "hurting": {block: block in IGNITES for block in HURTS_BY_ITSELF},
        }
        self._thread.ask("open", given, OPEN_SECONDS * (1 + len(names)))
        self._bodies.prepare()
        seconds = OPEN_SECONDS + len(names)
        self._thread.ask("ready", {}, seconds)
        self._bodies.satisfy()
        self._thread.ask("ready", {}, seconds)  # what has happened until then is no news

    # --- from tick to tick

    def exchange(self, commands: list[Command], ticks: int) -> dict[str, Any]:
        """First the bots are told, then the server; so nobody takes the environment's doing for an agent's."""
        told = [self._mobs.announce(one) if one["do"] == "mob" else one for one in commands]
        answer: dict[str, Any] = {"events": [], "agents": {}, "mobs": {}, "faults": []}
        self._tell([one for one in told if one["do"] in TOLD], 0, answer)
        for command in told:
            self._carry_out(command)
        for _ in range(ticks):
            self._tick += 1
            self._tell([], 1, answer)
            hurt = self._bodies.review(self._tick)
            self._tell([{"do": "hurt", "agent": agent, "cause": cause} for agent, cause in hurt], 0, answer)
        return answer

    def _tell(self, commands: list[Command], ticks: int, answer: dict[str, Any]) -> None:
        """Pass commands and time on, and add to the answer what came of it."""
        if not commands and not ticks:
            return
        more = self._thread.ask("exchange", {"commands": commands, "ticks": ticks})
        self._bodies.follow(more)
        more["events"] += self._mobs.follow(more, self._tick) if ticks else []
        for event in more["events"]:
            if event["type"] == "bot_lost":
                event["payload"]["reason"] = explain(event["payload"]["reason"])
        for name in ("events", "faults"):
            answer[name] += more[name]
        for name in ("agents", "mobs"):
            answer[name].update(more[name])

    def interrupt(self, agent: str, reason: str, detail: str) -> dict[str, Any] | None:
        """As the protocol says."""
        body = {"agent": agent, "reason": reason, "detail": detail}
        answer: dict[str, Any] | None = self._thread.ask("interrupt", body)
        return answer

    def _carry_out(self, command: Command) -> None:
        match command:
            case {"do": "begin", "agent": agent, "action": "attack", "parameters": {"entity_type": entity}}:
                self._bodies.aim(agent, entity)
            case {"do": "blocks"}:
                self._set_blocks(command)
            case {"do": "mob"}:
                self._mobs.summon(command)
            case {"do": "unmob", "number": number}:
                self._mobs.remove(number)
            case {"do": "effect", "agent": agent, "effect": effect, "amplifier": amplifier, "ticks": ticks}:
                self._bodies.give_effect(agent, effect, amplifier, ticks)
            case {"do": "hurt", "agent": agent, "amount": amount}:
                self._bodies.hurt(agent, amount)
            case {"do": "pace", "agent": agent, "source": source, "factor": factor}:
                self._bodies.set_factor(agent, source, factor)
            case {"do": "region", "id": name}:
                effects = tuple((one["type"], one["amplifier"], one["ticks"]) for one in command["effects"])
                self._bodies.set_zone(name, Zone(command["active"], command["low"], command["high"], effects))
            case {"do": "home"}:
                self._bodies.home()

    def _set_blocks(self, command: Command) -> None:
        block, contact = command["block"], command["contact"]
        cells = [(x, y, z) for x, y, z in command["cells"]]
        commands = self._operator.commands
        for low, high in boxes(cells):
            fills = commands.fill(self._arena.cell(low), self._arena.cell(high), block)
            self._operator.do(*fills, holds=says("filled"))
        self._bodies.harm.place(cells, Contact(**contact) if contact else None)
        for cell in cells:
            if block == "chest" and cell in self._chests:
                self._fill_chest(cell, self._chests.pop(cell))

    def _fill_chest(self, cell: tuple[int, int, int], items: Mapping[str, int]) -> None:
        commands, slot = self._operator.commands, 0
        for item, count in items.items():
            size = rules.items()[item].stack_size
            for done in range(0, count, size):
                number = min(size, count - done)
                self._operator.do(
                    commands.store(self._arena.cell(cell), slot, item, number), holds=says("Replaced")
                )
                slot += 1

    # --- while a policy decides

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Stop the world as far as the version can; agents are spectators meanwhile. The bots' clock stands anyway.

        After an error, or a request to stop, there is no going on: the stage can only be closed, which undoes it.
        """
        commands, mobs = self._operator.commands, self._mobs.all
        whole = commands.has("tick") and self._is_alone()
        self._is_frozen = whole  # from now on it may be, even if the answer is lost
        self._operator.do(commands.freeze(mobs, whole=whole))
        self._mobs.are_held = not whole
        self._bodies.watch(True)
        yield
        self._bodies.watch(False)
        self._mobs.are_held = False
        self._operator.do(commands.unfreeze(mobs, whole=whole))
        self._is_frozen = False

    def _is_alone(self) -> bool:
        """Whether no other episode is on the server, of this machine or of another one."""
        return is_alone(self._server.address, self._slot) and self._letters() <= {self._slot.letter}

    def _letters(self) -> set[str]:
        """The letters of slots whose bots are on the server."""
        online = self._operator.ask(self._operator.commands.online())
        return set(re.findall(r"_([0-9a-z])(?![^\s,])", online))

    # --- the end

    def close(self) -> None:
        """Bots leave, and the arena is cleaned, also after an error; what cannot be is for the slot's next episode."""
        self._is_closing = True
        self._closing.close()

    def _leave(self) -> None:
        """Clean the arena; whoever is the last to leave the server puts its settings back."""
        with suppress(InfrastructureError):
            self._operator.reconnect()  # it may have broken
            self._clean()
        with originals(self._server.address, self._look_up) as kept:
            with suppress(EngineError):
                if kept.settings and self._is_alone():
                    self._operator.do(*kept.settings.restoring(self._operator.commands))
                    kept.forget()
            self._slot.release()  # not later, or of two that leave at once each might wait for the other to tidy up

    def _clean(self) -> None:
        if self._is_frozen:
            self._operator.do(self._operator.commands.unfreeze(self._mobs.all))
        if self._is_built:
            self._clear(self._arena)
            self._load(self._arena, on=False)
            self._slot.note(None)

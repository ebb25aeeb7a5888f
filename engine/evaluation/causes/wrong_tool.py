"""Work with what cannot do it: the wrong tool, the wrong material, the wrong thing in hand.

Four ways, with their weights: an action ended `wrong_tool` (its steps, by the share of its blocks not mined); a block
was mined that drops nothing (the agent's steps since the action began or the block before was mined); lava burnt what
an agent had built (the builder's mean steps of placing a block); an agent hit a mob with the bare hand, or what is no
weapon, though it carried one (the steps that the same damage would have been sooner done by the best weapon carried).
"""

from __future__ import annotations

from collections import defaultdict

from engine.errors import EngineError
from engine.evaluation.causes.scene import Scene
from engine.evaluation.causes.watch import Watch, at, cause
from engine.events.log import Event
from engine.events.payloads import (
    ActionEnded,
    BlocksChanged,
    EpisodeStarted,
    InventoryChanged,
    ItemHeld,
    MobHealthChanged,
)
from engine.world import combat, rules
from engine.world.geometry import TICKS_PER_STEP, Cell
from engine.world.terrain import AIR


@cause("wrong_tool_or_material", "Wrong tool or material")
class WrongToolOrMaterial(Watch):
    """Tools that do not harvest, blocks that drop nothing, shelters that burn, fists instead of swords."""

    hears = (EpisodeStarted, ActionEnded, BlocksChanged, InventoryChanged, ItemHeld, MobHealthChanged)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self._carried: dict[str, dict[str, int]] = {}
        self._held: dict[str, str | None] = {}
        self._built: dict[Cell, tuple[str, str, int]] = {}
        self._placing: defaultdict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
        self._last_mined: dict[str, int] = {}
        self._blows: dict[str, list[int]] = {}

    def apply(self, event: Event) -> None:
        """Note what was done with the wrong thing."""
        match event.payload:
            case BlocksChanged() as changed:
                self._change(event, changed)
            case InventoryChanged() as carried:
                self._carry(carried)
            case MobHealthChanged() as hit:
                self._hit(event, hit)
            case ItemHeld() as holding:
                self._held[holding.agent] = holding.item
            case ActionEnded() as ended:
                self._end(event, ended)
            case EpisodeStarted() as started:
                for agent in started.agents:
                    self._carried[agent.name] = dict(agent.inventory)
                    self._held[agent.name] = next(iter(agent.inventory), None)
            case _:
                pass

    # --- blocks

    def _change(self, event: Event, changed: BlocksChanged) -> None:
        if changed.cause == "agent":
            if changed.block == AIR:
                self._mine(event, changed)
            else:
                built = (changed.source, changed.block, event.seq)
                self._built.update(dict.fromkeys(changed.cells, built))
        elif self._built:
            self._burn(event, changed)

    def _mine(self, event: Event, changed: BlocksChanged) -> None:
        """Flat ground is not in the log; all that it is made of drops something."""
        agent = changed.source
        doing = self.scene.doing[agent]
        since = max(doing.tick, self._last_mined.get(agent, 0))
        self._last_mined[agent] = event.world_time
        for cell in changed.cells:
            self._built.pop(cell, None)
            made = self.scene.blocks.get(cell)
            if made is not None and _drops_nothing(made.payload.block):
                self.note(
                    agent,
                    event,
                    event.world_time - since,
                    [doing.seq, event.seq],
                    f"{agent} mined {_words(made.payload.block)}, which drops nothing, at {at(event.world_time)}",
                )

    def _burn(self, event: Event, changed: BlocksChanged) -> None:
        """Lava takes the place of what it burns where it flows, and leaves air beside."""
        is_fire = changed.cause == "fire" or (changed.cause == "event" and changed.block == "lava")
        burnt = [cell for cell in changed.cells if cell in self._built]
        for cell in burnt:
            builder, block, seq = self._built.pop(cell)
            if is_fire and combat.burns(block):
                blocks, ticks = self._placing[builder]
                self.note(
                    builder,
                    event,
                    ticks / blocks if blocks else 0.0,
                    [seq, event.seq],
                    f"{builder} built with {_words(block)}, which lava burnt at {at(event.world_time)}",
                )

    # --- actions

    def _end(self, event: Event, ended: ActionEnded) -> None:
        doing = self.scene.doing[ended.agent]
        ticks = event.world_time - doing.tick
        if ended.do == "build_floor":
            blocks, before = self._placing[ended.agent]
            self._placing[ended.agent] = (blocks + doing.placed, before + ticks)
        if ended.reason == "wrong_tool":
            share = 1 - ended.done / ended.wanted if ended.wanted else 1.0
            self.note(
                ended.agent,
                event,
                share * ticks,
                [doing.seq, event.seq],
                f"{ended.agent} had no tool for it at {at(event.world_time)}: {ended.detail}",
            )
        if blows := self._blows.pop(ended.agent, None):
            self._judge(event, ended.agent, [doing.seq, blows[0], event.seq], len(blows))

    # --- fights

    def _carry(self, changed: InventoryChanged) -> None:
        carried = self._carried[changed.agent]
        if changed.count:
            carried[changed.item] = changed.count
            return
        carried.pop(changed.item, None)
        if self._held[changed.agent] == changed.item:
            self._held[changed.agent] = None

    def _hit(self, event: Event, hit: MobHealthChanged) -> None:
        if combat.weapon(self._held.get(hit.agent)) is combat.FIST:
            self._blows.setdefault(hit.agent, []).append(event.seq)

    def _judge(self, event: Event, agent: str, evidence: list[int], blows: int) -> None:
        best = combat.best_weapon(self._carried[agent])
        if best is None:
            return
        spent = blows * TICKS_PER_STEP / combat.FIST.attacks_per_second
        held = self._held[agent]
        hand = "the bare hand" if held is None else f"the {_words(held)} in hand"
        self.note(
            agent,
            event,
            spent * (1 - combat.FIST.dps / combat.weapon(best).dps),
            evidence,
            f"{agent} fought with {hand} though it carried the {_words(best)}",
        )


def _drops_nothing(name: str) -> bool:
    try:
        return not rules.block(name).drops
    except EngineError:
        return False


def _words(name: str) -> str:
    return name.replace("_", " ")

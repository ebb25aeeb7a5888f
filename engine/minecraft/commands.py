"""The commands that the environment manager sends to a Minecraft server of the user's own.

Each builder checks its arguments and returns the command as text, without a slash. Names of blocks, items, entities and
effects are those of tasks. What differs between versions is in `engine.minecraft.versions` and nowhere else.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Literal
from uuid import UUID

import engine.minecraft.arguments as arg
from engine.errors import RuleError, SettingsError
from engine.minecraft.arguments import Target
from engine.minecraft.versions import CHANGES, FIRST, LAST, Feature, has, is_known, name_in
from engine.world.combat import Difficulty
from engine.world.geometry import Cell, Position
from engine.world.rules import POTIONS

Attribute = Literal[
    "max_health", "movement_speed", "attack_damage", "attack_speed", "follow_range", "knockback_resistance"
]
GameMode = Literal["survival", "spectator"]
Daytime = Literal["day", "noon", "night", "midnight"]

BOUNDS: Mapping[Attribute, tuple[float, float]] = {
    "max_health": (1, 1_024),
    "movement_speed": (0, 1_024),
    "attack_damage": (0, 2_048),
    "attack_speed": (0, 1_024),
    "follow_range": (0, 2_048),
    "knockback_resistance": (0, 1),
}
"""The least and the greatest value of each attribute ("Attribute"); a server would cut others off without a word."""
LONGEST_EFFECT = 1_000_000
"""Seconds: the most that `effect give` takes as a number ("Commands/effect")."""
MOST_EFFECT_LEVEL = 255
SCALE_ID, SCALE_UUID = "ticking:scale", "7469636b-696e-4067-8063-6f6c6c616201"
"""By which the one modifier of attributes is known that is ever set."""

GAMERULES: Mapping[str, type] = dict.fromkeys(
    (
        "announceAdvancements", "commandBlockOutput", "disableElytraMovementCheck", "disableRaids",
        "doDaylightCycle", "doEntityDrops", "doFireTick", "doImmediateRespawn", "doInsomnia",
        "doLimitedCrafting", "doMobLoot", "doMobSpawning", "doPatrolSpawning", "doTileDrops",
        "doTraderSpawning", "doWeatherCycle", "drowningDamage", "fallDamage", "fireDamage",
        "forgiveDeadPlayers", "keepInventory", "logAdminCommands", "mobGriefing", "naturalRegeneration",
        "reducedDebugInfo", "sendCommandFeedback", "showDeathMessages", "spectatorsGenerateChunks",
        "universalAnger",
    ),
    bool,
) | dict.fromkeys(("maxCommandChainLength", "maxEntityCramming", "randomTickSpeed", "spawnRadius"), int)  # fmt: skip
"""The game rules that every known version has, with the kind of their values ("Game rule")."""


class Commands:
    """Builders of commands for one version of Minecraft.

    Raises:
        SettingsError: the version's commands are not known.
        RuleError: by the builders, for an argument that no command could carry, or a command that the version lacks.
    """

    def __init__(self, version: str) -> None:
        if not is_known(version):
            raise SettingsError(
                f"the commands of Minecraft {version} are not known; use a server of a release from {FIRST} to {LAST}"
            )
        self.version = version

    def has(self, feature: Feature) -> bool:
        """Whether the version has the feature."""
        return has(self.version, feature)

    # --- blocks ------------------------------------------------------------------------------------------------------

    def setblock(self, cell: Cell, block: str) -> str:
        """Put a block into a cell, whatever was there."""
        return f"setblock {arg.cell(cell)} {self._name(block)}"

    def fill(self, low: Cell, high: Cell, block: str, *, only: str | None = None) -> list[str]:
        """Fill a box, both corners included, in as many commands as its size needs; `only` where that block is."""
        suffix = f" replace {self._name(only)}" if only else ""
        return [
            f"fill {arg.cell(least)} {arg.cell(greatest)} {self._name(block)}{suffix}"
            for least, greatest in arg.boxes(low, high)
        ]

    def store(self, chest: Cell, slot: int, item: str, count: int = 1) -> str:
        """Put a stack into a slot of the chest, counted from 0."""
        where = f"{arg.cell(chest)} container.{arg.whole(slot, 0, 26, 'a slot')}"
        return f"item replace block {where} with {self._item(item)} {arg.whole(count, 1, 64, 'a count')}"

    def is_block(self, cell: Cell, block: str) -> str:
        """Ask whether a cell holds a block; a server answers `Test passed` or `Test failed`."""
        return f"execute if block {arg.cell(cell)} {self._name(block)}"

    # --- entities ----------------------------------------------------------------------------------------------------

    def summon(
        self,
        entity: str,
        position: Position,
        *tags: str,
        health: float | None = None,
        attributes: Mapping[Attribute, float] | None = None,
        ai: bool = True,
        uuid: UUID | None = None,
    ) -> str:
        """Summon a mob that does not despawn by itself.

        Args:
            entity: its type.
            position: where its feet are.
            tags: by which later commands find it.
            health: its health and its maximum; the vanilla mob's if absent.
            attributes: base values of its attributes.
            ai: whether it does anything.
            uuid: by which players' clients will know it; any if absent.
        """
        bases = dict(attributes or {})
        words = ",".join(f'"{arg.tag_word(tag)}"' for tag in tags)
        fields = [f"Tags:[{words}]", "PersistenceRequired:1b"]
        if health is not None:
            bases["max_health"] = health
            fields.append(f"Health:{arg.decimal(health)}f")
        if not ai:
            fields.append("NoAI:1b")
        if uuid is not None:
            fields.append(f"UUID:[I;{','.join(map(str, struct.unpack('>4i', uuid.bytes)))}]")
        if bases:
            fields.append(self._bases(bases))
        return f"summon {self._name(entity)} {arg.position(position)} {{{','.join(fields)}}}"

    def kill(self, target: Target) -> str:
        """Kill entities."""
        return f"kill {target}"

    def is_there(self, target: Target) -> str:
        """Ask whether there is such an entity; a server answers `Test passed, count: …` or `Test failed`."""
        return f"execute if entity {target}"

    def damage(self, target: Target, amount: float) -> str:
        """Hurt one entity."""
        self._demand("damage")
        return f"damage {arg.one(target)} {arg.decimal(amount, least=0)}"

    def gamemode(self, target: Target, mode: GameMode) -> str:
        """Let players play, or only watch."""
        return f"gamemode {mode} {arg.players(target)}"

    def teleport(self, target: Target, position: Position) -> str:
        """Move entities."""
        return f"tp {target} {arg.position(position)}"

    def give_effect(self, target: Target, effect: str, seconds: int | None, amplifier: int = 0) -> str:
        """Give a status effect, without particles; without seconds for good, or nearly so in old versions."""
        if seconds is not None:
            length = str(arg.whole(seconds, 1, LONGEST_EFFECT, "seconds"))
        else:
            length = "infinite" if self.has("infinite effects") else str(LONGEST_EFFECT)
        level = arg.whole(amplifier, 0, MOST_EFFECT_LEVEL, "an amplifier")
        return f"effect give {target} {self._name(effect)} {length} {level} true"

    def clear_effect(self, target: Target, effect: str | None = None) -> str:
        """Take an effect away, or all."""
        return f"effect clear {target}" + (f" {self._name(effect)}" if effect else "")

    def set_attribute(self, target: Target, attribute: Attribute, value: float) -> str:
        """Set the base value of an attribute of one entity."""
        name = self.attribute_name(attribute)
        return f"attribute {arg.one(target)} {name} base set {_base(attribute, value)}"

    def scale_attribute(self, target: Target, attribute: Attribute, factor: float) -> str:
        """Let an attribute of one entity, with all that items add to it, be so many times as much."""
        name, amount = self.attribute_name(attribute), arg.decimal(factor - 1, least=-1)
        kind = "add_multiplied_total" if self.has("operations by name") else "multiply"
        modifier = SCALE_ID if self.has("modifiers by name") else f"{SCALE_UUID} ticking_scale"
        return f"attribute {arg.one(target)} {name} modifier add {modifier} {amount} {kind}"

    def unscale_attribute(self, target: Target, attribute: Attribute) -> str:
        """Undo `scale_attribute`."""
        modifier = SCALE_ID if self.has("modifiers by name") else SCALE_UUID
        return f"attribute {arg.one(target)} {self.attribute_name(attribute)} modifier remove {modifier}"

    def get_attribute(self, target: Target, attribute: Attribute) -> str:
        """Ask for the base value of an attribute of one entity."""
        return f"attribute {arg.one(target)} {self.attribute_name(attribute)} base get"

    def attribute_name(self, attribute: Attribute) -> str:
        """The attribute as this version calls it."""
        return f"minecraft:{'' if self.has('bare attributes') else 'generic.'}{attribute}"

    # --- items -------------------------------------------------------------------------------------------------------

    def give(self, target: Target, item: str, count: int = 1, *, unbreakable: bool = False) -> str:
        """Put items into the inventories of players."""
        return f"give {arg.players(target)} {self._item(item, unbreakable)} {arg.whole(count, 1, 2_304, 'a count')}"

    def clear(self, target: Target, item: str | None = None, count: int | None = None) -> str:
        """Take items from players: of one kind or all, and at most `count` of them. A count of 0 only counts."""
        if item is None:
            return f"clear {arg.players(target)}"
        most = "" if count is None else f" {arg.whole(count, 0, 2_304, 'a count')}"
        return f"clear {arg.players(target)} {self._item(item)}{most}"

    # --- the whole world ---------------------------------------------------------------------------------------------

    def gamerule(self, rule: str, value: bool | int | None = None) -> str:
        """Set a game rule; without a value, ask for it."""
        kind = GAMERULES.get(rule)
        if kind is None:
            raise RuleError(f"no game rule {rule!r}; known are {', '.join(GAMERULES)}")
        if value is None:
            return f"gamerule {rule}"
        if type(value) is not kind:
            raise RuleError(
                f"the game rule {rule} takes {'true or false' if kind is bool else 'a whole number'}"
            )
        return (
            f"gamerule {rule} {str(value).lower() if kind is bool else arg.whole(value, 0, 2**31 - 1, rule)}"
        )

    def time(self, value: Daytime | int) -> str:
        """Set the time of day, by name or in ticks."""
        return f"time set {value if isinstance(value, str) else arg.whole(value, 0, 2**31 - 1, 'a time')}"

    def ask_time(self, clock: Literal["day", "daytime", "gametime"]) -> str:
        """Ask for the number of days gone by, for the time of day in ticks, or for the age of the world in ticks."""
        return f"time query {clock}"

    def difficulty(self, value: Difficulty | None = None) -> str:
        """Set the difficulty; without a value, ask for it."""
        return f"difficulty {value}" if value else "difficulty"

    def freeze(self, mobs: Target, *, whole: bool = True) -> str:
        """Stop the `whole` world where the version can; otherwise only the mobs. Players are stopped by neither."""
        return "tick freeze" if whole and self.has("tick") else _set_ai(mobs, on=False)

    def unfreeze(self, mobs: Target, *, whole: bool = True) -> str:
        """Undo `freeze`."""
        return "tick unfreeze" if whole and self.has("tick") else _set_ai(mobs, on=True)

    def forceload(self, low: Cell, high: Cell, *, on: bool = True) -> str:
        """Keep the chunks of a box loaded, or no more; their number is limited."""
        return f"forceload {'add' if on else 'remove'} {arg.chunks(low, high)}"

    # --- words -------------------------------------------------------------------------------------------------------

    def say(self, text: str) -> str:
        """Say something to everybody, as the server. A `@` would be a selector; it becomes a fullwidth one."""
        return "say " + arg.line(text).replace("@", "\uff20")

    def tellraw(self, target: Target, text: str) -> str:
        """Say something to some players, without a sender."""
        return f"tellraw {arg.players(target)} {json.dumps({'text': arg.line(text)}, ensure_ascii=False)}"

    # --- questions ---------------------------------------------------------------------------------------------------

    def online(self) -> str:
        """Ask who is online."""
        return "list"

    def entity_data(self, target: Target, path: str) -> str:
        """Ask for a part of an entity's data."""
        return f"data get entity {arg.one(target)} {arg.field(path)}"

    def block_data(self, cell: Cell, path: str) -> str:
        """Ask for a part of the data of a block, as a chest's `Items`."""
        return f"data get block {arg.cell(cell)} {arg.field(path)}"

    def effects_path(self) -> str:
        """Under which name an entity's data lists its effects."""
        return "active_effects" if self.has("active_effects") else "ActiveEffects"

    # --- parts -------------------------------------------------------------------------------------------------------

    def _demand(self, feature: Feature) -> None:
        if not self.has(feature):
            change = CHANGES[feature]
            raise RuleError(f"Minecraft {self.version} lacks {change.what}; it came with {change.since}")

    def _bases(self, bases: Mapping[Attribute, float]) -> str:
        tag, name, base = (
            ("attributes", "id", "base") if self.has("attributes tag") else ("Attributes", "Name", "Base")
        )
        values = [
            f'{{{name}:"{self.attribute_name(attribute)}",{base}:{_base(attribute, value)}d}}'
            for attribute, value in bases.items()
        ]
        return f"{tag}:[{','.join(values)}]"

    def _name(self, name: str) -> str:
        return arg.named(name_in(self.version, name))

    def _item(self, item: str, unbreakable: bool = False) -> str:
        components = self.has("item components")
        parts = []
        if item in POTIONS:
            kind = f'"minecraft:{item.removesuffix("_potion")}"'
            parts.append(f"potion_contents={{potion:{kind}}}" if components else f"Potion:{kind}")
        if unbreakable:
            parts.append("unbreakable={}" if components else "Unbreakable:1b")
        name = "minecraft:potion" if item in POTIONS else self._name(item)
        if not parts:
            return name
        return f"{name}[{','.join(parts)}]" if components else f"{name}{{{','.join(parts)}}}"


def _set_ai(mobs: Target, *, on: bool) -> str:
    return f"execute as {mobs} run data merge entity @s {{NoAI:{0 if on else 1}b}}"


def _base(attribute: Attribute, value: float) -> str:
    least, most = BOUNDS[attribute]
    if not least <= value <= most:
        raise RuleError(f"{attribute} must be from {least} to {most}, not {value}")
    return arg.decimal(value)

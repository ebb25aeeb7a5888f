"""What `minecraft-data` lacks: figures of weapons, mobs, armour, potions and status effects, and what burns.

Source of every figure: the Minecraft Wiki, Java Edition 1.19, the pages named below. Health and damage are in half
hearts, durations in ticks. An amplifier is what Minecraft's commands call so: 0 is level I.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from engine.errors import RuleError

Difficulty = Literal["peaceful", "easy", "normal", "hard"]

# --- weapons: pages "Damage" and "Attack speed" -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Weapon:
    """What an item in the hand does: `damage` a hit at full charge, and full charges a second."""

    damage: float
    attacks_per_second: float

    @property
    def dps(self) -> float:
        """Damage a second of uninterrupted hitting."""
        return self.damage * self.attacks_per_second


FIST = Weapon(1, 4)
"""The bare hand, and every item that is not a weapon."""

_TIERS = ("wooden", "golden", "stone", "iron", "diamond", "netherite")
_TOOLS: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    # damage, attacks a second; in the order of _TIERS
    "sword": ((4, 4, 5, 6, 7, 8), (1.6, 1.6, 1.6, 1.6, 1.6, 1.6)),
    "axe": ((7, 7, 9, 9, 9, 10), (0.8, 1.0, 0.8, 0.9, 1.0, 1.0)),
    "pickaxe": ((2, 2, 3, 4, 5, 6), (1.2, 1.2, 1.2, 1.2, 1.2, 1.2)),
    "shovel": ((2.5, 2.5, 3.5, 4.5, 5.5, 6.5), (1.0, 1.0, 1.0, 1.0, 1.0, 1.0)),
    "hoe": ((1, 1, 1, 1, 1, 1), (1.0, 1.0, 2.0, 3.0, 4.0, 4.0)),
}
WEAPONS: Mapping[str, Weapon] = {
    f"{tier}_{tool}": Weapon(damage, rate)
    for tool, (damages, rates) in _TOOLS.items()
    for tier, damage, rate in zip(_TIERS, damages, rates, strict=True)
} | {"trident": Weapon(9, 1.1)}


def weapon(item: str | None) -> Weapon:
    """What hitting with the item does; None is the bare hand."""
    return FIST if item is None else WEAPONS.get(item, FIST)


def best_weapon(carried: Iterable[str]) -> str | None:
    """The carried item with the greatest damage a second; None where the bare hand is no worse."""
    return max((None, *carried), key=lambda item: weapon(item).dps)


# --- mobs: pages "Damage/Mobs", "Health" and those of the mobs ----------------------------------------------


@dataclass(frozen=True, slots=True)
class Mob:
    """A mob as it is without any attributes of its own: its health, and the damage of one hit on an agent."""

    health: float
    damage: float


_HOSTILE: dict[str, tuple[float, float]] = {
    # health, damage of a hit at normal difficulty
    "blaze": (20, 6),
    "cave_spider": (12, 2),
    "creeper": (20, 43),
    "drowned": (20, 3),
    "elder_guardian": (80, 8),
    "ender_dragon": (200, 10),
    "enderman": (40, 7),
    "endermite": (8, 2),
    "evoker": (24, 6),
    "ghast": (10, 17),
    "giant": (100, 50),
    "guardian": (30, 6),
    "hoglin": (40, 5.5),
    "husk": (20, 3),
    "illusioner": (32, 2),
    "magma_cube": (16, 6),
    "phantom": (20, 6),
    "piglin": (16, 8),
    "piglin_brute": (50, 13),
    "pillager": (24, 5),
    "ravager": (100, 12),
    "shulker": (30, 4),
    "silverfish": (8, 1),
    "skeleton": (20, 2),
    "slime": (16, 4),
    "spider": (16, 2),
    "stray": (20, 2),
    "vex": (14, 9),
    "vindicator": (24, 13),
    "warden": (500, 30),
    "witch": (26, 6),
    "wither": (300, 8),
    "wither_skeleton": (20, 8),
    "zoglin": (40, 5.5),
    "zombie": (20, 3),
    "zombie_villager": (20, 3),
    "zombified_piglin": (20, 8),
}
_OTHERS: dict[str, tuple[float, float]] = {
    "axolotl": (14, 2),
    "bee": (10, 2),
    "cat": (10, 3),
    "dolphin": (10, 3),
    "fox": (10, 2),
    "frog": (10, 10),
    "goat": (10, 2),
    "iron_golem": (100, 14.5),
    "llama": (22.5, 1),
    "ocelot": (10, 3),
    "panda": (20, 6),
    "polar_bear": (30, 6),
    "pufferfish": (3, 3),
    "trader_llama": (22.5, 1),
    "wolf": (8, 4),
}
_HARMLESS: dict[str, float] = {
    "allay": 20,
    "armor_stand": 20,
    "bat": 6,
    "chicken": 4,
    "cod": 3,
    "cow": 10,
    "donkey": 22.5,
    "glow_squid": 10,
    "horse": 22.5,
    "mooshroom": 10,
    "mule": 22.5,
    "parrot": 6,
    "pig": 10,
    "rabbit": 3,
    "salmon": 3,
    "sheep": 8,
    "skeleton_horse": 15,
    "snow_golem": 4,
    "squid": 10,
    "strider": 20,
    "tadpole": 6,
    "tropical_fish": 3,
    "turtle": 30,
    "villager": 20,
    "wandering_trader": 20,
    "zombie_horse": 15,
}
HOSTILE = frozenset(_HOSTILE)
"""Mobs that attack players of themselves."""
MOBS = HOSTILE | frozenset(_OTHERS) | frozenset(_HARMLESS)
"""Every mob whose figures are known."""
UNSCALED = frozenset({"evoker", "llama", "shulker", "trader_llama", "witch"})
"""Their spells and projectiles hurt the same at every difficulty but peaceful."""


def mob(entity: str, difficulty: Difficulty = "hard") -> Mob:
    """The vanilla mob at a difficulty; `RuleError` for what is no mob.

    Of a random range the mean counts (iron golem, hoglin, zoglin; the health of horses and llamas). A hit includes the
    weapon that the mob usually carries. Where there is no blow, its projectile, spell, or explosion at arm's length
    counts instead. Slimes and magma cubes are large ones. With D the damage at normal difficulty, a hit on a player
    does min(D, D / 2 + 1) at easy, 1.5 D at hard, and nothing at peaceful.
    """
    found = _HOSTILE.get(entity) or _OTHERS.get(entity)
    if found is None and entity in _HARMLESS:
        found = (_HARMLESS[entity], 0)
    if found is None:
        raise RuleError(f"no health and damage are known for the entity {entity!r}")
    health, damage = found
    return Mob(health, _scaled(entity, damage, difficulty))


def _scaled(entity: str, damage: float, difficulty: Difficulty) -> float:
    if difficulty == "peaceful":
        return 0
    if difficulty == "normal" or entity in UNSCALED:
        return damage
    return min(damage, damage / 2 + 1) if difficulty == "easy" else damage * 1.5


# --- armour: page "Armor" -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Armour:
    """A piece of armour: where it is worn, its points and its toughness."""

    slot: Literal["head", "chest", "legs", "feet"]
    points: int
    toughness: int


_PIECES: tuple[tuple[str, Literal["head", "chest", "legs", "feet"]], ...] = (
    ("helmet", "head"),
    ("chestplate", "chest"),
    ("leggings", "legs"),
    ("boots", "feet"),
)
_MATERIALS: dict[str, tuple[tuple[int, int, int, int], int]] = {
    # points in the order of _PIECES, toughness of each piece
    "leather": ((1, 3, 2, 1), 0),
    "golden": ((2, 5, 3, 1), 0),
    "chainmail": ((2, 5, 4, 1), 0),
    "iron": ((2, 6, 5, 2), 0),
    "diamond": ((3, 8, 6, 3), 2),
    "netherite": ((3, 8, 6, 3), 3),
}
ARMOUR: Mapping[str, Armour] = {
    f"{material}_{piece}": Armour(slot, points, toughness)
    for material, (all_points, toughness) in _MATERIALS.items()
    for (piece, slot), points in zip(_PIECES, all_points, strict=True)
} | {"turtle_helmet": Armour("head", 2, 0)}


def armour(item: str) -> Armour | None:
    """The piece of armour that the item is; None if it is none."""
    return ARMOUR.get(item)


def worn(carried: Iterable[str]) -> list[Armour]:
    """The best carried piece for each part of the body, by points, then toughness."""
    best: dict[str, Armour] = {}
    for item in carried:
        piece = ARMOUR.get(item)
        if piece is not None:
            other = best.get(piece.slot)
            if other is None or (piece.points, piece.toughness) > (other.points, other.toughness):
                best[piece.slot] = piece
    return list(best.values())


def after_armour(damage: float, carried: Iterable[str]) -> float:
    """What is left of a blow for someone who wears the best armour carried.

    damage × (1 − clamp(points − 4 × damage / (toughness + 8), points / 5, 20) / 25). Lava, fire, drowning, freezing,
    falls and effects get past armour or are not blows; that is for the caller to know.
    """
    pieces = worn(carried)
    if not pieces:
        return damage
    points = sum(piece.points for piece in pieces)
    toughness = sum(piece.toughness for piece in pieces)
    kept_off = min(20.0, max(points / 5, points - 4 * damage / (toughness + 8)))
    return damage * (1 - kept_off / 25)


# --- status effects: page "Effect" and those of the effects -------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pulse:
    """What an effect does over and over.

    Attributes:
        amount: change of health each time; below 0 hurts.
        interval: ticks from one time to the next.
        floor: health below which it does not bring anybody.
    """

    amount: float
    interval: int
    floor: float = 0


_PULSES = {"regeneration": (1, 50, 0), "poison": (-1, 25, 1), "wither": (-1, 40, 0)}


def pulse(effect: str, amplifier: int) -> Pulse | None:
    """What the effect does again and again; None if it does not.

    Regeneration gives 1 each 50 ticks at level I, poison takes 1 each 25 but never the last, wither takes 1 each 40 and
    may kill; each further level halves the interval, down to 1 tick.
    """
    if effect not in _PULSES:
        return None
    amount, interval, floor = _PULSES[effect]
    return Pulse(amount, max(1, interval >> amplifier), floor)


def instant(effect: str, amplifier: int) -> float:
    """Change of health at once: instant_health +4 and instant_damage −6 at level I, doubled by each level more."""
    base = {"instant_health": 4, "instant_damage": -6}.get(effect, 0)
    return base * 2.0 ** min(amplifier, 28)


def speed_factor(effects: Mapping[str, int]) -> float:
    """Factor on walking speed of the effects (name to amplifier): speed +20 % and slowness −15 % a level."""
    return (1 + 0.2 * _level(effects, "speed")) * max(0.0, 1 - 0.15 * _level(effects, "slowness"))


_FATIGUE = (1.0, 0.3, 0.09, 0.0027, 0.00081)


def mining_factor(effects: Mapping[str, int]) -> float:
    """Factor on mining speed: haste +20 % a level; mining_fatigue I to IV 0.3, 0.09, 0.0027, 0.00081."""
    fatigue = _FATIGUE[min(_level(effects, "mining_fatigue"), len(_FATIGUE) - 1)]
    return (1 + 0.2 * _level(effects, "haste")) * fatigue


def attack_rate_factor(effects: Mapping[str, int]) -> float:
    """Factor on attacks a second: haste +10 % and mining_fatigue −10 % a level."""
    if not effects:
        return 1.0
    haste, fatigue = _level(effects, "haste"), _level(effects, "mining_fatigue")
    return (1 + 0.1 * haste) * max(0.0, 1 - 0.1 * fatigue)


def attack_damage(damage: float, effects: Mapping[str, int]) -> float:
    """Damage of a hit under effects: strength +3 and weakness −4 a level, never below 0."""
    if not effects:
        return damage
    return max(0.0, damage + 3 * _level(effects, "strength") - 4 * _level(effects, "weakness"))


def resistance_factor(amplifier: int) -> float:
    """Factor on all damage taken under resistance: −20 % a level."""
    return max(0.0, 1 - 0.2 * (amplifier + 1))


def absorbed(amplifier: int) -> float:
    """Extra health of absorption, used up before health and gone with the effect: 4 a level."""
    return 4.0 * (amplifier + 1)


def _level(effects: Mapping[str, int], effect: str) -> int:
    return effects[effect] + 1 if effect in effects else 0


# --- potions and food: pages "Potion", "Golden Apple", "Enchanted Golden Apple", "Spider Eye" ---------------


@dataclass(frozen=True, slots=True)
class Dose:
    """One effect of something eaten or drunk. `ticks` is 0 for what works at once."""

    effect: str
    amplifier: int
    ticks: int


CONSUMABLES: Mapping[str, tuple[Dose, ...]] = {
    "golden_apple": (Dose("absorption", 0, 2_400), Dose("regeneration", 1, 100)),
    "enchanted_golden_apple": (
        Dose("absorption", 3, 2_400),
        Dose("regeneration", 1, 400),
        Dose("fire_resistance", 0, 6_000),
        Dose("resistance", 0, 6_000),
    ),
    "spider_eye": (Dose("poison", 0, 100),),
    "healing_potion": (Dose("instant_health", 0, 0),),
    "strong_healing_potion": (Dose("instant_health", 1, 0),),
    "regeneration_potion": (Dose("regeneration", 0, 900),),
    "strength_potion": (Dose("strength", 0, 3_600),),
    "swiftness_potion": (Dose("speed", 0, 3_600),),
    "fire_resistance_potion": (Dose("fire_resistance", 0, 3_600),),
}


def doses(item: str) -> tuple[Dose, ...]:
    """What eating or drinking the item does; nothing for all other food, since there is no hunger."""
    return CONSUMABLES.get(item, ())


# --- fire: page "Fire", table of flammable blocks -----------------------------------------------------------

_WOODS = ("oak", "spruce", "birch", "jungle", "acacia", "dark_oak", "mangrove")
_SHAPES = ("planks", "log", "wood", "slab", "stairs", "fence", "fence_gate")
_PLANTS = """
    allium azalea azure_bluet bamboo big_dripleaf big_dripleaf_stem blue_orchid cave_vines cave_vines_plant cornflower
    dandelion dead_bush fern flowering_azalea glow_lichen grass hanging_roots large_fern lilac lily_of_the_valley
    mangrove_roots orange_tulip oxeye_daisy peony pink_tulip poppy red_tulip rose_bush small_dripleaf spore_blossom
    sunflower sweet_berry_bush tall_grass vine white_tulip wither_rose
"""
_GOODS = """
    bee_nest beehive bookshelf coal_block composter dried_kelp_block hay_block lectern scaffolding target tnt
"""
FLAMMABLE = frozenset(
    [f"{wood}_{shape}" for wood in _WOODS for shape in _SHAPES]
    + [f"stripped_{wood}_{shape}" for wood in _WOODS for shape in ("log", "wood")]
    + _PLANTS.split()
    + _GOODS.split()
)
"""Blocks that fire destroys, beside leaves, wool and carpets. Crimson and warped wood does not burn."""


@cache
def burns(block: str) -> bool:
    """Whether fire and lava destroy the block (not merely whether it can be set alight, as a chest can)."""
    return (
        block in FLAMMABLE
        or block.endswith(("_leaves", "_wool"))
        or (block.endswith("_carpet") and block != "moss_carpet")
    )

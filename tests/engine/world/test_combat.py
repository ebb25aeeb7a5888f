from __future__ import annotations

import pytest

from engine.errors import RuleError
from engine.world import combat, rules


@pytest.mark.parametrize(
    ("item", "damage", "rate"),
    [
        ("wooden_sword", 4, 1.6),
        ("stone_sword", 5, 1.6),
        ("golden_sword", 4, 1.6),
        ("netherite_sword", 8, 1.6),
        ("wooden_axe", 7, 0.8),
        ("golden_axe", 7, 1.0),
        ("iron_axe", 9, 0.9),
        ("netherite_axe", 10, 1.0),
        ("stone_pickaxe", 3, 1.2),
        ("diamond_shovel", 5.5, 1.0),
        ("stone_hoe", 1, 2.0),
        ("netherite_hoe", 1, 4.0),
        ("trident", 9, 1.1),
        ("bread", 1, 4),
        (None, 1, 4),
    ],
)
def test_weapons_hit_as_hard_and_as_often_as_in_minecraft(
    item: str | None, damage: float, rate: float
) -> None:
    assert combat.weapon(item) == combat.Weapon(damage, rate)


def test_the_best_weapon_does_the_most_damage_a_second() -> None:
    # iron: sword 6 × 1.6 = 9.6, axe 9 × 0.9 = 8.1; wooden pickaxe 2 × 1.2 = 2.4 is worse than the fist's 4
    assert combat.best_weapon(["iron_axe", "iron_sword", "bread"]) == "iron_sword"
    assert combat.best_weapon(["wooden_pickaxe", "bread"]) is None
    assert combat.best_weapon([]) is None


@pytest.mark.parametrize(
    ("entity", "difficulty", "health", "damage"),
    [
        ("zombie", "easy", 20, 2.5),
        ("zombie", "normal", 20, 3),
        ("zombie", "hard", 20, 4.5),
        ("silverfish", "easy", 8, 1),  # half of 1 and 1 more would be 1.5, which is more than 1
        ("wither_skeleton", "easy", 20, 5),
        ("wither_skeleton", "hard", 20, 12),
        ("warden", "easy", 500, 16),
        ("warden", "hard", 500, 45),
        ("ravager", "hard", 100, 18),
        ("creeper", "hard", 20, 64.5),
        ("ender_dragon", "hard", 200, 15),
        ("wither", "normal", 300, 8),
        ("iron_golem", "normal", 100, 14.5),  # 7.5 to 21.5
        ("evoker", "hard", 24, 6),
        ("shulker", "easy", 30, 4),
        ("cow", "hard", 10, 0),
        ("zombie", "peaceful", 20, 0),
        ("evoker", "peaceful", 24, 0),
    ],
)
def test_mobs_have_the_health_and_damage_of_their_difficulty(
    entity: str, difficulty: combat.Difficulty, health: float, damage: float
) -> None:
    assert combat.mob(entity, difficulty) == combat.Mob(health, damage)


def test_the_default_difficulty_is_hard_as_a_tasks_is() -> None:
    assert combat.mob("zombie") == combat.Mob(20, 4.5)


def test_every_mob_that_a_task_may_name_has_its_figures() -> None:
    for entity in rules.entities():
        assert combat.mob(entity).health > 0
    with pytest.raises(RuleError, match="'boat'"):
        combat.mob("boat")


def test_every_item_block_and_effect_of_the_table_is_minecrafts() -> None:
    assert set(combat.WEAPONS) | set(combat.ARMOUR) | set(combat.CONSUMABLES) <= set(rules.items())
    assert set(rules.blocks()) >= combat.FLAMMABLE
    assert {dose.effect for item in combat.CONSUMABLES for dose in combat.doses(item)} <= rules.effects()


def test_every_tool_and_every_piece_of_armour_of_minecraft_is_in_the_table() -> None:
    tools = {item for item in rules.items() if item.endswith(("_sword", "axe", "_shovel", "_hoe"))}
    pieces = ("_helmet", "_chestplate", "_leggings", "_boots")
    assert tools | {"trident"} == set(combat.WEAPONS)
    assert {item for item in rules.items() if item.endswith(pieces)} == set(combat.ARMOUR)


FULL_IRON = ("iron_helmet", "iron_chestplate", "iron_leggings", "iron_boots")
FULL_DIAMOND = ("diamond_helmet", "diamond_chestplate", "diamond_leggings", "diamond_boots")


@pytest.mark.parametrize(
    ("carried", "damage", "left"),
    [
        ((), 10, 10),
        (FULL_IRON, 10, 6),  # 15 points: 15 − 40 / 8 = 10; 10 / 25 is kept off
        (FULL_IRON, 40, 35.2),  # 15 − 160 / 8 < 0, but at least 15 / 5 = 3; 40 × 22 / 25
        (FULL_DIAMOND, 10, 3),  # 20 points, toughness 8: 20 − 40 / 16 = 17.5
        (
            ("leather_boots", "iron_boots", "bread"),
            5,
            4.92,
        ),  # 2 points: 2 − 2.5 < 0, at least 0.4; 5 × 24.6 / 25
        (("turtle_helmet",), 1, 0.94),  # 2 − 0.5 = 1.5; 1 × 23.5 / 25
    ],
)
def test_armour_keeps_off_what_its_formula_says(carried: tuple[str, ...], damage: float, left: float) -> None:
    assert combat.after_armour(damage, carried) == pytest.approx(left)


def test_the_best_carried_piece_is_worn_on_each_part() -> None:
    pieces = combat.worn(["diamond_helmet", "netherite_helmet", "leather_helmet", "golden_boots"])
    assert pieces == [combat.Armour("head", 3, 3), combat.Armour("feet", 1, 0)]
    assert combat.armour("bread") is None
    assert combat.armour("chainmail_leggings") == combat.Armour("legs", 4, 0)


@pytest.mark.parametrize(
    ("effect", "amplifier", "expected"),
    [
        ("regeneration", 0, combat.Pulse(1, 50)),
        ("regeneration", 1, combat.Pulse(1, 25)),
        ("regeneration", 2, combat.Pulse(1, 12)),
        ("regeneration", 10, combat.Pulse(1, 1)),
        ("poison", 0, combat.Pulse(-1, 25, floor=1)),
        ("poison", 1, combat.Pulse(-1, 12, floor=1)),
        ("wither", 1, combat.Pulse(-1, 20)),
        ("speed", 0, None),
    ],
)
def test_lasting_effects_work_at_their_interval(
    effect: str, amplifier: int, expected: combat.Pulse | None
) -> None:
    assert combat.pulse(effect, amplifier) == expected


def test_instant_effects_double_with_each_level() -> None:
    assert [combat.instant("instant_health", level) for level in (0, 1, 2)] == [4, 8, 16]
    assert [combat.instant("instant_damage", level) for level in (0, 1)] == [-6, -12]
    assert combat.instant("speed", 3) == 0
    assert combat.instant("instant_health", 255) == combat.instant("instant_health", 28)


def test_effects_change_speed_mining_and_fighting() -> None:
    assert combat.speed_factor({}) == 1
    assert combat.speed_factor({"speed": 1}) == pytest.approx(1.4)
    assert combat.speed_factor({"slowness": 1}) == pytest.approx(0.7)
    assert combat.speed_factor({"speed": 0, "slowness": 0}) == pytest.approx(1.02)  # 1.2 × 0.85
    assert combat.speed_factor({"slowness": 6}) == 0  # level VII: −105 %
    assert combat.mining_factor({"haste": 1}) == pytest.approx(1.4)
    assert [combat.mining_factor({"mining_fatigue": level}) for level in (0, 1, 2, 3, 9)] == [
        0.3,
        0.09,
        0.0027,
        0.00081,
        0.00081,
    ]
    assert combat.attack_rate_factor({"haste": 0, "mining_fatigue": 1}) == pytest.approx(0.88)  # 1.1 × 0.8
    assert combat.attack_damage(6, {"strength": 1}) == 12
    assert combat.attack_damage(6, {"weakness": 0, "strength": 0}) == 5
    assert combat.attack_damage(1, {"weakness": 0}) == 0
    assert combat.resistance_factor(0) == pytest.approx(0.8)
    assert combat.resistance_factor(4) == 0
    assert combat.resistance_factor(5) == 0
    assert combat.absorbed(3) == 16


def test_potions_and_golden_apples_give_their_effects() -> None:
    assert combat.doses("golden_apple") == (
        combat.Dose("absorption", 0, 2_400),
        combat.Dose("regeneration", 1, 100),
    )
    assert combat.doses("strong_healing_potion") == (combat.Dose("instant_health", 1, 0),)
    assert combat.doses("fire_resistance_potion") == (combat.Dose("fire_resistance", 0, 3_600),)  # 3 minutes
    assert combat.doses("regeneration_potion") == (combat.Dose("regeneration", 0, 900),)  # 45 s
    assert combat.doses("bread") == ()
    assert set(rules.POTIONS) <= set(combat.CONSUMABLES)


BURN = """
    oak_planks dark_oak_log stripped_birch_wood mangrove_roots azalea_leaves red_wool white_carpet spruce_fence_gate
    coal_block bookshelf hay_block tnt grass wither_rose
"""
DO_NOT_BURN = """
    stone cobblestone iron_block obsidian crimson_planks warped_stem moss_carpet sand chest crafting_table oak_door
    grass_block coal_ore petrified_oak_slab air
"""


@pytest.mark.parametrize("block", BURN.split())
def test_wood_leaves_wool_and_the_like_burn(block: str) -> None:
    assert combat.burns(block)


@pytest.mark.parametrize("block", DO_NOT_BURN.split())
def test_stone_metal_nether_wood_and_furniture_do_not_burn(block: str) -> None:
    assert block in rules.blocks()
    assert not combat.burns(block)

"""What each event action does to the world, and each trigger's times."""

from __future__ import annotations

from typing import Any

import pytest

from engine.world.terrain import AIR
from tests.engine.build import Played, agent, area, custom, do, event, mob, play

ADA, BEN = agent("Ada", (0, 64, 0)), agent("Ben", (20, 64, 0))


def happen(*actions: dict[str, Any], trigger: dict[str, Any] | None = None, **more: Any) -> Played:
    """An episode of ten steps in which Ada and Ben stand, and the actions take place at step 2."""
    events = [event("happening", {"at": [2]} if trigger is None else trigger, *actions)]
    return play(custom(ADA, BEN, events=events, **{"max_steps": 10} | more))


def fired(played: Played) -> list[tuple[int, str, str, int, int]]:
    return [(tick, f.action, f.subject, f.wanted, f.done) for tick, f in played.of("event_fired")]


def test_set_blocks_sets_every_cell_of_the_area_but_chests() -> None:
    played = happen(
        {"type": "set_blocks", "block": "stone", "area": area((4, 64, 0), (6, 65, 0))}, chest=(5, 64, 0)
    )
    assert fired(played) == [(40, "set_blocks", "stone", 5, 5)]
    (change,) = [change for _, change in played.of("blocks_changed") if change.cause == "event"]
    assert set(change.cells) == {(x, y, 0) for x in (4, 5, 6) for y in (64, 65)} - {(5, 64, 0)}


def test_set_blocks_of_air_clears_and_who_stands_there_comes_down() -> None:
    played = happen({"type": "set_blocks", "block": "air", "area": area((0, 61, 0), (0, 63, 0))})
    assert played.episode._world.position("Ada") == (0, 61, 0)
    assert played.hurts("Ada") == []  # three blocks do not hurt


def test_remove_blocks_takes_one_kind_or_all() -> None:
    blocks = {(4, 64, 0): "stone", (5, 64, 0): "oak_log", (6, 64, 0): "stone"}
    where = area((4, 64, 0), (6, 64, 0))
    played = happen({"type": "remove_blocks", "block": "stone", "area": where}, blocks=blocks)
    assert fired(played) == [(40, "remove_blocks", "stone", 2, 2)]
    assert [played.episode._world.block(cell) for cell in blocks] == [AIR, "oak_log", AIR]
    played = happen({"type": "remove_blocks", "area": where}, blocks=blocks)
    assert fired(played) == [(40, "remove_blocks", "any block", 3, 3)]


@pytest.mark.parametrize(
    ("selector", "gone", "told"),
    [
        ({}, [1, 2, 3], ("any mob", 3, 3)),
        ({"entity": "zombie"}, [1, 3], ("zombie", 2, 2)),
        ({"role": "boss"}, [2], ("boss", 1, 1)),
        ({"entity": "zombie", "count": 1}, [1], ("zombie", 1, 1)),
        ({"entity": "zombie", "count": 5}, [1, 3], ("zombie", 5, 2)),
        ({"entity": "zombie", "role": "boss"}, [], ("zombie", 0, 0)),
    ],
)
def test_despawn_entities_takes_the_oldest_of_the_kind(
    selector: dict[str, Any], gone: list[int], told: tuple[str, int, int]
) -> None:
    hostiles = [mob((50, 64, 0)), mob((50, 64, 5), "skeleton", role="boss"), mob((50, 64, 9))]
    played = happen({"type": "despawn_entities", **selector}, hostiles=hostiles)
    assert [(tick, m.mob, m.cause) for tick, m in played.of("mob_despawned")] == [
        (40, n, "event") for n in gone
    ]
    assert fired(played) == [(40, "despawn_entities", *told)]


def test_spawn_entities_puts_mobs_on_free_ground_with_the_figures_given() -> None:
    spawn = {
        "type": "spawn_entities",
        "entity": "skeleton",
        "count": 3,
        "health": 35,
        "damage": 4,
        "speed_bps": 2.5,
        "role": "boss",
        "center": [60, 64, 0],
        "radius": 5,
        "lifetime": 3,
    }
    played = happen(spawn)
    mobs = [(tick, m) for tick, m in played.of("mob_spawned")]
    assert [(tick, m.entity, m.role, m.health, m.damage, m.speed_bps, m.source) for tick, m in mobs] == [
        (40, "skeleton", "boss", 35, 4, 2.5, "happening")
    ] * 3
    places = {m.position for _, m in mobs}
    assert len(places) == 3
    assert all(y == 64 and (x - 60) ** 2 + z**2 <= 25 for x, y, z in places)
    assert [(tick, m.cause) for tick, m in played.of("mob_despawned")] == [(100, "lifetime")] * 3
    assert fired(played) == [(40, "spawn_entities", "skeleton", 3, 3)]


@pytest.mark.parametrize(
    ("whom", "names"),
    [
        ({}, ["Ada", "Ben"]),
        ({"agents": ["Ben"]}, ["Ben"]),
        ({"area": area((-1, 64, -1), (1, 64, 1))}, ["Ada"]),
        ({"agents": ["Ben"], "area": area((-1, 64, -1), (1, 64, 1))}, []),
    ],
)
def test_damage_and_effects_concern_those_named_those_in_the_area_or_everyone(
    whom: dict[str, Any], names: list[str]
) -> None:
    played = happen(
        {"type": "damage", "amount": 2.5, **whom},
        {"type": "apply_effect", "effect": {"type": "speed", "amplifier": 1, "seconds": 4}, **whom},
    )
    assert fired(played) == [
        (40, "damage", "2.5", len(names), len(names)),
        (40, "apply_effect", "speed", len(names), len(names)),
    ]
    for name in ("Ada", "Ben"):
        assert played.hurts(name) == ([(40, 17.5, "event")] if name in names else [])
    given = [(tick, e.agent, e.amplifier, e.until_tick) for tick, e in played.of("effect_changed")]
    assert given == [(40, name, 1, 120) for name in names] + [(120, name, None, None) for name in names]


def test_messages_reach_the_living_who_are_named() -> None:
    played = happen(
        {"type": "damage", "amount": 100, "agents": ["Ada"]},
        {"type": "message", "text": "run"},
        trigger={"at": [1, 2, 3]},
    )
    said = [(tick, m.sender, m.to, m.text) for tick, m in played.of("message_sent")]
    # At step 1 Ada still lives: who has no health left dies at the end of the tick.
    assert said == [
        (20, "happening", ["Ada", "Ben"], "run"),
        (40, "happening", ["Ben"], "run"),
        (60, "happening", ["Ben"], "run"),
    ]
    played = happen({"type": "message", "text": "hush", "agents": ["Ben"]})
    assert [m.to for _, m in played.of("message_sent")] == [["Ben"]]


def test_set_region_switches_and_moves_a_region() -> None:
    swamp = {"id": "swamp", "area": area((0, 64, 0), (0, 64, 0)), "effects": [{"type": "slowness"}]}
    played = happen(
        {"type": "set_region", "region": "swamp", "area": area((19, 64, -1), (21, 64, 1))}, regions=[swamp]
    )
    assert [(tick, e.agent, e.amplifier) for tick, e in played.of("effect_changed")] == [
        (0, "Ada", 0),
        (40, "Ada", None),
        (40, "Ben", 0),
    ]
    played = happen({"type": "set_region", "region": "swamp", "active": False}, regions=[swamp])
    assert [(tick, e.agent, e.amplifier) for tick, e in played.of("effect_changed")] == [
        (0, "Ada", 0),
        (40, "Ada", None),
    ]


# --- triggers

NOTE = {"type": "message", "text": "now"}


def times(trigger: dict[str, Any], **more: Any) -> list[float]:
    return [tick / 20 for tick, _ in happen(NOTE, trigger=trigger, **more).of("message_sent")]


@pytest.mark.parametrize(
    ("trigger", "steps"),
    [
        ({}, [0]),
        ({"start": 3}, [3]),
        ({"start": 2, "end": 8, "interval": 3}, [2, 5, 8]),
        ({"start": 2, "end": 7, "interval": 3}, [2, 5]),
        ({"start": 7, "interval": 2}, [7, 9]),
        ({"start": 8, "end": 10}, [8, 9, 10]),
        ({"at": [9, 1, 4]}, [1, 4, 9]),
        ({"start": 11}, []),  # beyond max_steps
    ],
)
def test_a_trigger_fires_at_its_steps(trigger: dict[str, Any], steps: list[int]) -> None:
    # The episode ends at step 10, whose events still happen.
    assert times(trigger) == steps


def test_a_condition_fires_once_on_becoming_true() -> None:
    assert times({"when": [{"step_reached": 4}]}) == [4]
    assert times({"when": [{"all_alive": True}]}) == [0]
    assert times({"when": [{"not": {"all_alive": True}}]}) == []
    assert times({"when": [{"step_reached": 4}, {"all_alive": True}]}) == [4]


def test_a_condition_is_seen_to_become_true_between_steps_and_not_again() -> None:
    # Ada enters x = 1 half a block on, 2.5 ticks; leaves it at 7.5; and comes back later.
    spec = custom(
        ADA,
        events=[
            event("happening", {"when": [{"agent_in_area": {"area": area((1, 64, 0), (1, 64, 0))}}]}, NOTE)
        ],
        max_steps=10,
    )
    there_and_back = [do("move_to", target_pos=[4, 64, 0]), do("move_to", target_pos=[0, 64, 0])]
    assert [tick for tick, _ in play(spec, Ada=there_and_back).of("message_sent")] == [3]


def test_what_a_condition_fires_can_fulfil_another() -> None:
    spec = custom(
        ADA,
        BEN,
        events=[
            event("second", {"when": [{"alive_at_least": 2}, {"step_reached": 2}]}, NOTE),
            event(
                "first", {"when": [{"step_reached": 1}]}, {"type": "damage", "amount": 99, "agents": ["Ada"]}
            ),
            event("third", {"when": [{"not": {"all_alive": True}}]}, NOTE),
        ],
        max_steps=5,
    )
    assert [(tick, m.sender) for tick, m in play(spec).of("message_sent")] == [(40, "third")]


def test_a_probability_is_drawn_for_each_firing_and_depends_on_the_seed_alone() -> None:
    trigger = {"start": 0, "end": 99, "probability": 0.5}
    spec = custom(ADA, events=[event("happening", trigger, NOTE)], max_steps=99)
    runs = [[tick for tick, _ in play(spec, seed).of("message_sent")] for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    # The mean of 100 draws is 50 and its deviation 5.
    assert all(30 <= len(run) <= 70 for run in runs)


def test_all_actions_of_a_firing_share_its_draw() -> None:
    trigger = {"start": 0, "end": 20, "probability": 0.5}
    spec = custom(ADA, events=[event("happening", trigger, NOTE, NOTE)], max_steps=20)
    ticks = [tick for tick, _ in play(spec, 3).of("message_sent")]
    assert ticks
    assert ticks[::2] == ticks[1::2]

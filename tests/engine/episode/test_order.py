"""What comes first within a tick (SPEC section 11), and when an episode is over."""

from __future__ import annotations

from typing import Any

from engine.world.terrain import AIR
from tests.engine.build import Played, agent, area, custom, do, event, mob, play, task

LOOK = do("find_blocks", block_types=["stone"])  # ten ticks
TREE = {
    "type": "spawn_blocks",
    "block": "oak_log",
    "count": 1,
    "center": [2, 64, 0],
    "radius": 0,
}
LOG = (2, 64, 0)
FELL = do("mine_blocks_at", block_positions=[list(LOG)])  # ten ticks with an iron axe


def kinds_at(played: Played, tick: int) -> list[str]:
    return [event.type for event in played.events if event.world_time == tick]


def test_events_come_before_what_agents_finish_at_the_same_tick() -> None:
    stone = {"type": "set_blocks", "block": "stone", "area": area(LOG, LOG)}
    spec = custom(
        agent("Ada", tools=["iron_axe"]),
        blocks={LOG: "oak_log"},
        events=[event("rock", {"at": [1]}, stone)],
        max_steps=3,
    )
    assert play(spec, Ada=[LOOK, FELL]).outcomes("Ada")[1] == (20, "failed", "vanished", 0, 1)


def test_lifetimes_end_before_what_agents_finish_at_the_same_tick() -> None:
    spec = custom(
        agent("Ada", tools=["iron_axe"]),
        events=[event("tree", {}, TREE | {"lifetime": 1})],
        max_steps=3,
    )
    assert play(spec, Ada=[LOOK, FELL]).outcomes("Ada")[1] == (20, "failed", "vanished", 0, 1)


def test_a_block_that_reappears_as_it_vanishes_is_gone_after_its_tick() -> None:
    # At step 2 the second tree wants the place of the first, which is not free before lifetimes are over.
    spec = custom(
        agent("Ada", (9, 64, 9)),
        events=[event("tree", {"at": [1, 2]}, TREE | {"lifetime": 1})],
        max_steps=4,
    )
    played = play(spec)
    assert [(tick, f.done) for tick, f in played.of("event_fired")] == [(20, 1), (40, 0)]
    assert played.episode._world.block(LOG) == AIR


def test_contact_comes_after_events_and_before_mobs_and_agents() -> None:
    fill: dict[str, Any] = {
        "type": "progressive_fill",
        "block": "lava",
        "area": area((0, 64, 0), (0, 64, 0)),
        "direction": "east",
        "speed_bps": 1,
    }
    spec = custom(
        agent("Ada", max_health=100),
        hostiles=[mob((1, 64, 0), damage=1)],
        events=[event("bolt", {"at": [1]}, {"type": "damage", "amount": 1}), event("flow", {}, fill)],
        max_steps=3,
    )
    played = play(spec, Ada=[LOOK, LOOK])
    assert [cause for tick, _, cause in played.hurts("Ada") if tick == 20] == ["event", "lava", "zombie"]
    kinds = kinds_at(played, 20)
    assert kinds.index("action_ended") > max(
        number for number, kind in enumerate(kinds) if kind == "agent_health_changed"
    )


def test_whoever_is_killed_at_a_tick_finishes_what_it_does_at_that_tick() -> None:
    # The zombie hits at ticks 0 and 20; the second look ends at tick 20.
    spec = custom(
        agent("Ada", max_health=8),
        agent("Ben", (40, 64, 0)),
        hostiles=[mob((2, 64, 0), damage=4)],
        max_steps=3,
    )
    played = play(spec, Ada=[LOOK, LOOK])
    assert played.outcomes("Ada") == [(10, "failed", "not_found", 0, 1), (20, "failed", "not_found", 0, 1)]
    kinds = kinds_at(played, 20)
    assert kinds.index("action_ended") < kinds.index("agent_died")


def test_two_who_kill_each_other_at_one_tick_are_both_dead() -> None:
    # A wooden shovel hits once a second, for 2.5: at tick 20, as the boss does.
    spec = task(
        agent("Ada", max_health=8, tools=["wooden_shovel"]),
        kind="raid_boss",
        hostiles=[mob((2, 64, 0), role="boss", health=2.5, damage=4)],
        max_steps=9,
    )
    played = play(spec, Ada=[do("attack", entity_type="zombie")])
    assert [tick for tick, _ in played.of("mob_died")] == [20]
    assert [tick for tick, _ in played.of("agent_died")] == [20]
    assert played.end == (20, "everyone is dead")
    assert (played.result.success, played.result.partial_score) == (False, 0.5)


def test_agents_act_in_the_order_of_the_file() -> None:
    spec = custom(
        agent("Ada", tools=["iron_axe"]),
        agent("Ben", (4, 64, 0), tools=["iron_axe"]),
        blocks={LOG: "oak_log"},
        max_steps=3,
    )
    played = play(spec, Ben=[FELL], Ada=[FELL])
    assert [ended[1:3] for ended in played.outcomes("Ada")] == [("ok", "")]
    assert [ended[1:3] for ended in played.outcomes("Ben")] == [("failed", "vanished")]


def test_conditions_see_what_agents_did_at_the_same_tick() -> None:
    spec = custom(
        agent("Ada", tools=["iron_axe"]),
        blocks={LOG: "oak_log"},
        success=[{"inventory_contains": {"item": "oak_log"}}],
        max_steps=9,
    )
    # Ten ticks to fell it; the drop is near enough after 2 − 1.425 blocks, 2.9 ticks.
    assert play(spec, Ada=[FELL]).end == (13, "the task is done")


def test_whoever_an_event_of_the_last_tick_kills_is_not_alive_at_the_end() -> None:
    spec = custom(
        agent("Ada"),
        agent("Ben", (20, 64, 0)),
        success=[{"all_alive": True}, {"step_reached": 5}],
        events=[
            event(
                "bolt", {"when": [{"step_reached": 5}]}, {"type": "damage", "amount": 99, "agents": ["Ada"]}
            )
        ],
        max_steps=5,
    )
    played = play(spec)
    assert played.result.success is False
    assert played.result.partial_score == (0.5 + 1) / 2


def test_a_condition_that_is_true_for_less_than_a_step_is_seen() -> None:
    # Ada is in the cell x = 9 from tick 43 (42.5) to tick 47.
    spec = custom(
        agent("Ada"),
        success=[{"agent_in_area": {"area": area((9, 64, 0), (9, 64, 0))}}],
        max_steps=20,
    )
    played = play(spec, Ada=[do("move_to", target_pos=[30, 64, 0])])
    assert played.end == (43, "the task is done")
    assert played.result.success is True


# --- when it is over


def test_when_everyone_is_dead_it_is_over() -> None:
    bolt = event("bolt", {"at": [3]}, {"type": "damage", "amount": 99})
    for kind in ("mine_vanishing_blocks", "custom"):
        more: dict[str, Any] = {"success": [{"step_reached": 9}]} if kind == "custom" else {}
        played = play(task(agent("Ada"), agent("Ben", (9, 64, 0)), kind=kind, events=[bolt], **more))
        assert played.end == (60, "everyone is dead")
        assert played.result.success is False


def test_a_met_quota_ends_it() -> None:
    spec = task(agent("Ada", items={"oak_log": 2}), targets={"oak_log": 2}, chest=(2, 64, 0))
    deposit = do("deposit_to_chest", chest_pos=[2, 64, 0], items=["oak_log"], quantities=[2])
    played = play(spec, Ada=[deposit, do("wait", duration=5)])
    assert played.end == (7, "the task is done")
    assert played.result.success is True
    assert played.result.steps == 7 / 20


def test_max_steps_ends_it_whatever_agents_do() -> None:
    played = play(task(agent("Ada"), max_steps=3), Ada=[do("wait", duration=50)])
    assert played.end == (60, "max_steps (3) reached")
    assert played.result.success is False

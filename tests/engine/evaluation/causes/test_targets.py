from __future__ import annotations

from typing import Any

import pytest

from engine.agents.policy import Reply
from engine.spec.model import TaskSpec
from tests.engine.build import agent, area, custom, do, event, mob, task
from tests.engine.evaluation.causes.failing import Failed, Script, appears, inference, plan

LOG = (20, 64, 0)


def mine(*cells: tuple[int, int, int]) -> Any:
    return do("mine_blocks_at", block_positions=[list(cell) for cell in cells])


def never(*agents: dict[str, Any], **more: Any) -> TaskSpec:
    """A task that offers every action and cannot be won."""
    impossible = [{"chest_contains": {"item": "diamond", "count": 9}}]
    return custom(*agents, **{"success": impossible, "max_steps": 10} | more)


# --- stale_target


def test_a_block_that_vanished_on_the_way_was_a_stale_target() -> None:
    # Ada sees 16 blocks far and walks 4 a second; at tick 40 the log vanishes before her eyes.
    played = Failed(task(agent("Ada"), events=[appears("oak_log", LOG, 2)], max_steps=5), Ada=[mine(LOG)])
    found = played.only("stale_target")
    assert (found.agent, found.tick, found.weight) == ("Ada", 40, 2.0)
    assert found.detail == "Ada went for the oak log at [20, 64, 0], which vanished at step 2."
    assert found.events == [
        *played.numbers("plan_set"),
        *played.numbers("action_started"),
        *played.numbers("blocks_changed", cause="lifetime"),
        *played.numbers("action_ended"),
    ]


def test_a_block_that_was_still_there_was_no_stale_target() -> None:
    # Reached at tick 160 and mined by hand in 60 ticks.
    played = Failed(
        task(
            agent("Ada", (5, 64, 0)),
            targets={"oak_log": 2},
            events=[appears("oak_log", LOG, 9)],
            max_steps=12,
        ),
        Ada=[mine(LOG)],
    )
    assert played.causes == []
    assert played.numbers("item_picked_up")


def test_a_place_where_nothing_ever_was_is_no_stale_target() -> None:
    played = Failed(task(agent("Ada"), max_steps=5), Ada=[mine((3, 64, 0))])
    assert [ended.payload.reason for ended in played.events if ended.type == "action_ended"] == ["not_found"]
    assert played.causes == []


def test_the_weight_is_the_share_of_the_targets_that_were_gone() -> None:
    # (3, 64, 0) is in reach and mined in 60 ticks by hand; at its end, tick 60, the other has been gone for 20.
    here = (3, 64, 0)
    spec = task(
        agent("Ada"),
        targets={"oak_log": 5},
        blocks={here: "oak_log"},
        events=[appears("oak_log", LOG, 2)],
        max_steps=20,
    )
    played = Failed(spec, Ada=[mine(here, LOG)])
    (ended,) = [one for one in played.events if one.type == "action_ended"]
    assert (ended.payload.outcome, ended.payload.done) == ("partial", 1)
    assert played.only("stale_target").weight == ended.world_time / 2 / 20


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ('{"oak_log": {"nearest": [[20, 64, 0, 1]]}}', ["stale_target"]),
        ('{"oak_log": {"nearest": [[20,64,0]]}}', ["stale_target"]),
        ('{"oak_log": {"nearest": [[120, 64, 0, 1], [2, 64, 0]]}}', []),
    ],
)
def test_a_target_that_was_gone_when_asked_for_is_stale_only_if_the_prompt_named_it(
    prompt: str, names: list[str]
) -> None:
    reply = Reply({"Ada": plan(mine(LOG))}, inferences=(inference("Ada", prompt=prompt),))
    spec = task(agent("Ada"), events=[appears("oak_log", LOG, 2)], max_steps=8)
    assert Failed(spec, Script((60, ["Ada"], reply))).names == names


def test_a_mob_that_went_away_was_a_stale_target() -> None:
    zombie = {"type": "spawn_entities", "entity": "zombie", "count": 1, "center": [9, 64, 0], "radius": 0}
    still = {"lifetime": 1, "speed_bps": 0.001, "damage": 0}
    spec = never(agent("Ada"), events=[event("z", {"start": 0}, {**zombie, **still})])
    played = Failed(spec, Ada=[do("attack", entity_type="zombie")])
    found = played.only("stale_target")
    assert (found.agent, found.tick, found.weight) == ("Ada", 20, 1.0)
    assert [kind for _, kind in played.evidence(found)] == [
        "plan_set",
        "action_started",
        "mob_despawned",
        "action_ended",
    ]
    assert Failed(spec, Ada=[do("attack", entity_type="skeleton")]).causes == []


def test_a_mob_that_a_teammate_had_killed_before_one_set_out_was_a_stale_target() -> None:
    spec = never(
        agent("Ada", tools=["diamond_sword"]), agent("Ben", (0, 64, 2)), hostiles=[mob((2, 64, 0), health=1)]
    )
    attack = do("attack", entity_type="zombie")
    # A sword hits every 12.5 ticks, so the zombie is dead at tick 13.
    played = Failed(spec, Ada=[attack], Ben=[do("wait", duration=1), attack])
    found = played.only("stale_target")
    assert (found.agent, found.weight) == ("Ben", 0.05)
    assert found.detail == "Ben went for the zombie, which Ada had killed at step 0.65."
    assert played.evidence(found)[1] == (13, "mob_died")
    together = Failed(spec, Ada=[attack], Ben=[attack])
    assert together.causes == []


def test_what_an_agent_killed_itself_is_no_stale_target() -> None:
    spec = never(agent("Ada", tools=["diamond_sword"]), hostiles=[mob((2, 64, 0), health=1)])
    attack = do("attack", entity_type="zombie")
    played = Failed(spec, Ada=[attack, attack])
    assert [ended.payload.reason for ended in played.events if ended.type == "action_ended"] == [
        "",
        "not_found",
    ]
    assert played.causes == []


# --- duplicate_work


def two_logs(max_steps: int = 3) -> TaskSpec:
    """Ada stands before one log and chops it in 10 ticks; Ben comes from 6 blocks farther off."""
    return task(
        agent("Ada", (2, 64, 0), tools=["iron_axe"]),
        agent("Ben", (-4, 64, 0), tools=["iron_axe"]),
        targets={"oak_log": 5},
        blocks={(5, 64, 0): "oak_log", (5, 64, 1): "oak_log"},
        max_steps=max_steps,
    )


def test_a_block_that_a_teammate_took_meanwhile_was_duplicate_work() -> None:
    played = Failed(two_logs(), Ada=[mine((5, 64, 0))], Ben=[mine((5, 64, 0))])
    found = played.only("duplicate_work")
    # Ada has the log at tick 10; Ben sees it go.
    assert (found.agent, found.tick, found.weight) == ("Ben", 10, 0.5)
    assert found.detail == "Ben and Ada both went for the oak log at [5, 64, 0]; Ada got it at step 0.5."
    assert found.events == [
        *played.numbers("action_started", agent="Ada"),
        *played.numbers("action_started", agent="Ben"),
        *played.numbers("blocks_changed", cause="agent"),
        *played.numbers("action_ended", agent="Ben"),
    ]
    assert "stale_target" not in played.names


def test_two_who_mine_two_blocks_do_no_duplicate_work() -> None:
    played = Failed(two_logs(), Ada=[mine((5, 64, 0))], Ben=[mine((5, 64, 1))])
    assert len(played.numbers("item_picked_up")) == 2
    assert not {"duplicate_work", "stale_target"} & {*played.names}


def test_what_a_teammate_had_taken_before_one_set_out_is_a_stale_target() -> None:
    wait = do("wait", duration=1)
    played = Failed(two_logs(), Ada=[mine((5, 64, 0))], Ben=[wait, mine((5, 64, 0))])
    assert "duplicate_work" not in played.names
    assert played.only("stale_target").detail == (
        "Ben went for the oak log at [5, 64, 0], which Ada had taken at step 0.5."
    )


def floors(center: list[int]) -> Any:
    return do("build_floor", center_pos=center, width=1, depth=2)


def builders() -> TaskSpec:
    return never(
        agent("Ada", (2, 64, 0), items={"cobblestone": 4}),
        agent("Ben", (-8, 64, 0), items={"cobblestone": 4}),
    )


def test_a_floor_that_a_teammate_had_built_was_duplicate_work() -> None:
    # Ben, 10 blocks off, walks for it until Ada has placed both blocks.
    played = Failed(builders(), Ada=[floors([4, 64, 0])], Ben=[floors([4, 64, 0])])
    found = played.only("duplicate_work")
    assert found.agent == "Ben"
    assert found.detail == "Ben came to build the floor at [4, 64, 0], which Ada had built."
    (ended,) = played.numbers("action_ended", agent="Ben")
    assert found.events == [
        *played.numbers("action_started", agent="Ben"),
        *played.numbers("blocks_changed", cause="agent"),
        ended,
    ]
    assert found.weight == played.events[ended - 1].world_time / 20


def test_two_floors_are_no_duplicate_work() -> None:
    played = Failed(builders(), Ada=[floors([4, 64, 0])], Ben=[floors([-6, 64, 0])])
    assert played.causes == []


def deposit(count: int) -> Any:
    return do("deposit_to_chest", chest_pos=[0, 64, 2], items=["oak_log"], quantities=[count])


def quota(first: int, second: int) -> Failed:
    """Ada brings logs at once, Ben a step later, of which 3 are asked for beside gold that nobody has."""
    spec = task(
        agent("Ada", items={"oak_log": 9}),
        agent("Ben", (1, 64, 0), items={"oak_log": 9}),
        targets={"oak_log": 3, "gold_ore": 1},
        chest=(0, 64, 2),
        max_steps=3,
    )
    return Failed(spec, Ada=[deposit(first)], Ben=[do("wait", duration=1), deposit(second)])


def test_what_two_bring_beyond_the_quota_is_duplicate_work() -> None:
    played = quota(2, 3)
    found = played.only("duplicate_work")
    assert (found.agent, found.detail) == ("Ben", "Ben brought 2 oak log more than the 3 asked for.")
    assert found.events == played.numbers("chest_changed")
    assert quota(2, 1).causes == []


# --- wrong_tool_or_material


def quarry(*tools: str) -> Failed:
    spec = task(agent("Ada", tools=tools), blocks={(3, 64, 0): "stone"}, targets={"oak_log": 1}, max_steps=9)
    return Failed(spec, Ada=[mine((3, 64, 0))])


def test_a_block_that_no_tool_harvests_is_the_wrong_tool() -> None:
    played = quarry("wooden_axe")
    found = played.only("wrong_tool_or_material")
    assert (found.agent, found.weight) == ("Ada", 0.05)
    assert found.detail == (
        "Ada had no tool for it at step 0.05: no tool carried harvests the stone at [3, 64, 0]."
    )
    assert found.events == [*played.numbers("action_started"), *played.numbers("action_ended")]
    assert quarry("wooden_pickaxe").causes == []


def test_a_block_that_drops_nothing_is_the_wrong_material() -> None:
    spec = never(agent("Ada"), blocks={(3, 64, 0): "glass", (3, 64, 1): "oak_log"})
    played = Failed(spec, Ada=[mine((3, 64, 0), (3, 64, 1))])
    found = played.only("wrong_tool_or_material")
    # Glass has hardness 0.3 and needs no tool: 9 ticks.
    assert (found.tick, found.weight) == (9, 0.45)
    assert found.detail == "Ada mined glass, which drops nothing, at step 0.45."
    assert played.evidence(found) == [(0, "action_started"), (9, "blocks_changed")]
    assert Failed(spec, Ada=[mine((3, 64, 1))]).causes == []


def shelter(block: str) -> Failed:
    """Ada builds two blocks beside her, and at step 3 lava comes at them from the east."""
    lava = {
        "type": "progressive_fill",
        "block": "lava",
        "area": area((5, 64, -1), (8, 64, 1)),
        "direction": "west",
        "speed_bps": 4,
    }
    spec = never(agent("Ada", items={block: 2}), events=[event("lava", {"start": 3}, lava)])
    return Failed(spec, Ada=[do("build_floor", center_pos=[4, 64, 0], width=1, depth=2)])


def test_a_shelter_that_burns_is_the_wrong_material() -> None:
    played = shelter("oak_planks")
    found = played.only("wrong_tool_or_material")
    assert found.agent == "Ada"
    assert found.detail.startswith("Ada built with oak planks, which lava burnt at step ")
    assert found.detail.endswith(" (1 more time).")
    built = played.numbers("blocks_changed", block="oak_planks")
    assert found.events == [*built, *played.numbers("blocks_changed", cause="fire")]
    # Both blocks are burnt, so all the time that building took was lost.
    (ended,) = played.numbers("action_ended")
    assert found.weight == played.events[ended - 1].world_time / 20


def test_a_shelter_of_stone_stands() -> None:
    assert shelter("cobblestone").causes == []


def duel(*before: Any, **items: int) -> Failed:
    spec = never(agent("Ada", items=items), hostiles=[mob((2, 64, 0), health=20)], max_steps=12)
    return Failed(spec, Ada=[*before, do("attack", entity_type="zombie")])


def test_fighting_without_the_weapon_that_one_carries_is_the_wrong_tool() -> None:
    played = duel(bread=1, iron_sword=1)
    found = played.only("wrong_tool_or_material")
    # 20 blows, 5 ticks each, where the sword does 9.6 damage a second instead of 4: 5 s x (1 - 4 / 9.6).
    assert (found.agent, found.tick, found.weight) == ("Ada", 100, 2.92)
    assert found.detail == "Ada fought with the bread in hand though it carried the iron sword."
    assert played.evidence(found) == [(0, "action_started"), (5, "mob_health_changed"), (100, "action_ended")]


def test_fighting_with_the_weapon_or_without_any_is_not_wrong() -> None:
    assert duel(do("equip_item", item="iron_sword"), bread=1, iron_sword=1).causes == []
    assert duel(bread=1).causes == []

"""Death is final: the running action ends, what was carried lies on the ground, and nothing more comes of the agent."""

from __future__ import annotations

from engine.agents.plans import Plan
from engine.agents.policy import Call, Moment, Reply
from engine.world.terrain import AIR
from tests.engine.build import Actors, Played, Stage, agent, area, custom, do, event, play


def hit(name: str, amount: float = 100) -> dict[str, object]:
    return {"type": "damage", "amount": amount, "agents": [name]}


def test_what_a_dead_agent_carried_lies_where_it_fell() -> None:
    stage = Stage(custom(agent("Ada", tools=["iron_axe"], items={"stone": 70}), agent("Ben", (9, 64, 0))))
    stage.begin("Ada", "move_to", target_pos=(8, 64, 0))
    stage.run(12)  # at x = 2.4
    stage.world.hurt("Ada", 20)
    stage.run(13)
    assert [(died.agent, died.cause) for died in stage.of("agent_died")] == [("Ada", "event")]
    assert [(drop.item, drop.count, drop.cell) for drop in stage.of("item_dropped")] == [
        ("iron_axe", 1, (2, 64, 0)),
        ("stone", 70, (2, 64, 0)),
    ]
    assert stage.world.bodies["Ada"].inventory.as_dict() == {}
    assert stage.ended["Ada"][1].reason == "dead"
    assert not stage.of("item_picked_up")


def test_whoever_stands_by_has_it_at_once_and_whoever_comes_later_then() -> None:
    stage = Stage(custom(agent("Ada", items={"stone": 3}), agent("Ben", (4, 64, 0))))
    stage.world.hurt("Ada", 20)
    stage.run(1)
    stage.begin("Ben", "move_to", target_pos=(0, 64, 0))
    # Within 1.425 after 2.575 blocks: 12.9 ticks.
    stage.run(50)
    assert [(tick, taken.agent, taken.count) for tick, taken in stage.at("item_picked_up")] == [
        (14, "Ben", 3)
    ]


def test_what_lies_on_a_block_that_goes_falls_to_whoever_stands_below() -> None:
    stage = Stage(
        custom(
            agent("Ada", (0, 67, 0), items={"stone": 3}),
            agent("Ben", (1, 64, 0)),
            blocks={(0, 66, 0): "glass"},
        )
    )
    stage.world.hurt("Ada", 20)
    stage.run(5)
    assert not stage.of("item_picked_up")
    stage.world.set_blocks([(0, 66, 0)], AIR, cause="event", source="quake")
    assert [(tick, taken.agent) for tick, taken in stage.at("item_picked_up")] == [(5, "Ben")]


def test_the_running_action_ends_dead_with_what_it_had_done_and_the_plan_is_forgotten() -> None:
    spec = custom(
        agent("Ada", tools=["iron_axe"]),
        agent("Ben", (20, 64, 0)),
        blocks={(2, 64, 0): "oak_log", (12, 64, 0): "oak_log"},
        events=[event("bolt", {"at": [1]}, hit("Ada"))],
        max_steps=5,
    )
    played = play(
        spec,
        Ada=[
            do("mine_blocks_at", block_positions=[[2, 64, 0], [12, 64, 0]]),
            do("move_to", target_pos=[0, 64, 0]),
        ],
    )
    assert played.outcomes("Ada") == [(20, "partial", "dead", 1, 2)]
    assert [started.do for _, started in played.of("action_started")] == ["mine_blocks_at"]
    assert not played.of("plan_ended")
    assert played.result.breakdown["Ada"].dead == 4


def test_an_action_that_could_not_even_begin_ends_dead_too() -> None:
    spec = custom(
        agent("Ada"),
        agent("Ben", (20, 64, 0)),
        events=[event("bolt", {}, hit("Ada"))],
        max_steps=2,
    )
    # At tick 0 the bolt strikes before anybody is asked, so nobody is.
    assert not play(spec, Ada=[do("dance")]).of("action_started")
    spec = custom(
        agent("Ada", items={"bread": 1}),
        agent("Ben", (20, 64, 0)),
        events=[event("bolt", {"at": [1]}, hit("Ada"))],
        max_steps=2,
    )
    # Two times 10 ticks, and at tick 20 the third action is refused just before the bolt takes effect.
    look = do("find_blocks", block_types=["stone"])
    played = play(spec, Ada=[look, look, do("dance")])
    assert played.outcomes("Ada")[-1] == (20, "failed", "dead", 0, 1)


def test_the_dead_are_not_hit_hunted_healed_or_moved() -> None:
    spec = custom(
        agent("Ada", (0, 64, 0)),
        agent("Ben", (20, 64, 0)),
        regions=[
            {"id": "spring", "area": area((-5, 64, -5), (5, 64, 5)), "effects": [{"type": "regeneration"}]}
        ],
        events=[
            event("bolt", {"at": [1]}, hit("Ada")),
            event("more", {"at": [2]}, hit("Ada"), {"type": "apply_effect", "effect": {"type": "speed"}}),
            event(
                "flood",
                {"start": 3},
                {
                    "type": "progressive_fill",
                    "block": "water",
                    "area": area((-3, 64, -3), (3, 64, 3)),
                    "direction": "east",
                    "speed_bps": 7,
                },
            ),
        ],
        max_steps=20,
    )
    played = play(spec)
    (death,) = [event.seq for event in played.events if event.type == "agent_died"]
    later = [event for event in played.events if event.seq > death and event.type != "episode_ended"]
    assert [event.type for event in later if getattr(event.payload, "agent", "") == "Ada"] == []


class Persistent(Actors):
    """Gives everybody the same line whenever anybody is free, the dead included."""

    def __init__(self) -> None:
        super().__init__({})
        self.asked: list[tuple[int, tuple[str, ...]]] = []

    def calls(self, moment: Moment) -> list[Call]:
        self.asked.append((moment.tick, moment.idle))
        plan = Plan((do("wait", duration=1),))
        return [Call(("Ada", "Ben"), lambda: Reply({"Ada": plan, "Ben": plan}))] if moment.idle else []


def test_nobody_is_asked_about_the_dead_and_a_plan_for_them_is_not_begun() -> None:
    spec = custom(
        agent("Ada"), agent("Ben", (9, 64, 0)), events=[event("bolt", {"at": [2]}, hit("Ada"))], max_steps=5
    )
    policy = Persistent()
    played = Played(spec, policy)
    assert all("Ada" not in idle for tick, idle in policy.asked if tick >= 40)
    begun = [(tick, started.agent) for tick, started in played.of("action_started") if tick > 40]
    assert {name for _, name in begun} == {"Ben"}
    assert played.result.breakdown["Ada"].dead == 3

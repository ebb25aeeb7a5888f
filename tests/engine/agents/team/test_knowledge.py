from __future__ import annotations

import pytest

from engine.agents.team.knowledge import Knowledge, SeenAgent, SeenBlock, SeenChest, SeenMob
from engine.agents.team.memory import HISTORY, MESSAGES, Memory
from engine.agents.team.observation import NEAREST, knowledge_state
from engine.episode.state import AgentState, WorldState
from engine.events.payloads import (
    ActionEnded,
    ActionSkipped,
    ActionStarted,
    AgentDied,
    BlocksChanged,
    MessageSent,
    MobDied,
    MobMoved,
    MobSpawned,
    MobStopped,
    Payload,
    PlanRefused,
    PlanSet,
    PlanStep,
    RoleTaken,
)
from engine.world.geometry import Cell


def one(name: str, at: Cell = (0, 64, 0), sight: float = 8.0) -> AgentState:
    return AgentState(
        name=name, position=at, speed_bps=4.0, perception_range=sight, max_health=20, health=20,
        damage_multipliers={}, inventory={},
    )  # fmt: skip


@pytest.fixture
def world() -> WorldState:
    """Ada at the origin sees 8 blocks far, Bob at x = 30 sees 3; a chest beside each."""
    agents = {"Ada": one("Ada"), "Bob": one("Bob", (30, 64, 0), 3.0)}
    return WorldState(agents=agents, chests={(2, 64, 0): {"bread": 3}, (30, 64, 4): {}})


def put(world: WorldState, block: str, *cells: Cell) -> None:
    world.apply(0, BlocksChanged(block=block, cells=list(cells), cause="event", source="", vanish_tick=None))


def spawn(world: WorldState, number: int, x: float) -> None:
    world.apply(
        0,
        MobSpawned(
            mob=number, entity="zombie", role="minion", position=(x, 64.0, 0.0), health=20, damage=2,
            speed_bps=2, source="", vanish_tick=None,
        ),
    )  # fmt: skip


def place(world: WorldState, name: str, at: Cell) -> None:
    world.agents[name].position = at


# --- blocks -----------------------------------------------------------------------------------------------------------


def test_blocks_are_seen_up_to_the_perception_range_inclusive(world: WorldState) -> None:
    put(world, "stone", (8, 64, 0), (9, 64, 0), (5, 64, 6), (6, 64, 6), (0, 71, 0))
    known = Knowledge(world, ["Ada"])
    known.look(20)
    # √(5² + 6²) = 7.81 is within 8, √(6² + 6²) = 8.49 is not.
    assert known.blocks == {cell: SeenBlock("stone", 20) for cell in [(8, 64, 0), (5, 64, 6), (0, 71, 0)]}


def test_a_block_out_of_sight_stays_as_it_was_seen_last(world: WorldState) -> None:
    put(world, "stone", (8, 64, 0))
    known = Knowledge(world, ["Ada"])
    known.look(20)
    place(world, "Ada", (-1, 64, 0))
    put(world, "air", (8, 64, 0))
    known.look(40)
    assert known.blocks == {(8, 64, 0): SeenBlock("stone", 20)}
    place(world, "Ada", (0, 64, 0))
    known.look(60)
    assert known.blocks == {}


def test_another_block_in_the_same_place_is_seen_as_what_it_is(world: WorldState) -> None:
    put(world, "stone", (3, 64, 0))
    known = Knowledge(world, ["Ada"])
    known.look(20)
    put(world, "lava", (3, 64, 0))
    known.look(40)
    assert known.blocks == {(3, 64, 0): SeenBlock("lava", 40)}


def test_a_master_knows_what_any_of_its_agents_has_seen(world: WorldState) -> None:
    put(world, "stone", (8, 64, 0), (20, 64, 0), (33, 64, 0), (34, 64, 0))
    known = Knowledge(world, ["Ada", "Bob"])
    known.look(20)
    assert set(known.blocks) == {(8, 64, 0), (33, 64, 0)}
    place(world, "Bob", (5, 64, 0))
    put(world, "air", (8, 64, 0), (33, 64, 0))
    known.look(40)
    # Bob sees that (8, 64, 0) is gone; nobody is near (33, 64, 0) any more.
    assert known.blocks == {(33, 64, 0): SeenBlock("stone", 20)}


def test_the_dead_see_nothing(world: WorldState) -> None:
    put(world, "stone", (1, 64, 0))
    world.agents["Ada"].alive = False
    known = Knowledge(world, ["Ada"])
    known.look(20)
    assert known.blocks == {}


def test_strangers_do_not_look_for_an_observer(world: WorldState) -> None:
    put(world, "stone", (31, 64, 0))
    known = Knowledge(world, ["Ada"])
    known.look_as("Bob", 20)
    known.open_chests("Bob", 20)
    assert (known.blocks, known.chests) == ({}, {})


# --- mobs and peers ---------------------------------------------------------------------------------------------------


def test_a_mob_is_where_it_was_seen_last_until_its_place_is_seen_empty(world: WorldState) -> None:
    spawn(world, 4, 6.0)
    known = Knowledge(world, ["Ada"])
    known.look(20)
    assert known.mobs == {4: SeenMob("zombie", "minion", (6.0, 64.0, 0.0), 20, 20)}
    # Two blocks a second: at tick 40 it is at x = 8, at tick 60 at x = 10, out of sight.
    world.apply(20, MobMoved(mob=4, points=[(6.0, 64.0, 0.0), (12.0, 64.0, 0.0)], speed_bps=2.0))
    known.look(40)
    assert known.mobs[4].position == (8.0, 64.0, 0.0)
    place(world, "Ada", (-5, 64, 0))
    known.look(60)
    assert known.mobs[4] == SeenMob("zombie", "minion", (8.0, 64.0, 0.0), 20, 40)
    place(world, "Ada", (1, 64, 0))
    known.look(80)  # it stands at x = 12 now, 11 away; x = 8 is 7 away, and empty
    assert known.mobs == {}


def test_a_mob_that_died_in_sight_is_gone(world: WorldState) -> None:
    spawn(world, 1, 3.0)
    known = Knowledge(world, ["Ada"])
    known.look(20)
    world.apply(30, MobStopped(mob=1, position=(3.0, 64.0, 0.0)))
    world.apply(30, MobDied(mob=1, agent="Ada", position=(3.0, 64.0, 0.0)))
    known.look(40)
    assert known.mobs == {}


def test_peers_are_seen_where_they_were_near_last(world: WorldState) -> None:
    known = Knowledge(world, ["Ada"])
    known.look(20)
    assert known.agents == {}
    place(world, "Bob", (8, 64, 0))
    known.look(40)
    place(world, "Bob", (9, 64, 0))
    known.look(60)
    assert known.agents == {"Bob": SeenAgent((8, 64, 0), True, 40)}


def test_a_master_s_agents_are_no_sightings(world: WorldState) -> None:
    place(world, "Bob", (1, 64, 0))
    known = Knowledge(world, ["Ada", "Bob"])
    known.look(20)
    assert known.agents == {}


# --- chests -----------------------------------------------------------------------------------------------------------


def test_a_chest_is_known_from_the_task_and_then_as_it_was_opened_last(world: WorldState) -> None:
    known = Knowledge(world, ["Ada"])
    known.begin()
    assert known.chests == {(2, 64, 0): SeenChest({"bread": 3}, 0), (30, 64, 4): SeenChest({}, 0)}
    world.chests[2, 64, 0]["bread"] = 1
    world.chests[30, 64, 4]["stone"] = 9
    known.look(20)
    assert known.chests[2, 64, 0] == SeenChest({"bread": 3}, 0)  # to see it is not to open it
    known.open_chests("Ada", 25)
    assert known.chests == {(2, 64, 0): SeenChest({"bread": 1}, 25), (30, 64, 4): SeenChest({}, 0)}
    world.chests[2, 64, 0]["bread"] = 0
    assert known.chests[2, 64, 0].items == {"bread": 1}


def test_only_chests_within_reach_are_opened(world: WorldState) -> None:
    known = Knowledge(world, ["Bob"])
    known.begin()
    world.chests[30, 64, 4]["stone"] = 9
    place(world, "Bob", (30, 64, -1))  # 5 away; one reaches 4.5 blocks
    known.open_chests("Bob", 10)
    assert known.chests[30, 64, 4].items == {}
    place(world, "Bob", (30, 64, 0))
    known.open_chests("Bob", 20)
    assert known.chests[30, 64, 4] == SeenChest({"stone": 9}, 20)


# --- what is told of it -----------------------------------------------------------------------------------------------


def test_of_many_blocks_the_nearest_are_listed_and_all_are_counted(world: WorldState) -> None:
    put(world, "stone", *((x, 64, 0) for x in range(1, 41)))
    world.agents["Ada"].perception_range = 100
    known = Knowledge(world, ["Ada"])
    known.look(30)
    told = knowledge_state(known, [(0, 64, 0)])["blocks"]["stone"]
    assert told["count"] == 40
    assert told["extent"] == [[1, 64, 0], [40, 64, 0]]
    assert told["nearest"] == [[x, 64, 0, 1.5] for x in range(1, NEAREST + 1)]


def test_mobs_come_nearest_first_and_without_the_world_s_numbers(world: WorldState) -> None:
    spawn(world, 7, -4.0)
    spawn(world, 9, 3.0)
    known = Knowledge(world, ["Ada"])
    known.look(20)
    assert knowledge_state(known, [(0, 64, 0)])["mobs"] == [
        {"type": "zombie", "role": "minion", "position": [x, 64, 0], "health": 20, "seen": 1} for x in (3, -4)
    ]


# --- memory -----------------------------------------------------------------------------------------------------------


def begin(number: str, do: str = "wait") -> Payload:
    return ActionStarted(agent="Ada", id=number, do=do, with_={"duration": 1})


def end(number: str, outcome: str = "ok", reason: str = "", agent: str = "Ada") -> Payload:
    return ActionEnded(
        agent=agent, id=number, do="wait", outcome=outcome, reason=reason, done=0, wanted=1, detail="so"
    )


def remember(*happened: tuple[int, Payload]) -> Memory:
    memory = Memory("Ada")
    for tick, payload in happened:
        memory.apply(tick, payload)
    return memory


def test_a_plan_is_remembered_as_what_runs_and_what_remains() -> None:
    steps = [PlanStep(id=name, do="wait", with_={}, after=[], note="") for name in "abc"]
    plan = PlanSet(agent="Ada", reasoning="", steps=steps)
    memory = remember((0, plan), (0, begin("a")))
    assert memory.running is not None
    assert memory.running.id == "a"
    assert [step.id for step in memory.remaining] == ["b", "c"]
    memory.apply(20, end("a", "failed", "timeout"))
    memory.apply(20, ActionSkipped(agent="Ada", id="b", do="wait", after="a"))
    assert memory.running is None
    assert [step.id for step in memory.remaining] == ["c"]
    assert [dict(entry.what) for entry in memory.history] == [
        {"id": "a", "do": "wait", "with": {"duration": 1}, "outcome": "failed", "reason": "timeout",
         "done": 0, "wanted": 1, "detail": "so"},
        {"id": "b", "do": "wait", "outcome": "skipped", "after": "a"},
    ]  # fmt: skip
    memory.apply(30, AgentDied(agent="Ada", cause="lava", position=(0, 64, 0)))
    assert memory.remaining == []


def test_failures_since_the_last_question_are_counted_but_not_interruptions() -> None:
    memory = remember(
        (1, end("a", "failed", "timeout")), (2, end("b", "failed", "interrupted")), (3, end("c")),
        (4, end("d", "failed", "vanished")), (5, end("e", "failed", "timeout", agent="Bob")),
    )  # fmt: skip
    assert memory.failures == 2
    memory.asked(6)
    assert memory.failures == 0


def test_a_message_is_unread_until_the_question_after_the_tick_it_came_at() -> None:
    memory = remember((10, MessageSent(sender="Bob", to=["Ada"], text="x")))
    assert memory.unread == 10
    memory.asked(10)  # it cannot be read yet
    assert memory.unread == 10
    memory.asked(11)
    assert memory.unread is None
    memory.apply(12, MessageSent(sender="Ada", to=["Bob"], text="mine"))
    memory.apply(12, MessageSent(sender="Cem", to=["Bob"], text="not for her"))
    assert memory.unread is None
    assert [heard.text for heard in memory.messages] == ["x", "mine"]


def test_only_the_last_entries_are_kept() -> None:
    memory = remember(*((tick, PlanRefused(agent="Ada", fault=str(tick))) for tick in range(HISTORY + 5)))
    assert [entry.tick for entry in memory.history] == list(range(5, HISTORY + 5))
    for tick in range(MESSAGES + 5):
        memory.apply(tick, MessageSent(sender="Bob", to=["Ada"], text=str(tick)))
    assert [heard.text for heard in memory.messages] == [str(tick) for tick in range(5, MESSAGES + 5)]


def test_a_role_is_remembered() -> None:
    memory = remember((0, RoleTaken(agent="Ada", role="Miner")), (1, RoleTaken(agent="Bob", role="Scout")))
    assert memory.role == "Miner"


def test_an_entry_keeps_the_beginning_of_long_parameters() -> None:
    cells = [[number, 64, 0] for number in range(256)]
    started = ActionStarted(agent="Ada", id="a", do="mine_blocks_at", with_={"block_positions": cells})
    (entry,) = remember((0, started), (9, end("a"))).history
    assert set(entry.what["with"]) == {"shortened"}
    assert entry.what["with"]["shortened"].startswith('{"block_positions": [[0, 64, 0], [1, 64, 0]')
    assert len(entry.what["with"]["shortened"]) == 1_000

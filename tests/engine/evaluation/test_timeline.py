from __future__ import annotations

from engine.episode.result import StepBreakdown
from engine.episode.state import AgentState, WorldState
from engine.evaluation.scores import MineScore, needed_items, partial_score
from engine.evaluation.timeline import Segment, Timeline
from engine.events import EventLog
from engine.events import payloads as p
from engine.events.payloads import Checkpoint, Payload
from tests.engine.build import agent, task


def start(*names: str) -> p.EpisodeStarted:
    agents = [
        p.AgentStart(
            name=name,
            position=(0, 64, 0),
            max_health=20,
            speed_bps=4,
            perception_range=16,
            damage_multipliers={},
            inventory={},
            effects=[],
        )
        for name in names
    ]
    return p.EpisodeStarted(
        engine_version="0",
        task_id="t",
        task_type="mine_vanishing_blocks",
        task_digest="",
        goal="",
        policy="oracle",
        model=None,
        mode="sync",
        world="simulator",
        seed=0,
        max_steps=10,
        ground_y=63,
        agents=agents,
        chests=[],
        checkpoints=[],
    )


def begun(name: str, do: str) -> p.ActionStarted:
    return p.ActionStarted(agent=name, id="1", do=do, with_={})


def ended(name: str, do: str) -> p.ActionEnded:
    return p.ActionEnded(agent=name, id="1", do=do, outcome="ok", reason="", done=1, wanted=1, detail="")


END = p.EpisodeEnded(status="finished", success=True, partial_score=1.0, reason="", checkpoints=[])


def fold(*happened: tuple[int, Payload]) -> Timeline:
    timeline = Timeline()
    log = EventLog(lambda event, _: timeline.apply(event))
    for tick, payload in happened:
        log.append(tick, payload)
    return timeline


def test_each_tick_is_one_of_planning_action_idle_dead() -> None:
    timeline = fold(
        (0, start("Ada", "Ben")),
        (0, p.PlanningStarted(agents=["Ada", "Ben"])),
        (40, p.PlanningEnded(agents=["Ada", "Ben"])),
        (40, begun("Ada", "mine_blocks_at")),
        (70, ended("Ada", "mine_blocks_at")),
        (70, begun("Ada", "move_to")),
        (90, ended("Ada", "move_to")),
        (100, p.AgentDied(agent="Ben", cause="lava", position=(0, 64, 0))),
        (120, END),
    )
    assert timeline.lanes == {
        "Ada": [
            Segment("planning", 0, 40),
            Segment("action", 40, 70, "mine_blocks_at"),
            Segment("action", 70, 90, "move_to"),
            Segment("idle", 90, 120),
        ],
        "Ben": [Segment("planning", 0, 40), Segment("idle", 40, 100), Segment("dead", 100, 120)],
    }
    assert timeline.breakdown() == {
        "Ada": StepBreakdown(planning=2.0, action=2.5, idle=1.5, dead=0.0),
        "Ben": StepBreakdown(planning=2.0, action=0.0, idle=3.0, dead=1.0),
    }


def test_whoever_acts_while_a_decision_is_awaited_is_acting() -> None:
    timeline = fold(
        (0, start("Ada")),
        (0, begun("Ada", "move_to")),
        (10, p.PlanningStarted(agents=["Ada"])),
        (30, ended("Ada", "move_to")),
        (50, p.PlanningEnded(agents=["Ada"])),
        (60, END),
    )
    assert timeline.lanes["Ada"] == [
        Segment("action", 0, 10, "move_to"),
        Segment("action", 10, 30, "move_to"),
        Segment("planning", 30, 50),
        Segment("idle", 50, 60),
    ]


def test_an_agent_that_dies_in_the_middle_of_an_action_acts_until_then() -> None:
    timeline = fold(
        (0, start("Ada")),
        (0, begun("Ada", "move_to")),
        (10, p.AgentDied(agent="Ada", cause="fall", position=(0, 64, 0))),
        (20, END),
    )
    assert timeline.lanes["Ada"] == [Segment("action", 0, 10, "move_to"), Segment("dead", 10, 20)]


def said(tag: str, sender: str, *to: str) -> p.MessageSent:
    return p.MessageSent(sender=sender, to=list(to), text=f"[{tag}] …", tag=tag)


def test_waiting_is_planning_while_a_proposal_is_unanswered_and_else_idle() -> None:
    timeline = fold(
        (0, start("Ada", "Ben")),
        (0, begun("Ada", "wait")),
        (0, begun("Ben", "wait")),
        (10, said("PROPOSAL", "Ada", "Ben")),
        (30, said("AGREE", "Ben", "Ada")),
        (40, ended("Ada", "wait")),
        (40, ended("Ben", "wait")),
        (60, END),
    )
    lane = [
        Segment("idle", 0, 10),
        Segment("planning", 10, 30),
        Segment("idle", 30, 40),
        Segment("idle", 40, 60),
    ]
    assert timeline.lanes == {"Ada": lane, "Ben": lane}
    half = StepBreakdown(planning=1.0, idle=2.0)
    assert timeline.breakdown() == {"Ada": half, "Ben": half}


def test_who_proposed_and_then_acts_no_longer_negotiates() -> None:
    timeline = fold(
        (0, start("Ada", "Ben")),
        (0, said("PROPOSAL", "Ada", "Ben")),
        (0, begun("Ada", "wait")),
        (0, begun("Ben", "wait")),
        (20, ended("Ada", "wait")),
        (20, begun("Ada", "move_to")),
        (50, END),
    )
    assert timeline.lanes == {
        "Ada": [Segment("planning", 0, 20), Segment("action", 20, 50, "move_to")],
        "Ben": [Segment("planning", 0, 20), Segment("idle", 20, 50)],
    }


def test_a_proposal_alone_is_no_planning_without_waiting() -> None:
    timeline = fold((0, start("Ada", "Ben")), (10, said("PROPOSAL", "Ada", "Ben")), (40, END))
    assert timeline.breakdown() == {"Ada": StepBreakdown(idle=2.0), "Ben": StepBreakdown(idle=2.0)}


def test_waiting_while_a_decision_is_on_its_way_is_planning() -> None:
    timeline = fold(
        (0, start("Ada")),
        (0, begun("Ada", "wait")),
        (10, p.PlanningStarted(agents=["Ada"])),
        (30, p.PlanningEnded(agents=["Ada"])),
        (50, END),
    )
    assert timeline.lanes["Ada"] == [
        Segment("idle", 0, 10),
        Segment("planning", 10, 30),
        Segment("idle", 30, 50),
    ]


def test_targets_that_drop_the_same_item_add_up() -> None:
    spec = task(agent("Ada"), targets={"gold_ore": 3, "deepslate_gold_ore": 2, "oak_log": 1})
    assert needed_items(spec) == {"raw_gold": 5, "oak_log": 1}


def test_the_score_is_the_mean_of_capped_completions() -> None:
    assert (
        partial_score([Checkpoint(name="a", have=9, need=3), Checkpoint(name="b", have=1, need=4)]) == 0.625
    )


def test_what_lies_in_the_chest_counts_from_the_start() -> None:
    spec = task(agent("Ada"), targets={"oak_log": 4}, chest_items={"oak_log": 1})
    state = WorldState()
    state.agents["Ada"] = AgentState("Ada", (0, 64, 0), 4, 16, 20, 20, {}, {})
    state.chests[0, 64, -10] = {"oak_log": 1}
    score = MineScore(spec, state)
    assert (score.checkpoints(0)[0].have, score.verdict(0)) == (1, None)
    state.apply(1, p.ChestChanged(chest=(0, 64, -10), item="oak_log", delta=3, count=4, agent="Ada"))
    assert (score.checkpoints(1)[0].have, score.verdict(1)) == (4, True)

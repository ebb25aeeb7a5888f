from __future__ import annotations

from typing import Any

import pytest

from engine.agents.plans import Plan
from engine.agents.policy import Reply
from engine.episode.settings import Budget
from engine.spec.model import TaskSpec
from tests.engine.build import agent, area, custom, do, event, mob, task
from tests.engine.evaluation.causes.failing import Failed, Script, appears, inference, plan, say


def never(*agents: dict[str, Any], **more: Any) -> TaskSpec:
    """A task that offers every action and cannot be won."""
    impossible = [{"chest_contains": {"item": "diamond", "count": 9}}]
    return custom(*agents, **{"success": impossible, "max_steps": 10} | more)


def walk(blocks: int, z: int = 0) -> Any:
    """Takes a step for each 4 blocks."""
    return do("move_to", target_pos=[blocks, 64, z])


BEN = agent("Ben", (0, 64, 9))


# --- idle_imbalance


def test_who_is_idle_while_a_teammate_acts_is_named() -> None:
    # Ada acts for 8 of 10 steps; Ben for the first 2.
    played = Failed(never(agent("Ada"), BEN), Ada=[walk(32)], Ben=[walk(8, 9)])
    found = played.only("idle_imbalance")
    assert (found.agent, found.tick, found.weight) == ("Ben", 40, 6.0)
    assert found.detail == (
        "Ben was idle for 80 % of its time, longest from step 2 to step 10, while Ada acted for 80 %."
    )
    assert played.evidence(found) == [(40, "action_ended"), (200, "episode_ended")]


def test_who_acts_half_as_long_is_not() -> None:
    # Ben is idle for half of the time and no more.
    played = Failed(never(agent("Ada"), BEN), Ada=[walk(40)], Ben=[walk(20, 9)])
    assert played.causes == []


def test_all_idle_together_is_no_imbalance() -> None:
    # The busiest acted for 20 % only.
    assert Failed(never(agent("Ada"), BEN), Ada=[walk(8)]).causes == []
    assert Failed(never(agent("Ada")), Ada=[walk(8)]).causes == []


# --- late_start


def thinking(latency_s: float, **more: Any) -> Failed:
    """Ada gets her plan after so long, in 20 steps."""
    reply = Reply({"Ada": plan(walk(56))}, latency_s=latency_s)
    spec = never(agent("Ada"), max_steps=20, **more)
    return Failed(spec, Script((0, ["Ada"], reply)), mode="async")


def test_who_plans_beyond_a_quarter_of_the_time_starts_late() -> None:
    played = thinking(6)
    found = played.only("late_start")
    assert (found.agent, found.tick, found.weight) == ("Ada", 120, 6.0)
    assert found.detail == (
        "Ada planned for 6 steps before it began to act at step 6, later than 25 % of max_steps."
    )
    assert found.events == [*played.numbers("planning_started"), *played.numbers("action_started")]
    assert thinking(5).causes == []


def test_who_plans_until_the_first_things_have_vanished_starts_late() -> None:
    played = thinking(3, events=[appears("oak_log", (5, 64, 5), 2)])
    found = played.only("late_start")
    assert (found.tick, found.weight) == (60, 3.0)
    assert found.detail == (
        "Ada planned for 3 steps before it began to act at step 3, when the first things had vanished."
    )
    assert played.evidence(found) == [
        (0, "planning_started"),
        (40, "blocks_changed"),
        (60, "action_started"),
    ]
    assert thinking(3, events=[appears("oak_log", (5, 64, 5), 4)]).causes == []


def test_a_decision_that_never_came_is_a_late_start_too() -> None:
    found = thinking(30).only("late_start")
    assert found.detail == (
        "Ada planned for 20 steps and had not begun to act when the episode ended, later than 25 % of max_steps."
    )


def test_who_was_merely_idle_first_did_not_start_late_because_of_planning() -> None:
    reply = Reply({"Ada": plan(walk(40))}, latency_s=2)
    played = Failed(never(agent("Ada"), max_steps=20), Script((160, ["Ada"], reply)), mode="async")
    assert played.causes == []


# --- negotiation_overrun


def test_a_team_that_plans_for_too_long_is_named() -> None:
    # Ada plans for 9 of 20 steps, in stretches of 3: 45 %, which is 1 step beyond 40 %.
    def turn(blocks: int) -> Reply:
        return Reply({"Ada": plan(walk(blocks))}, latency_s=3)

    spec = never(agent("Ada"), max_steps=20)
    busy = (0, ["Ada"], turn(12)), (120, ["Ada"], turn(0)), (240, ["Ada"], turn(12))
    played = Failed(spec, Script(*busy), mode="async")
    found = played.only("negotiation_overrun")
    assert (found.agent, found.weight) == (None, 1.0)
    assert found.detail == (
        "The team spent 45 % of its 20 agent-steps planning, longest from step 0 to step 3."
    )
    assert found.events == played.numbers("planning_started")
    assert "negotiation_overrun" not in Failed(spec, Script(*busy[:2]), mode="async").names


LOG = (20, 64, 0)


def agreed(answer: str, *, sight: float = 16, answered: int = 60, lifetime: int = 5) -> Failed:
    """Ada proposes at once, Ben answers, and at step 3 she sets out for a log 20 blocks off."""
    mine = Reply({"Ada": plan(do("mine_blocks_at", block_positions=[list(LOG)]))})
    spec = task(
        agent("Ada", perception_range=sight),
        BEN,
        events=[appears("oak_log", LOG, lifetime)],
        max_steps=15,
    )
    return Failed(
        spec,
        Script(
            (0, ["Ada"], say("Ada", "Ben", "[PROPOSAL] I take the log")),
            (answered, ["Ben"], say("Ben", "Ada", f"[{answer}] …")),
            (60, ["Ada"], mine),
        ),
    )


def test_an_agreement_that_came_too_late_is_named() -> None:
    # Ada is under way from tick 60 when the log vanishes at tick 100.
    played = agreed("AGREE")
    found = next(found for found in played.causes if found.name == "negotiation_overrun")
    assert (found.agent, found.tick, found.weight) == ("Ada", 100, 3.0)
    assert found.detail == (
        "What Ada agreed on at step 3 came too late for the oak log at [20, 64, 0], gone at step 5."
    )
    assert played.evidence(found) == [
        (0, "message_sent"),
        (60, "message_sent"),
        (60, "action_started"),
        (100, "blocks_changed"),
        (100, "action_ended"),
    ]


@pytest.mark.parametrize(
    "played",
    [
        agreed("DISAGREE"),
        # Short-sighted, she finds out at tick 60 + 70, 30 ticks after it went: talk of 20 ticks made no difference.
        agreed("AGREE", sight=6, answered=20),
        agreed("AGREE", lifetime=14),
    ],
)
def test_what_would_have_come_too_late_anyhow_was_not_for_negotiating(played: Failed) -> None:
    assert "negotiation_overrun" not in played.names


# --- out_of_budget


def test_a_budget_that_is_used_up_is_named() -> None:
    reply = Reply({"Ada": plan(walk(8))}, inferences=(inference("Ada"),))
    spec = never(agent("Ada"), BEN)
    played = Failed(spec, Script((40, ["Ada"], reply)), budget=Budget(inferences=1))
    assert (played.result.status, played.result.success) == ("budget", False)
    found = played.only("out_of_budget")
    # 8 of 10 steps were left to both.
    assert (found.agent, found.tick, found.weight) == (None, 40, 16.0)
    assert found.detail == "The budget of 1 inferences is used up (1)."
    assert played.evidence(found) == [(40, "inference_ended"), (40, "episode_ended")]
    assert Failed(spec, Script((40, ["Ada"], reply)), budget=Budget(inferences=2)).causes == []


# --- parse_errors


def unread(second: str, *, latency_s: float = 0.0) -> Reply:
    fault = "no JSON" if second != "ok" else ""
    attempts = (
        inference("Ada", outcome="malformed", fault="no JSON"),
        inference("Ada", attempt=2, outcome=second, fault=fault),
    )
    plans = {"Ada": Plan() if fault else plan(walk(36))}
    return Reply(plans, inferences=attempts, latency_s=latency_s)


def test_a_reply_that_could_not_be_read_twice_is_named() -> None:
    # One idle step follows.
    then = Reply({"Ada": plan(walk(36))})
    spec = never(agent("Ada"))
    played = Failed(spec, Script((0, ["Ada"], unread("malformed")), (20, ["Ada"], then)))
    found = played.only("parse_errors")
    assert (found.agent, found.tick, found.weight) == ("Ada", 0, 1.0)
    assert found.detail == "The reply to Ada at step 0 could not be read twice: no JSON."
    assert found.events == played.numbers("inference_ended")
    assert played.result.costs.parse_errors == 1
    assert Failed(spec, Script((0, ["Ada"], unread("ok")))).causes == []


def test_waiting_for_an_unreadable_reply_is_lost_as_well() -> None:
    # Planning until tick 40, idle until 60, when the next decision comes at once.
    then = Reply({"Ada": plan(walk(28))})
    script = Script((0, ["Ada"], unread("empty", latency_s=2)), (60, ["Ada"], then))
    assert Failed(never(agent("Ada")), script, mode="async").only("parse_errors").weight == 3.0


# --- death


def flood(*effects: str) -> Failed:
    lava = {
        "type": "progressive_fill",
        "block": "lava",
        "area": area((-1, 64, -1), (1, 64, 1)),
        "direction": "east",
        "speed_bps": 20,
    }
    spec = never(agent("Ada", effects=effects), events=[event("lava", {"start": 2}, lava)])
    return Failed(spec)


def test_a_death_by_lava_is_named_with_the_last_wounds() -> None:
    # 4 half hearts at once and every 10 ticks: the fifth kills.
    played = flood()
    found = played.only("death")
    (died,) = played.numbers("agent_died")
    tick = played.events[died - 1].world_time
    assert (found.agent, found.subject, found.tick) == ("Ada", "lava", tick)
    assert found.events == [*played.numbers("agent_health_changed"), died]
    assert len(found.events) == 6
    assert found.weight == (200 - tick) / 20
    assert found.detail == f"Ada was killed by lava at step {tick / 20:g}."
    assert flood("fire_resistance").causes == []


def test_a_death_by_a_zombie_is_named() -> None:
    # The first blow falls at once, the second a second later.
    spec = never(agent("Ada"), BEN, hostiles=[mob((1, 64, 0), damage=10)])
    played = Failed(spec)
    found = played.only("death")
    assert (found.agent, found.subject) == ("Ada", "zombie")
    kinds = [kind for _, kind in played.evidence(found)]
    assert kinds == ["agent_health_changed", "agent_health_changed", "agent_died"]


def test_only_what_was_played_without_success_has_causes() -> None:
    won = custom(agent("Ada"), max_steps=4)
    assert Failed(won, Ada=[do("mine_blocks_at", block_positions=[[3, 64, 0]])]).result.success is True
    assert Failed(won).causes == []

from __future__ import annotations

import json

import pytest

from engine.agents.policies import POLICIES
from engine.agents.policy import MASTER, Setting
from engine.episode.state import WorldState
from engine.llm.provider import Ask
from tests.engine.build import agent, area, custom, event
from tests.engine.team import Game, Model, for_all, master, state, step, wait, walk

ADA, BOB = agent("Ada"), agent("Bob", (10, 64, 0))
"""Both walk four blocks a second."""
LAVA = event(
    "pit", {"at": [2]}, {"type": "set_blocks", "block": "lava", "area": area((10, 64, 0), (10, 64, 0))}
)
"""At step 2 it is where Bob stands."""


def test_the_master_is_asked_when_all_have_finished_and_not_before() -> None:
    model = Model(master(for_all(Ada=wait(1), Bob=wait(3)), for_all(Ada=wait(2), Bob=wait(1))))
    game = Game(custom(ADA, BOB, max_steps=6), model, "centralized")
    # 3 steps for Bob, then 2 for Ada; then an empty plan each, which costs one step.
    assert [(asked, call) for _, asked, _, call, _ in game.inferences] == [(0, 1), (60, 2), (100, 3)]
    assert {caller for *_, caller, _, _ in game.inferences} == {MASTER}
    assert game.result.costs.inferences == 3


def test_an_empty_plan_is_asked_for_again_a_step_later() -> None:
    game = Game(custom(ADA, BOB, max_steps=3), Model(master()), "centralized")
    assert [asked for _, asked, *_ in game.inferences] == [0, 20, 40]


def test_the_master_sends_no_messages() -> None:
    said = json.loads(for_all(Ada=wait(1), Bob=wait(1)))
    said["messages"] = [{"to": "Bob", "content": "[PROPOSAL] hello"}]
    game = Game(custom(ADA, BOB, max_steps=2), Model(lambda _: json.dumps(said)), "centralized")
    assert game.of("message_sent") == []
    assert game.result.costs.messages == 0


def test_the_dead_are_left_out_and_nobody_waits_for_them() -> None:
    spec = custom(
        ADA,
        agent("Bob", (10, 64, 0), max_health=2),
        events=[LAVA],
        success=[{"step_reached": 6}],
        max_steps=6,
    )
    model = Model(master(for_all(Ada=wait(1), Bob=wait(50)), for_all(Ada=wait(1), Bob=walk(3))))
    game = Game(spec, model, "centralized")
    ((died, who),) = game.of("agent_died")
    assert (died, who.agent) == (40, "Bob")
    # Bob's death leaves only Ada, who has been done since step 1.
    assert [asked for _, asked, *_ in game.inferences][:2] == [0, 40]
    second = state(model.asks[1])["agents"]
    assert second["Bob"] == {"alive": False}
    assert second["Ada"]["alive"] is True
    refused = [(tick, one.agent, one.fault) for tick, one in game.of("plan_refused")]
    assert refused[0] == (40, "Ada", "there is no living agent 'Bob'")
    assert [one.agents for _, one in game.of("inference_ended")][:2] == [["Ada", "Bob"], ["Ada"]]


def test_in_sync_mode_no_world_time_passes_while_the_master_thinks() -> None:
    model = Model(master(for_all(Ada=walk(4), Bob=wait(1))), latency=20.0)
    game = Game(custom(ADA, BOB, max_steps=3), model, "centralized")
    assert game.planning("Ada") == []
    assert game.outcomes("Ada")[0][:2] == (20, "ok")  # 4 blocks at 4 blocks a second
    assert game.result.breakdown["Ada"].planning == 0


@pytest.mark.parametrize(("latency", "ticks"), [(2.0, 40), (1.01, 21), (0.05, 1), (0.051, 2)])
def test_in_async_mode_a_plan_takes_effect_when_its_latency_has_passed(latency: float, ticks: int) -> None:
    model = Model(master(for_all(Ada=walk(4), Bob=walk(12))), latency)
    game = Game(custom(ADA, BOB, max_steps=5), model, "centralized", "async")
    assert game.planning("Ada")[0] == game.planning("Bob")[0] == (0, ticks)
    assert game.inferences[0] == (ticks, 0, MASTER, 1, True)
    assert [tick for tick, _ in game.of("plan_set")][:2] == [ticks, ticks]
    # Ada walks for 20 ticks and Bob for 10; the master is asked when Ada has come.
    assert game.inferences[1][1] == ticks + 20


def test_async_steps_are_planning_action_and_idle_by_hand() -> None:
    model = Model(master(for_all(Ada=walk(4), Bob=walk(12))), latency=2.0)
    game = Game(custom(ADA, BOB, max_steps=5), model, "centralized", "async")
    # 0–2 planning; Ada walks 2–3, Bob 2–2.5 and is idle to 3; then the master thinks until 5, which is the end.
    ada, bob = game.result.breakdown["Ada"], game.result.breakdown["Bob"]
    assert (ada.planning, ada.action, ada.idle) == (4.0, 1.0, 0.0)
    assert (bob.planning, bob.action, bob.idle) == (4.0, 0.5, 0.5)
    assert game.result.costs.latency_s.total == 4.0


def test_a_reply_that_comes_after_the_end_is_logged_as_too_late() -> None:
    game = Game(custom(ADA, BOB, max_steps=5), Model(master(), latency=6.0), "centralized", "async")
    assert game.inferences == [(100, 0, MASTER, 1, False)]
    assert game.result.breakdown["Ada"].planning == 5.0
    assert game.of("plan_set") == []


def test_a_reply_that_cannot_be_read_is_asked_for_once_more_with_the_fault() -> None:
    def says(ask: Ask) -> str:
        return "I pass." if ask.attempt == 1 and ask.call == 1 else for_all(Ada=wait(9), Bob=wait(9))

    model = Model(says, latency=1.5)
    game = Game(custom(ADA, BOB, max_steps=4), model, "centralized", "async")
    first, second = model.asks
    assert [turn.role for turn in first.turns] == ["system", "user"]
    assert [turn.role for turn in second.turns] == ["system", "user", "assistant", "user"]
    assert second.turns[2].text == "I pass."
    assert second.turns[3].text == (
        "Your reply could not be used: there is no JSON object in the reply. "
        "Answer again, with the JSON object alone, in the form asked for."
    )
    outcomes = [(one.attempt, one.outcome, one.fault) for _, one in game.of("inference_ended")]
    assert outcomes == [(1, "malformed", "there is no JSON object in the reply."), (2, "ok", "")]
    assert game.planning("Ada") == [(0, 60)]  # both attempts count
    costs = game.result.costs
    assert (costs.inferences, costs.re_asks, costs.parse_errors) == (2, 1, 0)


def test_two_replies_that_cannot_be_read_are_a_parse_error_and_an_idle_step() -> None:
    model = Model(lambda _: "", latency=0.5)
    game = Game(custom(ADA, BOB, max_steps=4), model, "centralized", "async")
    # Asked at 0, given up at 1 s, idle to 2 s; asked again, given up at 3 s, idle to the end.
    assert [(asked, attempt) for asked, attempt in _attempts(game)] == [(0, 1), (0, 2), (40, 1), (40, 2)]
    assert [(tick, one.agent, one.fault) for tick, one in game.of("plan_refused")] == [
        (tick, name, "your last reply could not be read: the reply is empty.")
        for tick in (20, 60)
        for name in ("Ada", "Bob")
    ]
    assert {one.outcome for _, one in game.of("inference_ended")} == {"empty"}
    assert (game.result.costs.re_asks, game.result.costs.parse_errors) == (2, 2)
    assert game.result.breakdown["Ada"].idle == 2.0
    assert game.result.breakdown["Ada"].planning == 2.0
    assert model.asks[1].turns[2].text == "(no answer)"
    assert state(model.asks[2])["history"][-1] == {
        "step": 1,
        "agent": "Bob",
        "problem": "your last reply could not be read: the reply is empty.",
    }


def _attempts(game: Game) -> list[tuple[int, int]]:
    return [(one.asked_tick, one.attempt) for _, one in game.of("inference_ended")]


def test_a_cut_off_reply_is_said_to_be_one() -> None:
    model = Model(lambda _: '{"agent_plans": {"Ada', is_cut_off=True)
    Game(custom(ADA, BOB, max_steps=1), model, "centralized")
    assert (
        model.asks[1]
        .turns[3]
        .text.endswith(
            "It was cut off at the length limit: be briefer. "
            "Answer again, with the JSON object alone, in the form asked for."
        )
    )


def test_what_is_wrong_with_a_plan_is_told_to_the_one_who_made_it() -> None:
    ring = [step(1, "wait", duration=1) | {"after": ["t2"]}, step(2, "wait", duration=1) | {"after": ["t1"]}]
    twice = [step(1, "wait", duration=1), step(1, "wait", duration=2)]
    model = Model(master(for_all(Ada=ring, Zoe=wait(1)), for_all(Ada=twice, Bob=wait(1))))
    game = Game(custom(ADA, BOB, max_steps=2), model, "centralized")
    assert [(tick, one.agent, one.fault) for tick, one in game.of("plan_refused")][:4] == [
        (0, "Ada", "steps t1, t2 wait for one another"),
        (0, "Bob", "the plan left this agent out"),
        (0, "Ada", "there is no living agent 'Zoe'"),
        (20, "Ada", "id 't1' is used more than once"),
    ]
    assert [(entry["agent"], entry["problem"]) for entry in state(model.asks[1])["history"]] == [
        ("Ada", "steps t1, t2 wait for one another"),
        ("Ada", "there is no living agent 'Zoe'"),
        ("Bob", "the plan left this agent out"),
    ]


def test_steps_after_one_that_is_elsewhere_are_refused_and_bad_parameters_are_named() -> None:
    elsewhere = [step(1, "wait", duration=1) | {"after": ["Bob_1"]}]
    bad = [step(1, "wait"), step(2, "fly", to="Mars"), step(3, "move_to", target_pos="home")]
    model = Model(master(for_all(Ada=elsewhere, Bob=bad)))
    game = Game(custom(ADA, BOB, max_steps=2), model, "centralized")
    told = {(entry["agent"], entry.get("reason", "")): entry for entry in state(model.asks[1])["history"]}
    assert told["Ada", ""]["problem"] == "step 't1' comes after 'Bob_1', which is not in this plan"
    assert [(outcome, reason) for _, outcome, reason, *_ in game.outcomes("Bob")] == [
        ("failed", "bad_parameters"),
        ("failed", "unknown_action"),
        ("failed", "bad_parameters"),
    ]
    details = [entry["detail"] for entry in state(model.asks[1])["history"] if entry["agent"] == "Bob"]
    assert details == [
        "duration: Field required",
        "there is no action 'fly'",
        "target_pos: Value error, expected a point [x, y, z]",
    ]


def test_a_model_is_needed() -> None:
    for name in ("centralized", "distributed"):
        with pytest.raises(ValueError, match="asks a language model"):
            POLICIES[name].build(Setting(custom(ADA), WorldState()))

"""How decisions come about with models that take real time: in threads, cancelled, on the real clock, over budget."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event as Signal
from threading import Thread

import pytest

from engine.agents.policy import MASTER, Inference, Reply
from engine.episode.result import Wait
from engine.episode.settings import Budget, Cancelled, Mode, OutOfBudget
from engine.episode.spending import Spending
from engine.events import Event
from engine.llm.provider import Ask, Completion, ProviderError, RefusalError
from tests.engine.build import agent, custom
from tests.engine.team import Game, Model, for_all, master, own, wait, walk

ADA, BOB = agent("Ada"), agent("Bob", (10, 64, 0))
LONG = 20.0
"""Seconds that a test waits at most for what must come at once."""


class Hand:
    """A control that does something while a model is asked."""

    def __init__(self, waiting: Callable[[], None]) -> None:
        self._waiting = waiting

    def opened(self, address: str) -> None:
        pass

    def before(self, tick: int) -> None:
        pass

    def waiting(self) -> None:
        self._waiting()


def stop(error: type[Exception], when: Signal) -> Callable[[], None]:
    """What a control does that raises an error as soon as a signal is set."""

    def waiting() -> None:
        if when.is_set():
            raise error("enough")

    return waiting


# --- threads ----------------------------------------------------------------------------------------------------------


def test_the_agents_of_a_tick_ask_their_models_at_the_same_time() -> None:
    both = {"Ada": Signal(), "Bob": Signal()}

    def says(ask: Ask) -> str:
        both[ask.caller].set()
        # Each answers only when the other one has been asked too.
        assert all(signal.wait(LONG) for signal in both.values())
        return own(wait(50))

    model = Model(says, 1.0, is_scripted=False)
    game = Game(custom(ADA, BOB, max_steps=3), model, "distributed", "async")
    assert game.result.status == "finished", game.result.error
    assert game.inferences == [(20, 0, "Ada", 1, True), (20, 0, "Bob", 1, True)]


def test_threads_make_no_difference_to_the_log() -> None:
    def says(ask: Ask) -> str:
        return own(walk(ask.call, ask.call), ("all", f"[STATUS] {ask.call}"))

    def latency(ask: Ask) -> float:
        return {"Ada": 0.7, "Bob": 1.2}[ask.caller] + ask.call / 8

    games = [
        Game(
            custom(ADA, BOB, max_steps=9),
            Model(says, latency, is_scripted=is_scripted),
            "distributed",
            "async",
        )
        for is_scripted in (True, False)
    ]
    assert games[0].lines == games[1].lines
    assert len(games[0].inferences) > 6


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize(("error", "status"), [(Cancelled, "cancelled"), (OutOfBudget, "budget")])
def test_an_episode_can_be_ended_while_a_model_is_asked(
    mode: Mode, error: type[Exception], status: str
) -> None:
    is_asked, may_answer, is_over = Signal(), Signal(), Signal()

    def says(_ask: Ask) -> str:
        is_asked.set()
        assert may_answer.wait(LONG)
        return own(wait(1))

    found: list[Game] = []

    def play() -> None:
        model = Model(says, is_scripted=False)
        found.append(Game(custom(ADA), model, "distributed", mode, control=Hand(stop(error, is_asked))))
        is_over.set()

    player = Thread(target=play)
    player.start()
    try:
        assert is_over.wait(LONG)  # although the model has not answered
        assert not may_answer.is_set()
    finally:
        may_answer.set()
        player.join(LONG)
    assert (found[0].result.status, found[0].result.costs.inferences) == (status, 0)


def test_a_model_that_cannot_be_asked_ends_the_episode_as_an_error() -> None:
    def says(ask: Ask) -> str:
        if ask.call == 2:
            raise RefusalError("Model test says no; mend its key.")
        return own(wait(1))

    for is_scripted in (True, False):
        game = Game(custom(ADA, max_steps=5), Model(says, is_scripted=is_scripted), "distributed")
        assert (game.result.status, game.result.error) == ("error", "Model test says no; mend its key.")
        assert game.result.success is None
        assert game.result.costs.inferences == 1


def test_what_others_have_answered_when_a_model_fails_is_still_paid_for() -> None:
    def says(ask: Ask) -> str:
        if ask.caller == "Ada":
            raise ProviderError("Model test did not answer.")
        return own(wait(1))

    model = Model(says, is_scripted=False, cost_usd=0.5)
    game = Game(custom(ADA, BOB), model, "distributed")
    assert (game.result.status, game.result.error) == ("error", "Model test did not answer.")
    assert game.inferences == [(0, 0, "Bob", 1, False)]
    assert game.result.costs.cost_usd == 0.5


def test_a_fault_of_the_model_s_code_is_an_internal_error_and_no_traceback() -> None:
    def says(_ask: Ask) -> str:
        raise ZeroDivisionError

    game = Game(custom(ADA), Model(says, is_scripted=False), "centralized")
    assert (game.result.status, game.result.error) == ("error", "internal fault: ZeroDivisionError()")


# --- the real clock ---------------------------------------------------------------------------------------------------


def test_on_the_real_clock_the_world_goes_on_until_the_model_has_answered() -> None:
    may_answer = Signal()

    def says(ask: Ask) -> str:
        if ask.caller == "Bob":
            assert may_answer.wait(LONG)
        return own(wait(50), role="Miner")

    def hears(event: Event, _line: bytes) -> None:
        # Bob's model answers when Ada, who was asked at the same time, has begun to act.
        if event.type == "action_started" and event.payload.agent == "Ada":
            may_answer.set()

    model = Model(says, is_scripted=False)
    game = Game(custom(ADA, BOB, max_steps=1), model, "distributed", "async", clock="real", hears=hears)
    assert game.result.status == "finished", game.result.error
    (ada,), (bob,) = ([one for one in game.inferences if one[2] == name] for name in ("Ada", "Bob"))
    assert ada[0] < bob[0]
    assert game.planning("Bob") == [(0, bob[0])]
    assert game.planning("Ada") == [(0, ada[0])]
    # The log holds the time that passed in the world, so that a replay takes just as long.
    late = {one.caller: one.latency_s for _, one in game.of("inference_ended")}
    assert late == {"Ada": ada[0] / 20, "Bob": bob[0] / 20}
    assert game.result.wall_seconds >= 1.0


def test_on_the_real_clock_a_declared_latency_holds_as_well() -> None:
    model = Model(master(for_all(Ada=wait(50))), latency=0.3)
    game = Game(custom(ADA, max_steps=1), model, "centralized", "async", clock="real")
    assert game.inferences == [(6, 0, MASTER, 1, True)]
    assert game.planning("Ada") == [(0, 6)]


def test_on_the_real_clock_a_model_that_never_answers_does_not_hold_up_the_end() -> None:
    may_answer = Signal()

    def says(_ask: Ask) -> str:
        may_answer.wait(LONG)
        return ""

    model = Model(says, is_scripted=False)
    game = Game(custom(ADA, max_steps=1), model, "centralized", "async", clock="real")
    may_answer.set()
    assert game.result.status == "finished"
    assert game.end == (20, "the task is done")
    assert game.result.breakdown["Ada"].planning == 1.0
    assert game.inferences == []


def test_on_the_real_clock_an_endpoint_s_fault_ends_the_episode() -> None:
    def says(_ask: Ask) -> str:
        raise ProviderError("Model test did not answer.")

    game = Game(custom(ADA), Model(says, is_scripted=False), "centralized", "async", clock="real")
    assert (game.result.status, game.result.error) == ("error", "Model test did not answer.")


# --- budgets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("budget", "calls", "reason"),
    [
        (Budget(inference_s=4.5), 3, "the budget of 4.5 seconds of inference is used up (6)"),
        (Budget(inferences=2), 2, "the budget of 2 inferences is used up (2)"),
        (Budget(tokens=25), 3, "the budget of 25 tokens is used up (30)"),
        (Budget(usd=0.05), 3, "the budget of 0.05 US dollars is used up (0.06)"),
    ],
)
def test_a_budget_that_is_used_up_ends_the_episode(budget: Budget, calls: int, reason: str) -> None:
    # Each call: 2 s, 7 + 3 tokens, 2 cents, and a plan for one step.
    model = Model(lambda _: for_all(Ada=wait(1)), 2.0, cost_usd=0.02)
    game = Game(custom(ADA, max_steps=50), model, "centralized", budget=budget)
    assert (game.result.status, game.result.success) == ("budget", False)
    assert game.end == ((calls - 1) * 20, reason)
    assert game.result.costs.inferences == calls


def test_the_last_inference_of_a_budget_still_counts_and_takes_effect() -> None:
    model = Model(lambda _: for_all(Ada=wait(1)))
    game = Game(custom(ADA), model, "centralized", budget=Budget(inferences=1))
    assert game.inferences == [(0, 0, MASTER, 1, True)]
    assert [tick for tick, _ in game.of("plan_set")] == [0]


def test_in_async_mode_what_is_on_its_way_when_the_budget_ends_is_logged_as_too_late() -> None:
    model = Model(lambda _: own(wait(1)), 2.0)
    game = Game(custom(ADA, BOB, max_steps=50), model, "distributed", "async", budget=Budget(inferences=4))
    # Both are asked at 0 and answered at 40; their step is over at 60, when calls 3 and 4 use the budget up.
    assert game.end == (60, "the budget of 4 inferences is used up (4)")
    assert [one[-1] for one in game.inferences] == [True, True, False, False]
    assert game.result.costs.inferences == 4


def test_calls_of_one_tick_count_once_in_sync_mode() -> None:
    model = Model(lambda _: own(wait(1)), lambda ask: 2.0 if ask.caller == "Ada" else 3.0)
    game = Game(custom(ADA, BOB, max_steps=50), model, "distributed", budget=Budget(inference_s=6.0))
    assert game.end == (20, "the budget of 6 seconds of inference is used up (6)")


def spent(is_async: bool, *calls: tuple[int, float]) -> float:
    """Seconds of inference that count, for calls of (tick, seconds)."""
    spending = Spending(Budget(), is_async)
    for tick, seconds in calls:
        spending.add(tick, Reply(latency_s=seconds))
    return spending.inference_s


def test_the_union_of_intervals_counts() -> None:
    assert spent(True, (0, 2.0), (20, 2.0)) == 3.0  # 0–2 and 1–3
    assert spent(True, (0, 2.0), (60, 1.0)) == 3.0  # 0–2 and 3–4
    assert spent(True, (0, 2.0), (40, 1.0)) == 3.0  # 0–2 and 2–3 touch
    assert spent(True, (0, 1.0), (60, 1.0), (10, 3.0)) == 4.0  # the last one, 0.5–3.5, joins the two
    assert spent(True, (0, 9.0), (20, 2.0)) == 9.0  # the second lies in the first
    assert spent(True, (0, 0.0)) == 0.0


def test_in_sync_mode_ticks_add_up_and_the_slowest_of_a_tick_counts() -> None:
    assert spent(False, (0, 2.0), (0, 3.0), (0, 1.0)) == 3.0
    assert spent(False, (0, 2.0), (20, 3.0), (20, 4.0)) == 6.0
    # World time stands still: calls of other ticks do not overlap however long they take.
    assert spent(False, (0, 9.0), (20, 9.0)) == 18.0


def test_nothing_is_spent_until_a_limit_is_reached() -> None:
    spending = Spending(Budget(None, 2, 40, 1.0), is_async=False)
    call = Inference(
        "Ada", ("Ada",), 1, 1, "", "", Completion("", 15, 5, cost_usd=None, retries=2, queue_s=1.5), "ok"
    )
    spending.add(0, Reply(inferences=(call,)))
    assert spending.exceeded() == ""
    assert (spending.inferences, spending.tokens, spending.usd) == (1, 20, 0.0)
    assert (spending.waits, spending.replayed) == ([Wait("Ada", 1, 1, 1.5, 2)], 0)
    spending.add(0, Reply(inferences=(call,)))
    assert spending.exceeded() == "the budget of 2 inferences is used up (2)"

from __future__ import annotations

import json
from collections.abc import Callable

import msgspec
import pytest

from engine.errors import SettingsError
from engine.events.log import decode
from engine.llm.models import open_provider
from engine.llm.provider import Ask, Provider
from engine.llm.replay import ReplayProvider, latency_change
from tests.engine.build import agent, custom, event, task
from tests.engine.team import Game, Model, for_all, own, wait, walk

ADA, BOB = agent("Ada"), agent("Bob", (10, 64, 0))
SPEC = custom(ADA, BOB, max_steps=12)
GROVE = task(
    agent("Ada", tools=["iron_axe"]),
    agent("Bob", (3, 64, 3), tools=["iron_axe"]),
    targets={"oak_log": 6},
    events=[
        event(
            "grove",
            {"start": 0, "end": 40, "interval": 5},
            {
                "type": "spawn_blocks",
                "block": "oak_log",
                "count": 3,
                "center": [0, 64, 8],
                "radius": 7,
                "lifetime": 20,
            },
        )
    ],
    max_steps=60,
)


def replayed(game: Game, change: str, fallback: Provider | None = None) -> ReplayProvider:
    """What answers as the game's model did, from its log as it would be read from a file."""
    return ReplayProvider(decode(game.lines), latency_change(change), fallback)


def says(ask: Ask) -> str:
    """Words that differ from call to call, one of which cannot be read."""
    if (ask.caller, ask.call, ask.attempt) == ("Bob", 2, 1):
        return '{"plan": [{"id'
    return own(walk(ask.call, 3), ("all", f"[STATUS] {ask.call}"), role=f"Role {ask.call // 2}")


def measured(ask: Ask) -> float:
    """A latency with as many digits as a clock has."""
    return {"Ada": 1.0123456789, "Bob": 0.7654321987}[ask.caller] + ask.attempt / 7


@pytest.mark.parametrize("is_scripted", [True, False])
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_replay_at_the_same_pace_gives_the_same_log_byte_for_byte(mode: str, is_scripted: bool) -> None:
    model = Model(
        says, measured, is_scripted=is_scripted, cost_usd=0.125, reasoning_tokens=2, is_cut_off=True
    )
    game = Game(SPEC, model, "distributed", mode)  # type: ignore[arg-type]
    again = Game(SPEC, replayed(game, "x1"), "distributed", mode)  # type: ignore[arg-type]
    assert again.lines == game.lines
    assert again.result.costs.replayed == again.result.costs.inferences == game.result.costs.inferences > 4
    assert game.result.costs.re_asks == 1
    assert game.result.costs.replayed == 0


def test_the_scripted_planner_is_replayed_too() -> None:
    game = Game(GROVE, open_provider("scripted:latency=uniform(1,4)", 2), "distributed", "async", seed=2)
    again = Game(GROVE, replayed(game, "x1"), "distributed", "async", seed=2)
    assert again.lines == game.lines


def test_half_the_latency_replays_as_far_as_the_questions_are_the_same() -> None:
    game = Game(SPEC, Model(lambda ask: own(wait(2)), 2.0), "distributed", "async")
    fallback = Model(lambda ask: own(wait(1)), 2.0)
    faster = Game(SPEC, replayed(game, "x0.5", fallback), "distributed", "async")
    # The first question is the same and answered in 1 s; the second comes at step 3 instead of 4, so it is another.
    assert [one[:4] for one in faster.inferences][:4] == [
        (20, 0, "Ada", 1),
        (20, 0, "Bob", 1),
        (80, 60, "Ada", 2),
        (80, 60, "Bob", 2),
    ]
    assert faster.result.costs.replayed == 2
    assert [ask.call for ask in fallback.of("Ada")] == list(range(2, 2 + len(fallback.of("Ada"))))
    assert {one.latency_s for _, one in faster.of("inference_ended")} == {
        1.0
    }  # the fall-back's is halved too


def test_in_sync_mode_another_latency_changes_nothing_but_the_latency() -> None:
    game = Game(SPEC, Model(says, measured), "distributed")
    slower = Game(SPEC, replayed(game, "x3"), "distributed")
    assert slower.result.costs.replayed == slower.result.costs.inferences == game.result.costs.inferences
    assert slower.result.costs.latency_s.total == pytest.approx(3 * game.result.costs.latency_s.total)
    unlike = [
        (json.loads(one)["type"]) for one, other in zip(game.lines, slower.lines, strict=True) if one != other
    ]
    assert set(unlike) == {"inference_ended"}


def test_a_constant_latency_takes_the_place_of_all() -> None:
    game = Game(SPEC, Model(lambda _: for_all(Ada=wait(9), Bob=wait(9)), 3.0), "centralized", "async")
    other = Game(SPEC, replayed(game, "0.5"), "centralized", "async")
    assert other.inferences[0][:2] == (10, 0)
    instant = Game(SPEC, replayed(game, "0"), "centralized", "async")
    assert instant.inferences[0][:2] == (0, 0)


def test_one_caller_goes_its_own_way_while_another_is_still_replayed() -> None:
    game = Game(SPEC, Model(lambda _: own(wait(3))), "distributed")
    assert [one[2:4] for one in game.inferences] == [
        (name, call) for call in (1, 2, 3, 4) for name in ("Ada", "Bob")
    ]
    log = [
        msgspec.structs.replace(one, payload=msgspec.structs.replace(one.payload, prompt="another question"))
        if one.type == "inference_ended" and (one.payload.caller, one.payload.call) == ("Bob", 2)
        else one
        for one in game.events
    ]
    fallback = Model(lambda _: own(wait(3)))
    other = Game(SPEC, ReplayProvider(log, latency_change("x1"), fallback), "distributed")
    # From his second call on Bob's replies come from the fall-back, though his third is as recorded again.
    assert [(ask.caller, ask.call) for ask in fallback.asks] == [("Bob", 2), ("Bob", 3), ("Bob", 4)]
    assert (other.result.costs.inferences, other.result.costs.replayed) == (8, 5)
    assert other.lines == game.lines


def test_without_a_fall_back_another_question_is_an_error_in_words() -> None:
    game = Game(SPEC, Model(lambda _: own(wait(2)), 2.0), "distributed", "async")
    other = Game(SPEC, replayed(game, "x0.5"), "distributed", "async")
    assert other.result.status == "error"
    assert other.result.error == (
        "call 2 of Ada differs from the recorded one; name a model that answers from here on"
    )
    assert other.result.costs.inferences == 2


def test_an_empty_log_replays_nothing() -> None:
    provider = ReplayProvider([], latency_change("x1"), None)
    assert Game(SPEC, provider, "centralized").result.error.startswith("call 1 of (master) differs")


def test_a_replay_is_scripted_where_no_model_can_be_asked() -> None:
    assert ReplayProvider([], latency_change("x1"), None).is_scripted
    assert ReplayProvider([], latency_change("x1"), Model(says)).is_scripted
    assert not ReplayProvider([], latency_change("x1"), Model(says, is_scripted=False)).is_scripted


def test_closing_a_replay_closes_its_fall_back() -> None:
    closed = []

    class Closing(Model):
        def close(self) -> None:
            closed.append(True)

    ReplayProvider([], latency_change("x1"), Closing(says)).close()
    ReplayProvider([], latency_change("x1"), None).close()
    assert closed == [True]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("x1", lambda s: s),
        ("x0.5", lambda s: s / 2),
        (" x2 ", lambda s: s * 2),
        ("5", lambda _: 5.0),
        ("0", lambda _: 0.0),
    ],
)
def test_changes_of_latency(text: str, after: Callable[[float], float]) -> None:
    for seconds in (0.0, 1.0123456789, 20.0):
        assert latency_change(text).apply(seconds) == after(seconds)


@pytest.mark.parametrize("text", ["", "x", "-1", "x-1", "fast", "1s", "3601", "x3601", "nan", "1e3", "0.5x"])
def test_a_change_that_makes_no_sense_is_refused_in_words(text: str) -> None:
    with pytest.raises(SettingsError, match=r"write a factor, as `x0\.5`, or seconds from 0 to 3600, as `5`"):
        latency_change(text)

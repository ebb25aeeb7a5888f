"""What holds for every cause, and how one is added."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.agents.policy import Reply
from engine.evaluation.causes import CAUSES, Watch, cause, causes
from engine.events import Event, decode
from engine.events.payloads import PlanSet
from engine.spec.model import TaskSpec
from tests.engine.build import Played, agent, custom, do, play
from tests.engine.episode.wild import Whim, wild_tasks
from tests.engine.evaluation.causes.failing import Failed, Script, plan

PAGE = (Path(__file__).parents[4] / "templates" / "docs" / "extending.md").read_text(encoding="utf-8")


@given(wild_tasks(), st.integers(0, 3), st.sampled_from(["sync", "async"]))
@settings(max_examples=60)
def test_a_replayed_log_gives_the_same_causes_by_events_that_are_in_it(
    spec: TaskSpec, seed: int, mode: str
) -> None:
    played = Played(spec, Whim(spec, seed), seed, mode=mode)  # type: ignore[arg-type]
    found = played.result.causes
    assert causes(decode(played.lines)) == found
    numbers = {event.seq for event in played.events}
    names = {agent.name for agent in spec.agents.spawn}
    last = played.events[-1].world_time
    for one in found:
        assert one.events
        assert one.events == sorted(set(one.events))
        assert set(one.events) <= numbers
        assert one.agent is None or one.agent in names
        assert 0 <= one.tick <= last
        assert one.weight >= 0
        assert one.detail.endswith(".")
    assert [one.weight for one in found] == sorted((one.weight for one in found), reverse=True)
    if played.result.success:
        assert found == []


def test_causes_are_not_told_before_the_end() -> None:
    spec = custom(agent("Ada"), success=[{"chest_contains": {"item": "diamond", "count": 1}}], max_steps=3)
    bedrock = [0, 60, 0]
    played = play(spec, Ada=[do("mine_blocks_at", block_positions=[bedrock])])
    for count in range(1, len(played.events)):
        assert causes(played.events[:count]) == []
    assert [one.name for one in causes(played.events)] == ["wrong_tool_or_material"]


@pytest.fixture
def registry() -> Iterator[None]:
    known = dict(CAUSES)
    yield
    CAUSES.clear()
    CAUSES.update(known)


@pytest.mark.usefixtures("registry")
def test_a_cause_of_ones_own_needs_a_class_and_a_name() -> None:
    @cause("too_many_plans", "Too many plans")
    class TooManyPlans(Watch):
        hears = (PlanSet,)

        def apply(self, event: Event) -> None:
            self.note(event.payload.agent, event, 20, [event.seq], f"{event.payload.agent} made a plan")

    spec = custom(agent("Ada"), success=[{"chest_contains": {"item": "diamond", "count": 1}}], max_steps=3)
    (found,) = play(spec, Ada=[do("wait", duration=1)]).result.causes
    assert (found.name, found.agent, found.weight, found.detail) == (
        "too_many_plans",
        "Ada",
        1.0,
        "Ada made a plan.",
    )
    assert CAUSES["too_many_plans"].words() == "Too many plans"


@pytest.mark.usefixtures("registry")
def test_the_cause_of_the_guide_does_what_it_says() -> None:
    (code,) = re.findall(
        r"^```python\n(# engine/extensions/fickle_plans.py\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL
    )
    exec(code, {"__name__": "engine.extensions.fickle_plans"})
    spec = custom(agent("Ada"), success=[{"chest_contains": {"item": "diamond", "count": 1}}], max_steps=9)
    walk = Reply({"Ada": plan(do("move_to", target_pos=[32, 64, 0]))})
    (found,) = Failed(spec, Script((0, ["Ada"], walk), (30, ["Ada"], walk))).causes
    assert (found.name, found.tick, found.weight) == ("fickle_plans", 30, 1.5)
    assert found.detail == "Ada changed its mind."


def test_a_death_says_by_what_in_words() -> None:
    assert CAUSES["death"].words("wither_skeleton") == "Death by wither skeleton"

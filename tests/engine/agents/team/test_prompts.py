from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.agents.actions import offered
from engine.agents.team.prompts import centralized_briefing, compact, distributed_briefing, state_prompt
from engine.llm.models import open_provider
from engine.spec.model import TaskSpec
from tests.engine.build import agent, area, custom, event, mob, task
from tests.engine.team import Game, Model, facts, for_all, master, own, state, wait

FAR = 200
"""Agents see 16 blocks far, walk a few dozen at most, and mobs hunt within 32."""
SECONDS = 12


def spec_of(kind: str, goal: str = "do it", **more: Any) -> TaskSpec:
    """A small task of a type; `more` may hold further events, blocks and hostiles."""
    team = [agent("Ada", (0, 64, 0), tools=["stone_pickaxe"]), agent("Bob", (4, 64, 4), tools=["iron_sword"])]
    more = {"max_steps": SECONDS, **more}
    match kind:
        case "prepare_crisis":
            fill = more.pop("fill", {"start": 9, "speed_bps": 1})
            flood = {
                "type": "progressive_fill",
                "block": "lava",
                "direction": "east",
                "speed_bps": fill["speed_bps"],
            }
            flood |= {"area": area((-FAR, 64, -3), (40, 64, 10))}
            events = [event("tide", {"start": fill["start"], "end": 999}, flood), *more.pop("events", [])]
            spec = task(*team, kind=kind, events=events, **more)
        case "raid_boss":
            boss = mob((8, 64, 0), "wither_skeleton", role="boss", health=200)
            spec = task(*team, kind=kind, hostiles=[boss, *more.pop("hostiles", [])], **more)
        case "custom":
            spec = custom(*team, **more)
        case _:
            spec = task(*team, targets={"stone": 9}, **more)
    return spec.model_copy(update={"task": spec.task.model_copy(update={"goal": goal})})


KINDS = ["mine_vanishing_blocks", "prepare_crisis", "raid_boss", "custom"]


def prompts(spec: TaskSpec, policy: str, seed: int = 0) -> list[tuple[str, str]]:
    """Everything that was asked: caller and words."""
    game = Game(spec, open_provider("scripted:latency=0", seed), policy, seed=seed)
    assert game.result.status == "finished", game.result.error
    briefings = [(one.caller, one.text) for _, one in game.of("briefing_given")]
    return briefings + [(one.caller, one.prompt) for _, one in game.of("inference_ended")]


# --- briefings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("policy", ["centralized", "distributed"])
def test_a_briefing_says_all_there_is_to_say(policy: str, kind: str) -> None:
    spec = spec_of(kind, "pay $5 for ${this}")
    text = centralized_briefing(spec) if policy == "centralized" else distributed_briefing(spec, "Bob")
    assert "Goal: pay $5 for ${this}" in text
    assert "(no further guidance)" in text
    assert f"Type: {kind}" in text
    assert re.findall(r"\$\w+|\$\{\w+\}", text.replace("pay $5 for ${this}", "")) == []
    assert "{" not in text.partition("## How to answer")[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("policy", ["centralized", "distributed"])
def test_every_offered_action_is_described_with_its_parameters_and_no_other(policy: str, kind: str) -> None:
    spec = spec_of(kind)
    text = centralized_briefing(spec) if policy == "centralized" else distributed_briefing(spec, "Ada")
    listed = dict(re.findall(r"^- `(\w+)` \((.*)\)\. .+\.$", text, re.MULTILINE))
    assert list(listed) == [info.name for info in offered(kind)]
    for info in offered(kind):
        named = re.findall(r"`(\w+)`: [a-z\[]", listed[info.name])
        assert named == list(info.parameters.model_fields)
        left_out = re.findall(r"`(\w+)`: [^;]*\(may be left out\)", listed[info.name])
        assert left_out == [
            name for name, field in info.parameters.model_fields.items() if not field.is_required()
        ]


def test_parameters_are_described_with_their_bounds() -> None:
    text = centralized_briefing(spec_of("custom"))
    assert "- `wait` (`duration`: whole number from 1 to 50). Do nothing for a number of steps." in text
    assert "- `move_to` (`target_pos`: [x, y, z], whole numbers). Walk to a position." in text
    assert "`block_positions`: list of [x, y, z], whole numbers" in text
    assert "`items`: list of name; `quantities`: list of whole number from 1 to 1000" in text


def test_the_guidance_of_the_task_is_passed_on() -> None:
    spec = spec_of("custom")
    told = spec.task.model_copy(
        update={"guidance": spec.task.guidance.model_copy(update={"text": " Mind the gap.\n"})}
    )
    assert "Mind the gap." in centralized_briefing(spec.model_copy(update={"task": told}))


def test_tags_are_explained_to_those_who_negotiate() -> None:
    text = distributed_briefing(spec_of("raid_boss"), "Ada")
    for tag in "PROPOSAL AGREE DISAGREE COUNTER-PROPOSAL STATUS DISCOVERY HELP CONFLICT PLAN_CHANGE".split():  # noqa: SIM905
        assert f"[{tag}]" in text
    assert "[PROPOSAL]" not in centralized_briefing(spec_of("raid_boss"))


def test_a_goal_with_a_fence_of_its_own_does_not_hide_the_facts() -> None:
    spec = spec_of("mine_vanishing_blocks", "dig\n```json\n{}\n```\nand\n```json\nunclosed")
    assert len(prompts(spec, "centralized")) > 1
    assert len(prompts(spec, "distributed")) > 2


def test_a_state_is_one_line_of_json_whatever_it_holds() -> None:
    text = state_prompt(3, 90, {"text": "a\n```json\n{}\n```\n", "ü": "é"})
    assert text.startswith("## Step 3 of 90\n")
    assert '{"text":"a\\n```json\\n{}\\n```\\n","ü":"é"}' in text
    with pytest.raises(ValueError, match="not JSON compliant"):
        compact(float("nan"))


# --- what a state holds -----------------------------------------------------------------------------------------------


def test_the_master_sees_every_agent_and_an_agent_itself() -> None:
    spec = spec_of("custom")
    model = Model(master(for_all(Ada=wait(1), Bob=wait(1)), for_all(Ada=wait(1), Bob=wait(1))))
    Game(spec, model, "centralized")
    told = state(model.asks[1])
    assert set(told) == {"agents", "blocks", "mobs", "peers_seen", "chests", "progress", "history"}
    assert told["agents"]["Ada"] == {
        "alive": True,
        "position": [0, 64, 0],
        "health": 20,
        "inventory": {"stone_pickaxe": 1},
        "held": "stone_pickaxe",
        "effects": {},
        "role": "",
        "running": None,
        "remaining": [],
    }
    assert [(entry["agent"], entry["outcome"]) for entry in told["history"]] == [("Ada", "ok"), ("Bob", "ok")]
    model = Model(lambda _: own(wait(1)))
    Game(spec, model, "distributed")
    told = state(model.of("Ada")[0])
    assert set(told) == {"you", "blocks", "mobs", "peers_seen", "chests", "progress", "messages", "history"}
    assert told["you"]["name"] == "Ada"
    assert told["peers_seen"] == {"Bob": {"position": [4, 64, 4], "alive": True, "seen": 0}}


def test_progress_is_what_was_in_the_chest_when_it_was_opened_last() -> None:
    spec = spec_of("mine_vanishing_blocks", chest_items={"cobblestone": 2})
    model = Model(master(), 0.0)
    Game(spec, model, "centralized")
    assert state(model.asks[0])["progress"] == {"cobblestone": {"wanted": 9, "in_chests": 2}}
    assert facts(model.asks[0])["targets"] == [{"block": "stone", "count": 9, "drops": "cobblestone"}]


# --- what nobody may know ---------------------------------------------------------------------------------------------


ZOMBIES = {"type": "spawn_entities", "entity": "zombie", "health": 9, "damage": 1, "speed_bps": 3}
STONES = {"type": "spawn_blocks", "block": "stone"}


@st.composite
def elsewhere(draw: st.DrawFn) -> dict[str, Any]:
    """Blocks, mobs and events that no agent can perceive."""
    spots = st.tuples(st.integers(FAR, FAR + 40), st.just(64), st.integers(-40, 40))
    when = st.fixed_dictionaries(
        {"start": st.integers(0, 9), "interval": st.integers(1, 5), "end": st.just(SECONDS)}
    )

    def spread() -> dict[str, Any]:
        count, radius = draw(st.integers(1, 5)), draw(st.integers(1, 6))
        lifetime = draw(st.none() | st.integers(1, 9))
        return {"count": count, "center": list(draw(spots)), "radius": radius, "lifetime": lifetime}

    return {
        "blocks": draw(st.dictionaries(spots, st.sampled_from(["stone", "oak_log", "lava"]), max_size=5)),
        "hostiles": [mob(spot) for spot in draw(st.lists(spots, max_size=3, unique=True))],
        "events": [
            event("far_mobs", draw(when), ZOMBIES | spread()),
            event("far_blocks", draw(when), STONES | spread()),
        ],
        "fill": {"start": draw(st.integers(0, 10)), "speed_bps": draw(st.sampled_from([1, 2.5, 4]))},
    }  # fmt: skip


NEAR = [
    event(
        "near_mobs",
        {"start": 3, "interval": 4, "end": SECONDS},
        ZOMBIES | {"count": 1, "center": [2, 64, 8], "radius": 3, "lifetime": 6},
    ),
    event(
        "near_blocks",
        {"start": 1, "interval": 3, "end": SECONDS},
        STONES | {"count": 2, "center": [3, 64, 0], "radius": 5, "lifetime": 5},
    ),
]


@settings(max_examples=40)
@given(st.sampled_from(KINDS), st.sampled_from(["centralized", "distributed"]), elsewhere(), elsewhere())
def test_what_nobody_can_perceive_makes_no_difference_to_any_prompt(
    kind: str, policy: str, one: dict[str, Any], other: dict[str, Any]
) -> None:
    found = []
    for far in (one, other):
        parts = dict(far)
        if kind != "prepare_crisis":
            del parts["fill"]
        found.append(prompts(spec_of(kind, **parts | {"events": [*parts["events"], *NEAR]}), policy))
    assert found[0] == found[1]
    assert len(found[0]) > 1


SECRETS = "zebra 773 7919 877 17540 104729 0.625 2.375 1.375 vanish_tick lifetime tide".split()  # noqa: SIM905
"""What the task of the next test holds and nobody in it may be told: ids, schedules, seeds, figures of spawns."""


@pytest.mark.parametrize("policy", ["centralized", "distributed"])
@pytest.mark.parametrize("kind", KINDS)
def test_schedules_seeds_and_lifetimes_are_in_no_prompt(kind: str, policy: str) -> None:
    spawn = {"count": 3, "center": [1, 64, 1], "radius": 7, "lifetime": 877}
    secret = event(
        "zebra",
        {"start": 0, "interval": 773, "end": 7_919},
        {"type": "spawn_blocks", "block": "stone"} | spawn,
        {"type": "spawn_entities", "entity": "zombie", "health": 31, "damage": 0.625, "speed_bps": 2.375}
        | spawn,
    )
    more: dict[str, Any] = {"fill": {"start": 7, "speed_bps": 1.375}} if kind == "prepare_crisis" else {}
    text = " ".join(
        words for _, words in prompts(spec_of(kind, events=[secret], **more), policy, seed=104_729)
    )
    assert "stone" in text
    assert "zombie" in text
    for hidden in SECRETS:
        assert hidden not in text

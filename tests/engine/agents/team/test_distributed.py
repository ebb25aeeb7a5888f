from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.agents.messages import TAGS, Negotiation, tag_of
from engine.agents.team.distributed import FAILURES
from engine.events.payloads import ActionStarted, AgentDied, MessageSent
from engine.llm.models import open_provider
from engine.llm.provider import Ask
from engine.spec.loader import load_task
from tests.engine.build import agent, area, custom, event, task
from tests.engine.team import Game, Model, facts, lines, own, state, step, wait, walk

ADA, BOB, CEM = agent("Ada"), agent("Bob", (10, 64, 0)), agent("Cem", (0, 64, 10))
REST = own(wait(50))


def asked(game: Game, caller: str) -> list[int]:
    """The ticks at which an agent was asked."""
    return [asked for _, asked, name, *_ in game.inferences if name == caller]


# --- who is asked when ------------------------------------------------------------------------------------------------


def test_agents_are_asked_in_parallel_and_their_latencies_overlap() -> None:
    model = Model(
        lambda ask: own(walk(4 if ask.caller == "Ada" else 14)),
        lambda ask: 1.0 if ask.caller == "Ada" else 2.5,
    )
    game = Game(custom(ADA, BOB, max_steps=5), model, "distributed", "async")
    assert game.inferences[:3] == [(20, 0, "Ada", 1, True), (50, 0, "Bob", 1, True), (60, 40, "Ada", 2, True)]
    assert game.planning("Ada")[0] == (0, 20)
    assert game.planning("Bob")[0] == (0, 50)
    # Bob walks 4 blocks from 2.5 to 3.5 s and thinks until the end.
    bob = game.result.breakdown["Bob"]
    assert (bob.planning, bob.action, bob.idle) == (4.0, 1.0, 0.0)


def test_an_agent_is_asked_when_its_own_plan_ends_whatever_others_do() -> None:
    game = Game(
        custom(ADA, BOB, max_steps=4),
        Model(lines({"Ada": [own(wait(1)), own(wait(2))], "Bob": [own(wait(50))]}, REST)),
        "distributed",
    )
    assert asked(game, "Ada") == [0, 20, 60]
    assert asked(game, "Bob") == [0]


def test_a_message_to_one_who_waits_makes_it_be_asked_when_it_can_be_read() -> None:
    said = {"Ada": [own(wait(1)), own(wait(50), ("Bob", "[STATUS] found it"))]}
    model = Model(lines(said, REST))
    game = Game(custom(ADA, BOB, CEM, max_steps=4), model, "distributed")
    assert [(tick, message.to) for tick, message in game.of("message_sent")] == [(20, ["Bob"])]
    # Sent at tick 20, readable from 21 on: Bob was asked at 0, a step ago.
    assert asked(game, "Bob") == [0, 21]
    assert asked(game, "Cem") == [0]
    (heard,) = state(model.of("Bob")[1])["messages"]
    assert heard == {"step": 1, "from": "Ada", "to": ["Bob"], "text": "[STATUS] found it"}


def test_an_agent_that_is_busy_reads_its_messages_only_when_it_is_asked_next() -> None:
    said = {
        "Ada": [own(wait(1)), own(wait(50), ("Bob", "[STATUS] found it"))],
        "Bob": [own(walk(22))],
    }
    model = Model(lines(said, REST))
    game = Game(custom(ADA, BOB, max_steps=5), model, "distributed")
    assert asked(game, "Bob") == [0, 60]  # 12 blocks at 4 blocks a second
    assert [heard["from"] for heard in state(model.of("Bob")[1])["messages"]] == ["Ada"]


def test_messages_make_an_agent_be_asked_at_most_once_a_step() -> None:
    def says(ask: Ask) -> str:
        # Ada writes to Bob every time that she moves, five times a second.
        return own([step(1, "equip_item", item="stick")], ("Bob", "hi")) if ask.caller == "Ada" else REST

    spec = custom(agent("Ada", items={"stick": 1}), BOB, max_steps=3)
    model = Model(says)
    game = Game(spec, model, "distributed")
    sent = [tick for tick, _ in game.of("message_sent")]
    assert sent[:5] == [0, 5, 10, 15, 20]
    # The first message is readable at tick 1, a call is due a step after the one before.
    assert asked(game, "Bob") == [0, 20, 40]
    # Each time it reads what has come since: not what is sent at the very tick.
    assert [len(state(ask)["messages"]) for ask in model.of("Bob")] == [0, 4, 8]


def test_two_failures_make_an_agent_be_asked_although_its_plan_goes_on() -> None:
    fails = [step(number, "equip_item", item="stick") for number in range(5)]
    model = Model(lines({"Ada": [own([*fails, step(9, "wait", duration=9)])]}, own()))
    game = Game(custom(ADA, max_steps=4), model, "distributed")
    ends = [tick for tick, outcome, *_ in game.outcomes("Ada") if outcome == "failed"]
    assert len(ends) == 5
    assert ends[FAILURES - 1] < 20  # but not within a step of the call before
    assert asked(game, "Ada")[:2] == [0, 20]
    assert state(model.asks[1])["you"]["remaining"] or state(model.asks[1])["you"]["running"]


def test_one_failure_does_not() -> None:
    plan = [step(1, "equip_item", item="stick"), step(2, "wait", duration=9)]
    game = Game(custom(ADA, max_steps=4), Model(lambda _: own(plan)), "distributed")
    assert asked(game, "Ada") == [0]


def test_an_empty_plan_lets_a_busy_agent_go_on_and_an_idle_one_rest_a_step() -> None:
    said = {"Ada": [own(wait(2)), own(), own()], "Bob": [own(wait(1)), own(wait(50), ("Ada", "hello"))]}
    game = Game(custom(ADA, BOB, max_steps=5), Model(lines(said, REST)), "distributed")
    # Asked while she waits (21): she goes on. Her wait ends at 40: she rests until 60.
    assert asked(game, "Ada") == [0, 21, 40, 60]
    assert [outcome for _, outcome, *_ in game.outcomes("Ada")][:1] == ["ok"]
    assert [(tick, len(plan.steps)) for tick, plan in game.of("plan_set") if plan.agent == "Ada"] == [
        (0, 1),
        (40, 0),
        (60, 1),
    ]


def test_a_running_action_ends_interrupted_when_the_new_plan_takes_effect() -> None:
    fails = [step(1, "equip_item", item="stick"), step(2, "equip_item", item="stick")]
    model = Model(
        lines({"Ada": [own([*fails, step(3, "move_to", target_pos=[40, 64, 0])]), own(walk(-4))]}, REST),
        latency=1.0,
    )
    game = Game(custom(ADA, BOB, max_steps=9), model, "distributed", "async")
    # The plan comes at 20, each failure takes 5 ticks: asked at 30, while she walks; the new plan comes at 50.
    assert asked(game, "Ada")[:2] == [0, 30]
    assert [tick for tick, plan in game.of("plan_set") if plan.agent == "Ada"][:2] == [20, 50]
    assert [end[:3] for end in game.outcomes("Ada")][:3] == [
        (25, "failed", "missing_items"),
        (30, "failed", "missing_items"),
        (50, "failed", "interrupted"),
    ]
    # She thinks while she walks, which is walking.
    assert game.planning("Ada")[:2] == [(0, 20), (30, 50)]
    assert not any(segment.activity == "planning" and segment.start == 30 for segment in game.lane("Ada"))


def test_messages_that_come_while_an_agent_thinks_are_read_after() -> None:
    said = {"Ada": [own(wait(50), ("Bob", "[HELP] zombies"))], "Bob": [own(wait(50)), own(wait(50))]}
    model = Model(lines(said, REST), lambda ask: 1.0 if ask.caller == "Ada" else 3.0)
    game = Game(custom(ADA, BOB, max_steps=9), model, "distributed", "async")
    assert [tick for tick, _ in game.of("message_sent")] == [20]
    assert asked(game, "Bob") == [0, 60]
    assert [heard["text"] for heard in state(model.of("Bob")[1])["messages"]] == ["[HELP] zombies"]


def test_what_is_due_at_the_same_tick_takes_effect_in_yaml_order() -> None:
    said = {"Ada": [own(wait(1)), own(wait(9), ("Bob", "second"))], "Bob": [own(wait(9), ("Ada", "first"))]}
    latency = {("Ada", 1): 0.0, ("Ada", 2): 1.0, ("Bob", 1): 2.0}
    model = Model(lines(said, REST), lambda ask: latency.get((ask.caller, ask.call), 9.0))
    game = Game(custom(ADA, BOB, max_steps=4), model, "distributed", "async")
    # Bob was asked at 0 for 2 s, Ada at 20 for 1 s: both are answered at 40.
    assert [(tick, message.sender) for tick, message in game.of("message_sent")] == [(40, "Ada"), (40, "Bob")]


def test_the_dead_are_not_asked_and_their_words_come_too_late() -> None:
    lava = event(
        "pit", {"at": [2]}, {"type": "set_blocks", "block": "lava", "area": area((10, 64, 0), (10, 64, 0))}
    )
    spec = custom(
        ADA,
        agent("Bob", (10, 64, 0), max_health=2),
        events=[lava],
        max_steps=6,
        success=[{"step_reached": 6}],
    )
    said = {"Bob": [own(walk(20), ("Ada", "[HELP] it is hot"))]}
    game = Game(spec, Model(lines(said, own(wait(50), ("all", "hello"))), 3.0), "distributed", "async")
    assert [tick for tick, _ in game.of("agent_died")] == [40]
    assert asked(game, "Bob") == [0]
    assert game.of("message_sent") == []  # Bob's words are dropped, and nobody else is left for Ada's
    assert [plan.agent for _, plan in game.of("plan_set")] == ["Ada"]


# --- whom messages reach ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("to", "reached"),
    [
        ("Bob", ["Bob"]),
        (["Cem", "Bob"], ["Bob", "Cem"]),
        ("all", ["Bob", "Cem"]),
        ("ALL", ["Bob", "Cem"]),
        ("*", ["Bob", "Cem"]),
        (["everyone", "Bob"], ["Bob", "Cem"]),
        (["Ada", "Bob"], ["Bob"]),
    ],
)
def test_a_message_reaches_one_several_or_all_but_never_its_sender(
    to: str | list[str], reached: list[str]
) -> None:
    model = Model(
        lines(
            {
                "Ada": [
                    own(wait(9), (to, "[discovery] oak")),
                ]
            },
            REST,
        )
    )
    game = Game(custom(ADA, BOB, CEM, max_steps=2), model, "distributed")
    ((tick, message),) = game.of("message_sent")
    assert (tick, message.sender, message.to, message.tag) == (0, "Ada", reached, "DISCOVERY")
    assert game.result.costs.messages == len(reached)
    assert game.result.costs.message_bytes == len("[discovery] oak") * len(reached)


def test_receivers_that_nobody_knows_are_named_back() -> None:
    said = {"Ada": [own(wait(1), ("Zoe", "hi"), (["Bob", "Yan"], "ho"))]}
    model = Model(lines(said, REST))
    game = Game(custom(ADA, BOB, max_steps=2), model, "distributed")
    fault = "a message to 'Zoe', who is not in the team; a message to 'Yan', who is not in the team"
    assert [(tick, one.agent, one.fault) for tick, one in game.of("plan_refused")] == [(0, "Ada", fault)]
    assert [message.to for _, message in game.of("message_sent")] == [["Bob"]]
    assert {"step": 0, "agent": "Ada", "problem": fault} in state(model.of("Ada")[1])["history"]


def test_a_flood_of_messages_and_receivers_is_bounded() -> None:
    many = [(f"N{number}", "x") for number in range(20)] + [("Bob", "y" * 5_000)] * 20
    game = Game(
        custom(ADA, BOB, max_steps=1), Model(lines({"Ada": [own(wait(9), *many)]}, REST)), "distributed"
    )
    sent = [message for _, message in game.of("message_sent")]
    assert (len(sent), {len(message.text) for message in sent}) == (12, {2_000})
    told, cut = (one.fault for _, one in game.of("plan_refused"))
    assert told.endswith("a message to 'N4', who is not in the team; and 15 more like that")
    assert cut == "only the first 32 of 40 messages were sent"


def test_a_role_is_logged_when_it_changes() -> None:
    said = {"Ada": [own(wait(1), role="Miner"), own(wait(1), role="Miner"), own(wait(1), role="Scout" * 40)]}
    model = Model(lines(said, REST))
    game = Game(custom(ADA, max_steps=4), model, "distributed")
    assert [(tick, taken.role) for tick, taken in game.of("role_taken")] == [
        (0, "Miner"),
        (40, ("Scout" * 40)[:80]),
    ]
    assert state(model.asks[1])["you"]["role"] == "Miner"


# --- tags and open proposals ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", TAGS)
def test_every_tag_is_known(tag: str) -> None:
    assert tag_of(f"[{tag}] words") == tag
    assert tag_of(f"  [{tag.lower()}]: words") == tag
    assert tag_of(f"words [{tag}]") == ""


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("[COUNTER PROPOSAL] no", "COUNTER-PROPOSAL"),
        ("[counter_proposal] no", "COUNTER-PROPOSAL"),
        ("[Plan Change] so", "PLAN_CHANGE"),
        ("**[AGREE]** yes", "AGREE"),
        ("[NONSENSE] x", ""),
        ("AGREE", ""),
        ("[]", ""),
        ("", ""),
    ],
)
def test_tags_are_read_as_models_spell_them(text: str, tag: str) -> None:
    assert tag_of(text) == tag


def says(sender: str, tag: str, *to: str) -> MessageSent:
    return MessageSent(sender=sender, to=list(to), text="", tag=tag)


def test_a_proposal_is_open_until_each_receiver_has_answered() -> None:
    talk = Negotiation()
    assert talk.apply(says("Ada", "PROPOSAL", "Bob", "Cem"))
    assert [talk.concerns(name) for name in ("Ada", "Bob", "Cem", "Dan")] == [True, True, True, False]
    assert talk.apply(says("Bob", "AGREE", "Ada"))
    assert [talk.concerns(name) for name in ("Ada", "Bob", "Cem")] == [True, False, True]
    assert not talk.apply(says("Cem", "STATUS", "Ada"))
    assert talk.apply(says("Cem", "COUNTER-PROPOSAL", "Ada"))
    assert [talk.concerns(name) for name in ("Ada", "Bob", "Cem")] == [True, False, True]
    assert talk.apply(says("Ada", "DISAGREE", "Cem"))
    assert not any(map(talk.concerns, ("Ada", "Bob", "Cem")))


def test_acting_and_dying_close_proposals_and_waiting_does_not() -> None:
    talk = Negotiation()
    talk.apply(says("Ada", "PROPOSAL", "Bob"))
    assert not talk.apply(ActionStarted(agent="Ada", id="1", do="wait", with_={}))
    assert not talk.apply(ActionStarted(agent="Bob", id="1", do="move_to", with_={}))
    assert talk.apply(ActionStarted(agent="Ada", id="2", do="move_to", with_={}))
    assert not talk.concerns("Bob")
    talk.apply(says("Ada", "PROPOSAL", "Bob"))
    assert talk.apply(AgentDied(agent="Bob", cause="lava", position=(0, 64, 0)))
    assert not talk.concerns("Ada")


def test_waiting_while_a_proposal_is_open_counts_as_planning() -> None:
    said = {
        "Ada": [own(wait(4), ("Bob", "[PROPOSAL] I take the left")), own(wait(50))],
        "Bob": [own(wait(50)), own(wait(50), ("Ada", "[AGREE] fine"))],
    }
    game = Game(custom(ADA, BOB, CEM, max_steps=6), Model(lines(said, REST)), "distributed")
    # Proposed at tick 0. Bob is asked at 20, a step after his first call, and agrees.
    assert [(tick, message.tag) for tick, message in game.of("message_sent")] == [
        (0, "PROPOSAL"),
        (20, "AGREE"),
    ]
    ada, bob, cem = (game.result.breakdown[name] for name in ("Ada", "Bob", "Cem"))
    assert (ada.planning, ada.idle, ada.action) == (1.0, 5.0, 0.0)
    assert (bob.planning, bob.idle, bob.action) == (1.0, 5.0, 0.0)
    assert (cem.planning, cem.idle, cem.action) == (0.0, 6.0, 0.0)


# --- the scripted planner negotiates ----------------------------------------------------------------------------------


def _first_dig(game: Game, name: str) -> list[list[int]]:
    steps = [step for _, plan in game.of("plan_set") if plan.agent == name for step in plan.steps]
    dug: list[list[int]] = next(
        step.with_["block_positions"] for step in steps if step.do == "mine_blocks_at"
    )
    return dug


def test_a_counter_proposal_changes_the_plan_that_is_carried_out() -> None:
    # Both stand nearest to the same two logs, and both propose to take them. Ada has the lower index.
    logs = {(4, 64, 0): "oak_log", (4, 64, 2): "oak_log", (4, 64, 14): "oak_log", (4, 64, 16): "oak_log"}
    spec = task(
        agent("Ada", (0, 64, 1), tools=["iron_axe"]),
        agent("Bob", (1, 64, 1), tools=["iron_axe"]),
        targets={"oak_log": 2},
        blocks=logs,
        max_steps=60,
    )
    game = Game(spec, open_provider("scripted:latency=0", 0), "distributed")
    proposed = {
        message.sender: message.text for _, message in game.of("message_sent") if message.tag == "PROPOSAL"
    }
    assert proposed["Ada"] == proposed["Bob"] == "[PROPOSAL] I take [4, 64, 0], [4, 64, 2]."
    (counter,) = [message for _, message in game.of("message_sent") if message.tag == "COUNTER-PROPOSAL"]
    assert (counter.sender, counter.to) == ("Ada", ["Bob"])
    assert counter.text == (
        "[COUNTER-PROPOSAL] I have claimed [4, 64, 0], [4, 64, 2]; take [4, 64, 14], [4, 64, 16] instead."
    )
    mined = {name: _first_dig(game, name) for name in ("Ada", "Bob")}
    assert mined["Ada"] == [[4, 64, 0], [4, 64, 2]]
    assert sorted(mined["Bob"]) == [[4, 64, 14], [4, 64, 16]]
    assert game.result.success


@pytest.mark.parametrize("sample", ["gold_rush", "lava_two_layers", "wither_lord"])
@pytest.mark.parametrize("policy", ["centralized", "distributed"])
def test_the_scripted_planner_plays_samples_and_twice_the_same(root: Path, sample: str, policy: str) -> None:
    spec = load_task(root / "tasks" / "samples" / f"{sample}.yaml").spec
    games = [
        Game(spec, open_provider("scripted:latency=uniform(1,4)", 3), policy, "async", seed=3) for _ in "ab"
    ]
    first, second = games
    assert first.result.status == "finished", first.result.error
    assert first.result.costs.parse_errors == first.result.costs.re_asks == 0
    assert [one.fault for _, one in first.of("plan_refused")] == []
    assert first.lines == second.lines


def test_an_agent_is_told_who_it_is_and_who_is_in_the_team() -> None:
    model = Model(lambda _: REST)
    Game(custom(ADA, BOB, max_steps=1), model, "distributed")
    briefing = model.of("Bob")[0].turns[0].text
    assert briefing.startswith("You are Bob, number 1 of a team of 2 agents")
    assert list(facts(model.of("Bob")[0])["team"]) == ["Ada", "Bob"]
    assert json.dumps(facts(model.of("Ada")[0])) == json.dumps(facts(model.of("Bob")[0]))

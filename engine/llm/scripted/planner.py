"""The scripted planner's answers: the JSON that the prompt asks for, from what the prompt says."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence, Set
from typing import Any

from engine.llm.provider import Turn
from engine.llm.scripted import mining, negotiating, raiding, sheltering
from engine.llm.scripted.situation import Situation
from engine.llm.scripted.tasks import Task, look_elsewhere, wait
from engine.world.geometry import Cell

RETRY_STEPS = 2
"""Steps after which what has failed is tried again."""
NEGOTIATED = ("mine_vanishing_blocks", "prepare_crisis")
"""Task types in which agents agree on who takes which blocks; in a fight they act first."""


def answer(turns: Sequence[Turn]) -> str:
    """The reply to a centralized or a distributed prompt."""
    situation = Situation(turns)
    reply = _alone(situation) if situation.me else _for_all(situation)
    return json.dumps(reply, ensure_ascii=False)


def plan(situation: Situation, taken: Set[Cell], given: Collection[Cell] = ()) -> dict[str, list[Task]]:
    """Tasks for each member; what it has just failed at is left out.

    What others have claimed (`taken`) is left alone; what they left to the one who decides (`given`) comes first.
    """
    plans = _plan(situation, taken, given)
    return {name: _without_repetition(situation, name, tasks) for name, tasks in plans.items()}


def _without_repetition(situation: Situation, name: str, tasks: list[Task]) -> list[Task]:
    since = situation.step - RETRY_STEPS
    fresh = [task for task in tasks if not situation.has_failed(name, task[0], task[1], since)]
    return fresh or ([wait(RETRY_STEPS, "before trying again what failed")] if tasks else [])


def _plan(situation: Situation, taken: Set[Cell], given: Collection[Cell]) -> dict[str, list[Task]]:
    task_type = situation.facts["task_type"]
    if situation.targets:
        return mining.plan(situation, taken, given)
    if "threatened_area" in situation.facts:
        return sheltering.plan(situation, taken, given)
    if task_type == "raid_boss" or situation.enemies:
        return raiding.plan(situation)
    return {member.name: [_pass_time(situation, member.name)] for member in situation.members}


def _pass_time(situation: Situation, name: str) -> Task:
    """A custom task says nothing that a script could go by: look round."""
    (member,) = (one for one in situation.members if one.name == name)
    return look_elsewhere(situation, member)


def _for_all(situation: Situation) -> dict[str, Any]:
    plans = plan(situation, frozenset())
    return {
        "reasoning": "Each does what it can do soonest; no two go for the same.",
        "agent_plans": {name: write(name, tasks) for name, tasks in plans.items()},
    }


def _alone(situation: Situation) -> dict[str, Any]:
    talk = negotiating.Talk(situation)
    if situation.facts["task_type"] not in NEGOTIATED or len(situation.team) == 1:
        return _reply(situation, plan(situation, frozenset())[situation.me], [])
    if talk.is_waiting:
        return _reply(situation, [], talk.answers())
    given = talk.given()
    tasks = plan(situation, talk.taken(), given)[situation.me]
    cells = claims(tasks)
    if talk.is_over or not cells:
        return _reply(situation, tasks, talk.answers())
    proposal = [wait(negotiating.PATIENCE, "wait for answers to the proposal")]
    return _reply(situation, proposal, [*talk.answers(cells), negotiating.proposal(cells)])


def claims(tasks: Sequence[Task]) -> list[Cell]:
    """The blocks that the tasks go for."""
    return [
        (x, y, z)
        for do, parameters, _ in tasks
        if do == "mine_blocks_at"
        for x, y, z in parameters["block_positions"]
    ]


def _reply(situation: Situation, tasks: Sequence[Task], messages: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "reasoning": "What can be had soonest and nobody else has claimed.",
        "my_role": _role(situation),
        "plan": write(situation.me, tasks),
        "messages": messages,
    }


def _role(situation: Situation) -> str:
    """After the first item that it began with: `diamond_pickaxe` → `Pickaxe`."""
    items = situation.facts["team"][situation.me]["starts_with"]
    return next(iter(items), "helper").rpartition("_")[2].capitalize()


def write(name: str, tasks: Sequence[Task]) -> list[dict[str, Any]]:
    """Tasks as a plan's steps; each is tried, whatever came of the one before."""
    return [
        {"id": f"{name}_task_{number}", "do": do, "with": parameters, "after": [], "note": note}
        for number, (do, parameters, note) in enumerate(tasks, 1)
    ]

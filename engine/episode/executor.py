"""Carries out plans: one action at a time an agent, in dependency order, each with a typed end."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import ClassVar

from engine.agents.actions import Refusal, parse
from engine.agents.plans import Plan, Step, faults
from engine.errors import RuleError
from engine.events import payloads
from engine.events.payloads import Payload
from engine.world.protocol import ActionReport, Emit, World, report


class _Desk:
    """What is on one agent's plate: the steps left, those that failed, the one under way."""

    def __init__(self) -> None:
        self.left: list[Step] = []
        self.finished: set[str] = set()
        self.failed: set[str] = set()
        self.current: Step | None = None
        self.dead = False


class Executor:
    """Plans of all agents, and the way from one action to the next.

    Attributes:
        busy: the agents that are carrying out an action.
        plans_ended: how many plans have come to their end.
    """

    hears: ClassVar[Collection[type[Payload]]] = (payloads.AgentDied,)

    def __init__(self, task_type: str, agents: list[str], world: World, emit: Emit) -> None:
        self._task_type = task_type
        self._world = world
        self._emit = emit
        self._desks = {name: _Desk() for name in agents}
        self._refused: dict[str, tuple[int, ActionReport]] = {}
        self.busy: set[str] = set()
        self.plans_ended = 0

    def next_tick(self) -> int | None:
        """The next tick at which an action ends that could not even begin."""
        return min(tick for tick, _ in self._refused.values()) if self._refused else None

    def set_plan(self, agent: str, plan: Plan) -> None:
        """Replace the agent's plan; a running action ends `interrupted`, what is left of the old plan is forgotten.

        Raises:
            RuleError: the steps are not a DAG; whoever made the plan must find out first.
        """
        if wrong := faults(plan.steps):
            raise RuleError(f"the plan for {agent} cannot be carried out: {'; '.join(wrong)}")
        desk = self._desks[agent]
        if desk.dead:
            return
        if desk.current is not None:
            self._end(agent, desk, self._stop(agent))
        desk.left = list(plan.steps)
        desk.finished.clear()
        desk.failed.clear()
        self._emit(
            payloads.PlanSet(agent=agent, reasoning=plan.reasoning, steps=[_log(step) for step in plan.steps])
        )
        self._next(agent, desk)

    def _stop(self, agent: str) -> ActionReport:
        if agent in self._refused:
            return self._refused.pop(agent)[1]
        return self._world.interrupt(agent) or report(0, 1, "interrupted", "a new plan replaced it")

    def on_end(self, agent: str, ended: ActionReport) -> None:
        """An action has ended; begin the next one at the same tick."""
        desk = self._desks[agent]
        self._end(agent, desk, ended)
        self._next(agent, desk)

    def settle(self) -> bool:
        """End the actions that were refused at an earlier tick; returns whether there were any."""
        if not self._refused:
            return False
        due = [agent for agent in self._refused if self._refused[agent][0] <= self._world.tick]
        for agent in self._desks if due else ():
            if agent in due:
                self.on_end(agent, self._refused.pop(agent)[1])
        return bool(due)

    def _end(self, agent: str, desk: _Desk, ended: ActionReport) -> None:
        step = desk.current
        if step is None:
            raise RuleError(f"an action of {agent} ended that had not begun")
        desk.current = None
        self.busy.discard(agent)
        (desk.failed if ended.outcome == "failed" else desk.finished).add(step.id)
        self._emit(
            payloads.ActionEnded(
                agent=agent,
                id=step.id,
                do=step.do,
                outcome=ended.outcome,
                reason=ended.reason,
                done=ended.done,
                wanted=ended.wanted,
                detail=ended.detail,
            )
        )

    def follow(self, payload: Payload) -> None:
        """The dead have no plans."""
        if isinstance(payload, payloads.AgentDied):
            desk = self._desks[payload.agent]
            desk.dead = True
            desk.left.clear()
            if payload.agent in self._refused:
                self._refused[payload.agent] = (
                    self._world.tick,
                    report(0, 1, "dead", f"killed by {payload.cause}"),
                )

    def _next(self, agent: str, desk: _Desk) -> None:
        if desk.dead:
            self.plans_ended += 1
            return
        if desk.failed:
            self._skip(agent, desk)
        ready = next((step for step in desk.left if desk.finished.issuperset(step.after)), None)
        if ready is None:
            self.plans_ended += 1
            self._emit(payloads.PlanEnded(agent=agent))
            return
        desk.left.remove(ready)
        desk.current = ready
        self.busy.add(agent)
        self._emit(
            payloads.ActionStarted(agent=agent, id=ready.id, do=ready.do, with_=dict(ready.parameters))
        )
        action = parse(self._task_type, ready.do, ready.parameters)
        if isinstance(action, Refusal):
            self._refused[agent] = (self._world.tick + 1, report(0, 1, action.reason, action.detail))
        else:
            self._world.begin(agent, action)

    def _skip(self, agent: str, desk: _Desk) -> None:
        """Leave out every step that comes after one that failed or was left out itself."""
        while True:
            for step in desk.left:
                lost = [name for name in step.after if name in desk.failed]
                if lost:
                    break
            else:
                return
            desk.left.remove(step)
            desk.failed.add(step.id)
            self._emit(payloads.ActionSkipped(agent=agent, id=step.id, do=step.do, after=lost[0]))


def _log(step: Step) -> payloads.PlanStep:
    parameters: Mapping[str, object] = step.parameters
    return payloads.PlanStep(
        id=step.id, do=step.do, with_=dict(parameters), after=list(step.after), note=step.note
    )

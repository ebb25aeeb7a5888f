"""Asks the policy, waits for what it decides, and lets each decision take effect when its time has come.

In sync mode world time stands still while a policy decides, so a decision takes effect at the tick at which it was
asked for. In async mode the world goes on: on the virtual clock a decision takes effect when its latency, rounded up to
a tick, has passed in world time; on the real clock when it has come, which is looked at every tick.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import count
from typing import ClassVar

import msgspec

from engine.agents.messages import tag_of
from engine.agents.plans import Plan
from engine.agents.policy import Call, Inference, Moment, Policy, Reply
from engine.episode.executor import Executor
from engine.episode.settings import Control, EpisodeSettings, OutOfBudget
from engine.episode.spending import Spending
from engine.episode.state import WorldState
from engine.events import payloads
from engine.events.payloads import MessageSent, Payload
from engine.llm.provider import Provider
from engine.world.geometry import TICKS_PER_STEP
from engine.world.protocol import Emit

NEWS = (payloads.AgentHealthChanged, payloads.AgentDied, payloads.MobDied)
"""What makes a policy be asked beside plans that end and events that fire."""
POLL_SECONDS = 0.1
"""How often the caller gets a word in while a model is asked."""
Hold = Callable[[], AbstractContextManager[object]]
"""Keeps the world from going on while a decision takes longer than a moment."""
MAX_PARALLEL = 64
"""Calls on their way at the same time; as many as a team has agents at most."""


@dataclass(slots=True)
class _Pending:
    """A call whose decision has not come yet."""

    asked: int
    agents: tuple[str, ...]
    future: Future[Reply]


class Decisions:
    """All decisions of one episode, from the call to the effect."""

    hears: ClassVar[Collection[type[Payload]]] = (*NEWS, MessageSent)

    def __init__(
        self,
        policy: Policy,
        provider: Provider | None,
        settings: EpisodeSettings,
        spending: Spending,
        state: WorldState,
        executor: Executor,
        emit: Emit,
        control: Control,
        hold: Hold = nullcontext,
    ) -> None:
        self._policy = policy
        self._is_async = settings.mode == "async"
        self._spending = spending
        self._is_real_time = self._is_async and settings.is_real_time
        self._state = state
        self._executor = executor
        self._emit = emit
        self._control = control
        self._hold = hold
        self._names = list(state.agents)
        is_slow = provider is not None and not provider.is_scripted
        self._threads = (
            ThreadPoolExecutor(MAX_PARALLEL, "model") if is_slow or settings.is_real_time else None
        )
        self._pending: list[_Pending] = []
        self._replies: list[tuple[int, int, int, int, tuple[str, ...], Reply]] = []
        self._numbers = count()
        self._resting: dict[str, int] = {}
        self._readable: int | None = None
        self._briefings: dict[str, str] = {}
        self._roles: dict[str, str] = {}
        self._news = True
        self._tick = 0

    def wake(self) -> None:
        """Something has happened that a policy may want to react to."""
        self._news = True

    def follow(self, payload: Payload) -> None:
        """Ask again after what changes the state of play; messages can be read from the next tick on."""
        if isinstance(payload, NEWS):
            self._news = True
        elif isinstance(payload, MessageSent):
            self._readable = self._tick + 1

    def next_tick(self) -> int | None:
        """The next tick at which a decision is due or wanted."""
        candidates = [tick for tick in (self._policy.next_tick(), self._readable) if tick is not None]
        if self._replies:
            candidates.append(self._replies[0][0])
        if self._resting:
            candidates.append(min(self._resting.values()))
        if self._pending:
            candidates.append(self._tick + 1)
        return min(candidates) if candidates else None

    def consult(self, tick: int) -> None:
        """Let decisions that are due take effect, then ask for new ones if anything has happened.

        Raises:
            OutOfBudget: no more may be spent.
            ProviderError: a model could not be asked.
        """
        self._tick = tick
        if self._is_real_time:
            self._collect()
        while self._replies and self._replies[0][0] <= tick:
            *_, asked, agents, reply = heapq.heappop(self._replies)
            self._emit(payloads.PlanningEnded(agents=list(agents)))
            self._take_effect(asked, reply)
            self._news = True
        self._wake_by_the_clock()
        if not self._news:
            return
        self._news = False
        calls = self._policy.calls(self._moment())
        if self._is_real_time:
            self._begin(calls)
            self._collect()
            return
        for call, reply in zip(calls, self._ask(calls), strict=True):
            self._schedule(tick, call.agents, reply)
        self._stop_if_spent()

    def _wake_by_the_clock(self) -> None:
        if self._resting:
            for agent in [name for name, until in self._resting.items() if until <= self._tick]:
                del self._resting[agent]
                self._news = True
        if self._readable is not None and self._readable <= self._tick:
            self._readable = None
            self._news = True
        wanted = self._policy.next_tick()
        if wanted is not None and wanted <= self._tick:
            self._news = True

    def close(self) -> None:
        """Log what was asked for but comes too late, and give up what is still on its way."""
        for *_, asked, _, reply in sorted(self._replies):
            self._log(asked, reply.inferences, took_effect=False)
        self._replies.clear()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)

    # --- asking

    def _moment(self) -> Moment:
        waiting = set(self._resting)
        waiting.update(*[agents for *_, agents, _ in self._replies])
        waiting.update(*[pending.agents for pending in self._pending])
        idle: list[str] = []
        busy: list[str] = []
        for name, agent in self._state.agents.items():
            if agent.alive and name not in waiting:
                (busy if name in self._executor.busy else idle).append(name)
        return Moment(self._tick, tuple(idle), tuple(busy))

    def _ask(self, calls: Sequence[Call]) -> list[Reply]:
        """All replies; models are asked at the same time, and world time waits for the last of them."""
        if self._threads is None:
            return [call.decide() for call in calls]
        futures = [self._threads.submit(call.decide) for call in calls]
        _, unfinished = wait(futures, POLL_SECONDS)
        if unfinished:
            with self._hold():
                while unfinished:
                    self._control.waiting()
                    _, unfinished = wait(unfinished, POLL_SECONDS)
        self._stop_at_fault(futures)
        return [future.result() for future in futures]

    def _stop_at_fault(self, futures: Sequence[Future[Reply]]) -> None:
        """If a model could not be asked, log what the others have answered, which was paid for, and raise."""
        faults = [fault for future in futures if (fault := future.exception()) is not None]
        if faults:
            for future in futures:
                if future.exception() is None:
                    self._log(self._tick, future.result().inferences, took_effect=False)
            raise faults[0]

    def _begin(self, calls: Sequence[Call]) -> None:
        for call in calls:
            self._emit(payloads.PlanningStarted(agents=list(call.agents)))
            self._pending.append(_Pending(self._tick, call.agents, self._submit(call)))

    def _submit(self, call: Call) -> Future[Reply]:
        if self._threads is not None:
            return self._threads.submit(call.decide)
        future: Future[Reply] = Future()
        future.set_result(call.decide())
        return future

    def _collect(self) -> None:
        """Real clock: what has come is due when its latency has passed in world time, or now if that is over."""
        for pending in [one for one in self._pending if one.future.done()]:
            self._pending.remove(pending)
            reply = pending.future.result()
            self._spending.add(pending.asked, reply)
            due = max(self._tick, pending.asked + _ticks(reply.latency_s))
            reply = _lasting(reply, due - pending.asked)
            self._keep(due, pending.asked, pending.agents, reply)
        self._stop_if_spent()

    def _schedule(self, tick: int, agents: tuple[str, ...], reply: Reply) -> None:
        self._spending.add(tick, reply)
        delay = _ticks(reply.latency_s) if self._is_async else 0
        if delay == 0:
            self._take_effect(tick, reply)
            return
        self._emit(payloads.PlanningStarted(agents=list(agents)))
        self._keep(tick + delay, tick, agents, reply)

    def _keep(self, due: int, asked: int, agents: tuple[str, ...], reply: Reply) -> None:
        """Until it is due; what is due at the same tick takes effect in YAML order."""
        rank = min((self._names.index(agent) for agent in agents), default=0)
        heapq.heappush(self._replies, (due, rank, next(self._numbers), asked, agents, reply))

    def _stop_if_spent(self) -> None:
        if reason := self._spending.exceeded():
            raise OutOfBudget(reason)

    # --- taking effect

    def _take_effect(self, asked: int, reply: Reply) -> None:
        self._log(asked, reply.inferences, took_effect=True)
        for agent, fault in reply.refusals:
            self._emit(payloads.PlanRefused(agent=agent, fault=fault))
        for agent, role in reply.roles.items():
            if self._roles.get(agent) != role:
                self._roles[agent] = role
                self._emit(payloads.RoleTaken(agent=agent, role=role))
        for message in reply.messages:
            to = [name for name in message.to if self._state.agents[name].alive]
            if to and self._state.agents[message.sender].alive:
                self._emit(
                    MessageSent(sender=message.sender, to=to, text=message.text, tag=tag_of(message.text))
                )
        self._set_plans(reply.plans)

    def _set_plans(self, plans: Mapping[str, Plan]) -> None:
        """In YAML order; an empty plan costs one idle step."""
        for agent in self._names if len(plans) > 1 else plans:
            plan = plans.get(agent)
            if plan is None:
                continue
            self._executor.set_plan(agent, plan)
            if not plan.steps:
                self._resting[agent] = self._tick + TICKS_PER_STEP

    def _log(self, asked: int, inferences: Sequence[Inference], *, took_effect: bool) -> None:
        for inference in inferences:
            if self._briefings.get(inference.caller) != inference.briefing:
                self._briefings[inference.caller] = inference.briefing
                self._emit(payloads.BriefingGiven(caller=inference.caller, text=inference.briefing))
            self._emit(_event(asked, inference, took_effect=took_effect))


def _ticks(latency_s: float) -> int:
    """Latency rounded up to a tick."""
    return math.ceil(round(latency_s * TICKS_PER_STEP, 6))


def _lasting(reply: Reply, ticks: int) -> Reply:
    """The reply with the latency that it had in world time, so that a replay of the log takes just as long."""
    late = ticks / TICKS_PER_STEP - reply.latency_s
    if late <= 0 or not reply.inferences:
        return reply
    *before, last = reply.inferences
    completion = replace(last.completion, latency_s=last.completion.latency_s + late)
    inferences = (*before, replace(last, completion=completion))
    return msgspec.structs.replace(reply, latency_s=reply.latency_s + late, inferences=inferences)


def _event(asked: int, inference: Inference, *, took_effect: bool) -> payloads.InferenceEnded:
    completion = inference.completion
    return payloads.InferenceEnded(
        caller=inference.caller,
        agents=list(inference.agents),
        call=inference.call,
        attempt=inference.attempt,
        asked_tick=asked,
        prompt=inference.prompt,
        completion=completion.text,
        prompt_tokens=completion.prompt_tokens,
        completion_tokens=completion.completion_tokens,
        reasoning_tokens=completion.reasoning_tokens,
        latency_s=completion.latency_s,
        cost_usd=completion.cost_usd,
        is_cut_off=completion.is_cut_off,
        outcome=inference.outcome,
        fault=inference.fault,
        took_effect=took_effect,
    )

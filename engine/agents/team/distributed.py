"""TickingCollabAgent-distributed: each agent calls for itself; they negotiate by messages.

An agent is called when its plan ends, when a message reaches it while it waits, and when an action fails twice; at most
once a step unless its plan has ended (paper, appendix G.2; SPEC sections 6 and 13).
"""

from __future__ import annotations

from functools import partial

from engine.agents.plans import Plan, faults
from engine.agents.policy import Call, Message, Moment, Policy, Reply, Setting
from engine.agents.team.asking import Answer, Question, put
from engine.agents.team.memory import HISTORY, Memory
from engine.agents.team.minds import Minds
from engine.agents.team.observation import (
    agent_state,
    conversation,
    history,
    knowledge_state,
    progress,
    steps,
)
from engine.agents.team.prompts import distributed_briefing, state_prompt
from engine.agents.team.replies import (
    DISTRIBUTED_SCHEMA,
    MAX_MESSAGE,
    MAX_MESSAGES,
    MAX_NAME,
    DistributedReply,
    WrittenMessage,
    listed,
    plan_of,
    read_distributed,
)
from engine.evaluation.timeline import WAIT
from engine.events.payloads import ActionEnded, Payload
from engine.world.geometry import TICKS_PER_STEP

FAILURES = 2
"""Failed actions after which an agent is asked although its plan is not done."""
EVERYBODY = ("all", "*", "everyone", "team")


class Distributed(Policy):
    """A team without a master."""

    def __init__(self, setting: Setting) -> None:
        if setting.provider is None:
            raise ValueError("the distributed policy asks a language model")
        self._spec = setting.spec
        self._state = setting.state
        self._provider = setting.provider
        self._names = tuple(agent.name for agent in setting.spec.agents.spawn)
        self._minds = Minds(setting.state, [[name] for name in self._names])
        self._briefings = {name: distributed_briefing(setting.spec, name) for name in self._names}
        self._calls = dict.fromkeys(self._names, 0)
        self._asked = dict.fromkeys(self._names, -TICKS_PER_STEP)
        self._due: int | None = None

    def follow(self, tick: int, payload: Payload) -> None:
        """Let each agent remember what concerns it, and see what is near it."""
        self._minds.follow(tick, payload)
        if isinstance(payload, ActionEnded) and self._minds.memories[payload.agent].failures >= FAILURES:
            self._due = tick

    def next_tick(self) -> int | None:
        """The next look round, the end of somebody's step since it was asked last, or a failure too many."""
        return self._minds.next_look if self._due is None else min(self._due, self._minds.next_look)

    def calls(self, moment: Moment) -> list[Call]:
        """A call for each agent that is free, or has a reason to think again."""
        self._minds.look(moment.tick)
        self._due = None
        return [
            self._call(name, moment.tick, is_idle=name in moment.idle)
            for name in self._names
            if name in moment.idle or (name in moment.busy and self._thinks_again(name, moment.tick))
        ]

    def _thinks_again(self, name: str, tick: int) -> bool:
        """Whether an agent that is at something has a reason to be asked, and was not asked within this step."""
        memory = self._minds.memories[name]
        waits = memory.running is not None and memory.running.do == WAIT
        has_read = memory.unread is not None and memory.unread < tick
        if memory.failures < FAILURES and not (waits and has_read):
            return False
        allowed = self._asked[name] + TICKS_PER_STEP
        if tick >= allowed:
            return True
        self._due = allowed if self._due is None else min(self._due, allowed)
        return False

    def _call(self, name: str, tick: int, *, is_idle: bool) -> Call:
        self._calls[name] += 1
        self._asked[name] = tick
        question = Question(
            caller=name,
            agents=(name,),
            call=self._calls[name],
            briefing=self._briefings[name],
            prompt=self._prompt(name, tick),
            schema=DISTRIBUTED_SCHEMA,
        )
        self._minds.memories[name].asked(tick)
        return Call((name,), partial(self._decide, name, question, is_idle))

    def _decide(self, name: str, question: Question, is_idle: bool) -> Reply:
        return _reply(name, self._names, put(self._provider, question, read_distributed), is_idle=is_idle)

    def _prompt(self, name: str, tick: int) -> str:
        memory: Memory = self._minds.memories[name]
        known = self._minds.knowledge[self._names.index(name)]
        agent = self._state.agents[name]
        state = {
            "you": {"name": name, **agent_state(agent, memory, tick)},
            **knowledge_state(known, [agent.at(tick)]),
            "progress": progress(self._spec, known),
            "messages": conversation(memory, tick),
            "history": history([memory], HISTORY),
        }
        return state_prompt(steps(tick), self._spec.environment.max_steps, state)


def _reply(name: str, team: tuple[str, ...], answer: Answer[DistributedReply], *, is_idle: bool) -> Reply:
    """An agent's own plan and its messages; an empty plan lets it go on with what it is at."""
    if answer.value is None:
        return Reply(
            {name: Plan()} if is_idle else {},
            refusals=((name, f"your last reply could not be read: {answer.fault}"),),
            latency_s=answer.latency_s,
            inferences=answer.inferences,
        )
    written = answer.value
    plan = plan_of(written.plan, written.reasoning)
    refusals = [listed(wrong)] if (wrong := faults(plan.steps)) else []
    if refusals:
        plan = Plan()
    messages, faulty = _messages(name, team, written.messages)
    return Reply(
        {name: plan} if plan.steps or is_idle else {},
        messages=messages,
        roles={name: written.my_role[:MAX_NAME]} if written.my_role else {},
        refusals=tuple((name, fault) for fault in [*refusals, *faulty]),
        latency_s=answer.latency_s,
        inferences=answer.inferences,
    )


def _messages(
    sender: str, team: tuple[str, ...], written: list[WrittenMessage]
) -> tuple[tuple[Message, ...], list[str]]:
    """Messages that can be sent, and what is wrong with the others."""
    messages: list[Message] = []
    strangers: list[str] = []
    for message in written[:MAX_MESSAGES]:
        names = [message.to] if isinstance(message.to, str) else message.to
        if any(name.lower() in EVERYBODY and name not in team for name in names):
            names = list(team)
        to = tuple(name for name in team if name in names and name != sender)
        strangers += [name for name in names if name not in team]
        if to:
            messages.append(Message(sender, to, message.content[:MAX_MESSAGE]))
    wrong = [f"a message to {name!r}, who is not in the team" for name in strangers]
    wrong = [listed(wrong)] if wrong else []
    if len(written) > MAX_MESSAGES:
        wrong.append(f"only the first {MAX_MESSAGES} of {len(written)} messages were sent")
    return tuple(messages), wrong

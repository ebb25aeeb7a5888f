"""TickingCollabAgent-centralized: one call receives what all agents know and plans for every living one.

It is called again when all have finished (paper, appendix G.1; SPEC section 6).
"""

from __future__ import annotations

from engine.agents.plans import Plan, faults
from engine.agents.policy import MASTER, Call, Moment, Policy, Reply, Setting
from engine.agents.team.asking import Answer, Question, put
from engine.agents.team.minds import Minds
from engine.agents.team.observation import history, knowledge_state, progress, steps
from engine.agents.team.prompts import centralized_briefing, state_prompt
from engine.agents.team.replies import CENTRALIZED_SCHEMA, CentralizedReply, listed, plan_of, read_centralized
from engine.events.payloads import Payload

COMBINED_HISTORY = 48
"""Entries of all agents' history that the master is shown."""


class Centralized(Policy):
    """The master of a team."""

    def __init__(self, setting: Setting) -> None:
        if setting.provider is None:
            raise ValueError("the centralized policy asks a language model")
        self._spec = setting.spec
        self._state = setting.state
        self._provider = setting.provider
        self._minds = Minds(setting.state, [[agent.name for agent in setting.spec.agents.spawn]])
        self._briefing = centralized_briefing(setting.spec)
        self._calls = 0

    def follow(self, tick: int, payload: Payload) -> None:
        """Remember what happened to the agents, and what they see when an action ends."""
        self._minds.follow(tick, payload)

    def next_tick(self) -> int | None:
        """Agents look round at every step."""
        return self._minds.next_look

    def calls(self, moment: Moment) -> list[Call]:
        """One call for all, when nobody has anything left to do."""
        self._minds.look(moment.tick)
        living = tuple(name for name, agent in self._state.agents.items() if agent.alive)
        if not living or moment.idle != living:
            return []
        self._calls += 1
        question = Question(
            caller=MASTER,
            agents=living,
            call=self._calls,
            briefing=self._briefing,
            prompt=self._prompt(moment.tick),
            schema=CENTRALIZED_SCHEMA,
        )
        for name in living:
            self._minds.memories[name].asked(moment.tick)
        return [Call(living, lambda: _reply(living, put(self._provider, question, read_centralized)))]

    def _prompt(self, tick: int) -> str:
        (known,) = self._minds.knowledge
        here = [agent.at(tick) for agent in self._state.agents.values() if agent.alive]
        state = {
            "agents": self._minds.agents(self._state.agents, tick),
            **knowledge_state(known, here),
            "progress": progress(self._spec, known),
            "history": history(self._minds.memories.values(), COMBINED_HISTORY),
        }
        return state_prompt(steps(tick), self._spec.environment.max_steps, state)


def _reply(living: tuple[str, ...], answer: Answer[CentralizedReply]) -> Reply:
    """Plans for all living agents: empty ones where none can be carried out, with the reason."""
    plans = dict.fromkeys(living, Plan())
    refusals: list[tuple[str, str]] = []
    if answer.value is None:
        refusals = [(name, f"your last reply could not be read: {answer.fault}") for name in living]
        return Reply(
            plans, refusals=tuple(refusals), latency_s=answer.latency_s, inferences=answer.inferences
        )
    written = answer.value.agent_plans
    for name in living:
        if name not in written:
            refusals.append((name, "the plan left this agent out"))
            continue
        plan = plan_of(written[name], answer.value.reasoning)
        if wrong := faults(plan.steps):
            refusals.append((name, listed(wrong)))
        else:
            plans[name] = plan
    if strange := [f"there is no living agent {name!r}" for name in written if name not in living]:
        refusals.append((living[0], listed(strange)))
    return Reply(plans, refusals=tuple(refusals), latency_s=answer.latency_s, inferences=answer.inferences)

"""Runs one episode: a pure function from task, settings, seed and replies to an event log.

Within a tick the order is that of SPEC section 11: clock, environment events, lifetimes, agents' actions, conditions,
and last the policy, whose decisions begin at the same tick.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from contextlib import ExitStack

from engine import VERSION
from engine.agents.policies import POLICIES
from engine.agents.policy import Policy, Setting
from engine.dynamics.manager import DynamicsManager
from engine.episode.clock import WallClock
from engine.episode.decisions import Decisions
from engine.episode.executor import Executor
from engine.episode.opening import agent_starts, chest_starts
from engine.episode.result import CheckpointScore, EpisodeResult, Status
from engine.episode.settings import (
    CLOCKS,
    MAX_SEED,
    MODES,
    WORLDS,
    Cancelled,
    Control,
    EpisodeSettings,
    OutOfBudget,
    Unhurried,
)
from engine.episode.spending import Spending
from engine.episode.state import WorldState
from engine.episode.worlds import open_world
from engine.errors import EngineError, SettingsError
from engine.evaluation.causes import Causes
from engine.evaluation.costs import CostSheet
from engine.evaluation.scores import Score, partial_score, score_for
from engine.evaluation.timeline import Timeline
from engine.events import payloads
from engine.events.hearers import Hearers
from engine.events.log import Event, EventLog, Sink
from engine.events.payloads import Payload
from engine.extensions import load_extensions
from engine.llm.provider import Provider
from engine.minecraft.servers import Server
from engine.minecraft.versions import EMBEDDED
from engine.spec.loader import digest
from engine.spec.model import TaskSpec
from engine.spec.names import nearest
from engine.world.geometry import TICKS_PER_STEP
from engine.world.terrain import GROUND_Y

logger = logging.getLogger(__name__)


def run_episode(
    spec: TaskSpec,
    settings: EpisodeSettings,
    sink: Sink,
    control: Control | None = None,
    provider: Provider | None = None,
    server: Server | None = None,
) -> EpisodeResult:
    """Run an episode to its end and return what it came to; every event goes to the sink as it happens.

    A policy that asks a language model needs a provider; the caller closes it. Settings that name a Minecraft server
    of the user's own need that server.

    Raises:
        SettingsError: the settings name something that does not exist, or the task cannot be run yet.
        MissingDataError: the game data is not installed.
        Exception: whatever the sink raises.
    """
    check(settings)
    return Episode(spec, settings, sink, control, provider, server).run()


def check(settings: EpisodeSettings) -> None:
    """Raise `SettingsError` naming the first setting that is wrong, and the nearest right one."""
    load_extensions()
    for what, value, known in (
        ("policy", settings.policy, POLICIES.keys()),
        ("mode", settings.mode, MODES),
        ("world", settings.world, WORLDS),
        ("clock", settings.clock, CLOCKS),
    ):
        if value not in known:
            raise SettingsError(
                f"unknown {what} {value!r}{nearest(value, known)} (known: {', '.join(known)})"
            )
    if not 0 <= settings.seed <= MAX_SEED:
        raise SettingsError(f"seed {settings.seed} is out of range (0 to {MAX_SEED})")
    if settings.server and settings.world != "minecraft":
        raise SettingsError(f"a server goes only with the world minecraft, not with {settings.world}")
    for what, is_given in (("a release", bool(settings.release)), ("RCON", settings.rcon_port is not None)):
        if is_given and (settings.world != "minecraft" or settings.server):
            raise SettingsError(f"{what} goes only with the world minecraft, and with the embedded server")
    if settings.release and settings.release not in EMBEDDED:
        raise SettingsError(f"unknown release {settings.release!r} (known: {', '.join(EMBEDDED)})")


class Episode:
    """One episode on its way from the first event to the last."""

    def __init__(
        self,
        spec: TaskSpec,
        settings: EpisodeSettings,
        sink: Sink,
        control: Control | None = None,
        provider: Provider | None = None,
        server: Server | None = None,
    ) -> None:
        self._spec = spec
        self._settings = settings
        control = control or Unhurried()
        is_held_back = (
            settings.is_real_time and not settings.server
        )  # a server keeps to the wall clock by itself
        self._control = WallClock(control) if is_held_back else control
        self._provider = provider
        self._server = server
        self._timeline = Timeline()
        self._costs = CostSheet()
        self._accounts: Hearers[Event] = Hearers()
        self._accounts.add(self._timeline.apply, self._timeline.hears)
        self._causes = Causes(self._timeline, self._accounts)
        self._accounts.add(lambda event: self._costs.apply(event.payload), self._costs.hears)
        self._log = EventLog(self._pass_on)
        self._sink = sink
        self._sink_failed = False
        self._state = WorldState()
        self._score: Score = score_for(spec, self._state)
        self._policy: Policy = _build_policy(settings.policy, Setting(spec, self._state, provider))
        self._tick = 0
        self._verdict: bool | None = None
        self._points = self._score.checkpoints(0)
        self._is_judged = False
        self._names = [agent.name for agent in spec.agents.spawn]
        self._spending = Spending(settings.budget, settings.mode == "async")
        self._closing = ExitStack()
        self._followers: Hearers[Payload] = Hearers()
        self._is_sampled = _has_conditions(spec)

    def run(self) -> EpisodeResult:
        """Everything from the first event to the result."""
        began = time.perf_counter()
        status: Status = "finished"
        error = ""
        try:
            self._set_up()
            reason = self._loop()
        except Cancelled:
            status, reason = "cancelled", "cancelled"
        except OutOfBudget as end:
            status, reason = "budget", str(end)
        except EngineError as fault:
            status, reason, error = "error", "an error ended it", str(fault)
        except Exception as fault:
            if self._sink_failed:
                raise
            logger.exception("episode of task %s failed", self._spec.id)
            status, reason, error = "error", "an error ended it", f"internal fault: {fault!r}"
        self._closing.close()
        checkpoints = self._points
        success = bool(self._verdict) if status in ("finished", "budget") else None
        score = partial_score(checkpoints)
        self._record(
            payloads.EpisodeEnded(
                status=status, success=success, partial_score=score, reason=reason, checkpoints=checkpoints
            )
        )
        return EpisodeResult(
            success=success,
            partial_score=score,
            checkpoints=[CheckpointScore(point.name, point.have, point.need) for point in checkpoints],
            steps=self._tick / TICKS_PER_STEP,
            status=status,
            breakdown=self._timeline.breakdown(),
            costs=self._costs.costs(
                replayed=self._spending.replayed,
                waits=self._spending.waits,
            ),
            events=self._log.count,
            wall_seconds=time.perf_counter() - began,
            error=error,
            causes=self._causes.causes(),
        )

    def _record(self, payload: Payload) -> None:
        event = self._log.append(self._tick, payload)
        for tell in self._accounts[type(payload)]:
            tell(event)

    def _pass_on(self, event: Event, line: bytes) -> None:
        """To the caller, whose faults are the caller's and not the episode's."""
        try:
            self._sink(event, line)
        except BaseException:
            self._sink_failed = True
            raise

    def _emit(self, payload: Payload) -> None:
        self._record(payload)
        self._state.apply(self._tick, payload)
        for follow in self._followers[type(payload)]:
            follow(payload)

    # --- setting up --------------------------------------------------------------------------------------------------

    def _set_up(self) -> None:
        self._followers.add(self._tell_policy, self._policy.hears)
        self._emit(self._start_payload())
        self._world = open_world(self._settings, self._spec, self._emit, self._server, self._control.waiting)
        self._closing.callback(self._world.close)
        self._control.opened(self._world.address)
        self._dynamics = DynamicsManager(
            self._spec, self._settings.seed, self._world, self._state, self._emit
        )
        self._executor = Executor(self._spec.task.type, self._names, self._world, self._emit)
        self._decisions = Decisions(
            self._policy,
            self._provider,
            self._settings,
            self._spending,
            self._state,
            self._executor,
            self._emit,
            self._control,
            self._world.hold,
        )
        self._closing.callback(self._decisions.close)
        self._followers = Hearers()
        self._followers.add(self._dynamics.follow, self._dynamics.hears)
        self._followers.add(self._executor.follow, self._executor.hears)
        self._followers.add(self._decisions.follow, self._decisions.hears)
        self._followers.add(self._tell_policy, self._policy.hears)
        self._followers.add(self._reopen, self._score.hears)

    def _reopen(self, payload: Payload) -> None:  # noqa: ARG002 - that there was one is enough
        """What the score heard of can have changed it."""
        self._is_judged = False

    def _tell_policy(self, payload: Payload) -> None:
        self._policy.follow(self._tick, payload)

    def _start_payload(self) -> payloads.EpisodeStarted:
        spec, settings = self._spec, self._settings
        return payloads.EpisodeStarted(
            engine_version=VERSION,
            task_id=spec.id,
            task_type=spec.task.type,
            task_digest=digest(spec),
            goal=spec.task.goal,
            policy=settings.policy,
            model=settings.model or None,
            mode=settings.mode,
            world=settings.world,
            seed=settings.seed,
            max_steps=spec.environment.max_steps,
            ground_y=GROUND_Y,
            agents=agent_starts(spec),
            chests=chest_starts(spec),
            checkpoints=self._points,
        )

    # --- the loop ----------------------------------------------------------------------------------------------------

    def _loop(self) -> str:
        """From event to event until it is over; returns why it ended."""
        tick = 0
        while True:
            self._control.before(tick)
            self._tick = tick
            if reason := self._process(tick):
                return reason
            tick = self._next_tick()

    def _next_tick(self) -> int:
        candidates: Iterable[int | None] = (
            self._world.next_tick(),
            self._dynamics.next_tick(),
            self._executor.next_tick(),
            self._decisions.next_tick(),
            self._score.end_tick,
            self._next_look() if self._is_sampled else None,
        )
        return min([tick for tick in candidates if tick is not None])

    def _next_look(self) -> int:
        """When a condition may come true by walking or waiting alone: in another cell, or at the next step."""
        step = (self._tick // TICKS_PER_STEP + 1) * TICKS_PER_STEP
        motions = (agent.motion for agent in self._state.agents.values())
        entries = (tick for motion in motions if motion for tick, _ in motion.entries() if tick > self._tick)
        return min([step, *entries])

    def _process(self, tick: int) -> str:
        self._world.advance(tick)
        is_news = self._dynamics.fire(tick)
        self._world.settle_contact()
        is_news |= self._dynamics.expire(tick)
        ended = self._executor.plans_ended
        is_unsettled = self._settle()
        if self._dynamics.react() or is_unsettled:
            self._settle()
        if is_news or self._executor.plans_ended != ended:
            self._decisions.wake()
        return self._judge(tick)

    def _settle(self) -> bool:
        """Let mobs and agents act and the dying die; then whatever could not even begin ends, if there is any."""
        self._world.settle(self._executor.on_end)
        return self._executor.settle()

    def _judge(self, tick: int) -> str:
        """Conditions and checkpoints, then decisions; returns why the episode is over, if it is."""
        if self._dynamics.fire_conditional(tick):
            self._decisions.wake()
            self._settle()
        if not self._is_judged or tick >= self._score.end_tick:
            self._count(tick)
        if self._verdict is not None:
            return self._why(tick)
        self._decisions.consult(tick)
        return ""

    def _count(self, tick: int) -> None:
        """The verdict, and what has changed of the checkpoints."""
        self._verdict = self._score.verdict(tick)
        points = self._score.checkpoints(tick)
        self._is_judged = self._score.hears is not None
        if points != self._points:
            for old, new in zip(self._points, points, strict=True):
                if new != old:
                    self._emit(payloads.CheckpointChanged(name=new.name, have=new.have, need=new.need))
            self._points = points

    def _why(self, tick: int) -> str:
        if self._verdict:
            return "the task is done"
        if not any(agent.alive for agent in self._state.agents.values()):
            return "everyone is dead"
        if tick >= self._spec.environment.max_steps * TICKS_PER_STEP:
            return f"max_steps ({self._spec.environment.max_steps}) reached"
        return "the task can no longer be done"


def _build_policy(name: str, setting: Setting) -> Policy:
    info = POLICIES[name]
    if info.needs_model and setting.provider is None:
        raise SettingsError(f"policy {name} needs a language model; name one, for example `scripted`")
    return info.build(setting)


def _has_conditions(spec: TaskSpec) -> bool:
    """Whether something must be looked at every step: conditions can become true by walking or waiting alone."""
    return bool(spec.task.success) or any(event.trigger.when is not None for event in spec.events)

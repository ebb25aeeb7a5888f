"""Who builds for himself, who builds steps for others and where, and who climbs them: one choice for the whole team.

Times are in ticks of world time. Nothing here knows of blocks or places: all ways and works are reckoned beforehand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.agents.oracles.planning.solver import new_model, solve

SAFE = 1_000_000
"""What an agent who is safe in time counts, in ticks."""
SLACK = 20
"""What a tick more of slack counts for the one who has least …"""
ENOUGH = 200
"""… up to so many ticks."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something that one agent can do by itself: fetch blocks and build a pillar, or steps at a site.

    Attributes:
        agent: who.
        takes: how many blocks it takes from which pile, by the pile's number.
        done: when it is done.
        latest: when it must be done.
        site: number of the site of the steps; None for a pillar of one's own.
    """

    agent: str
    takes: Mapping[int, int]
    done: int
    latest: int
    site: int | None = None


@dataclass(frozen=True, slots=True)
class Climb:
    """Somebody can walk to the steps at a site.

    Attributes:
        arrive: when it is there.
        up: how long it takes from the foot to the top.
        latest: when it must be on top.
    """

    agent: str
    site: int
    arrive: int
    up: int
    latest: int


@dataclass(frozen=True, slots=True)
class Roles:
    """The choice: a job for each who has one, and who climbs."""

    jobs: list[Job]
    climbers: list[str]


def choose_roles(
    agents: Sequence[str],
    jobs: Sequence[Job],
    climbs: Sequence[Climb],
    piles: Sequence[int],
    effort: float,
) -> Roles | None:
    """Bring as many agents as can be to safety, then with most slack, then with least work.

    Of each agent at most one job or climb; steps are built at one site at most, by one agent; no more is taken from a
    pile than the blocks it has (`piles`). `effort` is in deterministic seconds of OR-Tools. None if no choice is found.
    """
    model = new_model()
    chosen = [model.new_bool_var("") for _ in jobs]
    climbing = [model.new_bool_var("") for _ in climbs]
    for agent in agents:
        model.add_at_most_one(
            [x for x, job in zip(chosen, jobs, strict=True) if job.agent == agent]
            + [x for x, climb in zip(climbing, climbs, strict=True) if climb.agent == agent]
        )
    for pile, count in enumerate(piles):
        model.add(sum(x * job.takes.get(pile, 0) for x, job in zip(chosen, jobs, strict=True)) <= count)
    model.add_at_most_one([x for x, job in zip(chosen, jobs, strict=True) if job.site is not None])
    least = model.new_int_var(0, ENOUGH, "")
    for x, job in zip(chosen, jobs, strict=True):
        model.add(least <= job.latest - job.done).only_enforce_if(x)
    for y, climb in zip(climbing, climbs, strict=True):
        hosts = [(x, job) for x, job in zip(chosen, jobs, strict=True) if job.site == climb.site]
        model.add_bool_or([x for x, _ in hosts]).only_enforce_if(y)
        for x, job in hosts:
            top = max(job.done, climb.arrive) + climb.up
            model.add(least <= climb.latest - top).only_enforce_if(x, y)
    building = sum(x * job.done for x, job in zip(chosen, jobs, strict=True))
    climbed = sum(y * (climb.arrive + climb.up) for y, climb in zip(climbing, climbs, strict=True))
    model.maximize(SAFE * (sum(chosen) + sum(climbing)) + SLACK * least - building - climbed)
    solver = solve(model, effort)
    if solver is None:
        return None
    return Roles(
        [job for x, job in zip(chosen, jobs, strict=True) if solver.boolean_value(x)],
        [climb.agent for y, climb in zip(climbing, climbs, strict=True) if solver.boolean_value(y)],
    )

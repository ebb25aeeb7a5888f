"""What nobody could do better: upper bounds on the partial score of an episode, whatever the policy.

Each bound is the optimum of a relaxation: a problem in which everything that a policy could do in the episode is
allowed, and more. What is left out only ever helps: people who never die, ways without obstacles, blocks that lie at
hand, hands that never rest. So a score above the bound is impossible, while a bound may well be out of reach. A score
of the oracle below 1 under a bound of 1 says that the oracle failed, a bound below 1 that anybody must.
"""

from __future__ import annotations

from engine.evaluation.bounds.mining import mine_bound
from engine.evaluation.bounds.raiding import raid_bound
from engine.evaluation.bounds.sheltering import prepare_bound
from engine.evaluation.bounds.spawns import Spawns
from engine.spec.model import TaskSpec

__all__ = ["Spawns", "bound"]


def bound(spec: TaskSpec, spawns: Spawns) -> float:
    """The best partial score (0 to 1) that any policy could reach in an episode of the task with these spawns.

    Spawns depend on the seed, and a little on what agents do: where somebody stands, nothing spawns. So the bound is
    that of an episode, from its log (`Spawns.take` each payload), and holds for all policies that meet the same spawns.
    With an empty `Spawns` it is looser and holds for every seed. Spawns that wait for a `when` count only when
    they are seen. Tasks with conditions of their own have the bound 1: nothing is known of what those take.

    Costs below 0.1 s of CPU for the sample tasks, at most a few seconds for a very large one (OR-Tools, one thread,
    deterministic), and 0.5 s when OR-Tools is first imported.
    """
    if spec.task.success:
        return 1.0
    match spec.task.type:
        case "mine_vanishing_blocks":
            return mine_bound(spec, spawns)
        case "prepare_crisis":
            return prepare_bound(spec)
        case "raid_boss":
            return raid_bound(spec)
    return 1.0

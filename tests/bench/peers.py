"""Steps of other multi-agent environments, timed. Run by `make bench` in an environment of its own, not in ours.

Prints one JSON object: agent-steps a second by environment, a step being one call that moves every agent once.
Random actions, no rendering; the environments' own defaults otherwise.
"""

from __future__ import annotations

import json
import random
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

SECONDS = 4.0
warnings.filterwarnings("ignore")


def overcooked() -> tuple[int, Callable[[], object]]:
    """Overcooked-AI: two cooks, layout cramped_room. Its step returns the state itself: nobody observes anything."""
    env, step = _overcooked()
    return env.mdp.num_players, step


def overcooked_seen() -> tuple[int, Callable[[], object]]:
    """The same, and the encoding of the state for each cook that the package's own learning agents are given."""
    env, step = _overcooked()

    def step_and_see() -> None:
        step()
        env.lossless_state_encoding_mdp(env.state)

    return env.mdp.num_players, step_and_see


def _overcooked() -> tuple[Any, Callable[[], object]]:
    from overcooked_ai_py.mdp.actions import Action
    from overcooked_ai_py.mdp.overcooked_env import OvercookedEnv
    from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld

    env = OvercookedEnv.from_mdp(
        OvercookedGridworld.from_layout_name("cramped_room"), horizon=400, info_level=0
    )
    dice = random.Random(0)

    def step() -> None:
        _, _, done, _ = env.step((dice.choice(Action.ALL_ACTIONS), dice.choice(Action.ALL_ACTIONS)))
        if done:
            env.reset()

    return env, step


def knights() -> tuple[int, Callable[[], object]]:
    """PettingZoo's knights_archers_zombies, parallel form: four agents, vector observations."""
    from pettingzoo.butterfly import knights_archers_zombies_v11 as game

    env = game.parallel_env()
    env.reset(seed=0)

    def step() -> None:
        env.step({agent: env.action_space(agent).sample() for agent in env.agents})
        if not env.agents:
            env.reset(seed=0)

    return 4, step


def crafter() -> tuple[int, Callable[[], object]]:
    """Crafter: one agent; it draws its observation, which cannot be switched off."""
    import crafter as package

    env = package.Env(seed=0)
    env.reset()

    def step() -> None:
        if env.step(env.action_space.sample())[2]:
            env.reset()

    return 1, step


def timed(agents: int, step: Callable[[], object]) -> float:
    """Agent-steps a second of CPU time over some seconds, after a warm-up."""
    for _ in range(50):
        step()
    began, steps = time.process_time(), 0
    while (passed := time.process_time() - began) < SECONDS:
        for _ in range(20):
            step()
        steps += 20
    return agents * steps / passed


def main() -> None:
    """Time each environment; one that fails is reported with its error."""
    found: dict[str, float | str] = {}
    for name, make in (
        ("Overcooked-AI, bare step", overcooked),
        ("Overcooked-AI, step and observations", overcooked_seen),
        ("PettingZoo knights_archers_zombies, step and observations", knights),
        ("Crafter, step and observation", crafter),
    ):
        try:
            found[name] = timed(*make())
        except Exception as error:  # a peer that cannot run must not hide the others
            found[name] = f"failed: {error!r}"
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()

"""The policies that a launch can name."""

from __future__ import annotations

from engine.agents.oracles import greedy
from engine.agents.oracles.planning import planning
from engine.agents.policy import PolicyInfo
from engine.agents.team.centralized import Centralized
from engine.agents.team.distributed import Distributed

_GREEDY = (
    "No language model: sees the whole world and every spawn as it happens, and gives each free agent what it can do "
    "first."
)

_CENTRALIZED = (
    "A language model receives what all agents know and plans for every one of them; it is asked again when all have "
    "finished. The agents do not talk."
)

_DISTRIBUTED = (
    "Each agent asks a language model for itself, knows only what it has seen or was told, and negotiates with its "
    "peers by messages."
)

_BEST = (
    "No language model: knows what the greedy oracle knows, and plans ahead for the whole team with a solver "
    "(OR-Tools)."
)

POLICIES: dict[str, PolicyInfo] = {}


def register(info: PolicyInfo) -> None:
    """Let launches name a policy; a file in `engine/extensions/` calls this for a policy of its own.

    Raises:
        ValueError: the name is taken.
    """
    if info.name in POLICIES:
        raise ValueError(f"there is a policy {info.name!r} already")
    POLICIES[info.name] = info


register(PolicyInfo("oracle", "Oracle (no LLM)", _BEST, planning))
register(PolicyInfo("oracle-greedy", "Greedy oracle (no LLM)", _GREEDY, greedy))
register(PolicyInfo("centralized", "Centralized (LLM)", _CENTRALIZED, Centralized, needs_model=True))
register(PolicyInfo("distributed", "Distributed (LLM)", _DISTRIBUTED, Distributed, needs_model=True))

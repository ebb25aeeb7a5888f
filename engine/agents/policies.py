"""The policies that a launch can name."""

from __future__ import annotations

from engine.agents.oracles import greedy
from engine.agents.policy import PolicyInfo

_GREEDY = (
    "No language model: sees the whole world and every spawn as it happens, and gives each free agent what it can do "
    "first."
)

_BEST = "No language model: the best oracle there is. For now it decides as the greedy one does."

POLICIES: dict[str, PolicyInfo] = {}


def register(info: PolicyInfo) -> None:
    """Let launches name a policy; a file in `engine/extensions/` calls this for a policy of its own.

    Raises:
        ValueError: the name is taken.
    """
    if info.name in POLICIES:
        raise ValueError(f"there is a policy {info.name!r} already")
    POLICIES[info.name] = info


register(PolicyInfo("oracle", "Oracle (no LLM)", _BEST, greedy))
register(PolicyInfo("oracle-greedy", "Greedy oracle (no LLM)", _GREEDY, greedy))

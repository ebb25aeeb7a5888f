"""The policies that a launch can name."""

from __future__ import annotations

from engine.agents.oracles import greedy
from engine.agents.policy import PolicyInfo

_GREEDY = (
    "No language model: sees the whole world and every spawn as it happens, and gives each free agent what it can do "
    "first."
)

_BEST = "No language model: the best oracle there is. For now it decides as the greedy one does."

POLICIES: dict[str, PolicyInfo] = {
    info.name: info
    for info in (
        PolicyInfo("oracle", "Oracle (no LLM)", _BEST, greedy),
        PolicyInfo("oracle-greedy", "Greedy oracle (no LLM)", _GREEDY, greedy),
    )
}

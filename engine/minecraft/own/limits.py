"""What a server cannot be made to stop while a policy decides, by version."""

from __future__ import annotations

from engine.minecraft.versions import CHANGES, has

ALWAYS = (
    "effects and fire run out on agents, who are out of harm's way as spectators meanwhile",
    "the world goes on for up to a tenth of a second before it is stopped",
)
BEFORE_TICK = (
    f"only mobs are stopped: liquids flow, fire spreads and items fall on; {CHANGES['tick'].since} and later have"
    " `tick freeze`"
)
SHARED = "while other episodes are on the same server, only mobs are stopped"


def unfrozen(version: str) -> list[str]:
    """What goes on, in sync mode, while a policy decides; one sentence each, without a full stop."""
    return [*ALWAYS, SHARED if has(version, "tick") else BEFORE_TICK]

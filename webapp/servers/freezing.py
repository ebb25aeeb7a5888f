"""What differs between an episode on a server of the user's own and one on the embedded server, in words."""

from __future__ import annotations

from engine.minecraft.versions import CHANGES, has

REAL_TIME = "Episodes keep to the wall clock there, whatever pace is chosen."


def in_words(version: str) -> str:
    """What stands still in synchronous mode while a policy decides, and what does not.

    Args:
        version: the server's release; empty if it is not known.
    """
    since = CHANGES["tick"].since
    if not version:
        return (
            f"What stands still while a policy decides depends on its version, which is not known yet: from {since} on "
            "the world, before that only mobs. Check the server to find out."
        )
    if has(version, "tick"):
        return (
            f"It is Minecraft {version}: while a policy decides, the world is frozen; players are not, so what "
            "happens to them alone, such as drowning, goes on."
        )
    return (
        f"It is Minecraft {version}: while a policy decides, only mobs stand still; blocks, fluids, fire and the "
        f"time of day go on. From {since} on the world can be frozen."
    )

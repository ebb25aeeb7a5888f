"""How sure a success rate is."""

from __future__ import annotations

import math

Z_95 = 1.959963984540054
"""The normal distribution's 97.5th percentile."""


def interval(successes: int, played: int, z: float = Z_95) -> tuple[float, float] | None:
    """Wilson's score interval of a share (E. B. Wilson, 1927, JASA 22, 209–212); None of nothing.

    It holds its 95 % also for few episodes and for shares of 0 and 1, where the usual interval has no width.
    """
    if not played:
        return None
    share = successes / played
    scale = 1 + z * z / played
    middle = (share + z * z / (2 * played)) / scale
    half = z * math.sqrt(share * (1 - share) / played + z * z / (4 * played * played)) / scale
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == played else min(1.0, middle + half)
    return low, high

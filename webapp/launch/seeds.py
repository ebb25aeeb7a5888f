"""Seeds as people write them: `0-9`, `0,3,7`, `0-4, 10`."""

from __future__ import annotations

import re

from engine.episode.settings import MAX_SEED

MAX_SEEDS = 1_000

_PART = re.compile(r"(\d+)(?:-(\d+))?\Z", re.ASCII)


def parse_seeds(text: str) -> list[int]:
    """The seeds that the text names, each once, in ascending order.

    Raises:
        ValueError: with a message for the person who wrote it.
    """
    joined = re.sub(r"\s*[-–]\s*", "-", text)
    parts = [part for part in re.split(r"[,;\s]+", joined) if part]
    if not parts:
        raise ValueError("Write at least one seed, such as 0, or a range, such as 0-9.")
    seeds: set[int] = set()
    for part in parts:
        seeds.update(_range(part))
        if len(seeds) > MAX_SEEDS:
            raise ValueError(f"More than {MAX_SEEDS:,} seeds; launch them in several runs.")
    return sorted(seeds)


def _range(part: str) -> range:
    found = _PART.match(part)
    if found is None:
        raise ValueError(f"“{part}” is not a seed. Write whole numbers and ranges, such as 0-9 or 0, 3, 7.")
    first = int(found[1])
    last = int(found[2]) if found[2] else first
    if last < first:
        raise ValueError(f"The range {first}-{last} runs backwards; write {last}-{first}.")
    if last > MAX_SEED:
        raise ValueError(f"{last} is too large; the largest seed is {MAX_SEED}.")
    if last - first >= MAX_SEEDS:
        raise ValueError(f"{first}-{last} has more than {MAX_SEEDS:,} seeds; launch them in several runs.")
    return range(first, last + 1)

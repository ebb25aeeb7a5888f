"""`make bench`: how fast the embedded world is. Prints a table in Markdown; nothing here is a test."""

from __future__ import annotations

import platform
import statistics
import sys
from pathlib import Path

from engine.episode.run import run_episode
from engine.episode.settings import EpisodeSettings
from engine.spec.loader import load_task

SEEDS = range(20)
SAMPLES = Path(__file__).resolve().parents[2] / "tasks" / "samples"


def main() -> None:
    """Run each sample under the greedy oracle on every seed, log encoded, and print medians."""
    out = sys.stdout.write
    out(f"Python {platform.python_version()} on {platform.machine()}, one core, log encoded, not stored.\n\n")
    out("| task | agents | world seconds | wall ms | times real time | events a second |\n")
    out("| --- | ---: | ---: | ---: | ---: | ---: |\n")
    for path in sorted(SAMPLES.glob("*.yaml")):
        spec = load_task(path).spec
        run_episode(spec, EpisodeSettings(policy="oracle-greedy"), lambda *_: None)
        results = [
            run_episode(spec, EpisodeSettings(policy="oracle-greedy", seed=seed), lambda *_: None)
            for seed in SEEDS
        ]
        steps = statistics.median(result.steps for result in results)
        wall = statistics.median(result.wall_seconds for result in results)
        speed = statistics.median(result.steps / result.wall_seconds for result in results)
        events = statistics.median(result.events / result.wall_seconds for result in results)
        figures = (f"{steps:.1f}", f"{wall * 1000:.1f}", f"{speed:,.0f}", f"{events:,.0f}")
        out(f"| {spec.id} | {len(spec.agents.spawn)} | {' | '.join(figures)} |\n")


if __name__ == "__main__":
    main()

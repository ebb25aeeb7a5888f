# ruff: noqa: E501 - the tests count the lines of these texts

"""Task texts for the tests of this folder, and a way to change one place of them."""

from __future__ import annotations

MINE = """\
task:
  type: mine_vanishing_blocks
  goal: dig
  targets: [{block: gold_ore, count: 4}]
events:
  - id: gold
    trigger: {start: 0, end: 40, interval: 10}
    actions:
      - {type: spawn_blocks, block: gold_ore, count: 5, center: [0, 64, 10], radius: 6, lifetime: 30}
agents:
  count: 2
  spawn:
    - name: Ada
      position: [2, 64, 0]
      inventory: {iron_pickaxe: {count: 1}}
      capabilities: {speed_bps: 4.3}
    - {name: Bruno, position: [-2, 64, 0]}
environment:
  max_steps: 60
  chest: {position: [0, 64, 0]}
  world: {difficulty: hard}
"""

PREPARE = """\
task: {type: prepare_crisis, goal: survive}
events:
  - id: lava
    trigger: {start: 30}
    actions:
      - {type: progressive_fill, block: lava, area: {min: [-10, 64, 5], max: [10, 64, 9]}, direction: east, speed_bps: 2}
agents:
  spawn:
    - {name: Ada, position: [2, 64, 0]}
environment:
  max_steps: 50
"""

RAID = """\
task: {type: raid_boss, goal: fight}
agents:
  spawn:
    - {name: Ada, position: [2, 64, 0]}
environment:
  max_steps: 50
  entities:
    hostiles:
      - {entity: wither_skeleton, role: boss, position: [0, 64, 9]}
"""


def changed(text: str, old: str, new: str) -> str:
    """The text with its one occurrence of `old` replaced."""
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
    return text.replace(old, new)

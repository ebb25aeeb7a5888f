"""What the map on a task's page shows, as plain data for the browser to draw."""

from __future__ import annotations

from typing import Any

from engine.spec.model import (
    Area,
    ProgressiveFill,
    RemoveBlocks,
    SetBlocks,
    SetRegion,
    SpawnBlocks,
    SpawnEntities,
    TaskSpec,
    Trigger,
)

MARGIN = 4
"""Blocks of ground shown around everything that the task names."""
PLACED = (SetBlocks, RemoveBlocks, SetRegion)
"""Actions whose areas the map must hold, though they are not drawn before they happen."""


def preview(spec: TaskSpec) -> dict[str, Any]:
    """Agents, chests, blocks, mobs, spawn areas, fills and regions, with the bounds that hold them all.

    Positions are block coordinates `[x, y, z]`; the bounds are `[x, z]` pairs, both included.
    """
    actions = [(event.id, action) for event in spec.events for action in event.actions]
    fills = [
        (event, action)
        for event in spec.events
        for action in event.actions
        if isinstance(action, ProgressiveFill)
    ]
    data: dict[str, Any] = {
        "agents": [
            {
                "name": agent.name,
                "position": list(agent.position),
                "perception_range": agent.capabilities.perception_range,
            }
            for agent in spec.agents.spawn
        ],
        "chests": [list(chest.position) for chest in spec.all_chests],
        "blocks": _blocks(spec),
        "hostiles": [
            {"entity": mob.entity, "role": mob.role, "position": list(mob.position)}
            for mob in spec.environment.entities.hostiles
        ],
        "spawns": [
            {
                "event": event,
                **_subject(action),
                "center": list(action.center),
                "radius": action.radius,
                "lifetime": action.lifetime,
            }
            for event, action in actions
            if isinstance(action, SpawnBlocks | SpawnEntities)
        ],
        "fills": [
            {
                "event": event.id,
                "block": action.block,
                **_corners(action.area),
                "direction": action.direction,
                "speed_bps": action.speed_bps,
                "start": _first(event.trigger),
                "end": event.trigger.end,
            }
            for event, action in fills
        ],
        "regions": [
            {"id": region.id, **_corners(region.area), "active": region.active}
            for region in spec.environment.regions
        ],
    }
    return {"bounds": _bounds(spec, data), **data}


def _first(trigger: Trigger) -> int | None:
    """The step at which a trigger fires first; None when that depends on a condition."""
    if trigger.when is not None:
        return None
    return min(trigger.at) if trigger.at else trigger.start


def _subject(action: SpawnBlocks | SpawnEntities) -> dict[str, str]:
    return {"block": action.block} if isinstance(action, SpawnBlocks) else {"entity": action.entity}


def _corners(area: Area) -> dict[str, list[int]]:
    return {"min": list(area.min), "max": list(area.max)}


def _blocks(spec: TaskSpec) -> list[dict[str, Any]]:
    cells: dict[str, list[list[int]]] = {}
    for grid in spec.environment.materials.grid:
        cells.setdefault(grid.block, []).extend(list(cell) for cell in grid.cells)
    return [{"block": block, "cells": found} for block, found in cells.items()]


def _bounds(spec: TaskSpec, data: dict[str, Any]) -> dict[str, list[int]]:
    """Everything on the map, and a margin. Materials by their corners, not cell by cell."""
    points = [tuple(place) for place in data["chests"]]
    points += [agent.position for agent in spec.agents.spawn]
    points += [mob.position for mob in spec.environment.entities.hostiles]
    for grid in spec.environment.materials.grid:
        x, y, z = grid.position
        points += [(x, y, z), (x + grid.width - 1, y, z + grid.depth - 1)]
    for spawn in data["spawns"]:
        (x, y, z), radius = spawn["center"], spawn["radius"]
        points += [(x - radius, y, z - radius), (x + radius, y, z + radius)]
    for event in spec.events:
        areas = (action.area for action in event.actions if isinstance(action, PLACED) and action.area)
        points += [corner for area in areas for corner in (area.min, area.max)]
    for box in (*data["fills"], *data["regions"]):
        points += [tuple(box["min"]), tuple(box["max"])]
    xs, zs = [point[0] for point in points], [point[2] for point in points]
    return {
        "min": [min(xs) - MARGIN, min(zs) - MARGIN],
        "max": [max(xs) + MARGIN, max(zs) + MARGIN],
    }

"""A team as large as the largest of AgentWorld's, on the embedded server."""

from __future__ import annotations

from engine.agents.plans import Step
from engine.spec.model import TaskSpec
from engine.world.geometry import Cell
from tests.engine.build import Actors, Played, agent, do, task

CHEST = (0, 64, 0)
GRID = [(4 * x, 64, 4 * z) for x in range(-2, 3) for z in (-2, -1, 1, 2)]
PLACES: dict[str, Cell] = {f"Bot{number}": place for number, place in enumerate(GRID)}


def ore(place: Cell) -> Cell:
    return (place[0], 64, place[2] + (2 if place[2] > 0 else -2))


def crowd() -> TaskSpec:
    """Twenty agents round a chest, each with gold ore behind its back, whose drop nobody else can reach."""
    return task(
        *(agent(name, place, tools=["iron_pickaxe"]) for name, place in PLACES.items()),
        targets={"gold_ore": len(PLACES)},
        blocks={ore(place): "gold_ore" for place in PLACES.values()},
        chest=CHEST,
        max_steps=30,
    )


def line(place: Cell) -> list[Step]:
    return [
        do("mine_blocks_at", block_positions=[list(ore(place))]),
        do("deposit_to_chest", chest_pos=list(CHEST), items=["raw_gold"], quantities=[1]),
    ]


def test_twenty_bots_each_mine_and_deposit() -> None:
    played = Played(crowd(), Actors({name: line(place) for name, place in PLACES.items()}), world="minecraft")
    assert played.result.success is True, played.result
    done = [(p.agent, p.do, p.outcome) for _, p in played.of("action_ended")]
    assert sorted(done) == sorted(
        (name, action, "ok") for name in PLACES for action in ("deposit_to_chest", "mine_blocks_at")
    )
    assert [(p.item, p.count) for _, p in played.of("chest_changed")][-1] == ("raw_gold", 20)

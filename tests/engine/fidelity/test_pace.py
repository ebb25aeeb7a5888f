"""How fast agents walk and strike, tick by tick, against exact arithmetic on the figures of the tables."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from engine.world import combat
from engine.world.geometry import Cell
from tests.engine.build import Stage, agent, custom, mob

DIAGONAL = math.sqrt(2)


@pytest.mark.parametrize("speed", ["4.317", "5.612", "2", "3.3", "8", "20"])
@pytest.mark.parametrize("blocks", [1, 7, 10, 33, 100])
def test_a_straight_walk_takes_its_length_over_its_speed(speed: str, blocks: int) -> None:
    stage = Stage(custom(agent("Ada", speed_bps=float(speed))))
    stage.begin("Ada", "move_to", target_pos=(blocks, 64, 0))
    assert stage.finish("Ada")[0] == math.ceil(20 * blocks / Fraction(speed))


@pytest.mark.parametrize(
    ("target", "length"),
    [((10, 64, 10), 10 * DIAGONAL), ((20, 64, 5), 15 + 5 * DIAGONAL), ((-3, 64, 40), 37 + 3 * DIAGONAL)],
)
def test_a_slanting_walk_goes_in_eight_directions(target: Cell, length: float) -> None:
    stage = Stage(custom(agent("Ada", speed_bps=4.317)))
    stage.begin("Ada", "move_to", target_pos=target)
    assert stage.finish("Ada")[0] == math.ceil(20 * length / 4.317)


@pytest.mark.parametrize("speed", ["4.317", "3"])
def test_every_position_on_the_way_is_exact(speed: str) -> None:
    stage = Stage(custom(agent("Ada", speed_bps=float(speed))))
    stage.begin("Ada", "move_to", target_pos=(10, 64, 0))
    for tick in range(40):
        stage.run(tick)
        assert stage.world.position("Ada") == pytest.approx((float(Fraction(speed) * tick / 20), 64, 0))


@pytest.mark.parametrize("item", [*combat.WEAPONS, None])
def test_blows_fall_at_the_weapons_rate_and_do_its_damage(item: str | None) -> None:
    figures = combat.weapon(item)
    rate, damage = Fraction(str(figures.attacks_per_second)), figures.damage
    stage = Stage(
        custom(agent("Ada", tools=[item] if item else []), hostiles=[mob((2, 64, 0), health=1_024)])
    )
    stage.begin("Ada", "attack", entity_type="zombie")
    stage.finish("Ada")
    due = [math.ceil(20 * n / rate) for n in range(1, math.ceil(15 * rate) + 1)]
    assert [(tick, -blow.delta) for tick, blow in stage.at("mob_health_changed")] == [
        (tick, damage) for tick in due if tick < 300
    ]

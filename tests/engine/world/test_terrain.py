from __future__ import annotations

from engine.world.terrain import AIR, Terrain


def test_what_has_changed_nearby_is_told_nearest_first_and_equals_in_cell_order() -> None:
    terrain = Terrain()
    terrain.set_all([(2, 64, 0), (0, 64, 1), (0, 64, 5), (-2, 64, 0), (1, 64, 0)], "stone")
    terrain.set((1, 64, 0), AIR)
    assert terrain.nearest_changed((0.0, 64.0, 0.0), 2) == [
        ((0, 64, 1), "stone"),
        ((-2, 64, 0), "stone"),
        ((2, 64, 0), "stone"),
    ]
    assert [cell for cell, _ in terrain.changed_near((0.0, 64.0, 0.0), 2)] == [
        (-2, 64, 0),
        (0, 64, 1),
        (2, 64, 0),
    ]

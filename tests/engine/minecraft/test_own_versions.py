"""An episode on a server of the user's own that is another Minecraft than the embedded one."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from pydantic import SecretStr

from engine.minecraft.servers import Server
from engine.minecraft.standalone import StandAlone
from tests.engine.build import Actors, Played, agent, custom, do, mob
from tests.engine.minecraft.test_own import PASSWORD, Slow


@pytest.mark.parametrize("version", ["1.20.4", "1.21.4"])
def test_an_episode_that_is_frozen_while_a_policy_thinks(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    spec = custom(
        agent("Ada", tools=["iron_pickaxe"], items={"cobblestone": 1}),
        blocks={(2, 64, 0): "gold_ore"},
        hostiles=[mob((0, 64, 12), damage=2, speed_bps=4)],
        chest=(0, 64, -2),
        max_steps=8,
    )
    lines = [
        do("mine_blocks_at", block_positions=[[2, 64, 0]]),
        do("build_floor", center_pos=[2, 64, 2], width=1, depth=1, height=1),
        do("deposit_to_chest", chest_pos=[0, 64, -2], items=["raw_gold"], quantities=[1]),
    ]
    with StandAlone(PASSWORD, version=version) as running:
        server = Server(
            host="127.0.0.1",
            port=running.port,
            rcon_port=running.rcon_port,
            rcon_password=SecretStr(PASSWORD),
            version=version,
        )
        policy = Slow(Actors({"Ada": lines}), 4)
        played = Played(spec, policy, world="minecraft", server=server)
    assert [row[1:] for row in played.outcomes("Ada")] == [("ok", "", 1, 1)] * 3
    # The zombie has ten blocks to go, which takes it 50 ticks; it did not come while the policy thought for 80.
    first, health, cause = played.hurts("Ada")[0]
    assert (first >= 45, health, cause) == (True, 18, "zombie")

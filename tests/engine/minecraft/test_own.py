"""Episodes on a server of the user's own: the stand-alone one, in real time, one of each type."""

from __future__ import annotations

import time
from contextlib import closing

import pytest
from pydantic import SecretStr

from engine.errors import InfrastructureError
from engine.minecraft.arguments import player
from engine.minecraft.own.stage import OwnStage
from engine.minecraft.rcon import Rcon, RconUnreachable
from engine.minecraft.servers import Server
from engine.minecraft.status import ask_status
from engine.minecraft.world import MinecraftWorld
from engine.spec.model import TaskSpec
from tests.engine.build import Actors, Played, agent, area, custom, do, event, mob, task
from tests.engine.minecraft.reach import COMMANDS, PASSWORD, Slow, holds
from tests.engine.minecraft.test_world import wait_until


def mining() -> TaskSpec:
    """A miner with an ore beside it that is there from the start and one that appears, and a chest."""
    spawn = {"type": "spawn_blocks", "block": "gold_ore", "count": 1, "center": [6, 64, 0], "radius": 0}
    return task(
        agent("Ada", (0, 64, 0), tools=["iron_pickaxe"]),
        blocks={(3, 64, 0): "oak_log"},
        targets={"gold_ore": 1},
        events=[event("gold", {"at": [1]}, spawn)],
        chest=(3, 64, 3),
        max_steps=40,
    )


def test_a_mining_episode(newer: Server) -> None:
    lines = [
        do("mine_blocks_at", block_positions=[[3, 64, 0]]),
        do("mine_blocks_at", block_positions=[[6, 64, 0]]),
        do("deposit_to_chest", chest_pos=[3, 64, 3], items=["raw_gold", "oak_log"], quantities=[1, 1]),
    ]
    began = time.monotonic()
    played = Played(mining(), Actors({"Ada": lines}), world="minecraft", server=newer)
    took = time.monotonic() - began
    assert played.result.success is True
    assert [row[1:] for row in played.outcomes("Ada")] == [
        ("ok", "", 1, 1),
        ("ok", "", 1, 1),
        ("ok", "", 2, 2),
    ]
    assert played.end[0] / 20 <= took  # no faster than the wall clock
    broken = [p for _, p in played.of("blocks_changed") if p.cause == "agent"]
    assert [(p.block, p.cells, p.source) for p in broken] == [
        ("air", [(3, 64, 0)], "Ada"),
        ("air", [(6, 64, 0)], "Ada"),
    ]
    assert [(p.item, p.delta, p.count, p.agent) for _, p in played.of("chest_changed")] == [
        ("raw_gold", 1, 1, "Ada"),
        ("oak_log", 1, 1, "Ada"),
    ]
    drops = [p.item for _, p in played.of("item_dropped")]
    assert drops == [p.item for _, p in played.of("item_picked_up")] == ["oak_log", "raw_gold"]
    with Rcon(newer.host, newer.rcon_port, PASSWORD) as rcon:
        assert holds(rcon, newer, (3, 64, 3), "air")  # the arena is clean again
    wait_until(lambda: ask_status(newer.host, newer.port).online == 0)


def test_a_fight(server: Server, rcon: Rcon) -> None:
    spec = task(
        agent("Ada", (0, 64, 0), tools=["iron_sword"], multipliers={"zombie": 2.0}, max_health=30),
        agent("Ben", (-12, 64, 0), max_health=3),
        kind="raid_boss",
        hostiles=[
            mob((4, 64, 0), "zombie", role="boss", health=30, damage=4, speed_bps=2),
            mob((-12, 64, 1), "skeleton", damage=3),
        ],
        max_steps=40,
    )
    played = Played(
        spec, Actors({"Ada": [do("attack", entity_type="zombie")]}), world="minecraft", server=server
    )
    assert played.result.success is True
    # An iron sword does 6, here twice that; later blows are weaker if this machine is late with them.
    blows = [p for _, p in played.of("mob_health_changed")]
    assert (blows[0].health, blows[0].delta) == (18, -12)
    assert (blows[-1].health, {p.agent for p in blows}) == (0, {"Ada"})
    assert [(p.mob, p.agent) for _, p in played.of("mob_died")] == [(1, "Ada")]
    hurts = [row[1:] for row in played.hurts("Ada")]  # as many as it takes Ada to win: 4 of 30 each
    assert hurts == [(30 - 4 * blow, "zombie") for blow in range(1, len(hurts) + 1)]
    assert [row[1:] for row in played.hurts("Ben")] == [(0, "skeleton")]
    assert [(p.agent, p.cause) for _, p in played.of("agent_died")] == [("Ben", "skeleton")]
    assert rcon.ask(COMMANDS.is_there(player("Ada_0"))) == "Test failed"


def test_a_crisis_while_a_policy_thinks(freezing: Server) -> None:
    lava = {"type": "progressive_fill", "block": "lava", "direction": "east", "speed_bps": 2}
    spec = task(
        agent("Ada", (4, 64, 0), items={"cobblestone": 1}),
        agent("Ben", (0, 64, 4), max_health=12),
        kind="prepare_crisis",
        events=[event("lava", {"start": 2}, {**lava, "area": area((-2, 64, -1), (6, 64, 5))})],
        hostiles=[mob((14, 64, 0), "zombie", damage=1, speed_bps=4)],
        max_steps=18,
        difficulty="normal",
    )
    line = [do("build_floor", center_pos=[4, 64, 0], width=1, depth=1, height=1)]
    policy = Slow.by(3, Actors({"Ada": line}))
    played = Played(spec, policy, world="minecraft", server=freezing)
    assert played.outcomes("Ada")[0][1:] == ("ok", "", 1, 1)
    # The zombie has eight blocks to go, two seconds; it did not come in the three for which the policy thought.
    first, _, cause = played.hurts("Ada")[0]
    assert (first >= 8, cause) == (True, "zombie")
    # The third slice of lava, a second after the first one; 4 each half second.
    hurts = played.hurts("Ben")
    assert [row[1:] for row in hurts] == [(8, "lava"), (4, "lava"), (0, "lava")]
    assert hurts[0][0] >= 40  # and not in the first moments, as if it had flowed on in the meantime
    assert played.end[1] == "the task can no longer be done"


# --- what goes wrong


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rcon_password": SecretStr("wrong")}, "refuses the RCON password"),
        ({"version": "1.20.4"}, r"answered as '1\.19', .* expected was 1\.20\.4"),
        ({"rcon_port": 1}, r"no RCON at 127\.0\.0\.1:1 .* is enable-rcon on"),
        ({"port": 1}, r"no Minecraft server answers at 127\.0\.0\.1:1"),
    ],
)
def test_a_server_that_cannot_be_used_is_refused_in_plain_words(
    server: Server, change: dict[str, object], words: str
) -> None:
    with pytest.raises(InfrastructureError, match=words) as fault:
        OwnStage(custom(), server.model_copy(update=change))
    assert PASSWORD not in str(fault.value)


def live_on(world: MinecraftWorld) -> None:
    while world.tick < 100:
        world.advance(world.tick + 1)
        world.settle_contact()


def test_a_bot_that_is_turned_out_ends_the_episode_as_a_fault(server: Server, rcon: Rcon) -> None:
    world = MinecraftWorld(custom(max_steps=5), lambda _payload: None, OwnStage(custom(), server))
    with closing(world):
        world.advance(1)
        rcon.ask("kick Ada_0 Not on my server!")
        with pytest.raises(InfrastructureError, match=r"bot Ada lost its connection: .*Not on my server!"):
            live_on(world)


def test_a_server_that_is_lost_while_it_stands_does_not_stay_frozen(freezing: Server) -> None:
    stage = OwnStage(custom(), freezing)
    with Rcon(freezing.host, freezing.rcon_port, PASSWORD) as rcon, closing(stage):
        with pytest.raises(RconUnreachable), stage.hold():
            stage._operator.close()  # as when the connection breaks
        assert rcon.ask("tick query") == "The game is frozen"
        stage.close()
        assert rcon.ask("tick query") == "The game runs normally"

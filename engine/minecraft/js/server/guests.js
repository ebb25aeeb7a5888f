// Players of a server that no episode runs on: each gets a body with Minecraft's defaults, and may be born again.
const { WALK_BPS } = require("../shared/attributes.js");
const { toMinecraft } = require("../shared/geometry.js");

const SPAWN = [0, 64, 0];
const CHUNK_BLOCKS = 16;
const RESPAWN = "perform_respawn";
const BODY = { max_health: 20, speed_bps: WALK_BPS, damage_multipliers: {}, inventory: [] };
const BASES = { attack_damage: 1, attack_speed: 4, knockback_resistance: 0 };

module.exports = (world, embody) => {
  function admit(player) {
    player.gameMode = 0;
    player.findSpawnPoint = async () => {
      player.spawnPoint = toMinecraft(SPAWN);
    };
    guard(player);
    player.on("spawned", () => {
      const agent = embody({ ...BODY, name: player.username, bases: { ...BASES }, scales: new Map() });
      Object.assign(agent, { tags: new Set(), isSafe: false });
      player._client.on("client_command", ({ actionId }) => {
        if (actionId === RESPAWN && !agent.alive) revive(agent);
      });
    });
    player.on("disconnected", () => leave(player));
  }

  /** As in Minecraft, whoever has been put somewhere is there: what a client says of its place before it has heard of
   * that does not count. And flying-squid, which puts those who have joined back to the start, leaves them alone. */
  function guard(player) {
    const { sendPosition, sendSelfPosition } = player;
    let start = null;
    let unconfirmed = 0;
    player.sendSelfPosition = (position) => {
      start ??= player.position;
      if (position && position === start && player.position !== start) return;
      unconfirmed++;
      sendSelfPosition(position);
    };
    player._client.on("teleport_confirm", () => {
      unconfirmed = Math.max(0, unconfirmed - 1);
    });
    player.sendPosition = (...move) => (unconfirmed ? Promise.resolve() : sendPosition(...move));
  }

  /** Send the chunks round players who have been put far away; flying-squid sends them only to those who walk. */
  function tick() {
    for (const { player } of world.agents) {
      const isFar = player.position.distanceTo(player.lastPositionChunkUpdated) > CHUNK_BLOCKS;
      if (isFar && !player.sendingChunks) player.worldSendRestOfChunks();
    }
  }

  function revive(agent) {
    const { player } = agent;
    player._client.write("respawn", world.dialect.respawn(world.serv, player.gameMode));
    agent.alive = true;
    world.hazards.attach(agent);
    world.vitals.attach(agent);
    player.sendSelfPosition(toMinecraft(SPAWN));
    player.loadedChunks = {};
    player.worldSendInitialChunks();
  }

  function leave(player) {
    const at = world.agents.findIndex((agent) => agent.player === player);
    if (at < 0) return;
    world.inventory.close(world.agents[at]);
    world.agents.splice(at, 1);
  }

  return { admit, tick };
};

// The embedded server: flying-squid with what it lacks, one module for each capability.
const { toCellSpace, toMinecraft } = require("../shared/geometry.js");
const { Grid } = require("./grid.js");
const makeDialect = require("./dialect.js");
const makeItems = require("../shared/items.js");
const { mendOres } = require("../shared/ores.js");
const { introduce, watch } = require("./watchers.js");

const MOTD = "TickingCollab";
const HIDDEN_PORT = { host: "127.0.0.1", port: 0 };

/** Players come without a past: to look for it on the disk would take real time, another one in each run. */
const playerData = require("flying-squid/src/lib/playerDat");
playerData.read = async (_uuid, spawnPoint) => ({
  player: { ...playerData.playerDefaults, position: spawnPoint.clone() },
  inventory: [],
});

/**
 * Start a server; `emit` takes what happens, `notes` what a bot is to say when it hears of it. `admit` is called with
 * everyone who joins and is no agent of the task.
 */
async function startServer(config, emit, notes, isWalking, { admit = watch, address = HIDDEN_PORT } = {}) {
  const serv = require("flying-squid").createMCServer({
    motd: MOTD,
    ...address,
    "max-players": 200,
    "online-mode": false,
    logging: false,
    gameMode: 0,
    difficulty: 1,
    generation: { name: require.resolve("./flat"), options: { seed: 1 } },
    kickTimeout: 60000,
    plugins: {},
    modpe: false,
    "view-distance": config.view_distance,
    "player-list-text": { header: { text: "" }, footer: { text: "" } },
    "everybody-op": false,
    "max-entities": 5000,
    hideErrors: true,
    errorHandler: () => {},
    version: config.version,
  });
  const failed = new Promise((_, reject) => serv.on("error", reject)); // as where the port is taken
  failed.catch(() => {});
  let now = 0;
  serv.now = () => now;
  await Promise.race([serv.waitForReady(20000), failed]);
  // One packet to many players is put together once.
  const dialect = makeDialect(serv.registry);
  serv._writeArray = (name, fields, players) =>
    serv._server.writeToClients(
      players.map((player) => player._client),
      name,
      dialect.complete(name, fields),
    );
  serv.updateBlock = serv.notifyNeighborsOfStateChange = () => {};

  const { registry } = serv;
  mendOres(registry);
  const world = { config, serv, registry, emit, notes, isWalking, agents: [], items: makeItems(registry) };
  world.dialect = dialect;
  world.grid = new Grid(serv);
  world.inventory = require("./inventory.js")(world);
  world.drops = require("./drops.js")(world);
  world.vitals = require("./vitals.js")(world);
  world.hazards = require("./hazards.js")(world);
  world.mobs = require("./mobs.js")(world);
  world.digging = require("./digging.js")(world);
  world.placing = require("./placing.js")(world);
  world.consuming = require("./consuming.js")(world);

  const homes = new Map(config.agents.map((agent) => [agent.name, toMinecraft(agent.position)]));
  serv.on("newPlayer", (player) => {
    player.findSpawnPoint = async () => {
      player.spawnPoint = homes.get(player._client.username) ?? toMinecraft([0, 70, 0]);
    };
    player._client.removeAllListeners("client_command"); // death is final
    showMetadata(player);
    world.dialect.hearMoves(player._client);
    // flying-squid overhears this packet, the only one that tells of a landing on the very spot.
    player._client.on("flying", ({ onGround }) => {
      player.onGround = onGround;
    });
    if (homes.has(player._client.username)) return;
    introduce(serv, player);
    admit(player);
  });

  /** Give a player that has joined the body that the task describes. */
  function embody(spec) {
    const agent = {
      name: spec.name,
      spec,
      player: serv.getPlayer(spec.name),
      alive: true,
      get position() {
        return toCellSpace(this.player.position);
      },
    };
    world.agents.push(agent);
    for (const part of ["inventory", "hazards", "vitals", "digging", "placing", "consuming", "mobs"]) {
      world[part].attach(agent);
    }
    return agent;
  }

  /** One tick of everything that the world does by itself, in the order of the rules. */
  function tick() {
    now++;
    world.hazards.tick();
    world.vitals.tick();
    if (!world.isFrozen) world.mobs.tick();
    world.digging.tick();
    world.consuming.tick();
    world.drops.tick();
  }

  return { ...world, world, embody, tick, agent: (name) => world.agents.find((one) => one.name === name) };
}

/** flying-squid tells those who have seen an entity before of its metadata, but not who sees it for the first time. */
function showMetadata(player) {
  const { spawnEntity } = player;
  player.spawnEntity = (entity) => {
    spawnEntity(entity);
    if (entity.metadata?.length) {
      player._client.write("entity_metadata", { entityId: entity.id, metadata: entity.metadata });
    }
  };
}

module.exports = { startServer };

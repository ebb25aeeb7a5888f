// The embedded server: flying-squid with what it lacks, one module for each capability.
const { toCellSpace, toMinecraft } = require("../shared/geometry.js");
const { Grid } = require("./grid.js");
const makeDialect = require("./dialect.js");
const makeItems = require("../shared/items.js");
const { mendOres } = require("../shared/ores.js");
const { introduce, watch } = require("./watchers.js");

const MOTD = "TickingCollab";
const HIDDEN_PORT = { host: "127.0.0.1", port: 0 };
const READY_MS = 20000;
/** Modules in the order in which they need each other, and those that agents have something of. */
const PARTS = ["inventory", "drops", "vitals", "hazards", "mobs", "digging", "placing", "consuming"];
const BODILY = ["inventory", "hazards", "vitals", "digging", "placing", "consuming", "mobs"];

/** Players come without a past: to look for it on the disk would take real time, another one in each run. */
const playerData = require("flying-squid/src/lib/playerDat");
playerData.read = async (_uuid, spawnPoint) => ({
  player: { ...playerData.playerDefaults, position: spawnPoint.clone() },
  inventory: [],
});

/** It would end the thread at any error, and listens for that once more with each player; whoever runs it listens. */
require("flying-squid/src/lib/plugins/errorHandler").player = () => {};

/** flying-squid itself, once it listens. */
async function listen(config, address) {
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
  await Promise.race([serv.waitForReady(READY_MS), failed]);
  return serv;
}

/** All that the server lacks, module by module; each finds the others here. */
function furnish({ config, serv, emit, notes, isWalking }) {
  const { registry } = serv;
  mendOres(registry);
  const dialect = makeDialect(registry);
  const world = { config, serv, registry, dialect, emit, notes, isWalking, agents: [] };
  world.items = makeItems(registry);
  // One packet to many players is put together once.
  serv._writeArray = (name, fields, players) =>
    serv._server.writeToClients(
      players.map((player) => player._client),
      name,
      dialect.complete(name, fields),
    );
  serv.updateBlock = serv.notifyNeighborsOfStateChange = () => {};
  world.grid = new Grid(serv);
  for (const part of PARTS) world[part] = require(`./${part}.js`)(world);
  return world;
}

/** Let in whoever joins: agents of the task at their start, others as `admit` has it. */
function receive({ config, serv, dialect }, admit) {
  const homes = new Map(config.agents.map((agent) => [agent.name, toMinecraft(agent.position)]));
  serv.on("newPlayer", (player) => {
    player.findSpawnPoint = async () => {
      player.spawnPoint = homes.get(player._client.username) ?? toMinecraft([0, 70, 0]);
    };
    player._client.removeAllListeners("client_command"); // death is final
    showMetadata(player);
    dialect.hearMoves(player._client);
    // flying-squid overhears this packet, the only one that tells of a landing on the very spot.
    player._client.on("flying", ({ onGround }) => {
      player.onGround = onGround;
    });
    if (homes.has(player._client.username)) return;
    introduce(serv, player);
    admit(player);
  });
}

/** Give a player that has joined the body that the task describes. */
function embody(world, spec) {
  const agent = {
    name: spec.name,
    spec,
    player: world.serv.getPlayer(spec.name),
    alive: true,
    get position() {
      return toCellSpace(this.player.position);
    },
  };
  world.agents.push(agent);
  for (const part of BODILY) world[part].attach(agent);
  return agent;
}

/**
 * Start a server; `emit` takes what happens, `notes` what a bot is to say when it hears of it. `admit` is called with
 * everyone who joins and is no agent of the task.
 */
async function startServer(config, emit, notes, isWalking, { admit = watch, address = HIDDEN_PORT } = {}) {
  let now = 0;
  const serv = await listen(config, address);
  serv.now = () => now;
  const world = furnish({ config, serv, emit, notes, isWalking });
  receive(world, admit);

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

  return {
    ...world,
    world,
    embody: (spec) => embody(world, spec),
    tick,
    agent: (name) => world.agents.find((one) => one.name === name),
  };
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

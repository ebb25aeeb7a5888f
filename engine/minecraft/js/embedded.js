// The stage of an episode that brings its own server: what the environment does, it does to the server's modules.
const { repeat } = require("./shared/clock.js");
const { pipe } = require("./shared/pipe.js");
const { startServer } = require("./server/index.js");
const makeLooking = require("./server/looking.js");
const { listenForCommands } = require("./server/rcon.js");
const { comfort } = require("./server/watchers.js");
const { Door } = require("./fleet/join.js");

const COMFORT_MS = 2000;

// What nobody catches, in the server or a bot, may change what comes of the episode: rather no result than a wrong one.
process.on("uncaughtException", (error) => {
  throw error;
});

module.exports = (scene) => {
  const { config, units } = scene;
  const pipes = new WeakMap();
  let server;

  const commands = {
    blocks({ block, cells, contact }) {
      for (const cell of cells) config.changed.add(cell.join());
      server.grid.set(cells, block);
      server.hazards.setContact(cells, contact);
    },
    mob: (mob) => server.mobs.spawn(mob),
    unmob: ({ number }) => server.mobs.remove(number),
    effect: ({ agent, effect, amplifier, ticks }) =>
      server.vitals.give(server.agent(agent), effect, amplifier, ticks),
    /** Whoever was to start on a block that was not there yet when it joined has fallen: put everybody in place. */
    home() {
      for (const agent of server.world.agents) server.world.hazards.place(agent, agent.spec.position);
    },
    hurt: ({ agent, amount, cause }) => server.vitals.hurt(server.agent(agent), amount, cause),
    pace: ({ agent, source, factor }) => server.vitals.setFactor(server.agent(agent), source, factor),
    region: (region) => server.hazards.setRegion(region),
  };

  /** Bots and server exchange packets over a pipe within the process. */
  function connect() {
    const [ours, theirs] = pipe();
    pipes.set(theirs, [ours, theirs]);
    server.serv._server.socketServer.emit("connection", theirs);
    return { options: { stream: ours }, enter: () => ours.emit("connect") };
  }

  /** Start the server; returns the door for the bots. */
  async function open() {
    const isWalking = (name) => Boolean(units.get(name)?.walk);
    server = await startServer(config, scene.emit, scene.notes, isWalking);
    server.serv.on("newPlayer", ({ _client }) => {
      for (const end of pipes.get(_client.socket) ?? []) end.hurry();
    });
    repeat(() => comfort(server.serv), COMFORT_MS);
    if (config.rcon) await listenForCommands(config.rcon, makeLooking(server.world));
    for (const { cell, items } of config.chest_contents) server.inventory.addChest(cell, items);
    server.grid.onChange((cells) => {
      for (const cell of cells) config.changed.add(cell.join());
    });
    const isIn = ({ username, entity }) => entity?.onGround && server.serv.getPlayer(username);
    return new Door({ where: "the embedded server", version: config.version, connect, isIn });
  }

  return {
    commands,
    open,
    embody() {
      for (const spec of config.agents) server.embody(spec);
    },
    get port() {
      return server.serv.listeningPort;
    },
    isAlive: (name) => server.agent(name).alive,
    tick: () => server.tick(),
    review: () => server.world.hazards.review(),
    mobPositions: () => server.mobs.positions(),
    close: () => server?.serv.destroy(),
  };
};

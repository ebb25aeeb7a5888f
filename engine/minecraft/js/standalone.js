// A server without an episode, on the real clock, for whoever joins; in a worker thread, which is told its settings.
const { parentPort, workerData } = require("node:worker_threads");
const { TICK_MS } = require("./shared/time.js");
const { startServer } = require("./server/index.js");
const { listenForCommands } = require("./server/rcon.js");
const makeGuests = require("./server/guests.js");
const makeCommands = require("./server/commands/index.js");

const MOST_LAG_TICKS = 20; // what it is behind by more than that, it leaves out

async function serve(config) {
  const notes = { health: () => {} };
  const server = await startServer(
    config,
    () => {},
    notes,
    () => false,
    {
      admit: (player) => guests.admit(player),
      address: { host: config.host, port: config.port },
    },
  );
  goByBlocks(server.world);
  const guests = makeGuests(server.world, server.embody);
  const commands = makeCommands(server.world);
  const rcon = { host: config.host, port: config.rcon_port, password: config.password };
  const rconPort = await listenForCommands(rcon, commands.answer);
  beat(() => {
    server.tick();
    commands.tick();
    guests.tick();
  });
  return { port: server.serv.listeningPort, rcon_port: rconPort };
}

/** Without a task, what a cell does follows from its block, as in Minecraft, and a chest is whatever is one. */
function goByBlocks({ config, grid, hazards, inventory }) {
  grid.onChange((cells) => {
    for (const cell of cells) {
      const name = grid.block(cell);
      if (name !== "chest") inventory.removeChest(cell);
      else if (!inventory.isChest(cell)) inventory.addChest(cell, {});
      hazards.setContact([cell], config.contacts[name] ?? null);
    }
  });
}

/** Call it every 50 ms, without drifting. */
function beat(tick) {
  let due = performance.now() + TICK_MS;
  const next = () => {
    tick();
    due = Math.max(due + TICK_MS, performance.now() - MOST_LAG_TICKS * TICK_MS);
    setTimeout(next, Math.max(0, due - performance.now()));
  };
  setTimeout(next, TICK_MS);
}

const tell = (error) => process.stderr.write(`${error?.stack ?? error}\n`);
process.on("uncaughtException", tell);
process.on("unhandledRejection", tell);

serve(workerData)
  .then((ports) => parentPort.postMessage(ports))
  .catch((error) => parentPort.postMessage({ fault: error.message }));

// One episode's server and bots, in a worker thread of their own on one virtual clock (the thread's globals are its
// own, so the main thread keeps real time). It does what the main thread asks, one request after the other.
const { parentPort } = require("node:worker_threads");
const { TICK_MS, drain, pass } = require("./shared/clock.js");
const { rounded } = require("./shared/geometry.js");
const { startServer } = require("./server/index.js");
const { join } = require("./fleet/join.js");
const { Unit } = require("./fleet/unit.js");
const abilities = require("./fleet/abilities.js");

// The protocol throws an error at each end of a buffer; tracing all of them took a quarter of the time.
Error.stackTraceLimit = 3;

let events = [];
const emit = (type, payload) => events.push({ type, payload });
const faults = [];

/** What bots are to report of their health when they hear of it, in the order in which the server told them. */
const notes = {
  queues: {},
  causes: {},
  health(agent, note) {
    this.queues[agent] = [...(this.queues[agent] ?? []), note];
    if (note) this.causes[agent] = note.cause;
  },
  heard(agent) {
    return this.queues[agent]?.shift() ?? null;
  },
  cause(agent) {
    return this.causes[agent] ?? "unknown";
  },
};

let server;
let config;
const units = new Map();
const told = { agents: {}, mobs: {} };

const commands = {
  begin({ agent, action, parameters, number }) {
    if (server.agent(agent).alive) {
      units.get(agent).begin(abilities[action], parameters, number);
      return;
    }
    const detail = `killed by ${notes.cause(agent)}`;
    emit("action_over", { agent, number, outcome: "failed", reason: "dead", done: 0, wanted: 1, detail });
  },
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

const requests = {
  /** Start the server, let the bots join one after the other, build the arena. */
  async open(settings) {
    config = { ...settings, changed: new Set() };
    const isWalking = (name) => Boolean(units.get(name)?.walk);
    server = await startServer(config, emit, notes, isWalking);
    for (const { cell, items } of config.chest_contents) server.inventory.addChest(cell, items);
    server.grid.onChange((cells) => {
      for (const cell of cells) config.changed.add(cell.join());
    });
    for (const spec of config.agents) {
      const bot = await join(server, config, spec.name);
      units.set(spec.name, new Unit(bot, spec, config, emit, notes));
    }
    for (const spec of config.agents) server.embody(spec);
    await pass(10 * TICK_MS);
    events = [];
    return { port: server.serv.listeningPort, rss: process.memoryUsage().rss };
  },

  /** Carry out the commands, then let so many ticks pass; returns what happened and who is where. */
  async exchange({ commands: wanted, ticks }) {
    for (const { do: name, ...parameters } of wanted) commands[name](parameters);
    await drain(); // before the clock goes on, or actions would begin late
    if (!ticks) server.world.hazards.review();
    for (let i = 0; i < ticks; i++) {
      await pass(TICK_MS);
      server.tick();
      await drain();
      for (const unit of units.values()) unit.reportInventory();
    }
    await drain();
    const happened = events;
    events = [];
    return { events: happened, agents: moved("agents"), mobs: moved("mobs"), faults: faults.splice(0) };
  },

  interrupt: ({ agent, reason, detail }) => units.get(agent).stop(reason, detail),

  close() {
    for (const unit of units.values()) unit.bot.end();
    server?.serv.destroy();
    return {};
  },
};

/** Positions of those that are elsewhere than when they were told last. */
function moved(kind) {
  const all =
    kind === "agents"
      ? server.world.agents.map((agent) => [agent.name, units.get(agent.name).position])
      : server.mobs.positions();
  const news = {};
  for (const [name, position] of all) {
    const now = rounded(position);
    if (told[kind][name]?.join() !== now.join()) news[name] = told[kind][name] = now;
  }
  return news;
}

process.on("uncaughtException", (error) => faults.push(String(error.stack ?? error)));
process.on("unhandledRejection", (error) => faults.push(String(error?.stack ?? error)));

parentPort.on("message", async ({ id, request, body }) => {
  try {
    parentPort.postMessage({
      id,
      answer: JSON.stringify((await requests[request](JSON.parse(body))) ?? null),
    });
  } catch (error) {
    parentPort.postMessage({ id, fault: String(error.stack ?? error) });
  }
});

// One episode's bots, and the server if it is the embedded one, in a worker thread of their own on one virtual clock
// (the thread's globals are its own, so the main thread keeps real time). It does what the main thread asks, one request
// after the other.
const { parentPort } = require("node:worker_threads");
const { drain, pass } = require("./shared/clock.js");
const { TICK_MS } = require("./shared/time.js");
const { rounded } = require("./shared/geometry.js");
const { speakAsTasks } = require("./shared/names.js");
const { Unit } = require("./fleet/unit.js");
const abilities = require("./fleet/abilities.js");

// The protocol throws an error at each end of a buffer; tracing all of them took a quarter of the time.
Error.stackTraceLimit = 3;

let events = [];
const faults = [];
const told = { agents: {}, mobs: {} };

/** What the parts of an episode share. `now` counts ticks. */
const scene = {
  now: 0,
  config: null,
  units: new Map(),
  emit: (type, payload) => events.push({ type, payload }),
  /** What bots are to report of their health when they hear of it, in the order in which the server told them. */
  notes: {
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
  },
};

/** Where it happens: on the embedded server, or on one of the user's own. */
let stage;

function begin({ agent, action, parameters, number }) {
  if (stage.isAlive(agent)) {
    scene.units.get(agent).begin(abilities[action], parameters, number);
    return;
  }
  const detail = `killed by ${scene.notes.cause(agent)}`;
  scene.emit("action_over", { agent, number, outcome: "failed", reason: "dead", done: 0, wanted: 1, detail });
}

const requests = {
  /** Let the bots join one after the other. */
  async open(settings) {
    const config = { ...settings, changed: new Set() };
    speakAsTasks(config);
    scene.config = config;
    stage = require(config.server ? "./own.js" : "./embedded.js")(scene);
    const door = await stage.open();
    for (const spec of config.agents) {
      const bot = await door.join(spec.username);
      scene.units.set(spec.name, new Unit(bot, spec, config, scene.emit, scene.notes));
    }
    await stage.embody();
    await pass(10 * TICK_MS);
    events = [];
    return { port: stage.port, rss: process.memoryUsage().rss };
  },

  /** On a server of the user's own: wait until the bots are as the task describes them. */
  async ready() {
    await stage.ready();
    events = [];
    return {};
  },

  /** Carry out the commands, then let so many ticks pass; returns what happened and who is where. */
  async exchange({ commands: wanted, ticks }) {
    for (const { do: name, ...parameters } of wanted) {
      if (name === "begin") begin(parameters);
      else stage.commands[name](parameters);
    }
    await drain(); // before the clock goes on, or actions would begin late
    if (!ticks) stage.review();
    for (let i = 0; i < ticks; i++) {
      await pass(TICK_MS);
      scene.now++;
      stage.tick();
      await drain();
      for (const unit of scene.units.values()) unit.reportInventory();
    }
    await drain();
    const happened = events;
    events = [];
    return { events: happened, agents: moved("agents"), mobs: moved("mobs"), faults: faults.splice(0) };
  },

  interrupt: ({ agent, reason, detail }) => scene.units.get(agent).stop(reason, detail),

  close() {
    for (const { bot } of scene.units.values()) bot.end();
    stage?.close();
    return {};
  },
};

/** Positions of those that are elsewhere than when they were told last. */
function moved(kind) {
  const units = [...scene.units].map(([name, unit]) => [name, unit.position]);
  const news = {};
  for (const [name, position] of kind === "agents" ? units : stage.mobPositions()) {
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

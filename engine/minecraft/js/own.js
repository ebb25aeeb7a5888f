// The stage of an episode on a server of the user's own: bots join over the network, and what happens is what they hear
// from the server. What the environment does there, Python does over RCON; here it is only told of it.
const { drain, keepToTheWall, pass } = require("./shared/clock.js");
const { distance, moveArena } = require("./shared/geometry.js");
const { Door } = require("./fleet/join.js");

const READY_MS = 60000;
const NEAR = 0.75;
const FULL = 20; // of food: whoever has so much cannot eat

module.exports = (scene) => {
  const { config, units } = scene;
  const { host, port, where, origin } = config.server;
  scene.items = require("./shared/items.js")(require("prismarine-registry")(config.version));
  const blocks = require("./witness/blocks.js")(scene);
  const mobs = require("./witness/mobs.js")(scene);
  const bodies = require("./witness/bodies.js")(scene, mobs);
  const goods = require("./witness/goods.js")(scene);

  async function open() {
    moveArena(origin);
    keepToTheWall();
    const connect = () => ({ options: { host, port }, enter: () => {} });
    return new Door({ where, version: config.version, connect, isIn: (bot) => Boolean(bot.entity) });
  }

  function embody() {
    for (const unit of units.values()) {
      unit.bot.setQuickBarSlot(0);
      for (const part of [blocks, mobs, bodies, goods]) part.attach(unit);
    }
  }

  /** What is not as the task says of a bot's body; empty if all is. */
  function lack(unit) {
    const { bot, spec, position } = unit;
    if (distance(position, spec.position) > NEAR) return `stands at ${position}, not at ${spec.position}`;
    if (!bot.blockAt(bot.entity.position)) return "has not received the ground around it";
    if (Math.abs(bot.health - spec.max_health) > 0.01)
      return `has ${bot.health} health, not ${spec.max_health}`;
    if (bot.food >= FULL) return "is too full to eat anything";
    const short = spec.inventory.find((stack) => unit.count(stack.name) !== stack.count);
    return short ? `carries ${unit.count(short.name)} ${short.name}, not ${short.count}` : "";
  }

  async function ready() {
    let late = [];
    for (let waited = 0; waited < READY_MS; waited += 50) {
      await pass(50);
      await drain();
      late = [...units.values()].map((unit) => [unit.name, lack(unit)]).filter(([, what]) => what);
      if (!late.length) return bodies.begin();
    }
    const [name, what] = late[0];
    throw new Error(`after ${READY_MS / 1000} s the bot ${name} ${what}`);
  }

  return {
    commands: {
      blocks({ block, cells, contact }) {
        blocks.expect(cells, block);
        bodies.learn(contact);
      },
      mob: (mob) => mobs.expect(mob),
      unmob: ({ number }) => mobs.forget(number),
      hurt: ({ agent, cause }) => bodies.expect(agent, cause),
    },
    open,
    embody,
    ready,
    port,
    isAlive: bodies.isAlive,
    tick: bodies.tick,
    review() {},
    mobPositions: mobs.positions,
    close() {},
  };
};

// A Mineflayer bot that does what it is told: reads one JSON list a line, `[what, ...arguments]`, and prints one JSON
// document a line, the answer. Arguments: port, name. Ends with its standard input.
const mineflayer = require("mineflayer");
const { Vec3 } = require("vec3");
const readline = require("node:readline");

const [port, username] = process.argv.slice(2);
const bot = mineflayer.createBot({
  host: "127.0.0.1",
  port: +port,
  username,
  auth: "offline",
  respawn: false,
  checkTimeoutInterval: 600000, // an episode's clock may stand for long, and no sign of life comes by it
});
const heard = { said: [], health: [], healthOfMobs: [], gone: [], times: 0 };
bot.on("messagestr", (text) => heard.said.push(text));
bot.on("health", () => heard.health.push(bot.health));
bot.on("entityGone", (entity) => heard.gone.push(entity.name));
bot.on("kicked", (reason) => heard.said.push(reason));
bot.on("error", (error) => heard.said.push(error.message));
bot._client.on("update_time", () => heard.times++);
bot._client.on("entity_metadata", ({ metadata }) => {
  for (const { key, value } of metadata) if (key === 9) heard.healthOfMobs.push(value);
});

const cell = (x, y, z) => bot.blockAt(new Vec3(x, y, z));
const named = (name) => Object.values(bot.entities).find((entity) => entity.name === name);
const counts = (items) => Object.fromEntries(items.map((item) => [item.name, item.count]));

const acts = {
  block: (...at) => cell(...at)?.name ?? null,
  carries: () => counts(bot.inventory.items()),
  heard: () => heard,
  stands: () => bot.entity.onGround,
  position: () => bot.entity.position.toArray(),
  pace: () => bot.entity.attributes,
  uuid: (name) => named(name)?.uuid ?? null,
  attack: (name) => bot.attack(named(name)),
  respawn: () => bot.respawn(),
  mode: () => bot.game.gameMode,
  where: (player) => bot.players[player]?.entity?.position.toArray() ?? null,
  entity: (name) => named(name)?.position.toArray() ?? null,
  idOf: (player) => bot.players[player].entity.id,
  send: (packet, fields) => bot._client.write(packet, fields),
  times: () => heard.times,
  async hold(name) {
    await bot.equip(
      bot.inventory.items().find((item) => item.name === name),
      "hand",
    );
  },
  async dig(...at) {
    await bot.dig(cell(...at));
  },
  async chest(...at) {
    const window = await bot.openContainer(cell(...at));
    const found = counts(window.containerItems());
    window.close();
    return found;
  },
};

const say = (answer) => process.stdout.write(`${JSON.stringify(answer ?? null)}\n`);
bot.once("spawn", () => say("joined"));
const lines = readline.createInterface({ input: process.stdin });
lines.on("line", async (line) => {
  const [act, ...rest] = JSON.parse(line);
  try {
    say(await acts[act](...rest));
  } catch (error) {
    say({ error: error.message });
  }
});
lines.on("close", () => process.exit());

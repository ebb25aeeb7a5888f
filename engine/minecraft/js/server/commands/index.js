// Commands as the operator of a vanilla server gives them, answered in its words. They act on the same modules as an
// episode's own commands do.
const makeWords = require("./words.js");
const makeBeings = require("./beings.js");
const makeChunks = require("./chunks.js");
const makeBlocks = require("./blocks.js");
const makeItems = require("./items.js");
const makeSettings = require("./settings.js");
const makeEntities = require("./entities.js");
const makeStates = require("./states.js");
const makeData = require("./data.js");
const makeExecute = require("./execute.js");
const { Reader, Refusal } = require("./reader.js");

const DAMAGE_SINCE = "1.19.4";
const SPAWN = [0, 64, 0];

module.exports = (world) => {
  const parts = { words: makeWords(world.registry) };
  parts.beings = makeBeings(world, parts.words);
  parts.chunks = makeChunks(world, parts);
  parts.items = makeItems(world, parts);
  parts.blocks = makeBlocks(world, parts);
  parts.settings = makeSettings(world, parts);
  parts.entities = makeEntities(world, parts);
  parts.states = makeStates(world, parts);
  const { blocks, items, settings, entities, states, words } = parts;

  /** On peaceful hostile mobs vanish; what the others do depends on the difficulty. */
  function refreshMobs() {
    for (const mob of world.mobs.all()) {
      if (settings.isPeaceful() && world.config.mobs[mob.entity]?.hostile) world.mobs.remove(mob.number);
      else entities.refresh(mob);
    }
  }

  const item = (reader, source) => {
    reader.oneOf(["replace"]);
    return reader.oneOf(["block", "entity"]) === "block"
      ? blocks.store(reader, source)
      : items.equip(reader, source);
  };

  const commands = {
    ...parts.chunks.commands,
    ...blocks.commands,
    ...items.commands,
    ...settings.commands,
    ...entities.commands,
    ...states.commands,
    ...makeData(world, parts).commands,
    ...makeExecute(world, parts, run).commands,
    difficulty: settings.difficulty(refreshMobs),
    item,
  };
  if (world.registry.version["<"](DAMAGE_SINCE)) delete commands.damage;

  function run(reader, source) {
    const command = commands[reader.word()];
    if (command) return command(reader, source);
    throw reader.misread("command.unknown.command");
  }

  /** The answer to a command; whatever was wrong with it is an answer as well. */
  function answer(line) {
    try {
      return run(new Reader(line.trim().replace(/^\//, ""), words), { being: null, at: SPAWN });
    } catch (fault) {
      if (fault instanceof Refusal) return fault.message;
      return `${words.say("command.failed")}: ${fault.message}`;
    }
  }

  function tick() {
    settings.tick();
    states.tick();
  }

  return { answer, tick };
};

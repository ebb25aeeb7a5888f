// setblock, fill, and chests by `item replace block`.
const { CHEST_SLOTS } = require("../../shared/chests.js");
const { Refusal } = require("./reader.js");

const FILL_BLOCKS = 32768;
const [LOWEST, HIGHEST] = [-64, 319];

module.exports = (world, { words, chunks, items }) => {
  const { registry, grid } = world;
  /** The next three words as a cell where blocks can be seen and changed. */
  function place(reader, source) {
    const cell = reader.cell(source.at);
    if (!chunks.isLoaded(cell)) throw new Refusal(words.say("argument.pos.unloaded"));
    if (cell[1] < LOWEST || cell[1] > HIGHEST) throw new Refusal(words.say("argument.pos.outofworld"));
    return cell;
  }

  /** The next word as a block; its states are Minecraft's defaults, since this server keeps no others. */
  function block(reader) {
    const name = reader.name();
    if (/[[{]/.test(name)) throw new Refusal(`this server keeps no states and no data of blocks: ${name}`);
    if (!registry.blocksByName[name]) throw reader.misread("argument.block.id.invalid", `minecraft:${name}`);
    return name;
  }

  const setblock = (reader, source) => {
    const cell = place(reader, source);
    const name = block(reader);
    const mode = reader.isAtEnd ? "replace" : reader.oneOf(["replace", "keep", "destroy"]);
    reader.end();
    const old = grid.block(cell);
    if (old === name || (mode === "keep" && old !== "air"))
      throw new Refusal(words.say("commands.setblock.failed"));
    grid.set([cell], name);
    return words.say("commands.setblock.success", ...cell);
  };

  const fill = (reader, source) => {
    const corners = [place(reader, source), place(reader, source)];
    const name = block(reader);
    const mode = reader.isAtEnd ? "replace" : reader.oneOf(["replace", "keep", "destroy"]);
    const only = mode === "keep" ? "air" : mode === "replace" && !reader.isAtEnd ? block(reader) : null;
    reader.end();
    const low = corners[0].map((value, axis) => Math.min(value, corners[1][axis]));
    const high = corners[0].map((value, axis) => Math.max(value, corners[1][axis]));
    const size = low.reduce((product, value, axis) => product * (high[axis] - value + 1), 1);
    if (size > FILL_BLOCKS) throw new Refusal(words.say("commands.fill.toobig", FILL_BLOCKS, size));
    const changed = box(low, high).filter((cell) => {
      const old = grid.block(cell);
      return old !== name && (only === null || old === only);
    });
    if (!changed.length) throw new Refusal(words.say("commands.fill.failed"));
    grid.set(changed, name);
    return words.say("commands.fill.success", changed.length);
  };

  function box(low, high) {
    const cells = [];
    for (let x = low[0]; x <= high[0]; x++)
      for (let y = low[1]; y <= high[1]; y++) for (let z = low[2]; z <= high[2]; z++) cells.push([x, y, z]);
    return cells;
  }

  // --- chests

  /** `item replace block`, of which the first words have been read. */
  function store(reader, source) {
    const cell = place(reader, source);
    const [, slot] = /^container\.(\d+)$/.exec(reader.word()) ?? [];
    reader.oneOf(["with"]);
    const item = items.read(reader);
    const count = reader.optionalWhole(1, 1, 64);
    reader.end();
    if (!world.inventory.isChest(cell))
      throw new Refusal(words.say("commands.item.target.not_a_container", ...cell));
    if (slot === undefined || slot >= CHEST_SLOTS)
      throw new Refusal(words.say("commands.item.target.no_such_slot", slot));
    world.inventory.store(cell, +slot, item.make(count));
    return words.say("commands.item.block.set.success", ...cell, `[${words.item(item.name)}]`);
  }

  return { commands: { fill, setblock }, block, place, store };
};

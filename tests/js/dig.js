// Prints, as JSON, what prismarine-block says of breaking every block with each of the tools.
//
// Argument: {"version", "tools", "haste", "fatigue"}, the last two being levels of effects. The tool "hand" is none.
// Output: by block, by tool: [ticks, whether it is harvested]; the ticks are null for what cannot be broken.

import blockOf from "prismarine-block";
import registryOf from "prismarine-registry";

const { version, tools, haste, fatigue } = JSON.parse(process.argv[2]);
const registry = registryOf(version);
const Block = blockOf(registry);

const MILLISECONDS = 50; // of a tick
const LEVELS = { Haste: haste, MiningFatigue: fatigue };
const effects = Object.fromEntries(
  Object.entries(LEVELS)
    .filter(([, level]) => level > 0)
    .map(([name, level]) => [registry.effectsByName[name].id, { amplifier: level - 1 }]),
);

function verdict(block, tool) {
  const held = tool === "hand" ? null : registry.itemsByName[tool].id;
  const time = block.digTime(held, false, false, false, [], effects);
  return [Number.isFinite(time) ? time / MILLISECONDS : null, Boolean(block.canHarvest(held))];
}

const table = {};
for (const { name, defaultState } of registry.blocksArray) {
  const block = Block.fromStateId(defaultState, 0);
  table[name] = Object.fromEntries(tools.map((tool) => [tool, verdict(block, tool)]));
}
process.stdout.write(JSON.stringify(table));

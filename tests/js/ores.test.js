// Ores break as fast in later versions as in 1.19.

import assert from "node:assert/strict";
import test from "node:test";
import blockOf from "prismarine-block";
import registryOf from "prismarine-registry";
import { mendOres } from "../../engine/minecraft/js/shared/ores.js";

/** Milliseconds of breaking each of the blocks with a pickaxe. */
function times(version, names) {
  const registry = registryOf(version);
  mendOres(registry);
  const Block = blockOf(registry);
  const pickaxe = registry.itemsByName.iron_pickaxe.id;
  return names.map((name) => {
    const block = Block.fromStateId(registry.blocksByName[name].defaultState, 0);
    return [name, block.digTime(pickaxe, false, false, false, [], {})];
  });
}

test("an iron pickaxe breaks ores and metals as fast in 1.21.4 as in 1.19", () => {
  const blocks = [
    "copper_ore",
    "diamond_ore",
    "gold_ore",
    "iron_block",
    "iron_ore",
    "obsidian",
    "redstone_ore",
  ];
  const old = times("1.19", blocks);
  assert.deepEqual(old[2], ["gold_ore", 750]); // 1 / (6 / 3 / 30) ticks
  assert.deepEqual(times("1.21.4", blocks), old);
});

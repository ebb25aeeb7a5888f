/** A colour for every block: the usual ones by hand, any other from its name. */

const COLOURS = {
  stone: "#8a8a8a",
  cobblestone: "#787878",
  stone_bricks: "#7d7d85",
  deepslate: "#50505a",
  dirt: "#8b6246",
  grass_block: "#6f9a4a",
  sand: "#dccfa0",
  gravel: "#8d8682",
  oak_log: "#8f6b3a",
  spruce_log: "#5b3d22",
  birch_log: "#d5cfc0",
  oak_planks: "#b58f56",
  chest: "#a5682a",
  glass: "#b9dbe6",
  obsidian: "#2a1d3d",
  coal_ore: "#3a3a3a",
  iron_ore: "#d0a284",
  copper_ore: "#c0683f",
  gold_ore: "#f2c230",
  redstone_ore: "#c0261b",
  lapis_ore: "#2b52b3",
  diamond_ore: "#4ed6d0",
  emerald_ore: "#22b455",
  lava: "#e2571a",
  water: "#3b6fd6",
  powder_snow: "#dfeaf2",
};

/**
 * A block's colour, the same everywhere and always.
 * @param {string} name
 * @returns {string}
 */
export function blockColour(name) {
  if (Object.hasOwn(COLOURS, name)) {
    return COLOURS[name];
  }
  let hash = 0;
  for (const letter of name) {
    hash = (hash * 31 + letter.codePointAt(0)) % 360;
  }
  return `hsl(${hash} 42% 52%)`;
}

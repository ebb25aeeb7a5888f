// Which blocks have changed, and by whose doing. What the environment was about to do is known before it is heard of.
const { cellOf, isWithin, key } = require("../shared/geometry.js");
const { GROUND } = require("../shared/ground.js");
const { onBlockNews } = require("../fleet/news.js");

const AIR = /^(cave_|void_)?air$/;
const FIRE = /^(soul_)?fire$/;

module.exports = (scene) => {
  const { config, units } = scene;
  const { low, high } = config.server;
  const known = new Map();

  const before = (cell) => known.get(key(cell)) ?? GROUND[cell[1]] ?? "air";

  function note(cell, block) {
    known.set(key(cell), block);
    config.changed.add(key(cell));
  }

  function expect(cells, block) {
    for (const cell of cells) note(cell, block);
  }

  function attach(unit) {
    const { blocksByStateId } = unit.bot.registry;
    onBlockNews(unit.bot, (place, state) => {
      const name = blocksByStateId[state]?.name ?? "air";
      see(cellOf(place), AIR.test(name) ? "air" : name);
    });
  }

  /** The first bot that hears of a change reports it; for the others it is none any more. */
  function see(cell, block) {
    const old = before(cell);
    if (block === old || !isWithin(low, cell, high)) return;
    note(cell, block);
    const agent = doer(cell);
    const isFire = FIRE.test(block) || FIRE.test(old) || config.flammable.includes(old);
    const cause = agent ? "agent" : isFire ? "fire" : "event";
    scene.emit("blocks_changed", { block, cells: [cell], cause, source: agent, vanish_tick: null });
  }

  function doer(cell) {
    const isAtWork = ({ work }) => work?.cell === key(cell) && Date.now() <= work.until;
    return [...units.values()].find(isAtWork)?.name ?? "";
  }

  return { attach, expect };
};

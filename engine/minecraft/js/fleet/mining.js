// mine_blocks_at: walk into reach, break with the best tool, collect what drops; block after block.
const { BLOCK_REACH, cellOf, cornerOf, distance } = require("../shared/geometry.js");
const { ticks, turn } = require("../shared/clock.js");
const { approach } = require("./moving.js");
const { floorBelow } = require("../shared/paths.js");
const { onBlockNews } = require("./news.js");

const UNMINABLE = new Set(["air", "water", "lava"]);
const PICKUP_RADIUS = 1.425;
const MAX_DIG_TICKS = 1200;

async function mineBlocksAt(unit, run, { block_positions: cells }) {
  run.wanted = cells.length;
  run.detail = `mined ${cells.length} of ${cells.length}`;
  for (const cell of cells) {
    const [reason, what] = await mine(unit, run, cell);
    if (reason) run.blame(reason, `${what} [${cell.join(", ")}]`);
    else run.done++;
  }
}

async function mine(unit, run, cell) {
  const missing = () => {
    if (!UNMINABLE.has(unit.block(cell))) return "";
    return unit.config.changed.has(cell.join()) ? "vanished" : "not_found";
  };
  const seen = () => (unit.perceives(cell) ? missing() : "");
  const reason = (await approach(unit, run, cell, BLOCK_REACH, seen)) || missing();
  if (reason) return [reason, reason === "unreachable" ? "there is no way to" : "there is no block at"];
  return dig(unit, run, cell);
}

/** The carried tool that suits the block best: harvesting before speed; null for the bare hand. */
function bestTool(unit, block) {
  const rank = (item) => {
    const type = item?.type ?? null;
    return [block.canHarvest(type) ? 1 : 0, -block.digTime(type, false, false, false, [], {})];
  };
  let best = null;
  for (const item of unit.slots()) {
    const [a, b] = [rank(item), rank(best)];
    if (a[0] > b[0] || (a[0] === b[0] && a[1] > b[1])) best = item;
  }
  return best;
}

async function dig(unit, run, cell) {
  const { bot } = unit;
  const block = bot.blockAt(cornerOf(cell));
  if (unit.config.chests.includes(cell.join()))
    return ["wrong_tool", "a chest of the task is not to be mined:"];
  const tool = bestTool(unit, block);
  if (!block.diggable || !block.canHarvest(tool?.type ?? null)) {
    return ["wrong_tool", `no tool carried harvests the ${block.name} at`];
  }
  if (tool) await unit.hold(unit.items.nameOf(tool));
  const drops = block.drops.map((id) => bot.registry.items[id].name);
  const before = Object.fromEntries(drops.map((name) => [name, unit.count(name)]));
  if (!(await breakBlock(unit, run, block))) {
    if (distance(unit.position, cell) > BLOCK_REACH + 1) return ["out_of_reach", "was carried away from"];
    return ["vanished", `the ${block.name} went away under the tool at`];
  }
  for (const name of drops) {
    const [reason, what] = await collect(unit, run, name, cell, before[name]);
    if (reason) return [reason, what];
  }
  return ["", ""];
}

/** Whether the block went away by this bot's own digging: the server's word on it is what counts. */
async function breakBlock(unit, run, block) {
  const { bot } = unit;
  await settled(unit);
  const due = Date.now() + bot.digTime(block);
  const confirmed = confirmation(unit, block.position);
  unit.workOn(cellOf(block.position), Infinity);
  bot.dig(block, "ignore").catch(() => {});
  try {
    await Promise.race([confirmed.promise, ticks(MAX_DIG_TICKS)]);
  } finally {
    confirmed.stop();
    unit.workOn(cellOf(block.position));
  }
  await turn(); // what follows from it is on its way in the same instant
  run.check();
  bot.stopDigging();
  return Date.now() >= due && unit.block(cellOf(block.position)) === "air";
}

/** The packet that says that the block is gone. Mineflayer itself believes so as soon as it has stopped digging. */
function confirmation(unit, position) {
  let stop;
  const promise = new Promise((resolve) => {
    stop = onBlockNews(unit.bot, (place, state) => {
      if (state === 0 && place.equals(position)) resolve();
    });
  });
  return { promise, stop };
}

/** Whoever is in the air digs five times as slowly: wait to be on the ground. */
async function settled(unit) {
  for (let i = 0; i < 10 && !unit.bot.entity.onGround; i++) await ticks(1);
}

async function collect(unit, run, name, cell, before) {
  const got = () => (unit.count(name) > before ? "got" : "");
  if (!got() && !unit.room(name)) return ["inventory_full", `no room for the ${name} from`];
  const resting = [cell[0], floorBelow(unit.isSolid, cell), cell[2]];
  const reason = got() || (await approach(unit, run, resting, PICKUP_RADIUS, got));
  for (let waited = 0; waited < unit.config.pickup_ticks && !got(); waited++) await run.wait(1);
  if (got()) return ["", ""];
  if (reason) return [reason, `there is no way to the ${name} from`];
  return ["vanished", `somebody else took the ${name} from`];
}

module.exports = { mineBlocksAt };

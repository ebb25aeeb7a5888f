// build_floor: a platform of layers, block by block, out of what the agent carries.
const { BLOCK_REACH, distance, nearestCell } = require("../shared/geometry.js");
const { turn } = require("../shared/clock.js");
const { approach } = require("./moving.js");

const PLACE_TICKS = 10;
const JUMP_TICKS = 12;
const AROUND = [
  [0, -1, 0],
  [-1, 0, 0],
  [1, 0, 0],
  [0, 0, -1],
  [0, 0, 1],
  [0, 1, 0],
];
const WHY = {
  missing_items: "no more blocks to build with for",
  unreachable: "there is no way to",
  out_of_reach: "nothing to build against, or somebody in the way, at",
};

const plus = (a, b) => a.map((value, axis) => value + b[axis]);

function cellsOf({ center_pos: [x, y, z], width, depth, height }) {
  const [left, back] = [(width - 1) >> 1, (depth - 1) >> 1];
  const cells = [];
  for (let dy = 0; dy < height; dy++) {
    for (let dx = 0; dx < width; dx++) {
      for (let dz = 0; dz < depth; dz++) cells.push([x - left + dx, y + dy, z - back + dz]);
    }
  }
  return cells;
}

async function buildFloor(unit, run, parameters) {
  const cells = cellsOf(parameters);
  run.wanted = cells.length;
  run.detail = `built ${cells.length} of ${cells.length} blocks`;
  let missing = cells.filter((cell) => !unit.isSolid(...cell));
  run.done = cells.length - missing.length;
  while (missing.length) {
    const cell = nextCell(unit, missing);
    missing = missing.filter((other) => other !== cell);
    const reason = await place(unit, run, cell);
    if (reason) run.blame(reason, `${WHY[reason]} [${cell.join(", ")}]`);
    else run.done++;
    if (reason === "missing_items") return;
  }
}

/** The nearest of the lowest layer; the builder's own cell comes last, so that it is lifted once. */
function nextCell(unit, missing) {
  const here = unit.position;
  const feet = nearestCell(here).join();
  const rank = (cell) => [
    cell[1],
    cell.join() === feet ? 1 : 0,
    Math.round(distance(here, cell) * 100),
    ...cell,
  ];
  return missing.reduce((a, b) => (compare(rank(a), rank(b)) <= 0 ? a : b));
}

function compare(a, b) {
  const axis = a.findIndex((value, i) => value !== b[i]);
  return axis < 0 ? 0 : a[axis] - b[axis];
}

/** What to build with: the first solid block carried, those that do not burn before those that do. */
function material(unit) {
  const { blocksByName } = unit.bot.registry;
  const names = Object.keys(unit.counts).filter((name) => unit.count(name));
  for (const item of unit.slots())
    if (!names.includes(unit.items.nameOf(item))) names.push(unit.items.nameOf(item));
  const blocks = names.filter((name) => blocksByName[name]?.boundingBox === "block");
  return blocks.find((name) => !unit.config.flammable.includes(name)) ?? blocks[0] ?? null;
}

async function place(unit, run, cell) {
  if (material(unit) === null) return "missing_items";
  const reason = await approach(unit, run, cell, BLOCK_REACH);
  if (reason) return reason;
  await run.wait(PLACE_TICKS);
  if (unit.isSolid(...cell)) return "";
  const name = material(unit);
  if (name === null) return "missing_items";
  await unit.hold(name);
  const side = AROUND.map((offset) => plus(cell, offset)).find((other) => unit.isSolid(...other));
  if (!side) return "out_of_reach";
  const [x, y, z] = nearestCell(unit.position);
  const isOwn = x === cell[0] && z === cell[2] && (y === cell[1] || y + 1 === cell[1]);
  if (isOwn && (y !== cell[1] || unit.isSolid(x, y + 2, z))) return "out_of_reach";
  if (isOwn) await jump(unit, run, cell);
  const placed = await click(unit, run, cell, isOwn ? plus(cell, [0, -1, 0]) : side);
  if (placed && isOwn) land(unit.bot, cell[1] + 1);
  return placed ? "" : "out_of_reach";
}

/** Stand on what has just been placed under one's feet, which is a hair's breadth below them. */
function land({ entity }, floor) {
  if (entity.position.y - floor > 0.3) return;
  entity.position.y = floor;
  entity.velocity.y = 0;
  entity.onGround = true;
}

/** Be high enough in the air for a block to fit under the feet. */
async function jump(unit, run, cell) {
  unit.bot.setControlState("jump", true);
  try {
    for (let i = 0; i < JUMP_TICKS && unit.position[1] < cell[1] + 1; i++) await run.wait(1);
    for (let i = 0; i < unit.config.lag_ticks; i++) await run.wait(1); // until the server knows
  } finally {
    unit.bot.setControlState("jump", false);
  }
}

/** Place against a neighbouring block; the server's answer tells whether it did. */
async function click(unit, run, cell, against) {
  unit.click(
    against,
    cell.map((value, axis) => value - against[axis]),
  );
  await turn();
  for (let i = 0; i < unit.config.answer_ticks && !unit.isSolid(...cell); i++) await run.wait(1);
  return unit.isSolid(...cell);
}

module.exports = { buildFloor };

// scout_blocks_at, find_blocks and find_entities: looking round, never past one's own perception range.
const { distance, toCellSpace } = require("../shared/geometry.js");
const { approach, standingPlace } = require("./moving.js");

const LOOK_TICKS = 10;

/** The blocks that are not flat ground within the radius and the agent's own range, nearest first. */
function sense(unit, radius) {
  const reach = Math.min(radius, unit.spec.perception_range);
  const here = unit.position;
  const seen = [];
  for (const name of unit.config.changed) {
    const cell = name.split(",").map(Number);
    const away = distance(here, cell);
    if (away > reach) continue;
    const block = unit.block(cell);
    if (block !== "air") seen.push({ block, away, cell });
  }
  return seen.sort((a, b) => a.away - b.away);
}

async function scoutBlocksAt(unit, run, { target_pos: target, max_distance: radius }) {
  const [place, reach] = standingPlace(unit, target);
  const reason = await approach(unit, run, place, reach);
  if (reason) return run.blame(reason, `there is no way to [${target.join(", ")}]`);
  await run.wait(LOOK_TICKS);
  run.done = 1;
  run.detail = describe(
    sense(unit, radius).map(({ block }) => block),
    "blocks",
  );
}

async function findBlocks(unit, run, { block_types: kinds, count, max_distance: radius }) {
  await run.wait(LOOK_TICKS);
  const seen = sense(unit, radius).map(({ block }) => block);
  tell(
    run,
    count,
    seen.filter((block) => kinds.includes(block)),
    "blocks",
  );
}

async function findEntities(unit, run, { entity_types: kinds, count, max_distance: radius }) {
  await run.wait(LOOK_TICKS);
  const near = unit.mobs().filter(({ position }) => distance(unit.position, toCellSpace(position)) <= radius);
  tell(
    run,
    count,
    near.map((mob) => mob.name).filter((name) => kinds.includes(name)),
    "mobs",
  );
}

function tell(run, wanted, kinds, what) {
  const found = kinds.slice(0, wanted);
  Object.assign(run, { wanted, done: found.length, detail: describe(found, what) });
  if (found.length < wanted) run.reason = "not_found";
}

function describe(kinds, what) {
  const counts = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  const parts = Object.keys(counts)
    .sort()
    .map((kind) => `${counts[kind]} ${kind}`);
  return parts.length ? `in sight: ${parts.join(", ")}` : `no ${what} in sight`;
}

module.exports = { findBlocks, findEntities, scoutBlocksAt };

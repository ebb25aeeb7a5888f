// Walking into reach of something: what most actions begin with. Mineflayer's physics does the walking.
const { cellOf, distance, isWithin, nearestCell, rounded, toMinecraft } = require("../shared/geometry.js");
const { canStand } = require("../shared/paths.js");
const { ticks } = require("../shared/clock.js");

const BESIDE = 1.5;
const NEAR_LEVELS = 3;
const STUCK_TICKS = 25;
const PATIENCE = 3;

/** Where to walk for somebody who is sent to the target, and how near is near enough. */
function standingPlace(unit, [x, y, z]) {
  for (let off = 0; off <= NEAR_LEVELS; off++) {
    for (const level of off ? [y - off, y + off] : [y]) {
      if (canStand(unit.isSolid, [x, level, z])) return [[x, level, z], 0];
    }
  }
  return [[x, y, z], BESIDE];
}

/** Walk until the target is within reach; '' or the reason why not. `objection` may end the walk with a reason. */
async function approach(unit, run, target, reach, objection = () => "") {
  for (let failures = 0; failures < PATIENCE; ) {
    const reason = objection();
    if (reason) return reason;
    const way = unit.way(target, reach);
    if (way === null) return "unreachable";
    if (way.length === 1) return "";
    const before = unit.position;
    const end = await follow(unit, run, way, objection);
    if (end && end !== "stuck" && end !== "blocked") return end;
    if (distance(before, unit.position) < 0.5) failures++;
  }
  return "unreachable";
}

/** Walk along the points; '' on arrival, `stuck`, `blocked`, or the objection's reason. */
async function follow(unit, run, way, objection = () => "") {
  const walk = { points: way.slice(1), least: Infinity, still: 0 };
  unit.startWalk(walk, way.map(rounded));
  const blocked = watchWay(unit, walk.points);
  try {
    for (;;) {
      const end = steer(unit, walk);
      if (end !== null) return end;
      await ticks(1);
      run.check();
      const reason = objection() || (blocked.is ? "blocked" : "");
      if (reason) return reason;
    }
  } finally {
    blocked.stop();
    unit.endWalk(walk);
  }
}

/** Head for the next corner; '' when the last one is reached, `stuck`, or null to go on. */
function steer(unit, walk) {
  const { bot } = unit;
  const step = unit.speed / 20;
  const off = () => walk.points[0].map((value, axis) => value - unit.position[axis]);
  const isNear = ([dx, rise, dz], reach) => Math.hypot(dx, dz) <= reach && Math.abs(rise) < 0.6;
  while (walk.points.length > 1 && isNear(off(), Math.max(0.2, step))) {
    walk.points.shift();
    walk.least = Infinity;
  }
  if (walk.points.length === 1 && isNear(off(), step) && bot.entity.onGround) {
    settleAt(bot, walk.points[0]);
    return "";
  }
  const [dx, rise, dz] = off();
  const away = Math.hypot(dx, dz);
  if (isStuck(walk, away + Math.abs(rise))) return "stuck";
  bot.entity.yaw = Math.atan2(-dx, -dz);
  bot.setControlState("forward", true);
  bot.setControlState("jump", rise > 0.5 && away < 1.6);
  return null;
}

/** Whether the walker has not come nearer to the next corner for too long. */
function isStuck(walk, away) {
  const isNearer = away < walk.least - 0.05;
  walk.still = isNearer ? 0 : walk.still + 1;
  if (isNearer) walk.least = away;
  return walk.still > STUCK_TICKS;
}

/** The last step, no longer than any other, ends in the middle of the cell. A client decides where its player is. */
function settleAt(bot, cell) {
  const { position, velocity } = bot.entity;
  const { x, z } = toMinecraft(cell);
  [position.x, position.z] = [x, z];
  [velocity.x, velocity.z] = [0, 0];
}

/** Whether a block beside the way has changed since: then it must be planned anew. */
function watchWay(unit, points) {
  const all = [unit.position, ...points].map(nearestCell);
  const low = [0, 1, 2].map((axis) => Math.min(...all.map((cell) => cell[axis])) - 1);
  const high = [0, 1, 2].map((axis) => Math.max(...all.map((cell) => cell[axis])) + 2);
  const state = { is: false, stop: () => unit.bot.removeListener("blockUpdate", listen) };
  function listen(old, block) {
    if (!block || old?.boundingBox === block.boundingBox) return;
    if (isWithin(low, cellOf(block.position), high)) state.is = true;
  }
  unit.bot.on("blockUpdate", listen);
  return state;
}

async function moveTo(unit, run, { target_pos: target }) {
  const [place, reach] = standingPlace(unit, target);
  const reason = await approach(unit, run, place, reach);
  if (reason) return run.blame(reason, `there is no way to [${target.join(", ")}]`);
  run.done = 1;
  run.detail = `moved to [${target.join(", ")}]`;
}

async function wait(_unit, run, { duration }) {
  run.wanted = duration;
  run.detail = `waited ${duration} steps`;
  await run.wait(duration * 20);
  run.done = duration;
}

module.exports = { approach, follow, moveTo, standingPlace, wait };

// attack: follow the nearest mob of a type and hit it at the weapon's pace until it is dead.
const { distance, nearestCell, toCellSpace } = require("../shared/geometry.js");
const { HEALTH_KEY } = require("../shared/metadata.js");
const { TICK_MS } = require("../shared/time.js");
const { follow } = require("./moving.js");

const ATTACK_REACH = 3;
const ATTACK_MS = 15000;
const CHASE_MS = 500;

/** What has no known health is alive as long as it is seen. */
const healthOf = (entity) => entity.metadata[HEALTH_KEY] ?? 1;

async function attack(unit, run, { entity_type: kind }) {
  const mob = unit.mobs().find((entity) => entity.name === kind);
  if (!mob) {
    await run.wait(1);
    return run.blame("not_found", `no ${kind} in sight`);
  }
  const whole = healthOf(mob);
  run.wanted = Math.ceil(whole);
  run.detail = `the ${kind} is dead`;
  await unit.hold(unit.held);
  await hunt(unit, run, mob, whole);
  if (run.reason) return undefined;
  if (healthOf(mob) > 0) return run.blame("vanished", `the ${kind} is gone`);
  run.done = run.wanted;
  return undefined;
}

/** Chase and hit until the mob is dead or gone, or until something else ends it, which the run is told. */
async function hunt(unit, run, mob, whole) {
  const end = Date.now() + ATTACK_MS;
  const away = () => distance(unit.position, toCellSpace(mob.position));
  let rhythm = null;
  while (mob.isValid && healthOf(mob) > 0 && !run.reason) {
    if (Date.now() >= end) {
      run.blame("timeout", `the ${mob.name} is still alive after 15 s, with ${healthOf(mob)} health`);
    } else if (away() > ATTACK_REACH) {
      rhythm = null;
      const reason = await chase(unit, run, mob, away);
      if (reason) run.blame(reason, `there is no way to the ${mob.name}`);
    } else {
      rhythm ??= { since: Date.now(), hits: 0 };
      hitInTime(unit, mob, rhythm);
      await run.wait(1);
      run.done = Math.floor(whole - Math.max(0, healthOf(mob)));
    }
  }
}

/** Hit n comes n cooldowns after the first moment in reach, rounded up to a tick. */
function hitInTime(unit, mob, rhythm) {
  const due = Math.ceil(((rhythm.hits + 1) * 20) / rate(unit) - 1e-9);
  if (Date.now() < rhythm.since + due * TICK_MS) return;
  rhythm.hits++;
  unit.strike(mob);
}

function rate(unit) {
  const [, perSecond] = unit.config.weapons[unit.held ?? ""] ?? unit.config.weapons[""];
  const level = (name) =>
    (unit.bot.entity.effects[unit.bot.registry.effectsByName[name].id]?.amplifier ?? -1) + 1;
  return perSecond * (1 + 0.1 * level("Haste")) * Math.max(0.01, 1 - 0.1 * level("MiningFatigue"));
}

/** Walk towards the mob until it is in reach or half a second has passed; the reason if there is no way. */
async function chase(unit, run, mob, away) {
  const began = Date.now();
  const way = unit.way(nearestCell(toCellSpace(mob.position)), ATTACK_REACH - 1);
  if (way === null) return "unreachable";
  if (way.length === 1) {
    await run.wait(1);
    return "";
  }
  await follow(unit, run, way, () => {
    return !mob.isValid || away() <= ATTACK_REACH || Date.now() - began >= CHASE_MS ? "look" : "";
  });
  return "";
}

module.exports = { attack };

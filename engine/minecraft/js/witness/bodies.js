// Health, death and effects of the bots, as their own packets tell. A server does not say what has hurt a player before
// 1.19.4; so here it is told from what is around.
const { distance, nearestCell, rounded } = require("../shared/geometry.js");
const { ABSORPTION_KEY } = require("../shared/metadata.js");

const HALF_WIDTH = 0.3; // of a player
const BURNING_MS = 15000; // as long as lava sets on fire
const MOB_REACH = 4;
const SAFE_FALL = 3;
const EXPECTED_MS = 1500;
const ON_FIRE = 1; // the flag in the first field of an entity's metadata
const FOREVER_TICKS = 1e6; // longer than any episode; since 1.19.4 what never ends is -1

module.exports = (scene, mobs) => {
  const { emit, notes } = scene;
  const { hurting } = scene.config.server; // blocks that hurt by Minecraft's own rules, and whether they set on fire
  const taught = new Set(); // blocks that hurt by the task's
  const bodies = new Map();
  let isOn = false;

  function attach(unit) {
    const body = {
      unit,
      health: null,
      isAlive: true,
      top: null,
      fallen: null,
      expected: null,
      scorched: -Infinity,
    };
    bodies.set(unit.name, body);
    const client = unit.bot._client;
    // Before Mineflayer hears of it: whoever asks why an action ended finds the cause.
    client.prependListener("update_health", ({ health }) => takeHealth(body, health));
    client.on("entity_effect", (packet) => takeEffect(unit, packet, packet.amplifier));
    client.on("remove_entity_effect", (packet) => takeEffect(unit, packet, null));
  }

  /** From here on changes are news. */
  function begin() {
    isOn = true;
    for (const body of bodies.values()) body.health = body.unit.bot.health;
  }

  function takeHealth(body, now) {
    const health = Math.max(0, Math.round(now * 1e4) / 1e4);
    const { unit, isAlive } = body;
    const delta = Math.round((health - body.health) * 1e4) / 1e4;
    if (!isOn || !isAlive || !delta) return;
    body.health = health;
    const cause = delta > 0 ? cure(unit) : harm(body);
    notes.causes[unit.name] = cause;
    const absorption = unit.bot.entity.metadata[ABSORPTION_KEY] ?? 0;
    emit("agent_health_changed", { agent: unit.name, health, delta, absorption, cause });
    if (health > 0) return;
    body.isAlive = false;
    emit("agent_died", { agent: unit.name, cause, position: rounded(unit.position) });
  }

  const has = ({ bot }, effect) => bot.registry.effectsByName[effect]?.id in (bot.entity.effects ?? {});

  const cure = (unit) => (has(unit, "Regeneration") ? "regeneration" : "instant_health");

  function harm(body) {
    const { unit, expected, fallen, top } = body;
    if (expected && Date.now() <= expected.until) return expected.cause;
    if ((fallen && Date.now() <= fallen.until) || top - unit.position[1] > SAFE_FALL) return "fall";
    const block = touched(unit);
    if (hurting[block]) body.scorched = Date.now();
    return block ?? hunter(unit) ?? ailment(body) ?? "event";
  }

  /** The block at feet or head, beside them or below that has hurt; what is the task's hurts only where one is. */
  function touched(unit) {
    const at = (dx, dy, dz) => {
      const [x, y, z] = nearestCell(unit.position.map((value, axis) => value + [dx, 0, dz][axis]));
      return unit.block([x, y + dy, z]);
    };
    const within = [at(0, 0, 0), at(0, 1, 0)].find((name) => name in hurting || taught.has(name));
    const sides = [-HALF_WIDTH, HALF_WIDTH];
    const beside = sides.flatMap((dx) => sides.flatMap((dz) => [at(dx, 0, dz), at(dx, 1, dz)]));
    return within ?? [...beside, at(0, -1, 0)].find((name) => name in hurting);
  }

  /** The environment places something that does that to whoever touches it. */
  function learn(contact) {
    if (contact?.amount) taught.add(contact.cause);
  }

  /** The kind of the nearest mob that can have hit. */
  function hunter({ position }) {
    const away = (mob) => distance(mob.position, position);
    const near = mobs.living().filter((mob) => away(mob) <= MOB_REACH);
    return near.sort((a, b) => away(a) - away(b))[0]?.kind;
  }

  function ailment({ unit, scorched }) {
    if (unit.bot.entity.metadata[0] & ON_FIRE || Date.now() - scorched <= BURNING_MS) return "burning";
    if (has(unit, "Poison")) return "poison";
    return has(unit, "Wither") ? "wither" : undefined;
  }

  /** The environment is about to hurt somebody. */
  function expect(agent, cause) {
    bodies.get(agent).expected = { cause, until: Date.now() + EXPECTED_MS };
  }

  function takeEffect({ bot, name }, { entityId, effectId, duration }, amplifier) {
    const known = bot.registry.effects[effectId];
    if (!isOn || entityId !== bot.entity.id || !known) return;
    const effect = known.name.replace(/(?<!^)([A-Z])/g, "_$1").toLowerCase();
    const isEndless = amplifier === null || duration < 0 || duration >= FOREVER_TICKS;
    const until = isEndless ? null : scene.now + duration;
    emit("effect_changed", { agent: name, effect, amplifier, until_tick: until });
  }

  /** Falls are measured from the highest point since the feet last touched the ground. */
  function tick() {
    for (const body of bodies.values()) {
      const { bot, position } = body.unit;
      const [, y] = position;
      body.top = Math.max(body.top ?? y, y);
      if (!bot.entity.onGround) continue;
      if (body.top - y > SAFE_FALL) body.fallen = { until: Date.now() + EXPECTED_MS };
      body.top = y;
    }
  }

  return { attach, begin, expect, learn, isAlive: (agent) => bodies.get(agent).isAlive, tick };
};

// Health, damage and status effects of players. There is no hunger and no natural regeneration.
// The figures come from the engine's tables, by way of the settings; the formulas are Minecraft's.
const { attributeOf } = require("../shared/attributes.js");

const RESISTANCE = 0.2; // less damage a level
/** What effects that are over at once do to health, at the lowest level. */
const INSTANT = { instant_health: 4, instant_damage: -6 };
const MOST_DOUBLED = 28;

/** What such an effect does at its level; 0 if it is none. */
const jolt = (effect, amplifier) => (INSTANT[effect] ?? 0) * 2 ** Math.min(amplifier, MOST_DOUBLED);

module.exports = (world) => {
  const { registry, config } = world;
  const idOf = (effect) => {
    const pascal = effect.replace(/(^|_)([a-z])/g, (_, __, letter) => letter.toUpperCase());
    return registry.effectsByName[pascal]?.id;
  };
  const level = (agent, effect) => (effect in agent.effects ? agent.effects[effect].amplifier + 1 : 0);

  function attach(agent) {
    Object.assign(agent, {
      effects: {},
      grants: {},
      absorption: 0,
      factors: {},
      health: agent.spec.max_health,
    });
    setAttribute(agent, "max_health", agent.spec.max_health);
    sendSpeed(agent);
    sendHealth(agent);
  }

  function setAttribute(agent, name, value) {
    agent.player._client.write("entity_update_attributes", {
      entityId: agent.player.id,
      properties: [world.dialect.attribute(name, value)],
    });
  }

  /** The attribute that makes a client walk at the agent's pace. */
  function sendSpeed(agent) {
    const reasons = Object.values(agent.factors).reduce((product, one) => product * one, 1);
    const effects = (1 + 0.2 * level(agent, "speed")) * Math.max(0, 1 - 0.15 * level(agent, "slowness"));
    const factor = reasons * effects;
    const speed = agent.spec.speed_bps * factor;
    if (agent.speed === speed) return;
    agent.speed = speed;
    setAttribute(agent, "movement_speed", attributeOf(speed));
  }

  function setPace(agent, speed) {
    agent.spec.speed_bps = speed;
    sendSpeed(agent);
  }

  function setMaxHealth(agent, most) {
    agent.spec.max_health = most;
    setAttribute(agent, "max_health", most);
    if (agent.health > most) agent.health = most;
    sendHealth(agent);
  }

  function setFactor(agent, source, factor) {
    agent.factors[source] = factor;
    sendSpeed(agent);
  }

  /** Food is one short of full, so that there is always room for something to eat. */
  function sendHealth(agent, note = null) {
    world.notes.health(agent.name, note);
    agent.player._client.write("update_health", { health: agent.health, food: 19, foodSaturation: 5 });
  }

  function change(agent, delta, cause) {
    agent.health = Math.round((agent.health + delta) * 1e6) / 1e6;
    const note = {
      health: agent.health,
      delta: Math.round(delta * 1e6) / 1e6,
      absorption: agent.absorption,
      cause,
    };
    sendHealth(agent, { agent: agent.name, ...note });
    if (agent.health <= 0) die(agent, cause);
  }

  function hurt(agent, amount, cause, isBlow = false) {
    if (!agent.alive || agent.isSafe) return;
    if (isBlow) amount = afterArmour(amount, Object.keys(world.inventory.carries(agent)));
    amount *= Math.max(0, 1 - RESISTANCE * level(agent, "resistance"));
    if (amount <= 0) return;
    const absorbed = Math.min(amount, agent.absorption);
    agent.absorption -= absorbed;
    change(agent, -Math.min(amount - absorbed, agent.health), cause);
  }

  function heal(agent, amount, cause) {
    const given = Math.min(amount, agent.spec.max_health - agent.health);
    if (agent.alive && given > 0) change(agent, given, cause);
  }

  /** Nothing keeps that off. */
  function kill(agent, cause) {
    if (agent.alive) change(agent, -agent.health, cause);
  }

  function afterArmour(damage, carried) {
    const best = {};
    for (const name of carried) {
      const piece = config.armour[name];
      if (!piece) continue;
      const [slot, points, toughness] = piece;
      const other = best[slot];
      if (!other || points > other[1] || (points === other[1] && toughness > other[2])) best[slot] = piece;
    }
    const worn = Object.values(best);
    const points = worn.reduce((sum, piece) => sum + piece[1], 0);
    const toughness = worn.reduce((sum, piece) => sum + piece[2], 0);
    const keptOff = Math.min(20, Math.max(points / 5, points - (4 * damage) / (toughness + 8)));
    return damage * (1 - keptOff / 25);
  }

  function die(agent, cause) {
    if (!agent.alive) return;
    agent.alive = false;
    world.inventory.close(agent);
    const position = agent.position;
    agent.digging = agent.using = null;
    const carried = world.inventory.carries(agent);
    for (const [name, count] of Object.entries(carried)) world.inventory.take(agent, name, count);
    world.emit("agent_died", { agent: agent.name, cause, position });
    for (const effect of Object.keys(agent.effects)) stop(agent, effect);
    agent.grants = {};
    world.drops.dropAll(carried, position);
  }

  // --- effects: of several grants the strongest is at work; a weaker one that lasts longer shows when that is over

  const strength = (grant) => [grant.amplifier, grant.until ?? Infinity];
  const isStronger = (a, b) => strength(a)[0] - strength(b)[0] || strength(a)[1] - strength(b)[1];
  const covers = (one, other) =>
    one.source === other.source &&
    one.amplifier >= other.amplifier &&
    (one.until ?? Infinity) >= (other.until ?? Infinity);

  /** Returns whether that changes anything. */
  function give(agent, effect, amplifier, ticks, source = "") {
    if (!agent.alive) return false;
    const change = jolt(effect, amplifier);
    if (change > 0) heal(agent, change, effect);
    if (change < 0) hurt(agent, -change, effect);
    if (change) return true;
    const grant = { source, amplifier, until: ticks === null ? null : world.serv.now() + ticks };
    const grants = agent.grants[effect] ?? [];
    if (grants.some((old) => covers(old, grant))) return false;
    agent.grants[effect] = [...grants.filter((old) => !covers(grant, old)), grant];
    choose(agent, effect);
    return true;
  }

  /** Take an effect away, whatever gave it. */
  function clear(agent, effect) {
    agent.grants[effect] = [];
    choose(agent, effect);
  }

  function takeFrom(agent, effect, source) {
    agent.grants[effect] = (agent.grants[effect] ?? []).filter((grant) => grant.source !== source);
    choose(agent, effect);
  }

  function choose(agent, effect) {
    const now = world.serv.now();
    const left = agent.grants[effect].filter((grant) => grant.until === null || grant.until > now);
    agent.grants[effect] = left;
    const best = left.reduce((a, b) => (a && isStronger(a, b) >= 0 ? a : b), null);
    if (best === (agent.effects[effect]?.grant ?? null)) return;
    if (agent.effects[effect]) stop(agent, effect);
    if (best) start(agent, effect, best);
    sendSpeed(agent);
    if (effect === "absorption") agent.absorption = best ? 4 * (best.amplifier + 1) : 0;
    const { amplifier = null, until = null } = best ?? {};
    world.emit("effect_changed", { agent: agent.name, effect, amplifier, until_tick: until });
  }

  function start(agent, effect, grant) {
    const pulse = pulseOf(effect, grant.amplifier);
    const beat = pulse ? world.serv.now() + pulse.interval : null;
    agent.effects[effect] = { grant, amplifier: grant.amplifier, pulse, beat };
    const id = idOf(effect);
    if (id === undefined) return;
    const duration = grant.until === null ? 1_000_000 : grant.until - world.serv.now();
    agent.player._client.write("entity_effect", {
      entityId: agent.player.id,
      effectId: id,
      amplifier: grant.amplifier,
      duration,
      hideParticles: 0,
      flags: 0,
      factorCodec: undefined,
    });
  }

  function stop(agent, effect) {
    delete agent.effects[effect];
    const id = idOf(effect);
    if (id !== undefined) {
      agent.player._client.write("remove_entity_effect", { entityId: agent.player.id, effectId: id });
    }
  }

  function pulseOf(effect, amplifier) {
    const pulse = config.pulses[effect];
    return pulse && { amount: pulse[0], interval: Math.max(1, pulse[1] >> amplifier), floor: pulse[2] };
  }

  function tick() {
    const now = world.serv.now();
    for (const agent of world.agents) {
      for (const [effect, active] of Object.entries(agent.effects)) {
        if (active.beat !== null && now >= active.beat) beat(agent, effect, active, now);
        if (active.grant.until !== null && now >= active.grant.until && agent.alive) choose(agent, effect);
      }
    }
  }

  function beat(agent, effect, active, now) {
    const { amount, interval, floor } = active.pulse;
    active.beat = now + interval;
    if (amount > 0) heal(agent, amount, effect);
    else if (agent.health > floor) hurt(agent, Math.min(-amount, agent.health - floor), effect);
  }

  /** The effects in the form in which prismarine-block wants them for digging times. */
  function forBlock(agent) {
    const known = Object.entries(agent.effects).map(([effect, active]) => [idOf(effect), active]);
    return Object.fromEntries(known.filter(([id]) => id !== undefined));
  }

  return {
    attach,
    clear,
    forBlock,
    give,
    heal,
    hurt,
    jolt,
    kill,
    level,
    setFactor,
    setMaxHealth,
    setPace,
    takeFrom,
    tick,
  };
};

// What touching a crisis does, burning, and regions. Feet or head in a cell count as touching it.
const { distance, isWithin, key, nearestCell, toMinecraft } = require("../shared/geometry.js");
const { canStand } = require("../shared/paths.js");

const BURNING_TICKS = 100;
const BURN_INTERVAL = 20;
const PUSH_BPS = 1;
const SAFE_FALL = 3;

module.exports = (world) => {
  const cells = new Map();
  const kinds = new Map();
  const regions = new Map();
  const { vitals } = world;

  function attach(agent) {
    Object.assign(agent, { contact: null, bite: 0, burningUntil: 0, burn: 0, regions: new Set(), top: null });
  }

  /** Put a player somewhere; that is no fall. */
  function place(agent, position) {
    if (distance(agent.position, position) < 0.01) return;
    agent.player.sendSelfPosition(toMinecraft(position));
    agent.top = null;
  }

  /** Cells that do the same share one object, so that walking from one to the other is no new touch. */
  function setContact(changed, given) {
    const text = JSON.stringify(given);
    if (!kinds.has(text)) kinds.set(text, given);
    const contact = kinds.get(text);
    for (const cell of changed) {
      if (contact) cells.set(key(cell), contact);
      else cells.delete(key(cell));
    }
  }

  function setRegion(region) {
    regions.set(region.id, region);
  }

  function contactAt([x, y, z]) {
    return cells.get(key([x, y, z])) ?? cells.get(key([x, y + 1, z])) ?? null;
  }

  function tick() {
    for (const agent of world.agents) {
      if (agent.alive) fall(agent);
      if (agent.alive) touch(agent);
      if (agent.alive) burn(agent);
      if (agent.alive) stay(agent);
    }
  }

  /** What the environment has just done to cells and regions is felt at once, and not a tick later. */
  function review() {
    for (const agent of world.agents) {
      if (agent.alive) touch(agent);
      if (agent.alive) stay(agent);
    }
  }

  /** Falls are measured from the highest point since the feet last touched the ground, or water. */
  function fall(agent) {
    const [, y] = agent.position;
    const isWet = agent.contact?.cause === "water";
    agent.top = agent.top === null ? y : Math.max(agent.top, y);
    if (!agent.player.onGround && !isWet) return;
    const depth = Math.floor(agent.top - y + 1e-6) - SAFE_FALL;
    agent.top = y;
    if (depth > 0 && !isWet) vitals.hurt(agent, depth, "fall");
  }

  function touch(agent) {
    const now = world.serv.now();
    const feet = nearestCell(agent.position);
    const contact = contactAt(feet);
    if (contact !== agent.contact) enter(agent, contact, now);
    if (contact && now >= agent.bite) {
      agent.bite = now + contact.every;
      const isProof = contact.burns && vitals.level(agent, "fire_resistance") > 0;
      if (!isProof) vitals.hurt(agent, contact.amount, contact.cause);
    }
    if (contact?.push) push(agent, feet, contact.push);
  }

  function enter(agent, contact, now) {
    if (agent.contact?.burns) ignite(agent, now);
    agent.contact = contact;
    agent.bite = now;
    if (contact?.cause === "water") agent.burningUntil = 0;
    vitals.setFactor(agent, "(contact)", contact ? contact.slows : 1);
  }

  /** What carries along takes whoever does not walk by itself, at a block a second. */
  function push(agent, feet, [dx, dy, dz]) {
    const there = [feet[0] + dx, feet[1] + dy, feet[2] + dz];
    if (world.isWalking(agent.name) || !canStand(world.grid.isSolid, there)) return;
    const step = PUSH_BPS / 20;
    const [x, y, z] = agent.position;
    agent.player.sendSelfPosition(toMinecraft([x + dx * step, y + dy * step, z + dz * step]));
  }

  function ignite(agent, now) {
    agent.burningUntil = now + BURNING_TICKS;
    agent.burn = now + BURN_INTERVAL;
  }

  function burn(agent) {
    const now = world.serv.now();
    if (now < agent.burn || now > agent.burningUntil) return;
    agent.burn = now + BURN_INTERVAL;
    if (!agent.contact?.burns && !vitals.level(agent, "fire_resistance")) vitals.hurt(agent, 1, "burning");
  }

  function stay(agent) {
    const feet = nearestCell(agent.position);
    for (const region of regions.values()) {
      const isIn = region.active && isWithin(region.low, feet, region.high);
      if (isIn && !agent.regions.has(region.id)) come(agent, region);
      else if (!isIn && agent.regions.has(region.id)) leave(agent, region);
    }
  }

  function come(agent, region) {
    agent.regions.add(region.id);
    for (const { type, amplifier, ticks } of region.effects)
      vitals.give(agent, type, amplifier, ticks, region.id);
  }

  function leave(agent, region) {
    agent.regions.delete(region.id);
    for (const { type } of region.effects) vitals.takeFrom(agent, type, region.id);
  }

  return { attach, place, review, setContact, setRegion, tick };
};

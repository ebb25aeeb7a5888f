// Mobs with health: they hunt the nearest living player in sight and hit it once a second when they are near.
const { randomUUID } = require("node:crypto");
const { Vec3 } = require("vec3");
const { distance, nearestCell, toMinecraft } = require("../shared/geometry.js");
const { findWay, floorBelow } = require("../shared/paths.js");

const SIGHT = 32;
const HIT_REACH = 2;
const HIT_TICKS = 20;
const CHASE_TICKS = 10;
const IDLE_TICKS = 20; // until a mob that knows no way looks for one again
const ATTACK_REACH = 3.5; // half a block of grace, since what a player sees of a mob is a tick old
const [BARE_DAMAGE, BARE_SPEED] = [1, 4]; // a player's attributes, of which the figures of weapons make part

module.exports = (world) => {
  const { serv, registry } = world;
  const living = new Map();

  /** Let a mob be there; `sight` is how far it sees its prey, `hunts` whether it cares for any. */
  function spawn(traits) {
    const { number, entity, position, health, uuid = randomUUID() } = traits;
    const body = embody(entity, position, uuid, world.dialect.health(health));
    const mob = {
      sight: SIGHT,
      hunts: true,
      ...traits,
      uuid,
      body,
      points: null,
      planned: 0,
      idleUntil: 0,
      aim: null,
      nextHit: 0,
    };
    living.set(number, mob);
    return mob;
  }

  /** flying-squid finds no mobs in the data of 1.19; without a size it leaves the moving to us. */
  function embody(entity, position, uuid, metadata) {
    const body = serv.initEntity(
      "mob",
      registry.entitiesByName[entity].id,
      serv.overworld,
      toMinecraft(position),
    );
    const [yaw, pitch, headPitch] = [0, 0, 0];
    Object.assign(body, {
      uuid,
      name: entity,
      velocity: new Vec3(0, 0, 0),
      yaw,
      pitch,
      headPitch,
      metadata,
    });
    body.updateAndSpawn();
    return body;
  }

  function remove(number) {
    living.get(number)?.body.destroy();
    living.delete(number);
  }

  // --- being hit

  function attach(agent) {
    agent.player._client.removeAllListeners("use_entity");
    agent.player._client.on("use_entity", ({ target, mouse }) => {
      const mob = [...living.values()].find((one) => one.body.id === target);
      if (mouse === 1 && mob && agent.alive && distance(agent.position, mob.position) <= ATTACK_REACH)
        hit(agent, mob);
    });
  }

  /** A blow too soon after the last one is weak: Minecraft's cooldown, by the weapon's attacks a second. */
  function hit(agent, mob) {
    const held = world.inventory.held(agent);
    const [damage, perSecond] = power(agent, held ? world.items.nameOf(held) : "");
    const { level } = world.vitals;
    const rate =
      perSecond * (1 + 0.1 * level(agent, "haste")) * Math.max(0, 1 - 0.1 * level(agent, "mining_fatigue"));
    const now = serv.now();
    const charge = Math.min(1, ((now - (agent.lastBlow ?? -1000) + 0.5) * rate) / 20);
    agent.lastBlow = now;
    const blow = Math.max(0, damage + 3 * level(agent, "strength") - 4 * level(agent, "weakness"));
    const strength = blow * (0.2 + 0.8 * charge * charge) * (agent.spec.damage_multipliers[mob.entity] ?? 1);
    hurt(mob, strength, agent.name);
  }

  /** Damage of a hit and hits a second: the weapon's, and what the agent's own attributes add to that or make of it. */
  function power(agent, weapon) {
    const [damage, perSecond] = world.config.weapons[weapon] ?? world.config.weapons[""];
    const { attack_damage = BARE_DAMAGE, attack_speed = BARE_SPEED } = agent.spec.bases ?? {};
    const scale = [...(agent.spec.scales?.values() ?? [])].reduce((product, one) => product * one, 1);
    return [(damage + attack_damage - BARE_DAMAGE) * scale, perSecond + attack_speed - BARE_SPEED];
  }

  function hurt(mob, amount, agent) {
    const taken = Math.min(Math.round(amount * 1e6) / 1e6, mob.health);
    if (taken <= 0) return;
    setHealth(mob, Math.round((mob.health - taken) * 1e6) / 1e6);
    world.emit("mob_health_changed", { mob: mob.number, health: mob.health, delta: -taken, agent });
    if (mob.health > 0) return;
    world.emit("mob_died", { mob: mob.number, agent, position: mob.position });
    remove(mob.number);
  }

  function setHealth(mob, health) {
    mob.health = health;
    world.dialect.tellMetadata(mob.body, world.dialect.health(health));
  }

  /** Put a mob somewhere; it looks for its prey anew. */
  function place(mob, position) {
    stand(mob);
    mob.position = position;
    mob.body.sendPosition(toMinecraft(position), true, true);
  }

  // --- hunting

  function tick() {
    for (const mob of living.values()) {
      if (!mob.hunts) continue;
      advance(mob);
      const prey = nearest(mob);
      if (!prey) stand(mob);
      else if (distance(mob.position, prey.position) <= HIT_REACH) strike(mob, prey);
      else chase(mob, prey);
    }
  }

  function nearest({ position, sight }) {
    let [found, least] = [null, sight];
    for (const agent of world.agents) {
      const away = distance(position, agent.position);
      const isNearer = away < least || (found === null && away <= sight);
      if (agent.alive && !agent.isSafe && isNearer) [found, least] = [agent, away];
    }
    return found;
  }

  function strike(mob, prey) {
    stand(mob);
    if (serv.now() < mob.nextHit) return;
    mob.nextHit = serv.now() + HIT_TICKS;
    if (mob.damage > 0) world.vitals.hurt(prey, mob.damage, mob.entity, true);
  }

  function chase(mob, prey) {
    const aim = nearestCell(prey.position);
    const isNew = mob.aim === null || aim.join() !== mob.aim.join();
    if (serv.now() < (mob.points ? mob.planned + CHASE_TICKS : mob.idleUntil)) return;
    if (mob.points && !isNew) return;
    mob.planned = serv.now();
    mob.aim = aim;
    const way = wayTo(mob.position, prey.position);
    if (!way || way.length === 1) {
      stand(mob);
      mob.idleUntil = serv.now() + IDLE_TICKS;
      return;
    }
    mob.points = way.slice(1);
    world.emit("mob_moved", { mob: mob.number, points: way, speed_bps: mob.speed });
  }

  /** A way into reach; the nearest cell within reach need not be, if the prey stands between cells. */
  function wayTo(here, prey) {
    const way = findWay(world.grid.isSolid, here, nearestCell(prey), HIT_REACH - 0.5);
    if (way && distance(way.at(-1), prey) > HIT_REACH)
      return findWay(world.grid.isSolid, here, nearestCell(prey), 0);
    return way;
  }

  function advance(mob) {
    let left = mob.speed / 20;
    const before = mob.position;
    while (mob.points?.length && left > 0) {
      const [next] = mob.points;
      const span = distance(mob.position, next);
      if (span <= left) {
        mob.position = next;
        mob.points.shift();
      } else {
        mob.position = mob.position.map((value, axis) => value + ((next[axis] - value) * left) / span);
      }
      left -= span;
    }
    if (mob.points && !mob.points.length) mob.points = null;
    if (mob.position !== before) mob.body.sendPosition(toMinecraft(mob.position), true);
  }

  function stand(mob) {
    if (!mob.points) return;
    mob.points = mob.aim = null;
    world.emit("mob_stopped", { mob: mob.number, position: mob.position });
  }

  world.grid.onChange(() => {
    for (const mob of living.values()) {
      const [x, y, z] = nearestCell(mob.position);
      const floor = floorBelow(world.grid.isSolid, [x, y, z]);
      mob.planned = mob.points ? 0 : mob.planned;
      mob.aim = null;
      if (floor < y && !mob.points) {
        mob.position = [x, floor, z];
        world.emit("mob_stopped", { mob: mob.number, position: mob.position });
      }
    }
  });

  return {
    all: () => [...living.values()],
    attach,
    hurt,
    place,
    positions: () => [...living.values()].map((m) => [m.number, m.position]),
    remove,
    setHealth,
    spawn,
    stand,
    tick,
  };
};

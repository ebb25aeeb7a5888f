/**
 * The world as the log tells it: a fold over events, the same as `engine/episode/state.py`.
 *
 * All parts are immutable and only the maps that hold them change, so that a copy costs no more than its maps, and what
 * draws it sees by identity what is different. A column is the list of blocks at one x and z that are not flat ground,
 * by height.
 */

import { columnKey, setBlock } from "./columns.js";
import { motion, positionOn } from "./motion.js";

/**
 * @typedef {import("./motion.js").Position} Position
 * @typedef {object} Body an agent or a mob
 * @property {Position} position where it stood before it set out on its `way`
 * @property {import("./motion.js").Motion | null} way
 * @property {boolean} alive
 * @property {number} health
 * @property {number} maxHealth
 *
 * @typedef {Body & {name: string, speed: number, range: number, absorption: number, held: string | null,
 *   multipliers: Record<string, number>, inventory: Record<string, number>, role: string,
 *   effects: Record<string, {amplifier: number, until: number | null}>}} Agent
 * @typedef {Body & {mob: number, entity: string, role: string, damage: number, source: string, since: number,
 *   until: number | null}} Mob
 * @typedef {{position: Position, items: Record<string, number>}} Chest
 * @typedef {{drop: number, item: string, count: number, cell: Position}} Drop
 * @typedef {{region: string, active: boolean, low: Position, high: Position, effects: string[]}} Region
 */

/**
 * Where a body is.
 * @param {Body} body
 * @param {number} tick may lie between two
 * @returns {Position}
 */
export function placeOf(body, tick) {
  return body.way ? positionOn(body.way, tick) : body.position;
}

/** The world after the events applied so far. */
export class World {
  /** @param {World} [other] copy this one */
  constructor(other) {
    /** @type {Map<string, Agent>} */
    this.agents = new Map(other?.agents);
    /** @type {Map<number, Mob>} those that live */
    this.mobs = new Map(other?.mobs);
    /** @type {Map<string, Chest>} by `x,y,z` */
    this.chests = new Map(other?.chests);
    /** @type {Map<number, Drop>} what lies on the ground */
    this.drops = new Map(other?.drops);
    /** @type {Map<string, Region>} */
    this.regions = new Map(other?.regions);
    /** @type {Map<number, readonly import("./columns.js").Placed[]>} by `columnKey` */
    this.columns = new Map(other?.columns);
    this.groundY = other?.groundY ?? 63;
    this.tick = other?.tick ?? 0;
    this.seq = other?.seq ?? 0;
    /** What has been done so far, in about the same unit as `size`: it tells when a copy pays. */
    this.work = other?.work ?? 0;
  }

  /** What a copy costs. */
  get size() {
    return this.columns.size + this.agents.size + this.mobs.size + this.drops.size;
  }

  /** @returns {World} a copy that goes its own way from here */
  copy() {
    return new World(this);
  }

  /**
   * Take in the next event.
   * @param {import("../live/socket.js").LogEvent} event
   */
  apply(event) {
    this.tick = event.world_time;
    this.seq = event.seq;
    this.work += 1;
    if (Object.hasOwn(HANDLERS, event.type)) {
      HANDLERS[event.type](this, event.payload, event.world_time);
    }
  }

  /** Nothing in the world happens between two events but that time passes. */
  pass(_tick) {}

  /** Replace parts of an agent or mob; one that the log never introduced is left out. */
  change(bodies, key, parts) {
    const body = bodies.get(key);
    if (body) {
      bodies.set(key, { ...body, ...parts });
    }
  }
}

function counted(items, item, count) {
  const next = { ...items };
  if (count > 0) {
    next[item] = count;
  } else {
    delete next[item];
  }
  return next;
}

function newAgent(start) {
  const inventory = { ...start.inventory };
  return {
    name: start.name,
    position: start.position,
    way: null,
    alive: true,
    health: start.max_health,
    maxHealth: start.max_health,
    absorption: 0,
    speed: start.speed_bps,
    range: start.perception_range,
    multipliers: { ...start.damage_multipliers },
    inventory,
    held: Object.keys(inventory)[0] ?? null,
    effects: {},
    role: "",
  };
}

const HANDLERS = {
  episode_started(world, payload) {
    world.groundY = payload.ground_y ?? world.groundY;
    for (const agent of payload.agents) {
      world.agents.set(agent.name, newAgent(agent));
    }
    for (const { position, items } of payload.chests ?? []) {
      world.chests.set(position.join(), { position, items: { ...items } });
    }
  },
  agent_moved(world, { agent, points, speed_bps: speed }, tick) {
    world.change(world.agents, agent, { way: motion(tick, points, speed) });
  },
  agent_stopped(world, { agent, position }) {
    world.change(world.agents, agent, { way: null, position });
  },
  agent_died(world, { agent, position }) {
    world.change(world.agents, agent, { way: null, position, alive: false });
  },
  agent_health_changed(world, { agent, health, absorption }) {
    world.change(world.agents, agent, { health, absorption });
  },
  inventory_changed(world, { agent: name, item, count }) {
    const agent = world.agents.get(name);
    if (agent) {
      const held = agent.held === item && count === 0 ? null : agent.held;
      world.agents.set(name, { ...agent, held, inventory: counted(agent.inventory, item, count) });
    }
  },
  item_held(world, { agent, item }) {
    world.change(world.agents, agent, { held: item });
  },
  role_taken(world, { agent, role }) {
    world.change(world.agents, agent, { role });
  },
  effect_changed(world, { agent: name, effect, amplifier, until_tick: until }) {
    const effects = { ...world.agents.get(name)?.effects };
    if (amplifier === null) {
      delete effects[effect];
    } else {
      effects[effect] = { amplifier, until };
    }
    world.change(world.agents, name, { effects });
  },
  chest_changed(world, { chest, item, count }) {
    const key = chest.join();
    const items = counted(world.chests.get(key)?.items, item, count);
    world.chests.set(key, { position: chest, items });
  },
  item_dropped(world, { drop, item, count, cell }) {
    world.drops.set(drop, { drop, item, count, cell });
  },
  item_picked_up(world, { drop, left }) {
    if (left > 0) {
      world.change(world.drops, drop, { count: left });
    } else {
      world.drops.delete(drop);
    }
  },
  mob_spawned(world, payload, tick) {
    const { mob, entity, role, position, health, damage, source, vanish_tick: until } = payload;
    const body = { position, way: null, alive: true, health, maxHealth: health };
    world.mobs.set(mob, { ...body, mob, entity, role, damage, source, since: tick, until });
  },
  mob_moved(world, { mob, points, speed_bps: speed }, tick) {
    world.change(world.mobs, mob, { way: motion(tick, points, speed) });
  },
  mob_stopped(world, { mob, position }) {
    world.change(world.mobs, mob, { way: null, position });
  },
  mob_health_changed(world, { mob, health }) {
    world.change(world.mobs, mob, { health });
  },
  mob_died(world, { mob }) {
    world.mobs.delete(mob);
  },
  mob_despawned(world, { mob }) {
    world.mobs.delete(mob);
  },
  blocks_changed(world, { block, cells, cause, vanish_tick: until }, tick) {
    world.work += cells.length;
    for (const [x, y, z] of cells) {
      const key = columnKey(x, z);
      const placed = { x, y, z, block, since: tick, until, built: cause === "agent" };
      const column = setBlock(world.columns.get(key), placed, world.groundY);
      if (column.length > 0) {
        world.columns.set(key, column);
      } else {
        world.columns.delete(key);
      }
    }
  },
  region_changed(world, payload) {
    world.regions.set(payload.region, payload);
  },
};

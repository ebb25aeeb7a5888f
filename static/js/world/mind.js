/**
 * What agents know together, and what each of them remembers: a fold over the log; as
 * `engine/agents/team/{minds,knowledge,memory}.py`.
 *
 * Everybody looks round at every step, and once more when an action of its own ends. What is seen no more stays as it
 * was last seen, until an observer is near enough to see that it is gone.
 */

import { TICKS_PER_STEP } from "../timeline/scale.js";
import { keysNear } from "./columns.js";
import { Memory } from "./memory.js";
import { distance } from "./motion.js";
import { placeOf, World } from "./state.js";

const REACH = 4.5;
const ROUNDING = 1e-6;
const NOTHING = Object.freeze([]);

/**
 * @typedef {{x: number, y: number, z: number, block: string, tick: number}} SeenBlock
 * @typedef {{entity: string, role: string, position: number[], health: number, tick: number}} SeenMob
 * @typedef {{position: number[], alive: boolean, tick: number}} SeenAgent
 */

/** The knowledge of some observers, who share it, with the world that it is about. */
export class Mind {
  /**
   * @param {string[]} observers names of agents
   * @param {Mind} [other] copy this one
   */
  constructor(observers, other) {
    this.observers = observers;
    this.world = new World(other?.world);
    /** @type {Map<number, readonly SeenBlock[]>} by column */
    this.blocks = new Map(other?.blocks);
    /** @type {Map<number, SeenMob>} */
    this.mobs = new Map(other?.mobs);
    /** @type {Map<string, SeenAgent>} those that are not observers */
    this.agents = new Map(other?.agents);
    /** @type {Map<string, {items: Record<string, number>, tick: number}>} */
    this.chests = new Map(other?.chests);
    /** @type {Map<string, Memory>} one each observer */
    this.memories = new Map(observers.map((name) => [name, new Memory(name, other?.memories.get(name))]));
    this.nextLook = other?.nextLook ?? 0;
    this.tick = other?.tick ?? 0;
    this.looked = other?.looked ?? 0;
  }

  /** What has been done so far. */
  get work() {
    return this.world.work + this.looked;
  }

  /** What a copy costs. */
  get size() {
    return this.world.size + this.blocks.size + this.mobs.size;
  }

  /** @returns {Mind} a copy that goes its own way from here */
  copy() {
    return new Mind(this.observers, this);
  }

  /**
   * Take in the next event.
   * @param {import("../live/socket.js").LogEvent} event
   */
  apply(event) {
    this.pass(event.world_time - 1);
    this.tick = event.world_time;
    this.world.apply(event);
    for (const memory of this.memories.values()) {
      memory.apply(event);
    }
    if (event.type === "episode_started") {
      for (const [key, { items }] of this.world.chests) {
        this.chests.set(key, { items, tick: 0 });
      }
    } else if (event.type === "action_ended" && this.memories.has(event.payload.agent)) {
      this.#look(event.payload.agent, event.world_time);
      this.#openChests(event.payload.agent, event.world_time);
    }
  }

  /**
   * Let the looks take place that are due at or before a tick.
   * @param {number} tick
   */
  pass(tick) {
    while (this.nextLook <= tick && this.world.seq > 0) {
      for (const name of this.observers) {
        this.#look(name, this.nextLook);
      }
      this.nextLook += TICKS_PER_STEP;
    }
    this.tick = Math.max(this.tick, tick);
  }

  /**
   * Where the living observers are, and how far they see.
   * @param {number} tick
   * @returns {{place: [number, number, number], range: number}[]}
   */
  eyes(tick) {
    const agents = this.observers.map((name) => this.world.agents.get(name)).filter((agent) => agent?.alive);
    return agents.map((agent) => ({ place: placeOf(agent, tick), range: agent.range }));
  }

  /** Whether an observer sees a place now. */
  sees(place, tick) {
    return this.eyes(tick).some((eye) => distance(eye.place, place) <= eye.range);
  }

  #look(name, tick) {
    const agent = this.world.agents.get(name);
    if (!agent?.alive) {
      return;
    }
    const here = placeOf(agent, tick);
    const near = (place) => distance(here, place) <= agent.range;
    this.#seeBlocks(here, agent.range, tick);
    this.#seeMobs(near, tick);
    for (const [other, { alive, ...body }] of this.world.agents) {
      const position = placeOf(body, tick);
      if (!this.memories.has(other) && near(position)) {
        this.agents.set(other, { position, alive, tick });
      }
    }
  }

  /** Every column in sight, once a step: the hot part of a mind. */
  #seeBlocks(here, range, tick) {
    const near = within(here, range);
    const keys = keysNear(here, range);
    this.looked += keys.length >> 3;
    for (const key of keys) {
      const column = this.world.columns.get(key);
      const known = this.blocks.get(key);
      if (column === undefined && known === undefined) {
        continue;
      }
      const all = sighted(column ?? NOTHING, known ?? NOTHING, near, tick);
      if (all.length > 0) {
        this.blocks.set(key, all);
      } else {
        this.blocks.delete(key);
      }
    }
  }

  #seeMobs(near, tick) {
    for (const [key, { position }] of [...this.mobs]) {
      if (near(position)) {
        this.mobs.delete(key);
      }
    }
    for (const [key, mob] of this.world.mobs) {
      const position = placeOf(mob, tick);
      if (near(position)) {
        this.mobs.set(key, { entity: mob.entity, role: mob.role, position, health: mob.health, tick });
      }
    }
  }

  #openChests(name, tick) {
    const here = placeOf(this.world.agents.get(name), tick);
    for (const [key, { position, items }] of this.world.chests) {
      if (distance(here, position) <= REACH) {
        this.chests.set(key, { items, tick });
      }
    }
  }
}

/** What is known of a column after a look: what is near as it is, the rest as it was last seen. */
function sighted(column, known, near, tick) {
  const all = [];
  for (const { x, y, z, block } of column) {
    if (block !== "air" && near(x, y, z)) {
      all.push({ x, y, z, block, tick });
    }
  }
  for (const one of known) {
    if (!near(one.x, one.y, one.z)) {
      all.push(one);
    }
  }
  return all;
}

/**
 * A test of whether a place is within a distance: `distance`, asked only where rounding could matter.
 * @param {[number, number, number]} here
 * @param {number} range
 * @returns {(x: number, y: number, z: number) => boolean}
 */
function within(here, range) {
  const [hx, hy, hz] = here;
  const limit = range * range;
  return (x, y, z) => {
    const square = (x - hx) * (x - hx) + (y - hy) * (y - hy) + (z - hz) * (z - hz);
    return Math.abs(square - limit) > ROUNDING ? square < limit : distance(here, [x, y, z]) <= range;
  };
}

/** Folds what the environment does into what there is at a step. Pure. */

import { topsOf } from "./geometry.js";

/**
 * @typedef {object} Moment
 * @property {ReturnType<typeof topsOf>} columns the highest block of each column
 * @property {{entity: string, role: string, position: number[], since?: number, until?: number | null}[]} mobs
 * @property {{id: string, min: number[], max: number[], active: boolean}[]} regions
 */

/** A task's world step by step, as long as nobody acts in it. */
export class Moments {
  /**
   * @param {any} data of the page: what there is at the start
   * @param {{changes: any[]}} rehearsal what the environment does, in order of steps
   */
  constructor(data, rehearsal) {
    this.data = data;
    this.changes = rehearsal.changes;
    this.#start();
  }

  /**
   * What there is once everything of a step has happened.
   * @param {number} step
   * @returns {Moment}
   */
  at(step) {
    if (step < this.step) {
      this.#start();
    }
    this.step = step;
    while (this.next < this.changes.length && this.changes[this.next].step <= step) {
      this.#apply(this.changes[this.next]);
      this.next += 1;
    }
    return {
      columns: topsOf(this.cells.values()),
      mobs: [...this.mobs.values()],
      regions: [...this.regions.values()],
    };
  }

  #start() {
    this.step = 0;
    this.next = 0;
    this.cells = new Map();
    for (const { block, cells } of this.data.blocks) {
      for (const [x, y, z] of cells) {
        this.cells.set(`${x},${y},${z}`, { block, x, y, z });
      }
    }
    // Mobs are numbered from 1, those of the beginning first.
    this.mobs = new Map((this.data.hostiles ?? []).map((mob, i) => [i + 1, mob]));
    this.regions = new Map(this.data.regions.map((region) => [region.id, region]));
  }

  #apply(change) {
    switch (change.kind) {
      case "blocks":
        for (const box of change.boxes) {
          this.#fill(box, change);
        }
        break;
      case "mob":
        this.mobs.set(change.mob, { ...change, since: change.step });
        break;
      case "gone":
        this.mobs.delete(change.mob);
        break;
      case "region":
        this.regions.set(change.id, change);
        break;
    }
  }

  #fill([minX, minY, minZ, maxX, maxY, maxZ], { block, step, until }) {
    for (let x = minX; x <= maxX; x += 1) {
      for (let y = minY; y <= maxY; y += 1) {
        for (let z = minZ; z <= maxZ; z += 1) {
          if (block === "air") {
            this.cells.delete(`${x},${y},${z}`);
          } else {
            this.cells.set(`${x},${y},${z}`, { block, x, y, z, since: step, until });
          }
        }
      }
    }
  }
}

/**
 * How much of its life something has left.
 * @param {{since?: number, until?: number | null}} thing
 * @param {number} time steps, also between two
 * @returns {number | null} from 1 down to 0; null for what stays
 */
export function lifeLeft({ since, until }, time) {
  if (since === undefined || until === undefined || until === null) {
    return null;
  }
  return Math.max(0, Math.min(1, (until - time) / (until - since)));
}

/** Blocks as observers remember them, where they do not see them now. */

import { blockColour } from "../map/blocks.js";
import { distance } from "../world/motion.js";

/** Keeps cubes in line with a mind; only columns that are another than before are touched. */
export class Recall {
  /** @param {import("./cubes.js").Cubes} cubes */
  constructor(cubes) {
    this.cubes = cubes;
    /** @type {Map<number, {blocks: readonly import("../world/mind.js").SeenBlock[], keys: string[]}>} by column */
    this.columns = new Map();
  }

  /**
   * Show what is remembered at a moment.
   * @param {import("../world/mind.js").Mind | null} mind null shows nothing
   * @param {number} tick
   * @param {number} floor height of the ground's surface
   */
  show(mind, tick, floor) {
    const eyes = mind?.eyes(tick) ?? [];
    const seen = ({ x, y, z }) => eyes.some(({ place, range }) => distance(place, [x, y, z]) <= range);
    const gone = new Set(this.columns.keys());
    for (const [key, blocks] of mind?.blocks ?? []) {
      const unseen = blocks.filter((block) => !seen(block));
      if (unseen.length > 0) {
        gone.delete(key);
        this.#put(key, blocks, unseen, floor);
      }
    }
    for (const key of gone) {
      this.#remove(key);
    }
  }

  #put(key, blocks, unseen, floor) {
    const before = this.columns.get(key);
    if (before?.blocks === blocks && before.keys.length === unseen.length) {
      return;
    }
    this.#remove(key);
    const keys = unseen.map(({ x, y, z, block }) => {
      const cube = `${x},${y},${z}`;
      this.cubes.set(cube, [x, y - floor + 0.5, z], blockColour(block));
      return cube;
    });
    this.columns.set(key, { blocks, keys });
  }

  #remove(key) {
    for (const cube of this.columns.get(key)?.keys ?? []) {
      this.cubes.remove(cube);
    }
    this.columns.delete(key);
  }
}

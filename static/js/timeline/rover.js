/** Where the keyboard is on the timeline. */

import { go } from "./rove.js";

/** Holds the stop; what the keys do to it are its `actions`. */
export class Rover {
  /**
   * @param {import("../live/folds.js").Folds} folds
   * @param {object} told
   * @param {() => number} told.tick where to begin
   * @param {(stop: import("./rove.js").Stop) => void} told.went the keyboard is somewhere else
   * @param {(hit: import("./hit.js").Hit) => void} told.open the viewer wants to see what is there
   * @param {() => void} told.left it is nowhere any more
   */
  constructor(folds, { tick, went, open, left }) {
    /** @type {import("./rove.js").Stop | null} */
    this.stop = null;
    /** @type {Pick<import("./interact.js").Actions, "rove" | "enter" | "leave">} */
    this.actions = {
      rove: (move) => {
        this.stop = go(folds, this.stop, move, tick());
        if (this.stop) {
          went(this.stop);
        }
      },
      enter: () => {
        if (this.stop) {
          open(this.stop.hit);
        }
        return this.stop !== null;
      },
      leave: () => {
        const was = this.stop;
        this.stop = null;
        left();
        return was !== null;
      },
    };
  }
}

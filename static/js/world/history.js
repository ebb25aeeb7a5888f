/**
 * A fold at any moment: live, replay and rewind are the same fold at another tick.
 *
 * It keeps copies on the way, further apart the more they cost, so that a seek applies only the events since the last
 * copy before the moment.
 */

const LEAST_WORK = 4_000;

/**
 * @template F
 * @typedef {{applied: number, fold: F}} Copy `applied`: how many events it has taken in
 */

/** @template {{tick: number, work: number, size: number, apply: Function, pass: Function, copy: () => any}} F */
export class History {
  /**
   * @param {() => F} make an empty fold
   * @param {import("../live/socket.js").LogEvent[]} [events] the log, which may grow; `clear` gives another one
   */
  constructor(make, events = []) {
    this.make = make;
    this.clear(events);
  }

  /** The episode starts over. */
  clear(events = []) {
    this.events = events;
    /** @type {Copy<F>[]} */
    this.copies = [{ applied: 0, fold: this.make() }];
    /** @type {Copy<F>} */
    this.cursor = { applied: 0, fold: this.make() };
  }

  /**
   * The fold at a tick, everything of that tick included. It is lent: the next call may change it.
   * @param {number} tick
   * @param {number} [settled] ticks up to which nothing more can happen; looks of agents wait for it
   * @returns {F}
   */
  at(tick, settled = tick) {
    const wanted = eventsUpTo(this.events, tick);
    const { cursor } = this;
    if (cursor.applied > wanted || cursor.fold.tick > tick) {
      this.#restore(wanted, tick);
    } else {
      this.#skip(wanted, tick);
    }
    while (this.cursor.applied < wanted) {
      this.cursor.fold.apply(this.events[this.cursor.applied]);
      this.cursor.applied += 1;
      this.#keep();
    }
    this.cursor.fold.pass(Math.min(tick, settled));
    return this.cursor.fold;
  }

  #restore(wanted, tick) {
    const { applied, fold } = this.copies.findLast((one) => one.applied <= wanted && one.fold.tick <= tick);
    this.cursor = { applied, fold: fold.copy() };
  }

  /** A copy that lies between here and there saves the way to it. */
  #skip(wanted, tick) {
    const last = this.copies.findLast((one) => one.applied <= wanted && one.fold.tick <= tick);
    if (last.applied > this.cursor.applied) {
      this.cursor = { applied: last.applied, fold: last.fold.copy() };
    }
  }

  #keep() {
    const last = this.copies.at(-1);
    const { applied, fold } = this.cursor;
    if (applied > last.applied && fold.work - last.fold.work > Math.max(LEAST_WORK, fold.size)) {
      this.copies.push({ applied, fold: fold.copy() });
    }
  }
}

/**
 * How many events have happened by a tick (binary search).
 * @param {{world_time: number}[]} events in order
 * @param {number} tick
 * @returns {number}
 */
export function eventsUpTo(events, tick) {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (events[middle].world_time <= tick) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Which moment is shown: the live edge, a moment at rest, or one that moves on. Pure: the time of day is told to it. */

import { TICKS_PER_STEP } from "../timeline/scale.js";

/** Replay speeds, in world seconds a second. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];
const LONGEST_FRAME = 0.25; // seconds; a page that was hidden does not jump when it is seen again
const BEHIND = 0.12; // seconds that the live view may lag so as to move evenly between two heartbeats

/**
 * The shown moment `t` in ticks, between 0 and the `edge`, which is the last moment known.
 *
 * In mode `live` it keeps to the edge; `paused` it stays; `playing` it moves on at `speed`.
 */
export class Clock {
  constructor() {
    /** @type {"live" | "paused" | "playing"} */
    this.mode = "live";
    this.t = 0;
    this.edge = 0;
    this.running = false;
    this.pace = 0;
    this.speed = 4;
    this.last = null;
  }

  /** Whether `t` moves by itself. */
  get moving() {
    return this.mode === "playing" || (this.mode === "live" && this.running);
  }

  /**
   * The moment as an address tells it.
   * @param {boolean} moving tell it also while it moves on
   * @returns {number | null} tick; null for the live edge
   */
  addressed(moving) {
    return this.mode === "paused" || (moving && this.mode === "playing") ? this.t : null;
  }

  /**
   * More is known.
   * @param {number} edge tick
   * @param {boolean} running more will come
   * @param {number} pace world seconds a second; 0 for as fast as possible
   */
  extend(edge, running, pace) {
    this.edge = edge;
    this.running = running;
    this.pace = pace;
    if (this.mode === "live" && (!running || pace === 0)) {
      this.t = edge;
    }
    this.t = Math.min(this.t, edge);
  }

  /** The episode starts over. */
  reset() {
    Object.assign(this, { mode: "live", t: 0, edge: 0, last: null });
  }

  /** Keep to the live edge. */
  live() {
    this.mode = "live";
    this.t = this.edge;
  }

  /**
   * Go to a moment; what was live rests there.
   * @param {number} tick
   */
  seek(tick) {
    this.t = Math.max(0, Math.min(this.edge, tick));
    if (this.mode === "live") {
      this.mode = "paused";
    }
  }

  /** Stay where it is. */
  pause() {
    this.mode = "paused";
  }

  /** Pause what moves, or play; from the start when an ended episode is at its end. */
  toggle() {
    if (this.moving) {
      this.pause();
      return;
    }
    this.mode = "playing";
    this.last = null;
    if (this.t >= this.edge) {
      if (this.running) {
        this.live();
      } else {
        this.t = 0;
      }
    }
  }

  /**
   * Go to the next or last whole step, and rest there.
   * @param {1 | -1} direction
   */
  step(direction) {
    const at = this.t / TICKS_PER_STEP;
    const step = direction > 0 ? Math.floor(at + 1e-9) + 1 : Math.ceil(at - 1e-9) - 1;
    this.mode = "paused";
    this.seek(step * TICKS_PER_STEP);
  }

  /**
   * Choose the next speed up or down.
   * @param {1 | -1} direction
   */
  shift(direction) {
    const at = SPEEDS.indexOf(this.speed) + direction;
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))];
  }

  /**
   * Let time pass.
   * @param {number} now milliseconds
   * @returns {boolean} whether `t` is another now
   */
  pass(now) {
    const seconds = this.last === null ? 0 : Math.min(LONGEST_FRAME, Math.max(0, now - this.last) / 1000);
    this.last = now;
    const before = this.t;
    if (this.mode === "playing") {
      this.#play(seconds);
    } else if (this.mode === "live") {
      const rate = this.pace * TICKS_PER_STEP;
      const least = rate > 0 ? this.edge - rate * BEHIND : this.edge;
      this.t = Math.min(this.edge, Math.max(this.t + seconds * rate, least));
    }
    return this.t !== before;
  }

  #play(seconds) {
    this.t = Math.min(this.edge, this.t + seconds * this.speed * TICKS_PER_STEP);
    if (this.t >= this.edge) {
      this.mode = this.running ? "live" : "paused";
    }
  }
}

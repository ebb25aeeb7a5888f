/** What one episode's log comes to at any moment: who did what, the world, and what each agent knew. */

import { Decisions } from "../minds/decisions.js";
import { History } from "../world/history.js";
import { Mind } from "../world/mind.js";
import { World } from "../world/state.js";
import { EVERYBODY } from "./choices.js";
import { Folds } from "./folds.js";

/** Statuses in which an episode still changes by itself. */
export const UNDER_WAY = new Set(["queued", "running"]);

/**
 * All folds of one log, and how far the log is.
 *
 * @typedef {{tick: number, status: string, pace: number}} Beat world time, status and pace as the server has them now
 */
export class Story {
  /** @param {Beat} heart */
  constructor(heart) {
    this.heart = heart;
    this.folds = new Folds();
    this.decisions = new Decisions();
    this.worlds = new History(() => new World());
    /** @type {Map<string, History<Mind>>} by observer, or `EVERYBODY` */
    this.minds = new Map();
    /** @type {import("./socket.js").LogEvent[]} */
    this.log = [];
    /** All of the log has been taken in. */
    this.complete = false;
  }

  /** The last moment that is known, in ticks. */
  get edge() {
    // The heartbeat's clock may have run ahead of the tick that a cancelled episode ended at.
    return this.folds.end?.tick ?? Math.max(this.heart.tick, this.folds.tick);
  }

  /** More will come of it by itself. */
  get running() {
    return this.heart.status === "running" && !this.folds.end;
  }

  /** Nothing more comes of it. */
  get over() {
    return this.folds.end !== null || !UNDER_WAY.has(this.heart.status);
  }

  /** Names of the agents. */
  get names() {
    return [...this.folds.lanes.keys()];
  }

  /** Read a log that grows, from its beginning. */
  watch(log) {
    this.log = log;
    this.worlds.clear(log);
    this.minds.clear();
  }

  /** The episode starts over with an empty log. */
  reset(log) {
    this.folds.clear();
    this.decisions.clear();
    this.heart.tick = 0;
    this.complete = false;
    this.watch(log);
  }

  /** Events have been added to the log. */
  take(events) {
    for (const event of events) {
      this.folds.apply(event);
      this.decisions.apply(event);
    }
  }

  /** The same episode, to be looked at at other moments without disturbing this one. @returns {Story} */
  aside() {
    const other = Object.create(this);
    return Object.assign(other, { worlds: new History(() => new World(), this.log), minds: new Map() });
  }

  /** Nothing more comes. @param {string} status that it ended with */
  end(status) {
    this.heart = { ...this.heart, status };
    this.complete = true;
  }

  /**
   * What somebody knows at a tick.
   * @param {string} who an agent, or `EVERYBODY`
   * @param {number} tick
   * @returns {Mind | null} null where nobody has that name
   */
  mind(who, tick) {
    const observers = who === EVERYBODY ? this.names : this.names.filter((name) => name === who);
    if (observers.length === 0) {
      return null;
    }
    if (!this.minds.has(who)) {
      this.minds.set(who, new History(() => new Mind(observers), this.log));
    }
    return this.minds.get(who).at(Math.floor(tick), this.running ? this.edge - 1 : this.edge);
  }

  /**
   * What maps and minds show at a tick; after the end, the end.
   * @param {number} tick
   * @param {{knows: string, agent: string}} chosen whose knowledge to dim to, and who is selected
   */
  moment(tick, { knows, agent }) {
    const at = Math.min(tick, this.edge);
    const mind = knows ? this.mind(knows, at) : null;
    return { tick: at, world: this.worlds.at(at), mind, folds: this.folds, selected: agent };
  }
}

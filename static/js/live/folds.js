/**
 * What an event log comes to, kept up to date event by event at a constant cost each: who did what when, how far the
 * checkpoints are, when the environment acted, and a few figures an agent.
 *
 * An agent's activity at any tick: dead after its death; else action while one runs; else planning while it waits
 * for a decision; else idle. The action `wait` is none: it counts as planning while a decision for the agent is on its
 * way, or a proposal made by or sent to it is unanswered, else as idle. Segments are half-open; what would last no time
 * is left out, and neighbours that are both idle (or both planning for the same decision) are one.
 */

import { Negotiation } from "./negotiation.js";
import { actionText } from "./words.js";

/**
 * @typedef {object} Segment
 * @property {string} agent
 * @property {"planning" | "action" | "idle" | "dead"} activity
 * @property {string} action name of the action, empty unless `activity` is `action`
 * @property {string} label in a few words
 * @property {number} start tick
 * @property {number | null} end tick; null while it lasts
 * @property {string} id of the action within its plan
 * @property {Record<string, unknown>} parameters of the action
 * @property {string} outcome `ok`, `partial` or `failed`; empty until it is known
 * @property {string} reason typed reason unless `ok`
 * @property {string} detail a sentence about the outcome
 * @property {number} done
 * @property {number} wanted
 * @property {number} seq number of the event that began it
 * @property {boolean} dropped it turned out to have lasted no time
 *
 * @typedef {object} Lane
 * @property {string} name
 * @property {Segment[]} segments in order of time, none overlapping
 * @property {{tick: number}[]} failures when an action of its failed, in order
 *
 * @typedef {{tick: number, seq: number, event: string, firing: number, action: string, subject: string,
 *   wanted: number, done: number}} Mark
 * @typedef {{name: string, have: number, need: number, history: {tick: number, have: number}[]}} Progress
 */

const NO_PARAMETERS = Object.freeze({});

/** All folds of one episode's log. */
export class Folds {
  constructor() {
    this.clear();
  }

  /** Forget everything: the episode starts over. */
  clear() {
    /** @type {Map<string, Lane & {dead: boolean, running: Segment | null, planning: number,
     *   waiting: boolean, negotiating: number}>} */
    this.lanes = new Map();
    this.negotiation = new Negotiation();
    /** @type {Map<string, Progress>} */
    this.checkpoints = new Map();
    /** @type {Mark[]} */
    this.marks = [];
    /** @type {{tick: number, seq: number, sender: string, to: string[], text: string, tag: string}[]} */
    this.messages = [];
    this.seq = 0;
    this.tick = 0;
    this.maxSteps = 0;
    /** @type {{tick: number, status: string, success: boolean | null, reason: string} | null} */
    this.end = null;
    /** Activities, and names of actions, that occurred so far. @type {Set<string>} */
    this.kinds = new Set();
    /** @type {Set<Segment>} */
    this.changed = new Set();
  }

  /**
   * Segments that began, ended or were told apart since the last call.
   * @returns {Set<Segment>}
   */
  takeChanged() {
    const changed = this.changed;
    this.changed = new Set();
    return changed;
  }

  /**
   * Take in the next event.
   * @param {import("./socket.js").LogEvent} event
   */
  apply(event) {
    this.seq = event.seq;
    this.tick = event.world_time;
    if (this.negotiation.apply(event)) {
      this.#negotiate();
    }
    if (Object.hasOwn(HANDLERS, event.type)) {
      HANDLERS[event.type](this, event.payload, event);
    }
  }

  #negotiate() {
    for (const lane of this.lanes.values()) {
      const concerned = this.negotiation.concerns(lane.name);
      if (concerned !== lane.negotiating > 0) {
        lane.negotiating = concerned ? this.seq : 0;
        this.settle(lane);
      }
    }
  }

  /** The lane of an agent; one that the log never introduced gets its own from tick 0. */
  lane(name) {
    let lane = this.lanes.get(name);
    if (!lane) {
      lane = {
        name,
        segments: [],
        failures: [],
        dead: false,
        running: null,
        planning: 0,
        waiting: false,
        negotiating: 0,
      };
      this.lanes.set(name, lane);
      this.#begin(lane, segment(name, "idle", 0, this.seq));
    }
    return lane;
  }

  /** Bring the lane's last segment in line with what the agent is doing from this tick on. */
  settle(lane) {
    const last = lane.segments.at(-1);
    const activity = activityOf(lane);
    if (activity === "action") {
      if (last !== lane.running) {
        this.#cut(lane);
        this.#begin(lane, lane.running);
      }
      return;
    }
    const began = activity === "planning" ? lane.planning || lane.negotiating : this.seq;
    if (last.activity === activity && (activity !== "planning" || last.seq === began)) {
      return;
    }
    this.#cut(lane);
    const before = lane.segments.at(-1);
    if (before?.activity === activity && (activity === "idle" || before.seq === began)) {
      before.end = null;
      this.changed.add(before);
    } else {
      this.#begin(lane, segment(lane.name, activity, this.tick, began));
    }
  }

  #begin(lane, next) {
    lane.segments.push(next);
    this.kinds.add(next.action || next.activity);
    this.changed.add(next);
  }

  #cut(lane) {
    const last = lane.segments.at(-1);
    last.end = this.tick;
    this.changed.add(last);
    if (last.start === this.tick) {
      last.dropped = true;
      lane.segments.pop();
    }
  }

  /** Close every lane: nothing happens any more. */
  finish(end) {
    this.end = end;
    for (const lane of this.lanes.values()) {
      this.#cut(lane);
    }
  }
}

function activityOf(lane) {
  if (lane.dead) {
    return "dead";
  }
  if (lane.running) {
    return "action";
  }
  return lane.planning || (lane.waiting && lane.negotiating) ? "planning" : "idle";
}

function segment(agent, activity, start, seq) {
  return {
    agent,
    activity,
    action: "",
    label: activity,
    start,
    end: null,
    id: "",
    parameters: NO_PARAMETERS,
    outcome: "",
    reason: "",
    detail: "",
    done: 0,
    wanted: 0,
    seq,
    dropped: false,
  };
}

const HANDLERS = {
  episode_started(folds, payload) {
    folds.maxSteps = payload.max_steps;
    for (const agent of payload.agents) {
      folds.lane(agent.name);
    }
    for (const checkpoint of payload.checkpoints) {
      progress(folds, checkpoint);
    }
  },
  checkpoint_changed: progress,
  episode_ended(folds, payload, event) {
    for (const checkpoint of payload.checkpoints) {
      progress(folds, checkpoint);
    }
    folds.finish({
      tick: event.world_time,
      status: payload.status,
      success: payload.success,
      reason: payload.reason,
    });
  },
  event_fired(folds, payload, event) {
    folds.marks.push({ tick: event.world_time, seq: event.seq, ...payload });
  },
  message_sent(folds, { sender, to, text, tag = "" }, event) {
    folds.messages.push({ tick: event.world_time, seq: event.seq, sender, to, text, tag });
  },
  planning_started(folds, payload, event) {
    for (const name of payload.agents) {
      const lane = folds.lane(name);
      lane.planning = event.seq;
      folds.settle(lane);
    }
  },
  planning_ended(folds, payload) {
    for (const name of payload.agents) {
      const lane = folds.lane(name);
      lane.planning = 0;
      folds.settle(lane);
    }
  },
  action_started(folds, payload, event) {
    const lane = folds.lane(payload.agent);
    if (payload.do === "wait") {
      lane.waiting = true;
      folds.settle(lane);
      return;
    }
    const running = segment(payload.agent, "action", event.world_time, event.seq);
    running.action = payload.do;
    running.label = actionText(payload.do, payload.with);
    running.id = payload.id;
    running.parameters = payload.with;
    lane.running = running;
    folds.settle(lane);
  },
  action_ended(folds, payload) {
    const lane = folds.lane(payload.agent);
    const running = lane.running;
    lane.waiting = false;
    if (running) {
      running.outcome = payload.outcome;
      running.reason = payload.reason;
      running.detail = payload.detail;
      running.done = payload.done;
      running.wanted = payload.wanted;
      folds.changed.add(running);
      lane.running = null;
    }
    if (payload.outcome === "failed") {
      lane.failures.push({ tick: folds.tick });
    }
    folds.settle(lane);
  },
  agent_died(folds, payload) {
    const lane = folds.lane(payload.agent);
    lane.dead = true;
    folds.settle(lane);
  },
};

function progress(folds, { name, have, need }) {
  let known = folds.checkpoints.get(name);
  if (!known) {
    known = { name, have, need, history: [] };
    folds.checkpoints.set(name, known);
  }
  if (known.history.at(-1)?.have !== have) {
    known.history.push({ tick: folds.tick, have });
  }
  known.have = have;
  known.need = need;
}

/**
 * How far a checkpoint is, from 0 to 1.
 * @param {number} have
 * @param {number} need
 * @returns {number}
 */
export function completion(have, need) {
  return need > 0 ? Math.min(1, have / need) : 1;
}

/**
 * How much of a checkpoint there was at a tick.
 * @param {Progress} checkpoint
 * @param {number} tick
 * @returns {number}
 */
export function haveAt({ history }, tick) {
  return history.findLast((entry) => entry.tick <= tick)?.have ?? 0;
}

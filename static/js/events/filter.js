/** Which events of the log the list shows: kept as row numbers, extended as the log grows. */

import { agentsOf, summary } from "../live/words.js";

/** A filtered view of a growing log. */
export class Filter {
  constructor() {
    /** @type {import("../live/socket.js").LogEvent[]} */
    this.events = [];
    /** Indices into `events` of what is shown. @type {number[]} */
    this.shown = [];
    this.type = "";
    this.agent = "";
    this.text = "";
    /** @type {string[]} */
    this.summaries = [];
  }

  /** Forget every event; the choice stays. */
  clear() {
    this.events = [];
    this.shown = [];
    this.summaries = [];
  }

  /**
   * Take in new events.
   * @param {import("../live/socket.js").LogEvent[]} events
   */
  add(events) {
    for (const event of events) {
      this.events.push(event);
      if (this.#matches(this.events.length - 1)) {
        this.shown.push(this.events.length - 1);
      }
    }
  }

  /**
   * Choose what to show; an empty string does not restrict.
   * @param {{type: string, agent: string, text: string}} choice
   */
  choose({ type, agent, text }) {
    this.type = type;
    this.agent = agent;
    this.text = text.trim().toLowerCase();
    this.shown = [];
    for (let i = 0; i < this.events.length; i += 1) {
      if (this.#matches(i)) {
        this.shown.push(i);
      }
    }
  }

  /**
   * The summary of an event, made once.
   * @param {number} index into `events`
   * @returns {string}
   */
  summaryOf(index) {
    this.summaries[index] ??= summary(this.events[index]);
    return this.summaries[index];
  }

  /**
   * The row of an event, or of the last shown one before it.
   * @param {number} seq
   * @returns {number} index into `shown`; -1 when there is none
   */
  rowOf(seq) {
    let [low, high] = [0, this.shown.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.events[this.shown[middle]].seq <= seq) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  #matches(index) {
    const event = this.events[index];
    if (this.type && event.type !== this.type) {
      return false;
    }
    if (this.agent && !agentsOf(event).includes(this.agent)) {
      return false;
    }
    return (
      !this.text || `${event.seq} ${event.type} ${this.summaryOf(index)}`.toLowerCase().includes(this.text)
    );
  }
}

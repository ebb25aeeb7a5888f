/** The timeline as a table, for screen readers and for reading exact figures. Filled only while it is open. */

import { el, fillRow, setText } from "../dom.js";
import { outcomeText, steps } from "../live/words.js";
import { segmentAt, TICKS_PER_STEP } from "./scale.js";

const ROWS_A_FRAME = 400;

/** Keeps the rows of a table in line with the segments. */
export class Twin {
  /**
   * @param {HTMLDetailsElement} details holds the table
   * @param {import("../live/folds.js").Folds} folds
   */
  constructor(details, folds) {
    this.details = details;
    this.folds = folds;
    this.body = details.querySelector("tbody");
    /** @type {Map<import("../live/folds.js").Segment, HTMLTableRowElement>} */
    this.rows = new Map();
    /** @type {import("../live/folds.js").Segment[]} */
    this.waiting = [];
    this.frame = 0;
    /** Segments that are under way at the shown moment. @type {Set<import("../live/folds.js").Segment>} */
    this.current = new Set();
    this.tick = 0;
    this.words = el("p", { class: "twin-now" });
    details.querySelector("table").before(this.words);
    details.addEventListener("toggle", () => this.refill());
  }

  /** Start again from what the folds hold now. */
  refill() {
    this.rows.clear();
    this.body.replaceChildren();
    this.folds.takeChanged();
    this.waiting = this.details.open ? inOrder(this.folds) : [];
    this.#work();
  }

  /** Take over what has changed since the last call. */
  update() {
    if (!this.details.open) {
      return;
    }
    this.waiting.push(...this.folds.takeChanged());
    this.#work();
  }

  /**
   * Point out what is under way at a moment.
   * @param {number} tick
   */
  show(tick) {
    this.tick = tick;
    if (!this.details.open) {
      return;
    }
    const lanes = [...this.folds.lanes.values()];
    const now = new Set(lanes.map(({ segments }) => segmentAt(segments, tick)).filter((one) => one !== null));
    for (const segment of this.current.difference(now)) {
      this.rows.get(segment)?.removeAttribute("aria-current");
    }
    for (const segment of now) {
      this.rows.get(segment)?.setAttribute("aria-current", "true");
    }
    this.current = now;
    setText(this.words, momentText(tick, now));
  }

  /** Some rows now, the rest in the next frames, so that a long log does not stop the page. */
  #work() {
    cancelAnimationFrame(this.frame);
    for (const segment of this.waiting.splice(0, ROWS_A_FRAME)) {
      this.#show(segment);
    }
    if (this.waiting.length > 0) {
      this.frame = requestAnimationFrame(() => this.#work());
    } else {
      this.show(this.tick);
    }
  }

  #show(segment) {
    let row = this.rows.get(segment);
    if (segment.dropped) {
      row?.remove();
      this.rows.delete(segment);
      return;
    }
    if (!row) {
      row = this.body.insertRow();
      this.rows.set(segment, row);
    }
    fillRow(row, cellsOf(segment));
  }
}

function inOrder(folds) {
  const all = [...folds.lanes.values()].flatMap((lane) => lane.segments);
  return all.sort((a, b) => a.start - b.start || a.seq - b.seq);
}

/**
 * What is under way.
 * @param {number} tick
 * @param {Set<import("../live/folds.js").Segment>} segments
 * @returns {string} `Step 12: Ada mine gold ore; Bruno idle`
 */
export function momentText(tick, segments) {
  const doing = [...segments].map(({ agent, label }) => `${agent} ${label}`);
  return `Step ${Math.floor(tick / TICKS_PER_STEP)}: ${doing.join("; ") || "nothing is under way"}`;
}

/**
 * A segment's row: agent, activity, label, start step, end step.
 * @param {import("../live/folds.js").Segment} segment
 * @returns {string[]}
 */
export function cellsOf(segment) {
  const outcome = segment.outcome && segment.outcome !== "ok" ? `: ${outcomeText(segment)}` : "";
  return [
    segment.agent,
    segment.activity,
    segment.activity === "action" ? `${segment.label}${outcome}` : "",
    steps(segment.start),
    segment.end === null ? "…" : steps(segment.end),
  ];
}

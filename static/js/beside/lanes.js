/** The lanes of a second episode, always showing the same part of time as a timeline that leads. */

import { el, fitCanvas } from "../dom.js";
import { startOf } from "../map/fronts.js";
import { draw } from "../timeline/draw.js";
import { describe, hitAt } from "../timeline/hit.js";
import { listen } from "../timeline/interact.js";
import { layOut } from "../timeline/layout.js";
import { toTick } from "../timeline/scale.js";

/** Drawn by `show`; what the viewer does to its time is done to the leader's. */
export class Lanes {
  /**
   * @param {HTMLElement} host
   * @param {object} options
   * @param {string} options.name of the episode, for screen readers
   * @param {import("../live/story.js").Story} options.story
   * @param {import("../timeline/index.js").Timeline} options.leader
   * @param {import("../map/fronts.js").Fill[]} options.fills
   * @param {(tick: number, agent: string) => void} options.moved the viewer chose a moment, and perhaps an agent
   */
  constructor(host, { name, story, leader, fills, moved }) {
    this.story = story;
    this.leader = leader;
    this.fills = fills;
    this.moved = moved;
    this.pointer = null;
    this.head = null;
    this.canvas = el("canvas", {
      tabindex: "0",
      role: "img",
      "aria-label": `Timeline of ${name}. Keys are those of the timeline above.`,
    });
    this.tooltip = el("div", { class: "timeline-tooltip", hidden: true });
    this.frame = el("div", { class: "timeline-frame" }, this.canvas, this.tooltip);
    host.replaceChildren(this.frame);
    listen(this.canvas, {
      ...leader.actions,
      hover: (place) => {
        this.pointer = place;
        leader.redraw();
      },
      pick: (place) => this.#pick(place),
    });
  }

  /**
   * Draw.
   * @param {number | null} head tick that the page shows; null while that is now
   */
  show(head) {
    this.head = head;
    const { folds } = this.story;
    const width = this.frame.clientWidth;
    if (width === 0 || folds.lanes.size === 0) {
      return;
    }
    this.layout = layOut(width, folds.lanes.size, folds.checkpoints.size, this.fills.length);
    draw(fitCanvas(this.canvas, width, this.layout.height), this.#scene());
    this.#point();
  }

  #scene() {
    const { leader, story, layout, head } = this;
    const { folds } = story;
    return {
      folds,
      layout,
      view: leader.view,
      now: story.edge,
      running: story.running && head === null,
      colour: leader.colour,
      hatch: leader.hatch,
      measure: (text) => leader.measure(text),
      hover: null,
      selected: null,
      cursor: null,
      head,
      matches: leader.finder.matches,
      arcs: leader.arcs.checked,
      crises: this.fills.map((fill) => ({ fill, start: startOf(fill, folds.marks) })),
    };
  }

  #pick(place) {
    this.pointer = place;
    const { left, width } = this.layout ?? this.leader.layout;
    if (place.x >= left - 4) {
      const hit = this.layout ? hitAt(this.#scene(), place.x, place.y) : null;
      const tick = toTick(this.leader.view, place.x, left, width);
      this.moved(Math.max(0, tick), hit?.segment?.agent ?? "");
    }
  }

  #point() {
    const hit = this.pointer ? hitAt(this.#scene(), this.pointer.x, this.pointer.y) : null;
    this.tooltip.hidden = !hit;
    if (hit) {
      const { title, lines } = describe(hit, this.story.edge);
      this.tooltip.replaceChildren(
        el("strong", { text: title }),
        ...lines.map((line) => el("div", { text: line })),
      );
      const room = this.frame.clientWidth - this.tooltip.offsetWidth;
      this.tooltip.style.left = `${Math.max(0, Math.min(this.pointer.x + 12, room))}px`;
      this.tooltip.style.top = `${this.pointer.y + 16}px`;
    }
  }
}

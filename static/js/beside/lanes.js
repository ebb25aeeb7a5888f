/** The lanes of a second episode, always showing the same part of time as a timeline that leads. */

import { el, fitCanvas } from "../dom.js";
import { startOf as startOfCrisis } from "../map/fronts.js";
import { draw, placeOf } from "../timeline/draw.js";
import { hitAt } from "../timeline/hit.js";
import { listen } from "../timeline/interact.js";
import { layOut } from "../timeline/layout.js";
import { startOf } from "../timeline/rove.js";
import { Rover } from "../timeline/rover.js";
import { toTick } from "../timeline/scale.js";
import { Tooltip } from "../timeline/tooltip.js";

/** Drawn by `show`; what the viewer does to its time is done to the leader's. */
export class Lanes {
  /**
   * @param {HTMLElement} host
   * @param {object} options
   * @param {string} options.name of the episode, for screen readers
   * @param {import("../live/story.js").Story} options.story
   * @param {import("../timeline/index.js").Timeline} options.leader
   * @param {import("../map/fronts.js").Fill[]} options.fills
   * @param {(tick: number, hit: import("../timeline/hit.js").Hit | null) => void} options.moved the viewer chose a
   *   moment, and perhaps what is there
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
      role: "application",
      "aria-roledescription": "timeline",
      "aria-label": `Timeline of ${name}. Keys are those of the timeline above.`,
      onfocus: leader.redraw,
      onblur: leader.redraw,
    });
    this.tooltip = new Tooltip();
    this.frame = el(
      "div",
      { class: "timeline-frame" },
      this.canvas,
      this.tooltip.element,
      this.tooltip.words,
    );
    host.replaceChildren(this.frame);
    this.rover = new Rover(story.folds, {
      tick: () => this.head ?? story.edge,
      went: ({ hit }) => {
        this.pointer = null;
        leader.reveal(startOf(hit));
        this.tooltip.say(hit, story.edge);
      },
      open: (hit) => moved(startOf(hit), hit),
      left: leader.redraw,
    });
    listen(this.canvas, {
      ...leader.actions,
      ...this.rover.actions,
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
    this.frame.hidden = folds.lanes.size === 0;
    const width = this.frame.clientWidth;
    if (width === 0) {
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
      measure: (text) => leader.widths.of(leader.context, text),
      hover: this.#here()?.segment ?? null,
      selected: null,
      cursor: null,
      head,
      matches: leader.finder.matches,
      arcs: leader.arcs.checked,
      crises: this.fills.map((fill) => ({ fill, start: startOfCrisis(fill, folds.marks) })),
    };
  }

  #pick(place) {
    this.pointer = place;
    const { left, width } = this.layout ?? this.leader.layout;
    if (place.x >= left - 4) {
      const hit = this.layout ? hitAt(this.#scene(), place.x, place.y) : null;
      const tick = toTick(this.leader.view, place.x, left, width);
      this.moved(Math.max(0, tick), hit);
    }
  }

  /** What the keyboard is at, while these lanes have the focus. */
  #here() {
    return document.activeElement === this.canvas ? (this.rover.stop?.hit ?? null) : null;
  }

  #point() {
    const { pointer } = this;
    const scene = this.#scene();
    const hit = pointer ? hitAt(scene, pointer.x, pointer.y) : this.#here();
    this.tooltip.show(hit, pointer ?? (hit && placeOf(scene, this.rover.stop)), this.story.edge);
  }
}

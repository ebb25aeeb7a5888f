/** The live timeline: one lane an agent on a canvas, with its controls, tooltip and legend. */

import { pagePalette, watchTheme } from "../colours.js";
import { download, el, fitCanvas, oncePerFrame } from "../dom.js";
import { startOf as startOfCrisis } from "../map/fronts.js";
import { draw, hatching, placeOf } from "./draw.js";
import { Finder } from "./finder.js";
import { hitAt } from "./hit.js";
import { listen } from "./interact.js";
import { layOut } from "./layout.js";
import { Legend } from "./legend.js";
import { startOf } from "./rove.js";
import { Rover } from "./rover.js";
import * as scale from "./scale.js";
import { Tooltip } from "./tooltip.js";
import { Widths } from "./widths.js";

const FIRST_WINDOW = 150 * scale.TICKS_PER_STEP;

/**
 * @typedef {object} Options
 * @property {import("../live/folds.js").Folds} folds what to draw
 * @property {number} maxSteps until the log says so
 * @property {import("../map/fronts.js").Fill[]} [fills] crises of the task
 * @property {(tick: number, hit: import("./hit.js").Hit | null) => void} [picked] the viewer chose a moment, and
 *   perhaps what is there
 */

/** Draws the folds, on the animation frame after each `update`. */
export class Timeline {
  /**
   * @param {HTMLElement} host
   * @param {Options} options
   */
  constructor(host, { folds, maxSteps, fills = [], picked = () => {} }) {
    this.folds = folds;
    this.maxSteps = maxSteps;
    this.fills = fills;
    this.picked = picked;
    this.now = 0;
    /** The moment that the rest of the page shows; null while that is now. @type {number | null} */
    this.head = null;
    /** Whether that moment moves by itself. */
    this.running = false;
    this.following = true;
    /** "auto" until the viewer moves the view; "fit" shows everything; "free" is the viewer's own. */
    this.mode = "auto";
    this.view = { start: 0, end: this.#total() };
    this.hover = null;
    this.selected = null;
    this.cursor = null;
    this.pointer = null;
    /** The view reaches at least this tick: another episode, shown beside this one, goes on so far. */
    this.until = 0;
    /** Told after each drawing, so that what stands beside it keeps to the same part of time. */
    this.drawn = () => {};
    this.layout = layOut(0, 0, 0);
    this.widths = new Widths();
    this.redraw = oncePerFrame(() => this.#draw());
    this.#build(host);
    this.#readTheme();
    watchTheme(() => this.#readTheme());
    new ResizeObserver(() => this.redraw()).observe(this.frame);
    this.redraw();
  }

  /**
   * World time went on, the folds changed, or the page shows another moment.
   * @param {number} now tick
   * @param {boolean} running whether what the page shows moves on by itself
   * @param {number | null} [head] tick that the page shows; null while that is now
   */
  update(now, running, head = null) {
    this.now = Math.max(now, this.folds.tick);
    this.head = head;
    if (this.folds.end && this.mode === "auto") {
      this.mode = "fit";
    }
    if (running !== this.running) {
      this.running = running;
      this.#setFollowing(this.following);
    }
    this.redraw();
  }

  /** Point a tick out, and what began with an event there. */
  centre(tick, seq = null) {
    this.cursor = tick;
    this.selected = seq === null ? null : this.#segmentOf(seq, tick);
    this.reveal(tick);
  }

  /** Move the view, if it has to be moved for a tick to be seen. */
  reveal(tick) {
    if (tick < this.view.start || tick > this.view.end) {
      this.#free(scale.placeAt(this.view, tick, this.#total()));
    }
    this.redraw();
  }

  /** Show the present and follow it. */
  present() {
    this.cursor = null;
    this.#jump("now");
  }

  /** The picture as it is, as a PNG file. */
  picture() {
    return new Promise((resolve) => {
      this.canvas.toBlob(resolve, "image/png");
    });
  }

  /** The episode starts over. */
  reset() {
    this.hover = null;
    this.rover.stop = null;
    this.selected = null;
    this.cursor = null;
    this.mode = "auto";
    this.now = 0;
    this.#setFollowing(true);
  }

  #build(host) {
    const button = (text, label, press) =>
      el(
        "button",
        { type: "button", class: "btn btn-sm", "aria-label": label, title: label, onclick: press },
        text,
      );
    this.followButton = button("Follow", "Let the view follow the shown moment", () => this.#toggleFollow());
    this.note = el("span", { class: "timeline-note", role: "status" });
    this.canvas = el("canvas", {
      tabindex: "0",
      role: "application",
      "aria-roledescription": "timeline",
      "aria-label": "Timeline of the agents' activities. The table below holds the same.",
      "aria-describedby": "timeline-keys",
      onfocus: this.redraw,
      onblur: this.redraw,
    });
    this.context = this.canvas.getContext("2d");
    this.tooltip = new Tooltip();
    const { element, words } = this.tooltip;
    this.frame = el("div", { class: "timeline-frame" }, this.canvas, element, words);
    this.legend = new Legend();
    this.rover = new Rover(this.folds, {
      tick: () => this.#shown(),
      went: ({ hit }) => {
        this.pointer = null;
        this.reveal(startOf(hit));
        this.tooltip.say(hit, this.now);
      },
      open: (hit) => this.#open(hit),
      left: this.redraw,
    });
    this.arcs = el("input", {
      type: "checkbox",
      class: "form-check-input",
      checked: true,
      onchange: this.redraw,
    });
    this.finder = new Finder(this.folds, {
      changed: this.redraw,
      tick: () => this.#shown(),
      go: (segment) => {
        this.selected = segment;
        this.reveal(segment.start);
        this.picked(segment.start, { segment });
      },
    });
    const keys =
      "Keys: ← → along a lane, ↑ ↓ between lanes, Enter opens, W S zoom, A D move, F everything, ? all keys.";
    const controls = el(
      "div",
      { class: "timeline-controls", role: "group", "aria-label": "Timeline" },
      button("−", "Zoom out (S or −)", () => this.#zoom(1 / 1.5, null)),
      button("+", "Zoom in (W or +)", () => this.#zoom(1.5, null)),
      button("Fit", "Fit: show everything (F or 0)", () => this.#fit()),
      this.followButton,
      el("label", { class: "timeline-arcs" }, this.arcs, "messages"),
      ...this.finder.parts,
      button("PNG", "PNG: save the timeline as a picture", async () =>
        download(await this.picture(), "timeline.png"),
      ),
      this.note,
    );
    host.replaceChildren(
      controls,
      this.frame,
      this.legend.element,
      el("p", { class: "timeline-keys", id: "timeline-keys", text: keys }),
    );
    this.#setFollowing(true);
    /** What the viewer can do to it. @type {import("./interact.js").Actions} */
    this.actions = {
      zoom: (factor, x) => this.#zoom(factor, x),
      panPixels: (pixels) => this.#pan((pixels / this.layout.width) * (this.view.end - this.view.start)),
      panShare: (share) => this.#pan(share * (this.view.end - this.view.start)),
      fit: () => this.#fit(),
      jump: (where) => this.#jump(where),
      hover: (place) => this.#point(place),
      pick: (place) => this.#pick(place),
      ...this.rover.actions,
    };
    listen(this.canvas, this.actions);
  }

  /** The tick that the page shows. */
  #shown() {
    return this.head ?? this.now;
  }

  #total() {
    const limit = (this.folds.maxSteps || this.maxSteps) * scale.TICKS_PER_STEP;
    return Math.max(limit, this.now, this.until, 1);
  }

  #readTheme() {
    this.colour = pagePalette();
    this.hatch = hatching(this.context, "rgba(0, 0, 0, 0.45)");
    this.redraw();
  }

  #draw() {
    const width = this.frame.clientWidth;
    if (width === 0) {
      return;
    }
    this.layout = layOut(width, this.folds.lanes.size, this.folds.checkpoints.size, this.fills.length);
    this.context = fitCanvas(this.canvas, width, this.layout.height);
    this.view = this.#wantedView();
    draw(this.context, this.#scene());
    this.legend.update(this.folds.kinds);
    this.#showTooltip();
    this.drawn();
  }

  #scene() {
    return {
      folds: this.folds,
      layout: this.layout,
      view: this.view,
      now: this.now,
      running: this.running && this.head === null,
      colour: this.colour,
      hatch: this.hatch,
      measure: (text) => this.widths.of(this.context, text),
      hover: this.hover ?? this.#here()?.segment ?? null,
      selected: this.selected,
      cursor: this.cursor,
      head: this.head,
      matches: this.finder.matches,
      arcs: this.arcs.checked,
      crises: this.fills.map((fill) => ({ fill, start: startOfCrisis(fill, this.folds.marks) })),
    };
  }

  #wantedView() {
    const total = this.#total();
    if (this.mode === "fit") {
      const end = this.folds.end ? Math.max(this.folds.end.tick, this.until) : total;
      return scale.clampView({ start: 0, end }, total);
    }
    if (this.mode === "auto") {
      const span = Math.min(total, FIRST_WINDOW);
      const { start } = this.view;
      return scale.follow(scale.clampView({ start, end: start + span }, total), this.#shown(), total);
    }
    const view = scale.clampView(this.view, total);
    return this.following && this.running ? scale.follow(view, this.#shown(), total) : view;
  }

  #free(view) {
    this.mode = "free";
    this.view = view;
    if (this.running && this.following && scale.follow(view, this.#shown(), this.#total()) !== view) {
      this.#setFollowing(false);
    }
    this.redraw();
  }

  #zoom(factor, x) {
    const { left, width } = this.layout;
    const anchored = x === null && this.following && this.running;
    const middle = anchored ? this.#shown() : (this.view.start + this.view.end) / 2;
    const tick = x === null ? middle : scale.toTick(this.view, x, left, width);
    const before = this.view;
    const view = scale.zoom(before, factor, tick, this.#total());
    if (view.start === before.start && view.end === before.end) {
      return false;
    }
    this.#free(view);
    return true;
  }

  #pan(ticks) {
    const view = scale.pan(this.view, ticks, this.#total());
    if (view.start !== this.view.start) {
      if (this.running && this.following) {
        this.#setFollowing(false);
      }
      this.#free(view);
    }
  }

  #fit() {
    this.mode = "fit";
    this.cursor = null;
    this.redraw();
  }

  #jump(where) {
    if (where === "now") {
      this.#setFollowing(true);
      this.#free(scale.placeAt(this.view, this.now, this.#total(), scale.FOLLOW_SHARE));
    } else {
      this.#pan(-this.view.start);
    }
  }

  #toggleFollow() {
    this.#setFollowing(!this.following);
    if (this.following) {
      this.cursor = null;
      this.#free(scale.follow(this.view, this.#shown(), this.#total()));
    }
  }

  #setFollowing(following) {
    this.following = following;
    this.followButton.setAttribute("aria-pressed", String(following));
    this.followButton.classList.toggle("active", following);
    this.followButton.hidden = !this.running;
    this.note.textContent = following || !this.running ? "" : "Not following.";
    this.redraw();
  }

  #point(place) {
    this.pointer = place;
    this.redraw();
  }

  #pick(place) {
    const hit = hitAt(this.#scene(), place.x, place.y);
    this.selected = hit && "segment" in hit ? hit.segment : null;
    this.cursor = null;
    this.pointer = place;
    const { left, width } = this.layout;
    if (place.x >= left - 4) {
      const tick = scale.toTick(this.view, place.x, left, width);
      this.picked(Math.max(0, Math.min(Math.max(this.now, this.until), tick)), hit);
    }
    this.redraw();
  }

  /** What the keyboard is at, while the timeline has the focus. */
  #here() {
    return document.activeElement === this.canvas ? (this.rover.stop?.hit ?? null) : null;
  }

  #open(hit) {
    this.selected = hit.segment ?? null;
    this.cursor = null;
    this.picked(Math.min(this.now, startOf(hit)), hit);
  }

  #segmentOf(seq, tick) {
    for (const lane of this.folds.lanes.values()) {
      const found = scale.segmentAt(lane.segments, tick);
      if (found?.seq === seq) {
        return found;
      }
    }
    return null;
  }

  #showTooltip() {
    const hit = this.pointer ? hitAt(this.#scene(), this.pointer.x, this.pointer.y) : null;
    const segment = hit && "segment" in hit ? hit.segment : null;
    if (segment !== this.hover) {
      this.hover = segment;
      this.redraw();
    }
    const here = this.pointer ? null : this.#here();
    this.tooltip.show(
      hit ?? here,
      this.pointer ?? (here && placeOf(this.#scene(), this.rover.stop)),
      this.now,
    );
  }
}

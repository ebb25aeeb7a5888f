/** The buttons, slider and keys with which one goes through time. */

import { el, setText } from "../dom.js";
import { singleKeys } from "../keys/choice.js";
import { KeyHelp } from "../keys/help.js";
import { KEY_LIST } from "../keys/list.js";
import { steps } from "../live/words.js";
import { TICKS_PER_STEP } from "../timeline/scale.js";
import { SPEEDS } from "./clock.js";
import { KINDS } from "./kinds.js";

/** Elements that use letters and the space bar themselves. */
const OWN_KEYS = "input, select, textarea, button, summary, a, dialog, [contenteditable]";

/**
 * What the keys do, wherever the focus is, unless something there needs them. All but the space bar are characters,
 * which speech input types and the viewer can therefore switch off (WCAG 2.1.4).
 * @type {Record<string, (controls: Controls) => void>}
 */
const KEYS = {
  " ": (controls) => controls.act("toggle"),
  ",": (controls) => controls.act("step", -1),
  ".": (controls) => controls.act("step", 1),
  "<": (controls) => controls.act("shift", -1),
  ">": (controls) => controls.act("shift", 1),
  "[": (controls) => controls.jump(-1),
  "]": (controls) => controls.jump(1),
  l: (controls) => controls.act("live"),
  "?": (controls) => controls.help.open(),
};

/** Shows and moves a clock. */
export class Controls {
  /**
   * @param {HTMLElement} host
   * @param {import("./clock.js").Clock} clock
   * @param {object} told
   * @param {() => void} told.changed the viewer moved the clock
   * @param {((kind: string, direction: 1 | -1) => void) | null} [told.jump] the viewer wants the next event of a kind
   * @param {Record<string, import("../keys/help.js").Keys>} [told.keys] what the list of keys says
   */
  constructor(host, clock, { changed, jump = null, keys = KEY_LIST }) {
    this.clock = clock;
    this.changed = changed;
    this.jumped = jump;
    this.help = new KeyHelp(keys);
    this.#build(host);
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** Do something to the clock. */
  act(name, ...values) {
    this.clock[name](...values);
    this.changed();
  }

  /** Go to the next or last event of the chosen kind. */
  jump(direction) {
    this.jumped?.(this.kind.value, direction);
  }

  /** Show where the clock is. */
  update() {
    const { t, edge, mode, moving, speed, running } = this.clock;
    this.slider.max = String(Math.max(1, edge) / TICKS_PER_STEP);
    this.slider.value = String(t / TICKS_PER_STEP);
    this.slider.setAttribute("aria-valuetext", `step ${steps(Math.round(t))}`);
    setText(this.play, moving ? "Pause" : "Play");
    const live = mode === "live" && running;
    this.liveButton.hidden = !running;
    this.liveButton.classList.toggle("active", live);
    this.liveButton.setAttribute("aria-pressed", String(live));
    this.speed.value = String(speed);
    const behind = Math.round((edge - t) / TICKS_PER_STEP);
    setText(this.note, running && !live ? `${behind} behind` : "");
  }

  #build(host) {
    const button = (text, title, press, more = {}) =>
      el("button", { type: "button", class: "btn btn-sm", title, onclick: press, ...more }, text);
    this.play = button("Play", "Play or pause (space bar)", () => this.act("toggle"), {
      class: "btn btn-sm time-play",
    });
    this.liveButton = button("Live", "Go to the live edge (L)", () => this.act("live"), {
      class: "btn btn-sm time-live",
    });
    this.slider = el("input", {
      type: "range",
      class: "time-slider",
      min: 0,
      max: 1,
      step: "any",
      value: 0,
      "aria-label": "Moment",
      oninput: () => this.act("seek", Number(this.slider.value) * TICKS_PER_STEP),
    });
    this.slider.addEventListener("keydown", (event) => this.#slide(event));
    this.speed = el(
      "select",
      {
        class: "form-select form-select-sm",
        "aria-label": "Replay speed",
        onchange: () => {
          this.clock.speed = Number(this.speed.value);
          this.changed();
        },
      },
      ...SPEEDS.map((speed) => el("option", { value: speed, text: `replay ${speed}×` })),
    );
    this.kind = el(
      "select",
      { class: "form-select form-select-sm", "aria-label": "Kind of event to jump to" },
      ...Object.keys(KINDS).map((kind) => el("option", { value: kind, text: kind })),
    );
    this.kind.value = "environment event";
    this.note = el("span", { class: "time-note", title: "Steps behind the present" });
    const label = (text) => ({ "aria-label": text });
    host.replaceChildren(
      el(
        "div",
        { class: "time-controls", role: "group", "aria-label": "Time" },
        this.play,
        button("◂", "One step back (,)", () => this.act("step", -1), label("One step back")),
        button("▸", "One step on (.)", () => this.act("step", 1), label("One step on")),
        this.slider,
        this.liveButton,
        this.note,
        this.speed,
        el(
          "span",
          { class: "time-jump", role: "group", "aria-label": "Jump to an event", hidden: !this.jumped },
          button("⇤", "Last event of this kind ([)", () => this.jump(-1), label("Last event of this kind")),
          this.kind,
          button("⇥", "Next event of this kind (])", () => this.jump(1), label("Next event of this kind")),
        ),
        button("Keys", "All keys of this page (?)", () => this.help.open()),
      ),
      this.help.element,
    );
  }

  /** Arrow keys move the slider by whole steps; a range without steps of its own would move by a hundredth. */
  #slide(event) {
    const moves = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
    if (Object.hasOwn(moves, event.key)) {
      event.preventDefault();
      this.act("step", moves[event.key]);
    } else if (event.key === " ") {
      event.preventDefault();
      this.act("toggle");
    }
  }

  #pressed(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const key = event.key.toLowerCase();
    const works = key === " " || singleKeys();
    if (Object.hasOwn(KEYS, key) && works && !event.target.closest?.(OWN_KEYS)) {
      event.preventDefault();
      KEYS[key](this);
    }
  }
}

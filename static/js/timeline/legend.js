/** The timeline's legend: the activities, and those actions that occurred. */

import { el } from "../dom.js";
import { actionName } from "../live/words.js";

const ALWAYS = ["planning", "idle"];
const ACTIVITIES = new Set(["planning", "idle", "dead"]);

/** Grows as new kinds occur. */
export class Legend {
  constructor() {
    this.element = el("ul", { class: "timeline-legend", "aria-label": "Legend" });
    this.size = -1;
  }

  /**
   * Show these kinds.
   * @param {Set<string>} kinds activities and action names
   */
  update(kinds) {
    if (kinds.size === this.size) {
      return;
    }
    this.size = kinds.size;
    const names = [...new Set([...ALWAYS, ...kinds])];
    const actions = names.filter((name) => !ACTIVITIES.has(name)).sort();
    const entries = [
      ...actions.map((name) =>
        entry("action", actionName(name), `var(--action-${cssName(name)}, var(--action))`),
      ),
      ...names.filter((name) => ACTIVITIES.has(name)).map((name) => entry(name, name, `var(--${name})`)),
      entry("partial", "done in part (hatched)", ""),
      entry("failed", "✕ failed (hatched, bordered)", ""),
      entry("event", "environment", ""),
    ];
    this.element.replaceChildren(...entries);
  }
}

function cssName(name) {
  return /^[a-z_]{1,40}$/.test(name) ? name : "";
}

function entry(kind, text, colour) {
  const swatch = el("span", { class: `timeline-swatch timeline-swatch-${kind}`, "aria-hidden": "true" });
  if (colour) {
    swatch.style.background = colour;
  }
  return el("li", {}, swatch, text);
}

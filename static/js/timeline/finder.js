/** The search box of the timeline: dims what does not match, and goes from match to match. */

import { el } from "../dom.js";
import { found, matcher, nextMatch } from "./search.js";

/** Holds what is searched for; `matches` is the test that the timeline draws by. */
export class Finder {
  /**
   * @param {import("../live/folds.js").Folds} folds
   * @param {object} told
   * @param {() => void} told.changed another search
   * @param {(segment: import("../live/folds.js").Segment) => void} told.go the viewer goes to a match
   * @param {() => number} told.tick where one is
   */
  constructor(folds, { changed, go, tick }) {
    this.folds = folds;
    this.go = go;
    this.tick = tick;
    /** @type {((segment: import("../live/folds.js").Segment) => boolean) | null} */
    this.matches = null;
    this.current = null;
    this.input = el("input", {
      type: "search",
      class: "form-control form-control-sm timeline-search",
      placeholder: "Find an action or agent",
      "aria-label": "Find an action or agent in the timeline; Enter goes to the next one",
      oninput: () => {
        this.matches = matcher(this.input.value);
        this.current = null;
        this.count();
        changed();
      },
      onkeydown: (event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          this.#next(event.shiftKey ? -1 : 1);
        }
      },
    });
    this.output = el("span", { class: "timeline-note", role: "status" });
    this.parts = [this.input, this.output];
  }

  /** Say how many matches there are. */
  count() {
    const all = this.matches ? found(this.folds, this.matches) : [];
    const at = all.indexOf(this.current) + 1;
    const some = `${at > 0 ? `${at} of ` : ""}${all.length} found`;
    this.output.textContent = this.matches ? some : "";
  }

  #next(direction) {
    if (this.matches) {
      const all = found(this.folds, this.matches);
      this.current = nextMatch(all, this.current, this.tick(), direction);
      this.count();
      if (this.current) {
        this.go(this.current);
      }
    }
  }
}

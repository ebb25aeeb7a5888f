/** What is said of a segment, mark or message: beside it on the screen, and aloud where the keyboard went there. */

import { el } from "../dom.js";
import { describe } from "./hit.js";

/** A box that follows the pointer or the keyboard, and a line that only screen readers get. */
export class Tooltip {
  constructor() {
    this.element = el("div", { class: "timeline-tooltip", hidden: true });
    this.words = el("p", { class: "visually-hidden", role: "status" });
  }

  /**
   * Show it, or nothing.
   * @param {import("./hit.js").Hit | null} hit
   * @param {{x: number, y: number}} place in pixels
   * @param {number} now tick
   */
  show(hit, place, now) {
    this.element.hidden = !hit;
    if (!hit) {
      return;
    }
    const { title, lines } = describe(hit, now);
    this.element.replaceChildren(
      el("strong", { text: title }),
      ...lines.map((line) => el("div", { text: line })),
    );
    const room = this.element.parentElement.clientWidth - this.element.offsetWidth;
    this.element.style.left = `${Math.max(0, Math.min(place.x + 12, room))}px`;
    this.element.style.top = `${place.y + 16}px`;
  }

  /**
   * Say it.
   * @param {import("./hit.js").Hit} hit
   * @param {number} now tick
   */
  say(hit, now) {
    const { title, lines } = describe(hit, now);
    this.words.textContent = [title, ...lines].join(". ");
  }
}

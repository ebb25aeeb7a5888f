/** How wide texts are, measured once each. */

import { FONT } from "./draw.js";

const MOST = 5_000; // then it starts over

/** Remembers widths in pixels, in the font of the labels. */
export class Widths {
  constructor() {
    /** @type {Map<string, number>} */
    this.known = new Map();
  }

  /**
   * The width of a text.
   * @param {CanvasRenderingContext2D} context
   * @param {string} text
   * @returns {number} pixels
   */
  of(context, text) {
    let width = this.known.get(text);
    if (width === undefined) {
      if (this.known.size > MOST) {
        this.known.clear();
      }
      context.font = FONT;
      width = context.measureText(text).width;
      this.known.set(text, width);
    }
    return width;
  }
}

/** How wide labels are: measuring is slow, and the same few are drawn again and again. */

import { FONT } from "./draw.js";

const MOST = 5_000;

/** Remembers widths in the timeline's font. */
export class Widths {
  constructor() {
    this.known = new Map();
  }

  /**
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

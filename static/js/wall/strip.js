/** A timeline of a few pixels: one bar an agent, in the colours of what it did. */

import { firstEndingAfter, TICKS_PER_STEP } from "../timeline/scale.js";

const BAR = 5;
const GAP = 2;

/** Height of the strip. @param {number} lanes */
export function stripHeight(lanes) {
  return Math.max(1, lanes) * (BAR + GAP);
}

/**
 * Draw it.
 * @param {CanvasRenderingContext2D} context scaled to CSS pixels
 * @param {object} scene
 * @param {import("../live/folds.js").Folds} scene.folds
 * @param {number} scene.now tick
 * @param {number} scene.width pixels
 * @param {number} scene.maxSteps
 * @param {(name: string) => string} scene.colour
 */
export function drawStrip(context, { folds, now, width, maxSteps, colour }) {
  const total = Math.max(maxSteps * TICKS_PER_STEP, now, 1);
  const x = (tick) => (tick / total) * width;
  context.clearRect(0, 0, width, stripHeight(folds.lanes.size));
  [...folds.lanes.values()].forEach(({ segments }, i) => {
    const y = i * (BAR + GAP);
    context.fillStyle = colour("idle");
    context.fillRect(0, y + BAR / 2, width, 1);
    let drawn = -1;
    for (let at = firstEndingAfter(segments, 0); at < segments.length; at += 1) {
      const { start, end, activity, action } = segments[at];
      const [from, to] = [x(start), x(end ?? now)];
      if (activity !== "idle" && to - drawn >= 0.5) {
        drawn = to;
        context.fillStyle = colour(action ? `action-${action}` : activity);
        context.fillRect(from, y, Math.max(0.5, to - from), BAR);
      }
    }
  });
  context.fillStyle = colour("accent");
  context.fillRect(x(now) - 0.5, 0, 1, stripHeight(folds.lanes.size));
}

/** What lasts longer than a moment: crises on their way, and events that fire again and again. */

import { steps } from "../live/words.js";
import { overAt } from "../map/fronts.js";
import { toX } from "./scale.js";

const SMALL_FONT = "11px system-ui, -apple-system, 'Segoe UI', sans-serif";
const MOST_BANDS = 4;

/**
 * One row a crisis: from its start, known or foreseen, to when it has covered its area.
 * @param {CanvasRenderingContext2D} context
 * @param {import("./draw.js").Scene} scene
 */
export function drawCrises(context, scene) {
  const { layout, colour, crises } = scene;
  context.font = SMALL_FONT;
  context.textAlign = "left";
  crises.forEach(({ fill, start }, i) => {
    const row = layout.crises[i];
    if (start && row) {
      drawCrisis(context, scene, row, fill, start);
    } else if (row) {
      context.fillStyle = colour("text-muted");
      context.fillText("waits for its condition", layout.left + 4, row.top + row.caption + 8);
    }
  });
}

function drawCrisis(context, { layout, view, now, colour, hatch }, row, fill, { tick, begun }) {
  const over = overAt(fill, tick);
  const x = (at) => toX(view, at, layout.left, layout.width);
  const [top, height] = [row.top + row.caption + 2, row.height - row.caption - 4];
  const reached = begun ? Math.min(now, over) : tick;
  context.fillStyle = colour("bad");
  context.globalAlpha = 0.85;
  context.fillRect(x(tick), top, x(reached) - x(tick), height);
  context.globalAlpha = 0.35;
  context.fillRect(x(reached), top, x(over) - x(reached), height);
  context.fillStyle = hatch;
  context.fillRect(x(reached), top, x(over) - x(reached), height);
  context.globalAlpha = 1;
  context.fillStyle = colour("bad");
  context.fillRect(x(over) - 1, top - 2, 2, height + 4);
  const text = `${fill.block.replaceAll("_", " ")} has covered all at ${steps(over)}`;
  const room = layout.left + layout.width - x(over) - 6;
  if (context.measureText(text).width < room) {
    context.fillText(text, x(over) + 5, top + height / 2 + 0.5);
  }
}

/**
 * Below the environment's marks, a line from the first to the last firing of each event that has fired more than once.
 * @param {CanvasRenderingContext2D} context
 * @param {import("./draw.js").Scene} scene
 */
export function drawBands(context, { folds, layout, view, colour }) {
  const spans = spansOf(folds.marks);
  const { world } = layout;
  context.fillStyle = colour("warn");
  context.globalAlpha = 0.55;
  spans.slice(0, MOST_BANDS).forEach(({ first, last }, i) => {
    const x = toX(view, first, layout.left, layout.width);
    const end = toX(view, last, layout.left, layout.width);
    context.fillRect(x, world.top + world.height - 1 - 3 * i, end - x, 1.5);
  });
  context.globalAlpha = 1;
}

/**
 * From when to when each event that fired more than once did so.
 * @param {import("../live/folds.js").Mark[]} marks in order
 * @returns {{event: string, first: number, last: number}[]}
 */
export function spansOf(marks) {
  const spans = new Map();
  for (const { event, tick } of marks) {
    const span = spans.get(event);
    if (span) {
      span.last = tick;
    } else {
      spans.set(event, { event, first: tick, last: tick });
    }
  }
  return [...spans.values()].filter(({ first, last }) => last > first);
}

/** A crisis on the map: what it has still to cover, its front, and when it gets where. */

import { hatching } from "../timeline/draw.js";
import { TICKS_PER_STEP } from "../timeline/scale.js";
import { arrivalLines, filledAt, overAt, restOfArea, startOf } from "./fronts.js";
import { mapX, mapZ } from "./geometry.js";
import { boxOf, SMALL_FONT } from "./ground.js";

const LEAST_GAP = 46; // pixels between two lines that have a label

/**
 * Draw what one crisis has still before it.
 * @param {CanvasRenderingContext2D} context
 * @param {import("./figures.js").Scene & {marks: import("../live/folds.js").Mark[]}} scene
 * @param {import("./fronts.js").Fill} fill
 * @param {import("./labels.js").Labels} labels
 */
export function drawCrisis(context, scene, fill, labels) {
  const { frame, colour, tick, marks } = scene;
  const start = startOf(fill, marks);
  const filled = start ? filledAt(fill, start.tick, tick) : 0;
  const rest = restOfArea(fill, filled);
  if (!rest || (start && filled > 0 && tick >= overAt(fill, start.tick))) {
    return;
  }
  const box = boxOf(frame, rest);
  context.globalAlpha = 0.35;
  context.fillStyle = hatching(context, colour("bad"));
  context.fillRect(box.x, box.y, box.width, box.height);
  context.globalAlpha = 1;
  context.strokeStyle = colour("bad");
  context.lineWidth = 1;
  context.strokeRect(box.x, box.y, box.width, box.height);
  drawFront(context, box, fill.direction, colour("bad"));
  labels.add(crisisText(fill, start, tick), box.x + box.width / 2, box.y + 14, "bad");
  if (start) {
    drawArrivals(context, scene, fill, start.tick, filled);
  }
}

/**
 * When a crisis comes and has covered everything.
 * @param {import("./fronts.js").Fill} fill
 * @param {{tick: number, begun: boolean} | null} start
 * @param {number} tick
 * @returns {string} for example `lava: sets out in 12 steps, all covered at step 80`
 */
export function crisisText(fill, start, tick) {
  const block = fill.block.replaceAll("_", " ");
  if (!start) {
    return `${block}: sets out when its condition holds`;
  }
  const over = Math.ceil(overAt(fill, start.tick) / TICKS_PER_STEP);
  const wait = Math.ceil((start.tick - tick) / TICKS_PER_STEP);
  const coming = wait > 0 ? `sets out in ${wait} steps, ` : "";
  return `${block}: ${coming}all covered at step ${over}`;
}

const SIDES = {
  east: ({ x, y, height }) => [x, y, x, y + height],
  west: ({ x, y, width, height }) => [x + width, y, x + width, y + height],
  south: ({ x, y, width }) => [x, y, x + width, y],
  north: ({ x, y, width, height }) => [x, y + height, x + width, y + height],
};

function drawFront(context, box, direction, stroke) {
  if (!Object.hasOwn(SIDES, direction)) {
    return;
  }
  const [x1, y1, x2, y2] = SIDES[direction](box);
  context.strokeStyle = stroke;
  context.lineWidth = 4;
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

function drawArrivals(context, { frame, colour }, fill, start, filled) {
  const every = [5, 10, 20, 50, 100].find((n) => n * fill.speed_bps * frame.cell >= LEAST_GAP) ?? 200;
  const box = boxOf(frame, fill);
  context.strokeStyle = colour("bad");
  context.fillStyle = colour("bad");
  context.font = SMALL_FONT;
  context.lineWidth = 1;
  context.setLineDash([3, 4]);
  for (const { at, axis, step } of arrivalLines(fill, start, filled, every)) {
    const [x, y] = axis === 0 ? [mapX(frame, at), box.y] : [box.x, mapZ(frame, at)];
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(axis === 0 ? x : box.x + box.width, axis === 0 ? box.y + box.height : y);
    context.stroke();
    context.textAlign = "left";
    context.fillText(`step ${step}`, x + 3, axis === 0 ? box.y + box.height - 8 : y + 9);
  }
  context.setLineDash([]);
}

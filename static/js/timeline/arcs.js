/** Messages as arcs between lanes: who told whom, when. */

import { firstAtOrAfter, toX } from "./scale.js";

const BULGE = 14;
const SAMPLES = 12;
const NEAR = 5;
const MOST = 600;
const BROADCAST = 3; // a message to more agents than this is drawn as one line down the lanes

/** How each tag is drawn, so that they differ in more than colour. */
const STYLES = {
  PROPOSAL: { width: 2, dash: [] },
  "COUNTER-PROPOSAL": { width: 2, dash: [7, 3] },
  AGREE: { width: 1.25, dash: [] },
  DISAGREE: { width: 1.25, dash: [2, 2] },
};
const OTHER = { width: 1, dash: [] };

/**
 * @typedef {import("../live/folds.js").Folds["messages"][number]} Message
 * @typedef {{message: Message, x: number, from: number, to: number}} Arc pixels
 */

/**
 * The arcs in view; of those that would lie on one another the first.
 * @param {import("./draw.js").Scene} scene
 * @returns {Arc[]}
 */
export function arcsInView({ folds, layout, view }) {
  const centre = centres(folds, layout);
  const taken = new Set();
  const arcs = [];
  for (let i = firstAtOrAfter(folds.messages, view.start); i < folds.messages.length; i += 1) {
    const message = folds.messages[i];
    if (message.tick > view.end || arcs.length >= MOST) {
      break;
    }
    const x = toX(view, message.tick, layout.left, layout.width);
    const from = centre.get(message.sender) ?? layout.world.top + layout.world.height / 2;
    for (const to of endsOf(message, centre, from)) {
      const key = `${Math.round(x / 2)} ${from} ${to}`;
      if (!taken.has(key)) {
        taken.add(key);
        arcs.push({ message, x, from, to });
      }
    }
  }
  return arcs;
}

function centres(folds, layout) {
  const names = [...folds.lanes.keys()];
  return new Map(
    names.map((name, i) => {
      const row = layout.lanes[i];
      return [name, row.top + row.caption + (row.height - row.caption) / 2];
    }),
  );
}

/** Where a message goes to; one to many only to the first and the last of them, which passes all the others. */
function endsOf({ to }, centre, from) {
  const ends = to.map((name) => centre.get(name)).filter((y) => y !== undefined && y !== from);
  if (ends.length <= BROADCAST) {
    return ends;
  }
  return [Math.min(...ends), Math.max(...ends)].filter((y) => y !== from);
}

/**
 * Draw them.
 * @param {CanvasRenderingContext2D} context
 * @param {import("./draw.js").Scene} scene
 */
export function drawArcs(context, scene) {
  if (!scene.arcs) {
    return;
  }
  context.strokeStyle = scene.colour("text");
  context.fillStyle = scene.colour("text");
  const arcs = arcsInView(scene);
  context.globalAlpha = Math.max(0.2, Math.min(0.6, 30 / arcs.length)); // the more there are, the fainter
  for (const { message, x, from, to } of arcs) {
    const { width, dash } = Object.hasOwn(STYLES, message.tag) ? STYLES[message.tag] : OTHER;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(x, from);
    context.quadraticCurveTo(x + 2 * BULGE, (from + to) / 2, x, to);
    context.stroke();
    context.beginPath();
    context.arc(x, to, 2.5, 0, 2 * Math.PI);
    context.fill();
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/**
 * The message whose arc is near a place.
 * @param {import("./draw.js").Scene} scene
 * @param {number} x
 * @param {number} y
 * @returns {Message | null}
 */
export function arcAt(scene, x, y) {
  if (!scene.arcs) {
    return null;
  }
  const close = arcsInView(scene).filter((arc) => x >= arc.x - NEAR && x <= arc.x + BULGE + NEAR);
  return close.find((arc) => isNear(arc, x, y))?.message ?? null;
}

function isNear({ x: start, from, to }, x, y) {
  for (let i = 1; i < SAMPLES; i += 1) {
    const t = i / SAMPLES;
    const px = start + 2 * t * (1 - t) * 2 * BULGE;
    const py = (1 - t) ** 2 * from + 2 * t * (1 - t) * ((from + to) / 2) + t ** 2 * to;
    if (Math.hypot(px - x, py - y) <= NEAR) {
      return true;
    }
  }
  return false;
}

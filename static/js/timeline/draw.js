/** Paints the timeline on a canvas. Reads the folds, changes nothing; only what is in view is visited. */

import { inkOn } from "../colours.js";
import { steps } from "../live/words.js";
import { drawArcs } from "./arcs.js";
import { drawBands, drawCrises } from "./bands.js";
import { drawProgress, progressRows } from "./progress.js";
import { axisMarks, firstAtOrAfter, firstEndingAfter, TICKS_PER_STEP, toX } from "./scale.js";

export const FONT = "12px system-ui, -apple-system, 'Segoe UI', sans-serif";
const SMALL_FONT = "11px system-ui, -apple-system, 'Segoe UI', sans-serif";
const PADDING = 5;
const CLUSTER = 9;
/** How far a number on the axis keeps from a line with a label of its own. */
const LABEL_ROOM = 34;

/** How much of a lane's height each activity takes, so that they differ in shape as well as in colour. */
const SHARE = { action: 1, planning: 0.6, idle: 0.14, dead: 0.3 };

/**
 * @typedef {object} Scene
 * @property {import("../live/folds.js").Folds} folds
 * @property {import("./layout.js").Layout} layout
 * @property {import("./scale.js").View} view
 * @property {number} now tick
 * @property {boolean} running
 * @property {(name: string) => string} colour
 * @property {(text: string) => number} measure width of a label
 * @property {CanvasPattern | string} hatch marks what failed or was done in part
 * @property {import("../live/folds.js").Segment | null} hover
 * @property {import("../live/folds.js").Segment | null} selected
 * @property {number | null} cursor tick to point out
 * @property {number | null} head tick that the rest of the page shows; null while that is now
 * @property {((segment: import("../live/folds.js").Segment) => boolean) | null} matches what is searched for
 * @property {boolean} arcs draw messages
 * @property {{fill: import("../map/fronts.js").Fill, start: {tick: number, begun: boolean} | null}[]} crises
 */

/**
 * Paint everything.
 * @param {CanvasRenderingContext2D} context scaled to CSS pixels
 * @param {Scene} scene
 */
export function draw(context, scene) {
  const { layout, colour } = scene;
  const width = layout.left + layout.width + 14;
  context.clearRect(0, 0, width, layout.height);
  context.textBaseline = "middle";
  context.font = FONT;
  drawAxis(context, scene);
  context.save();
  context.beginPath();
  context.rect(layout.left, 0, layout.width + 14, layout.height);
  context.clip();
  drawProgress(context, scene);
  drawCrises(context, scene);
  [...scene.folds.lanes.values()].forEach((lane, i) => {
    drawLane(context, scene, lane, layout.lanes[i]);
  });
  drawOutlines(context, scene);
  drawArcs(context, scene);
  drawBands(context, scene);
  drawMarks(context, scene);
  drawLines(context, scene);
  context.restore();
  drawNames(context, scene, colour);
}

function drawAxis(context, scene) {
  const { layout, view, colour } = scene;
  const { left, width, height } = layout;
  const taken = labelledTicks(scene).map((tick) => toX(view, tick, left, width));
  context.strokeStyle = colour("line");
  context.lineWidth = 1;
  context.textAlign = "center";
  context.font = SMALL_FONT;
  context.fillStyle = colour("text-muted");
  context.beginPath();
  for (const { tick, label } of axisMarks(view, width)) {
    const x = crisp(toX(view, tick, left, width));
    context.moveTo(x, 18);
    context.lineTo(x, height);
    if (taken.every((other) => Math.abs(other - x) >= LABEL_ROOM)) {
      context.fillText(label, Math.max(x, left + 4), 9);
    }
  }
  context.stroke();
  context.font = FONT;
}

/** The ticks whose lines carry a label of their own in the axis' row: the limit, and the end or now. */
function labelledTicks({ folds, now, running }) {
  const moving = folds.end ? [folds.end.tick] : running ? [now] : [];
  return [folds.maxSteps * TICKS_PER_STEP, ...moving];
}

function drawLane(context, scene, lane, row) {
  const { layout, view } = scene;
  const right = layout.left + layout.width;
  let drawnTo = Number.NEGATIVE_INFINITY;
  context.textAlign = "left";
  for (let i = firstEndingAfter(lane.segments, view.start); i < lane.segments.length; i += 1) {
    const segment = lane.segments[i];
    if (segment.start > view.end) {
      break;
    }
    const box = boxOf(scene, segment, row);
    if (box.x + box.width - drawnTo < 0.75 && segment.end !== null) {
      continue;
    }
    drawnTo = box.x + box.width;
    box.x = Math.max(box.x, layout.left - 2);
    box.width = Math.min(drawnTo, right + 2) - box.x;
    drawSegment(context, scene, segment, box);
  }
}

/**
 * Where a segment lies.
 * @param {Scene} scene
 * @param {import("../live/folds.js").Segment} segment
 * @param {import("./layout.js").Row} row
 * @returns {{x: number, y: number, width: number, height: number}}
 */
function boxOf({ layout, view, now }, segment, row) {
  const x = toX(view, segment.start, layout.left, layout.width);
  const end = toX(view, segment.end ?? Math.max(now, segment.start), layout.left, layout.width);
  const bar = row.height - row.caption;
  const height = Math.max(3, Math.round(bar * SHARE[segment.activity]));
  return { x, y: row.top + row.caption + (bar - height) / 2, width: end - x, height };
}

/**
 * Where what the keyboard is at has its words.
 * @param {Scene} scene
 * @param {import("./rove.js").Stop} stop
 * @returns {{x: number, y: number}} in the plot
 */
export function placeOf({ layout, view }, { row, hit }) {
  const { top, height } = row === 0 ? layout.world : layout.lanes[row - 1];
  const x = toX(view, hit.segment?.start ?? hit.marks[0].tick, layout.left, layout.width);
  return { x: Math.max(layout.left, Math.min(layout.left + layout.width, x)), y: top + height - 8 };
}

function drawSegment(context, scene, segment, box) {
  const { colour, hatch } = scene;
  const fill = colour(segment.action ? `action-${segment.action}` : segment.activity);
  context.globalAlpha = scene.matches && !scene.matches(segment) ? 0.18 : 1;
  const width = Math.max(1, box.width - (box.width > 3 ? 1 : 0));
  context.fillStyle = fill;
  context.fillRect(box.x, box.y, width, box.height);
  const flawed = segment.outcome === "failed" || segment.outcome === "partial";
  if (flawed && width > 2) {
    context.fillStyle = hatch;
    context.fillRect(box.x, box.y, width, box.height);
  }
  if (segment.outcome === "failed") {
    context.strokeStyle = colour("bad");
    context.lineWidth = 2;
    context.strokeRect(box.x + 1, box.y + 1, Math.max(0.5, width - 2), box.height - 2);
  }
  if (box.height >= 12 && width > 16) {
    drawLabel(context, scene, segment, box, width, fill, flawed);
  }
  context.globalAlpha = 1;
}

function drawLabel(context, scene, segment, box, width, fill, flawed) {
  const room = width - 2 * PADDING;
  const sign = segment.outcome === "failed" ? "✕ " : "";
  const text = [`${sign}${segment.label}`, `${sign}${segment.label.split(" ", 1)[0]}`, sign].find(
    (candidate) => candidate && scene.measure(candidate) <= room,
  );
  if (!text) {
    return;
  }
  const middle = box.y + box.height / 2 + 0.5;
  if (flawed) {
    context.fillStyle = fill;
    context.fillRect(box.x + PADDING - 2, middle - 8, scene.measure(text) + 4, 15);
  }
  context.fillStyle = inkOn(fill);
  context.fillText(text, box.x + PADDING, middle);
}

function drawOutlines(context, scene) {
  for (const [segment, name] of [
    [scene.hover, "text"],
    [scene.selected, "accent"],
  ]) {
    const at = segment ? [...scene.folds.lanes.keys()].indexOf(segment.agent) : -1;
    if (at >= 0) {
      const box = boxOf(scene, segment, scene.layout.lanes[at]);
      context.strokeStyle = scene.colour(name);
      context.lineWidth = 2;
      context.strokeRect(box.x - 1, box.y - 1, Math.max(box.width, 2) + 1, box.height + 2);
    }
  }
}

/**
 * The environment's marks in view, those that would overlap drawn as one.
 * @param {Scene} scene
 * @returns {{x: number, marks: import("../live/folds.js").Mark[]}[]}
 */
export function markClusters({ folds, layout, view }) {
  const clusters = [];
  for (let i = firstAtOrAfter(folds.marks, view.start); i < folds.marks.length; i += 1) {
    const mark = folds.marks[i];
    if (mark.tick > view.end) {
      break;
    }
    const x = toX(view, mark.tick, layout.left, layout.width);
    const last = clusters.at(-1);
    if (last && x - last.x < CLUSTER) {
      last.marks.push(mark);
    } else {
      clusters.push({ x, marks: [mark] });
    }
  }
  return clusters;
}

function drawMarks(context, scene) {
  const { layout, colour } = scene;
  const { world } = layout;
  const y = world.top + world.caption + (world.height - world.caption) / 2;
  const clusters = markClusters(scene);
  context.textAlign = "left";
  context.font = SMALL_FONT;
  clusters.forEach(({ x, marks }, i) => {
    context.fillStyle = colour("warn");
    context.beginPath();
    context.moveTo(x, y - 6);
    context.lineTo(x + 5, y);
    context.lineTo(x, y + 6);
    context.lineTo(x - 5, y);
    context.fill();
    const ids = [...new Set(marks.map((mark) => mark.event))].join(", ");
    const room = (clusters[i + 1]?.x ?? layout.left + layout.width) - x - 16;
    if (context.measureText(ids).width <= room) {
      context.fillStyle = colour("text-muted");
      context.fillText(ids, x + 8, y + 0.5);
    }
  });
  context.font = FONT;
}

function drawLines(context, scene) {
  const { folds, now, running, cursor, head, colour } = scene;
  const limit = folds.maxSteps * TICKS_PER_STEP;
  const end = folds.end;
  if (limit > 0 && end?.tick !== limit) {
    drawLine(context, scene, limit, colour("text-muted"), [5, 4], `limit ${folds.maxSteps}`);
  }
  if (end) {
    drawLine(context, scene, end.tick, colour("text"), [], `ended ${steps(end.tick)}`);
  } else if (running) {
    drawLine(context, scene, now, colour("accent"), [], "now");
  }
  if (cursor !== null) {
    drawLine(context, scene, cursor, colour("accent"), [2, 3], "");
  }
  context.setLineDash([]);
  if (head !== null) {
    drawLine(context, scene, head, colour("accent"), [], steps(Math.round(head)));
  }
  context.textAlign = "left";
}

function drawLine(context, { layout, view, colour }, tick, stroke, dash, label) {
  if (tick < view.start || tick > view.end) {
    return;
  }
  const x = crisp(toX(view, tick, layout.left, layout.width));
  context.strokeStyle = stroke;
  context.lineWidth = 1.5;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(x, 4);
  context.lineTo(x, layout.height);
  context.stroke();
  if (!label) {
    return;
  }
  context.font = SMALL_FONT;
  const width = context.measureText(label).width + 8;
  const from = Math.min(Math.max(layout.left, x - width / 2), layout.left + layout.width + 14 - width);
  context.fillStyle = colour("surface");
  context.fillRect(from, 2, width, 15);
  context.fillStyle = stroke;
  context.textAlign = "left";
  context.fillText(label, from + 4, 9.5);
  context.font = FONT;
}

function drawNames(context, scene, colour) {
  const { folds, layout } = scene;
  const shown = scene.head ?? Number.POSITIVE_INFINITY;
  context.textAlign = "left";
  const write = (row, name, extra) => {
    const beside = row.top + row.height / 2;
    const y = row.caption ? row.top + row.caption / 2 : beside;
    const room = layout.narrow ? layout.width : layout.left - 14;
    context.fillStyle = colour("text");
    const fitting = fit(context, name, extra ? room * 0.7 : room);
    context.fillText(fitting, layout.narrow ? layout.left : 4, y);
    if (extra) {
      context.fillStyle = colour("text-muted");
      context.textAlign = "right";
      context.fillText(extra, layout.narrow ? layout.left + layout.width : layout.left - 10, y);
      context.textAlign = "left";
    }
  };
  context.font = SMALL_FONT;
  write(layout.world, "environment", "");
  scene.crises.forEach(({ fill }, i) => {
    write(layout.crises[i], fill.event, "");
  });
  progressRows(folds, layout, shown).forEach(({ text }, i) => {
    if (layout.checkpoints[i]) {
      write(layout.checkpoints[i], text, "");
    }
  });
  context.font = FONT;
  [...folds.lanes.values()].forEach((lane, i) => {
    const failed = firstAtOrAfter(lane.failures, Math.floor(shown) + 1);
    write(layout.lanes[i], lane.name, failed > 0 ? `✕ ${failed}` : "");
  });
}

function fit(context, text, room) {
  let shown = text;
  while (shown.length > 1 && context.measureText(shown).width > room) {
    shown = `${shown.slice(0, -2)}…`;
  }
  return shown;
}

function crisp(x) {
  return Math.round(x) + 0.5;
}

/**
 * A pattern of slanted lines.
 * @param {CanvasRenderingContext2D} context
 * @param {string} colour
 * @returns {CanvasPattern}
 */
export function hatching(context, colour) {
  const tile = document.createElement("canvas");
  tile.width = 8;
  tile.height = 8;
  const ink = tile.getContext("2d");
  ink.strokeStyle = colour;
  ink.lineWidth = 1.5;
  ink.beginPath();
  for (const from of [-8, 0, 8]) {
    ink.moveTo(from, 8);
    ink.lineTo(from + 8, 0);
  }
  ink.stroke();
  return context.createPattern(tile, "repeat");
}

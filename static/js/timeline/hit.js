/** What lies under the pointer, and what there is to say about it. Pure. */

import { outcomeText, parametersText, short, steps } from "../live/words.js";
import { crisisText } from "../map/crisis.js";
import { arcAt } from "./arcs.js";
import { markClusters } from "./draw.js";
import { rowAt } from "./layout.js";
import { firstEndingAfter, toTick, toX } from "./scale.js";

const REACH = 6;

/**
 * @typedef {{segment: import("../live/folds.js").Segment} | {marks: import("../live/folds.js").Mark[]} |
 *   {message: import("./arcs.js").Message} | {crisis: import("./draw.js").Scene["crises"][number]}} Hit
 */

/**
 * The message, segment or environment's marks at a place.
 * @param {import("./draw.js").Scene} scene
 * @param {number} x
 * @param {number} y
 * @returns {Hit | null}
 */
export function hitAt(scene, x, y) {
  const { layout, folds } = scene;
  const message = arcAt(scene, x, y);
  if (message) {
    return { message };
  }
  const lane = rowAt(layout.lanes, y);
  if (lane >= 0) {
    const segment = segmentNear(scene, [...folds.lanes.values()][lane].segments, x);
    return segment ? { segment } : null;
  }
  const crisis = rowAt(layout.crises, y);
  if (crisis >= 0) {
    return { crisis: scene.crises[crisis] };
  }
  if (rowAt([layout.world], y) === 0) {
    const near = markClusters(scene).find((cluster) => Math.abs(cluster.x - x) <= REACH);
    return near ? { marks: near.marks } : null;
  }
  return null;
}

/** The segment at `x`; a very short one also a pixel beside it. */
function segmentNear({ layout, view, now }, segments, x) {
  const tick = toTick(view, x, layout.left, layout.width);
  if (tick < 0 || tick > now || x < layout.left) {
    return null;
  }
  const first = firstEndingAfter(segments, tick);
  const found = segments[first];
  const next = segments[first + 1];
  if (next && toX(view, next.start, layout.left, layout.width) - x < 1.5 && widthOf(next, view, layout) < 3) {
    return next;
  }
  return found && found.start <= tick ? found : null;
}

function widthOf(segment, view, layout) {
  return segment.end === null
    ? layout.width
    : ((segment.end - segment.start) / (view.end - view.start)) * layout.width;
}

/**
 * The text of the tooltip.
 * @param {Hit} hit
 * @param {number} now tick
 * @returns {{title: string, lines: string[]}}
 */
export function describe(hit, now) {
  if ("marks" in hit) {
    return describeMarks(hit.marks);
  }
  if ("crisis" in hit) {
    const { fill, start } = hit.crisis;
    return { title: fill.event, lines: [crisisText(fill, start, now), `moves ${fill.direction}`] };
  }
  if ("message" in hit) {
    const { sender, to, tick, text } = hit.message;
    return { title: `${sender} to ${to.join(", ")}, step ${steps(tick)}`, lines: [short(text)] };
  }
  const { segment } = hit;
  const lines = [];
  if (segment.activity === "action") {
    lines.push(`${segment.action}: ${parametersText(segment.parameters)}`);
  }
  lines.push(spanText(segment, now));
  if (segment.outcome) {
    lines.push(outcomeText(segment));
  }
  if (segment.detail) {
    lines.push(segment.detail);
  }
  return { title: `${segment.agent} · ${segment.label}`, lines };
}

/**
 * When a segment was.
 * @param {import("../live/folds.js").Segment} segment
 * @param {number} now tick
 * @returns {string} `steps 12.5 – 18 (5.5)`
 */
function spanText({ start, end }, now) {
  const until = end ?? now;
  return `steps ${steps(start)} – ${end === null ? "now" : steps(end)} (${steps(Math.max(0, until - start))})`;
}

function describeMarks(marks) {
  const shown = marks
    .slice(0, 6)
    .map(
      (mark) =>
        `${mark.event} #${mark.firing}: ${mark.action} ${mark.subject}, ${mark.done} of ${mark.wanted}`,
    );
  if (marks.length > shown.length) {
    shown.push(`… and ${marks.length - shown.length} more`);
  }
  const [first, last] = [steps(marks[0].tick), steps(marks.at(-1).tick)];
  return { title: first === last ? `Step ${first}` : `Steps ${first} – ${last}`, lines: shown };
}

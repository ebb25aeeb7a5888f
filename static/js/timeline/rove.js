/** Going through what the timeline shows with the arrow keys, one thing after the other. Pure. */

import { firstAtOrAfter, firstEndingAfter } from "./scale.js";

/**
 * @typedef {object} Stop where the keyboard is
 * @property {number} row 0 for the environment's marks, from 1 on the agents in their order
 * @property {number} tick that up and down keep to
 * @property {import("./hit.js").Hit} hit what is there
 *
 * @typedef {"back" | "on" | "up" | "down"} Move
 */

/**
 * The next stop. At the end of a row, or where no other row has anything, one stays.
 * @param {import("../live/folds.js").Folds} folds
 * @param {Stop | null} stop null to begin
 * @param {Move} move
 * @param {number} tick where to begin
 * @returns {Stop | null} null where there is nothing at all
 */
export function go(folds, stop, move, tick) {
  const rows = [marksOf(folds), ...[...folds.lanes.values()].map(segmentsOf)];
  if (!stop) {
    return firstOf(rows, 1, 1, tick) ?? firstOf(rows, 0, 1, tick);
  }
  if (move === "up" || move === "down") {
    const way = move === "up" ? -1 : 1;
    return firstOf(rows, stop.row + way, way, stop.tick) ?? stop;
  }
  const row = rows[stop.row];
  const at = row?.nearest(startOf(stop.hit)) ?? -1;
  const next = at < 0 ? null : row.hit(at + (move === "back" ? -1 : 1));
  return next ? { row: stop.row, tick: startOf(next), hit: next } : stop;
}

/**
 * When it begins.
 * @param {import("./hit.js").Hit} hit a segment or marks
 * @returns {number} tick
 */
export function startOf(hit) {
  return hit.segment?.start ?? hit.marks[0].tick;
}

/** The first row from `row` on, in direction `way`, that has something; of it, what is at `tick`. */
function firstOf(rows, row, way, tick) {
  for (let i = row; i >= 0 && i < rows.length; i += way) {
    const hit = rows[i].hit(rows[i].nearest(tick));
    if (hit) {
      return { row: i, tick, hit };
    }
  }
  return null;
}

function segmentsOf({ segments }) {
  return {
    nearest: (tick) => Math.min(firstEndingAfter(segments, tick), segments.length - 1),
    hit: (i) => (segments[i] ? { segment: segments[i] } : null),
  };
}

/** What the environment does at the same tick is one thing. */
function marksOf({ marks }) {
  const groups = [];
  for (const mark of marks) {
    if (groups.at(-1)?.[0].tick === mark.tick) {
      groups.at(-1).push(mark);
    } else {
      groups.push([mark]);
    }
  }
  const ticks = groups.map(([{ tick }]) => ({ tick }));
  return {
    nearest: (tick) => Math.min(firstAtOrAfter(ticks, tick), groups.length - 1),
    hit: (i) => (groups[i] ? { marks: groups[i] } : null),
  };
}

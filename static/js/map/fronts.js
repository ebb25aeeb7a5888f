/** Where a crisis stands and when it arrives; the arithmetic of `engine/dynamics/fill.py`. Pure. */

import { TICKS_PER_STEP } from "../timeline/scale.js";

const AXES = { east: 0, west: 0, up: 1, down: 1, north: 2, south: 2 };
const FORWARD = new Set(["east", "up", "south"]);

/**
 * @typedef {object} Fill a crisis as the task describes it
 * @property {string} event
 * @property {string} block
 * @property {number[]} min
 * @property {number[]} max
 * @property {string} direction
 * @property {number} speed_bps slices a step
 * @property {number | null} start step at which it sets out; null when that waits for a condition
 * @property {number | null} end step after which it goes no further
 */

/**
 * The tick at which a crisis sets out.
 * @param {Fill} fill
 * @param {import("../live/folds.js").Mark[]} marks what the environment has done
 * @returns {{tick: number, begun: boolean} | null} null when nobody can know yet
 */
export function startOf(fill, marks) {
  const mark = marks.find(({ event, action }) => event === fill.event && action === "progressive_fill");
  if (mark) {
    return { tick: mark.tick, begun: true };
  }
  return fill.start === null ? null : { tick: fill.start * TICKS_PER_STEP, begun: false };
}

/** How many slices a crisis has in all. @param {Fill} fill */
export function slicesOf({ min, max, direction }) {
  return max[AXES[direction]] - min[AXES[direction]] + 1;
}

/**
 * When a slice fills: whole steps after the start.
 * @param {Fill} fill
 * @param {number} start tick
 * @param {number} number from 0
 * @returns {number | null} tick; null when the crisis ends before
 */
export function tickOf(fill, start, number) {
  const steps = Math.ceil(Number((number / fill.speed_bps).toFixed(9)));
  const tick = start + steps * TICKS_PER_STEP;
  return fill.end !== null && tick > fill.end * TICKS_PER_STEP ? null : tick;
}

/**
 * How many slices are filled at a tick.
 * @param {Fill} fill
 * @param {number} start tick
 * @param {number} tick
 * @returns {number}
 */
export function filledAt(fill, start, tick) {
  if (tick < start) {
    return 0;
  }
  const last = fill.end === null ? tick : Math.min(tick, fill.end * TICKS_PER_STEP);
  const steps = Math.floor((last - start) / TICKS_PER_STEP + 1e-9);
  return Math.min(slicesOf(fill), Math.floor(Number((steps * fill.speed_bps).toFixed(9))) + 1);
}

/**
 * When a crisis has covered its area, or stops.
 * @param {Fill} fill
 * @param {number} start tick
 * @returns {number}
 */
export function overAt(fill, start) {
  const last = tickOf(fill, start, slicesOf(fill) - 1);
  return last ?? fill.end * TICKS_PER_STEP;
}

/**
 * When a crisis reaches a place.
 * @param {Fill} fill
 * @param {number} start tick
 * @param {number[]} place
 * @returns {number | null} tick; null when it never does
 */
export function arrivalAt(fill, start, place) {
  const cell = place.map(Math.round);
  const { min, max, direction } = fill;
  if ([0, 2].some((i) => cell[i] < min[i] || cell[i] > max[i])) {
    return null;
  }
  const axis = AXES[direction];
  const at = axis === 1 ? Math.max(min[1], Math.min(max[1], cell[1])) : cell[axis];
  return tickOf(fill, start, FORWARD.has(direction) ? at - min[axis] : max[axis] - at);
}

/**
 * The part of the area that is not filled yet, seen from above.
 * @param {Fill} fill
 * @param {number} filled slices
 * @returns {{min: number[], max: number[]} | null} null when nothing is left
 */
export function restOfArea({ min, max, direction }, filled) {
  const axis = AXES[direction];
  const rest = { min: [...min], max: [...max] };
  if (FORWARD.has(direction)) {
    rest.min[axis] += filled;
  } else {
    rest.max[axis] -= filled;
  }
  return rest.min[axis] <= rest.max[axis] ? rest : null;
}

/**
 * Lines across the area that the crisis reaches at round steps.
 * @param {Fill} fill
 * @param {number} start tick
 * @param {number} filled slices that are behind the front
 * @param {number} every steps between two lines
 * @returns {{at: number, axis: number, step: number}[]} `at`: block coordinate along the axis
 */
export function arrivalLines(fill, start, filled, every) {
  const axis = AXES[fill.direction];
  if (axis === 1) {
    return [];
  }
  const lines = [];
  const first = Math.max(start + TICKS_PER_STEP, tickOf(fill, start, filled) ?? start) / TICKS_PER_STEP;
  let told = Math.ceil(first / every) * every;
  for (let number = filled; number < slicesOf(fill); number += 1) {
    const tick = tickOf(fill, start, number);
    if (tick === null) {
      break;
    }
    if (tick / TICKS_PER_STEP >= told) {
      const at = FORWARD.has(fill.direction) ? fill.min[axis] + number : fill.max[axis] - number + 1;
      lines.push({ at, axis, step: tick / TICKS_PER_STEP });
      told = Math.floor(tick / TICKS_PER_STEP / every + 1) * every;
    }
  }
  return lines;
}

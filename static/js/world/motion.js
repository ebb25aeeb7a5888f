/** A way along straight lines at constant speed, exact at every tick; as `engine/world/motion.py`. Pure. */

import { TICKS_PER_STEP } from "../timeline/scale.js";

/**
 * @typedef {[number, number, number]} Position
 * @typedef {object} Motion
 * @property {number} start tick at which it began
 * @property {Position[]} points
 * @property {number} speed blocks a second
 * @property {number[]} reached length of the way up to each point
 * @property {number} arrival tick at which it is over
 */

/**
 * Distance of two places in blocks.
 * @param {Position} a
 * @param {Position} b
 * @returns {number}
 */
export function distance(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/**
 * A way that begins at a tick.
 * @param {number} start
 * @param {Position[]} points
 * @param {number} speed blocks a second
 * @returns {Motion}
 */
export function motion(start, points, speed) {
  const reached = [0];
  for (let i = 1; i < points.length; i += 1) {
    reached.push(reached[i - 1] + distance(points[i - 1], points[i]));
  }
  const ticks = (reached.at(-1) / speed) * TICKS_PER_STEP;
  return { start, points, speed, reached, arrival: start + Math.ceil(Number(ticks.toFixed(9))) };
}

/**
 * Where a walker is.
 * @param {Motion} way
 * @param {number} tick may lie between two
 * @returns {Position}
 */
export function positionOn(way, tick) {
  const { points, reached } = way;
  if (tick >= way.arrival) {
    return points.at(-1);
  }
  const leg = legAt(way, tick);
  const walked = lengthAt(way, tick);
  if (walked >= reached.at(-1)) {
    return points.at(-1);
  }
  const share = (walked - reached[leg - 1]) / (reached[leg] - reached[leg - 1]);
  const [a, b] = [points[leg - 1], points[leg]];
  return [0, 1, 2].map((i) => a[i] + (b[i] - a[i]) * share);
}

/**
 * The way that is left: where the walker is, then the corners still before it.
 * @param {Motion} way
 * @param {number} tick
 * @returns {Position[]} a single place when it has arrived
 */
export function restOf(way, tick) {
  const here = positionOn(way, tick);
  return tick >= way.arrival ? [here] : [here, ...way.points.slice(legAt(way, tick))];
}

/**
 * Which way a walker faces: along its present leg, or its last one when it has arrived.
 * @param {Motion} way
 * @param {number} tick
 * @returns {[number, number]} x and z of a vector of length 1; `[0, 1]` (south) when it never moved sideways
 */
export function headingOn(way, tick) {
  const { points } = way;
  for (let leg = Math.min(legAt(way, tick), points.length - 1); leg > 0; leg -= 1) {
    const [dx, dz] = [points[leg][0] - points[leg - 1][0], points[leg][2] - points[leg - 1][2]];
    const length = Math.hypot(dx, dz);
    if (length > 0) {
      return [dx / length, dz / length];
    }
  }
  return [0, 1];
}

function lengthAt({ start, speed, reached }, tick) {
  return Math.max(0, Math.min(((tick - start) * speed) / TICKS_PER_STEP, reached.at(-1)));
}

/** Index of the point that is walked to. */
function legAt(way, tick) {
  const walked = lengthAt(way, tick);
  const next = way.reached.findIndex((length, i) => i > 0 && length > walked);
  return next < 0 ? way.points.length - 1 : next;
}

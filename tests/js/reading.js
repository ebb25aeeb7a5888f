/** What tests read off folds and minds. */

import { columnKey } from "../../static/js/world/columns.js";

/**
 * Time that an agent spent in each activity up to a tick.
 * @param {import("../../static/js/live/folds.js").Lane} lane
 * @param {number} tick
 * @returns {Record<string, number>} in ticks; they add up to `tick`
 */
export function breakdown(lane, tick) {
  const spent = { planning: 0, action: 0, idle: 0, dead: 0 };
  for (const { activity, start, end } of lane.segments) {
    spent[activity] += (end ?? tick) - start;
  }
  return spent;
}

/**
 * A block, if it is among those that are known.
 * @param {import("../../static/js/world/mind.js").Mind} mind
 * @param {number[]} cell
 * @returns {import("../../static/js/world/mind.js").SeenBlock | null}
 */
export function knownBlock(mind, [x, y, z]) {
  return mind.blocks.get(columnKey(x, z))?.find((one) => one.y === y) ?? null;
}

/** The scores of two episodes of one task, over time and at a moment. Pure. */

import { completion, haveAt } from "../live/folds.js";
import { meanHistory } from "../timeline/progress.js";

/**
 * @typedef {import("../live/folds.js").Folds} Folds
 * @typedef {{tick: number, share: number}} Point from this tick on the partial score is `share`
 *
 * @typedef {object} Row one checkpoint of both
 * @property {string} name
 * @property {{have: number, need: number | null, since: number | null}[]} sides how far each is at the moment (`need` is
 *   null where the log has not begun), and since which tick it has been complete for good; null if it never was
 */

/**
 * The partial score over time: the mean completion of the checkpoints.
 * @param {Folds} folds
 * @returns {Point[]} in order of time; empty before the log has begun
 */
export function scoreLine(folds) {
  const checkpoints = [...folds.checkpoints.values()];
  const line = checkpoints.length > 0 ? meanHistory(checkpoints) : [];
  return line.filter(({ tick }, i) => line[i + 1]?.tick !== tick);
}

/**
 * The score at a tick.
 * @param {Point[]} line
 * @param {number} tick
 * @returns {number | null} null before the log has begun
 */
export function scoreAt(line, tick) {
  return line.findLast((point) => point.tick <= tick)?.share ?? null;
}

/**
 * Both episodes' checkpoints at a tick.
 * @param {Folds[]} both
 * @param {number} tick
 * @returns {Row[]} in the order of the first log that has any
 */
export function checkpointRows(both, tick) {
  const names = both.map(({ checkpoints }) => [...checkpoints.keys()]).find((keys) => keys.length > 0) ?? [];
  return names.map((name) => ({ name, sides: both.map((folds) => side(folds.checkpoints.get(name), tick)) }));
}

function side(checkpoint, tick) {
  if (!checkpoint) {
    return { have: 0, need: null, since: null };
  }
  const { need, history } = checkpoint;
  const lacking = history.findLastIndex(({ have }) => completion(have, need) < 1);
  return { have: haveAt(checkpoint, tick), need, since: history[lacking + 1]?.tick ?? null };
}

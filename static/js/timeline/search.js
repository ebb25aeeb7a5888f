/** Finding segments by what they say. Pure. */

/**
 * A test for segments: each word must occur in the agent's name, the activity, the action or how it came out.
 * @param {string} text
 * @returns {((segment: import("../live/folds.js").Segment) => boolean) | null} null when nothing is searched for
 */
export function matcher(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    return null;
  }
  return ({ agent, activity, action, label, outcome, reason }) => {
    const said = `${agent} ${activity} ${action} ${label} ${outcome} ${reason}`.toLowerCase();
    return words.every((word) => said.includes(word));
  };
}

/**
 * All segments that a test holds for, in order of time.
 * @param {import("../live/folds.js").Folds} folds
 * @param {(segment: import("../live/folds.js").Segment) => boolean} fits
 * @returns {import("../live/folds.js").Segment[]}
 */
export function found(folds, fits) {
  const all = [...folds.lanes.values()].flatMap(({ segments }) => segments.filter(fits));
  return all.sort((a, b) => a.start - b.start || a.seq - b.seq);
}

/**
 * The next match after or before a moment, going round at the ends.
 * @param {import("../live/folds.js").Segment[]} matches in order of time
 * @param {import("../live/folds.js").Segment | null} from the one that is selected
 * @param {number} tick where to begin when none is
 * @param {1 | -1} direction
 * @returns {import("../live/folds.js").Segment | null}
 */
export function nextMatch(matches, from, tick, direction) {
  if (matches.length === 0) {
    return null;
  }
  const at = from ? matches.indexOf(from) : -1;
  if (at >= 0) {
    return matches[(at + direction + matches.length) % matches.length];
  }
  const after = matches.find((segment) => segment.start >= tick);
  const before = matches.findLast((segment) => segment.start < tick);
  return direction > 0 ? (after ?? matches[0]) : (before ?? matches.at(-1));
}

/** Where the timeline's rows lie: the axis, what the world did, crises, the checkpoints, and one lane an agent. */

const AXIS = 22;
const WORLD = 20;
const CRISIS = 16;
const GAP = 8;
const GUTTER = 156;
const NARROW = 640;
const CAPTION = 15;
const MOST_CHECKPOINT_ROWS = 4;

/**
 * @typedef {{top: number, height: number, caption: number}} Row `caption`: height of the line above the bar where
 *   there is no room for names beside it; 0 otherwise
 * @typedef {object} Layout
 * @property {boolean} narrow names stand above the lanes instead of beside them
 * @property {number} left first pixel of the plot
 * @property {number} width of the plot
 * @property {number} height of everything
 * @property {Row} world
 * @property {Row[]} crises one each
 * @property {Row[]} checkpoints one each, or a single one for their mean when there are many
 * @property {Row[]} lanes
 */

/**
 * Lay out the timeline.
 * @param {number} width pixels that there are
 * @param {number} lanes number of agents
 * @param {number} checkpoints number of checkpoints
 * @param {number} [crises] number of crises
 * @returns {Layout}
 */
export function layOut(width, lanes, checkpoints, crises = 0) {
  const narrow = width < NARROW;
  const caption = narrow ? CAPTION : 0;
  const left = narrow ? 8 : GUTTER;
  let top = AXIS;
  const row = (height, gap) => {
    const made = { top, height: height + caption, caption };
    top += height + caption + gap;
    return made;
  };
  const world = row(WORLD, 2);
  const fronts = Array.from({ length: crises }, () => row(CRISIS, 3));
  const rows = Math.min(checkpoints, checkpoints > MOST_CHECKPOINT_ROWS ? 1 : checkpoints);
  const progress = Array.from({ length: rows }, () => row(14, 3));
  top += GAP;
  const bar = laneHeight(lanes);
  const bars = Array.from({ length: lanes }, () => row(bar, narrow ? 3 : 6));
  return {
    narrow,
    left,
    width: Math.max(1, width - left - 14),
    height: top + GAP,
    world,
    crises: fronts,
    checkpoints: progress,
    lanes: bars,
  };
}

function laneHeight(lanes) {
  if (lanes <= 8) {
    return 28;
  }
  return lanes <= 20 ? 22 : 16;
}

/**
 * The row at a height, among rows in order.
 * @param {Row[]} rows
 * @param {number} y
 * @returns {number} its index, or -1
 */
export function rowAt(rows, y) {
  return rows.findIndex((row) => y >= row.top && y < row.top + row.height);
}

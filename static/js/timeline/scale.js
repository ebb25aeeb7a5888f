/** The timeline's scale: which ticks are in view, and where each one lies. Immutable: every change is a new view. */

export const TICKS_PER_STEP = 20;
const LEAST_SPAN = 10;
/** Where the present stands while the view follows it, as a share of the view's width. */
export const FOLLOW_SHARE = 0.9;

/**
 * @typedef {{start: number, end: number}} View visible range in ticks
 */

/**
 * Keep a view within its limits: not narrower than half a step, not wider than everything, and touching it.
 * @param {View} view
 * @param {number} total ticks that there are to see
 * @returns {View}
 */
export function clampView(view, total) {
  const whole = Math.max(total, LEAST_SPAN);
  const span = Math.min(Math.max(view.end - view.start, LEAST_SPAN), whole);
  const start = Math.min(Math.max(view.start, 0), whole - span);
  return { start, end: start + span };
}

/**
 * The view widened or narrowed around a tick that stays where it is.
 * @param {View} view
 * @param {number} factor above 1 shows less (zooms in)
 * @param {number} tick
 * @param {number} total
 * @returns {View}
 */
export function zoom(view, factor, tick, total) {
  const wanted = (view.end - view.start) / factor;
  const span = Math.min(Math.max(wanted, LEAST_SPAN), Math.max(total, LEAST_SPAN));
  const share = (tick - view.start) / (view.end - view.start);
  const start = tick - share * span;
  return clampView({ start, end: start + span }, total);
}

/**
 * The view moved along.
 * @param {View} view
 * @param {number} ticks
 * @param {number} total
 * @returns {View}
 */
export function pan(view, ticks, total) {
  return clampView({ start: view.start + ticks, end: view.end + ticks }, total);
}

/**
 * The view with a tick at a share of its width.
 * @param {View} view
 * @param {number} tick
 * @param {number} total
 * @param {number} [share] 0 at the left edge, 1 at the right
 * @returns {View}
 */
export function placeAt(view, tick, total, share = 0.5) {
  const span = view.end - view.start;
  const start = tick - share * span;
  return clampView({ start, end: start + span }, total);
}

/**
 * Follow the present: move on only when it has come close to the right edge, or is out of view.
 * @param {View} view
 * @param {number} now
 * @param {number} total
 * @returns {View} the same object when nothing has to move
 */
export function follow(view, now, total) {
  const share = (now - view.start) / (view.end - view.start);
  if (share >= 0 && share <= FOLLOW_SHARE + 1e-6) {
    return view;
  }
  const moved = placeAt(view, now, total, FOLLOW_SHARE);
  return moved.start === view.start ? view : moved;
}

/**
 * Where a tick lies.
 * @param {View} view
 * @param {number} tick
 * @param {number} left first pixel of the plot
 * @param {number} width of the plot in pixels
 * @returns {number}
 */
export function toX(view, tick, left, width) {
  return left + ((tick - view.start) / (view.end - view.start)) * width;
}

/**
 * Which tick lies at a pixel (fractional).
 * @param {View} view
 * @param {number} x
 * @param {number} left
 * @param {number} width
 * @returns {number}
 */
export function toTick(view, x, left, width) {
  return view.start + ((x - left) / width) * (view.end - view.start);
}

const NICE_STEPS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];

/**
 * Marks of the time axis: at round steps, not closer together than `gap` pixels.
 * @param {View} view
 * @param {number} width of the plot in pixels
 * @param {number} [gap] least distance in pixels
 * @returns {{tick: number, label: string}[]}
 */
export function axisMarks(view, width, gap = 64) {
  const stepsInView = (view.end - view.start) / TICKS_PER_STEP;
  const least = (stepsInView * gap) / width;
  const every = NICE_STEPS.find((nice) => nice >= least) ?? NICE_STEPS.at(-1);
  const marks = [];
  const last = Math.floor(view.end / TICKS_PER_STEP / every + 1e-9);
  for (let i = Math.ceil(view.start / TICKS_PER_STEP / every - 1e-9); i <= last; i += 1) {
    const step = Number((i * every).toFixed(2));
    marks.push({ tick: step * TICKS_PER_STEP, label: String(step) });
  }
  return marks;
}

/**
 * Index of the first segment that ends after a tick (binary search); the list's length when none does.
 * @param {{end: number | null}[]} segments in order, none overlapping
 * @param {number} tick
 * @returns {number}
 */
export function firstEndingAfter(segments, tick) {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const end = segments[middle].end;
    if (end === null || end > tick) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/**
 * The segment that holds a tick.
 * @template {{start: number, end: number | null}} S
 * @param {S[]} segments
 * @param {number} tick
 * @returns {S | null}
 */
export function segmentAt(segments, tick) {
  const found = segments[firstEndingAfter(segments, tick)];
  return found && found.start <= tick ? found : null;
}

/**
 * Index of the first mark at or after a tick (binary search).
 * @param {{tick: number}[]} marks in order
 * @param {number} tick
 * @returns {number}
 */
export function firstAtOrAfter(marks, tick) {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (marks[middle].tick >= tick) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

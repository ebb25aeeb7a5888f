/** Which rows of a long list with rows of one height have to exist. Pure. */

const SPARE = 8;

/**
 * The rows to render.
 * @param {number} scrollTop pixels scrolled
 * @param {number} viewport height of the visible part in pixels
 * @param {number} rowHeight
 * @param {number} count rows that there are
 * @returns {{first: number, last: number, before: number, after: number}} rows first … last - 1, and the pixels
 *   that the rows before and after them would take
 */
export function rowsInView(scrollTop, viewport, rowHeight, count) {
  const top = Math.max(0, Math.min(scrollTop, count * rowHeight - viewport));
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE);
  const last = Math.min(count, Math.ceil((top + viewport) / rowHeight) + SPARE);
  return { first, last, before: first * rowHeight, after: (count - last) * rowHeight };
}

/**
 * Where to scroll so that a row is in view.
 * @param {number} index
 * @param {number} scrollTop pixels scrolled now
 * @param {number} viewport
 * @param {number} rowHeight
 * @param {boolean} [middle] put it in the middle, unless it is in view already
 * @returns {number} pixels
 */
export function scrollTo(index, scrollTop, viewport, rowHeight, middle = false) {
  const top = index * rowHeight;
  const below = top + rowHeight - viewport;
  if (top >= scrollTop && below <= scrollTop) {
    return scrollTop;
  }
  if (middle) {
    return Math.max(0, top - (viewport - rowHeight) / 2);
  }
  return top < scrollTop ? top : below;
}

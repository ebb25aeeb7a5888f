/** Going through tiles in rows and columns with the arrow keys. Pure. */

/**
 * The tile that an arrow key leads to.
 * @param {{left: number, top: number}[]} boxes in reading order
 * @param {number} at index of the tile where one is
 * @param {string} key `ArrowLeft`, …, `Home` or `End`
 * @returns {number} its index; -1 where there is none that way, or the key is another one
 */
export function tileAt(boxes, at, key) {
  const last = boxes.length - 1;
  if (key === "Home" || key === "End") {
    return key === "Home" ? 0 : last;
  }
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const to = at + (key === "ArrowLeft" ? -1 : 1);
    return to <= last ? to : -1;
  }
  const { left, top } = boxes[at];
  if (key === "ArrowUp") {
    return boxes.findLastIndex((box) => box.top < top && box.left <= left);
  }
  if (key === "ArrowDown") {
    const below = boxes.findIndex((box) => box.top > top);
    const rest = boxes.filter((box) => box.top === boxes[below]?.top && box.left <= left);
    return below < 0 ? -1 : below + rest.length - 1;
  }
  return -1;
}

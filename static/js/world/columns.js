/** Blocks by column: immutable lists by height, so that one look tells whether a column has changed. Pure. */

/**
 * @typedef {object} Placed
 * @property {number} x
 * @property {number} y
 * @property {number} z
 * @property {string} block `air` where the flat ground has a hole
 * @property {number} since tick
 * @property {number | null} until tick at which it vanishes by itself
 * @property {boolean} built an agent put it there
 */

const HALF = 32_768;

/**
 * The number of a column.
 * @param {number} x
 * @param {number} z
 * @returns {number}
 */
export function columnKey(x, z) {
  return (x + HALF) * 2 * HALF + z + HALF;
}

/**
 * The place of a column.
 * @param {number} key
 * @returns {[number, number]} x and z
 */
export function columnPlace(key) {
  return [Math.floor(key / (2 * HALF)) - HALF, (key % (2 * HALF)) - HALF];
}

/**
 * A column with one cell changed.
 * @param {readonly Placed[] | undefined} column
 * @param {Placed} placed
 * @param {number} groundY air above it is nothing, air at or below it is a hole
 * @returns {readonly Placed[]}
 */
export function setBlock(column, placed, groundY) {
  const { y, block } = placed;
  const others = column ? column.filter((one) => one.y !== y) : [];
  if (block === "air" && y > groundY) {
    return others;
  }
  const at = others.findIndex((one) => one.y > y);
  others.splice(at < 0 ? others.length : at, 0, placed);
  return others;
}

/**
 * What one sees of a column from above.
 * @param {readonly Placed[]} column
 * @returns {Placed | null} its highest block; where there is none, its hole
 */
export function topOf(column) {
  return column.findLast(({ block }) => block !== "air") ?? column.at(-1) ?? null;
}

/**
 * The keys of all columns that may hold a cell within a distance.
 * @param {number[]} place
 * @param {number} radius
 * @returns {number[]}
 */
export function keysNear([x, , z], radius) {
  const keys = [];
  for (let cx = Math.ceil(x - radius); cx <= x + radius; cx += 1) {
    const across = Math.sqrt(Math.max(0, radius * radius - (cx - x) ** 2));
    for (let cz = Math.ceil(z - across); cz <= z + across; cz += 1) {
      keys.push(columnKey(cx, cz));
    }
  }
  return keys;
}

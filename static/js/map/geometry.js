/** The map's geometry: x to the right (east), z downwards (south), seen from above. Pure. */

const MARGIN = { left: 36, top: 20, right: 8, bottom: 8 };
const LARGEST_CELL = 28;

/**
 * @typedef {object} Frame
 * @property {number} cell pixels a block
 * @property {number} left pixel of the western edge
 * @property {number} top pixel of the northern edge
 * @property {number} width of the ground in pixels
 * @property {number} height of the ground in pixels
 * @property {number} canvasHeight
 * @property {number} minX first column
 * @property {number} minZ first row
 * @property {number} columns
 * @property {number} rows
 */

/**
 * Fit the ground into a width, and not higher than a height; where width is left, more ground is shown.
 * @param {{min: number[], max: number[]}} bounds first and last block, `[x, z]`
 * @param {number} width pixels that there are
 * @param {number} most pixels of height
 * @returns {Frame}
 */
export function fitMap(bounds, width, most) {
  const [firstX, minZ] = bounds.min;
  const [needed, rows] = [bounds.max[0] - firstX + 1, bounds.max[1] - minZ + 1];
  const free = Math.max(1, width - MARGIN.left - MARGIN.right);
  const cell = Math.min(free / needed, (most - MARGIN.top - MARGIN.bottom) / rows, LARGEST_CELL);
  const more = Math.floor((free / cell - needed) / 2);
  const columns = needed + 2 * more;
  return {
    cell,
    left: MARGIN.left + (free - columns * cell) / 2,
    top: MARGIN.top,
    width: columns * cell,
    height: rows * cell,
    canvasHeight: Math.ceil(MARGIN.top + rows * cell + MARGIN.bottom),
    minX: firstX - more,
    minZ,
    columns,
    rows,
  };
}

/**
 * Pixel of a coordinate; a block reaches from its own to the next.
 * @param {Frame} frame
 * @param {number} x
 * @returns {number}
 */
export function mapX(frame, x) {
  return frame.left + (x - frame.minX) * frame.cell;
}

/**
 * Pixel of a coordinate; a block reaches from its own to the next.
 * @param {Frame} frame
 * @param {number} z
 * @returns {number}
 */
export function mapZ(frame, z) {
  return frame.top + (z - frame.minZ) * frame.cell;
}

/**
 * The column of blocks under a pixel.
 * @param {Frame} frame
 * @param {number} px
 * @param {number} py
 * @returns {[number, number] | null} `[x, z]`; null beside the ground
 */
export function columnAt(frame, px, py) {
  const [across, down] = [px - frame.left, py - frame.top];
  if (across < 0 || down < 0 || across >= frame.width || down >= frame.height) {
    return null;
  }
  return [frame.minX + Math.floor(across / frame.cell), frame.minZ + Math.floor(down / frame.cell)];
}

/**
 * Distance of the grid's lines.
 * @param {number} cell pixels a block
 * @returns {number} blocks
 */
export function gridStep(cell) {
  return [5, 10, 20, 50, 100, 200].find((step) => step * cell >= 32) ?? 500;
}

/**
 * Coordinates of the grid's lines within a range.
 * @param {number} first
 * @param {number} last
 * @param {number} step
 * @returns {number[]}
 */
export function gridLines(first, last, step) {
  const lines = [];
  for (let at = Math.ceil(first / step) * step; at <= last; at += step) {
    lines.push(at === 0 ? 0 : at);
  }
  return lines;
}

/**
 * What one sees of the blocks from above: the highest of each column.
 * @param {{block: string, cells: number[][]}[]} blocks
 * @returns {ReturnType<typeof topsOf>}
 */
export function columnsOf(blocks) {
  return topsOf(blocks.flatMap(({ block, cells }) => cells.map(([x, y, z]) => ({ block, x, y, z }))));
}

/**
 * The highest cell of each column.
 * @param {Iterable<{block: string, x: number, y: number, z: number, since?: number, until?: number | null}>} cells
 * @returns {Map<string, {block: string, x: number, y: number, z: number, height: number, since?: number,
 *   until?: number | null}>} by `x,z`; `height` counts the column's blocks
 */
export function topsOf(cells) {
  const columns = new Map();
  for (const cell of cells) {
    const key = `${cell.x},${cell.z}`;
    const seen = columns.get(key);
    const height = (seen?.height ?? 0) + 1;
    if (seen && cell.y <= seen.y) {
      seen.height = height;
    } else {
      columns.set(key, { ...cell, height });
    }
  }
  return columns;
}

/** Whether a column lies in a box given by two corners. */
function inBox([x, z], { min, max }) {
  return x >= min[0] && x <= max[0] && z >= min[2] && z <= max[2];
}

/**
 * What there is at a column, in words.
 * @param {any} data of the page
 * @param {ReturnType<typeof columnsOf>} columns
 * @param {[number, number]} at `[x, z]`
 * @returns {string} for example `x 3, z -4: Ada; gold (gold ore) spawns here`
 */
export function wordsAt(data, columns, at) {
  const [x, z] = at;
  const here = ([px, , pz]) => Math.floor(px) === x && Math.floor(pz) === z;
  const plain = (name) => name.replaceAll("_", " ");
  const things = [
    ...data.agents.filter((agent) => here(agent.position)).map((agent) => agent.name),
    ...data.chests.filter(here).map(() => "chest"),
    ...(data.hostiles ?? []).filter((mob) => here(mob.position)).map((mob) => plain(mob.entity)),
  ];
  const column = columns.get(`${x},${z}`);
  if (column) {
    const high = column.height > 1 ? `, ${column.height} high` : "";
    const gone = column.until ? `, gone at step ${column.until}` : "";
    things.push(`${plain(column.block)}${high}${gone}`);
  }
  for (const spawn of data.spawns) {
    const [cx, , cz] = spawn.center;
    if (Math.hypot(x - cx, z - cz) <= spawn.radius) {
      things.push(`${spawn.event} (${plain(spawn.block ?? spawn.entity)}) spawns here`);
    }
  }
  for (const fill of data.fills.filter((one) => inBox(at, one))) {
    things.push(`${fill.event} (${plain(fill.block)}) fills this, moving ${fill.direction}`);
  }
  for (const region of data.regions.filter((one) => inBox(at, one))) {
    things.push(`region ${region.id}${region.active === false ? " (off)" : ""}`);
  }
  return `x ${x}, z ${z}: ${things.join("; ") || "ground"}`;
}

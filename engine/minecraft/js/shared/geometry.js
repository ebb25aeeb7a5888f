// Cells are [x, y, z] of whole numbers. A position is given in cell coordinates: whoever stands in the middle of a
// cell is at its coordinates exactly. Minecraft's own coordinates are half a block greater in x and z, and greater by the
// arena's offset on the server, if it has one.
const { Vec3 } = require("vec3");

const BLOCK_REACH = 4.5;
const DIAGONAL = Math.SQRT2;
/** The sides of a block, in the protocol's order. */
const FACES = [
  [0, -1, 0],
  [0, 1, 0],
  [0, 0, -1],
  [0, 0, 1],
  [-1, 0, 0],
  [1, 0, 0],
];

const offset = { x: 0, z: 0 };

/** From now on the task's [0, 0] is at this x and z of the server: of all that is in this thread. */
function moveArena([x, z]) {
  Object.assign(offset, { x, z });
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const nearestCell = ([x, y, z]) => [Math.floor(x + 0.5), Math.floor(y + 0.5), Math.floor(z + 0.5)];
const toCellSpace = ({ x, y, z }) => [x - 0.5 - offset.x, y, z - 0.5 - offset.z];
const toMinecraft = ([x, y, z]) => new Vec3(x + 0.5 + offset.x, y, z + 0.5 + offset.z);
const cornerOf = ([x, y, z]) => new Vec3(x + offset.x, y, z + offset.z);
const cellOf = ({ x, y, z }) => [Math.floor(x - offset.x), Math.floor(y), Math.floor(z - offset.z)];
const key = ([x, y, z]) => `${x},${y},${z}`;
const isWithin = (low, cell, high) => low.every((least, i) => least <= cell[i] && cell[i] <= high[i]);
const rounded = (position) => position.map((value) => Math.round(value * 1e4) / 1e4);

module.exports = {
  BLOCK_REACH,
  DIAGONAL,
  FACES,
  cellOf,
  cornerOf,
  distance,
  isWithin,
  key,
  moveArena,
  nearestCell,
  rounded,
  toCellSpace,
  toMinecraft,
};

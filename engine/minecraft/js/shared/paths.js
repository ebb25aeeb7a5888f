// Ways on foot: eight directions, one block up by jumping, at most three down, no cutting of corners.
// `isSolid(x, y, z)` is the walker's own view of the world.
const { DIAGONAL, distance, nearestCell } = require("./geometry.js");

const MAX_DROP = 3;
const MAX_HOLLOW = 300;
const MAX_CELLS = 20000; // bounds the search round a target that nobody can reach
const STRAIGHT = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
];
const SLANTED = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
];

/** A cell as one number, for maps. */
const numberOf = (x, y, z) => ((x + 4096) * 8192 + (z + 4096)) * 512 + y + 64;

/** Remembers what it has seen, for the length of one search. */
function remembering(isSolid) {
  const seen = new Map();
  return (x, y, z) => {
    const number = numberOf(x, y, z);
    let solid = seen.get(number);
    if (solid === undefined) {
      solid = isSolid(x, y, z);
      seen.set(number, solid);
    }
    return solid;
  };
}

const canStand = (isSolid, [x, y, z]) => isSolid(x, y - 1, z) && !isSolid(x, y, z) && !isSolid(x, y + 1, z);

function steps(isSolid, [x, y, z]) {
  const found = [];
  const free = (dx, dz) => !isSolid(x + dx, y, z + dz) && !isSolid(x + dx, y + 1, z + dz);
  for (const [dx, dz] of STRAIGHT) {
    const step = free(dx, dz)
      ? stepDown(isSolid, [x + dx, y, z + dz])
      : stepUp(isSolid, [x, y, z], [x + dx, y + 1, z + dz]);
    if (step) found.push(step);
  }
  for (const [dx, dz] of SLANTED) {
    if (free(dx, 0) && free(0, dz) && canStand(isSolid, [x + dx, y, z + dz])) {
      found.push([[x + dx, y, z + dz], DIAGONAL]);
    }
  }
  return found;
}

/** On along the level, or down to the next floor if it is not too deep. */
function stepDown(isSolid, [x, y, z]) {
  for (let drop = 0; drop <= MAX_DROP; drop++) {
    if (isSolid(x, y - drop - 1, z)) return [[x, y - drop, z], Math.hypot(1, drop)];
  }
  return null;
}

function stepUp(isSolid, [x, y, z], there) {
  return !isSolid(x, y + 2, z) && canStand(isSolid, there) ? [there, DIAGONAL] : null;
}

class Heap {
  items = [];

  push(rank, value) {
    const items = this.items;
    let at = items.push({ rank, value }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (items[parent].rank <= items[at].rank) break;
      [items[parent], items[at]] = [items[at], items[parent]];
      at = parent;
    }
  }

  pop() {
    const items = this.items;
    const [first] = items;
    const last = items.pop();
    if (items.length) {
      items[0] = last;
      for (let at = 0; ; ) {
        let least = at;
        for (const child of [2 * at + 1, 2 * at + 2]) {
          if (child < items.length && items[child].rank < items[least].rank) least = child;
        }
        if (least === at) break;
        [items[least], items[at]] = [items[at], items[least]];
        at = least;
      }
    }
    return first.value;
  }
}

/** The shortest way from cell to cell within reach of the target, corners only; null when there is none. */
function findPath(view, start, target, reach) {
  if (distance(start, target) <= reach) return [start];
  const isSolid = remembering(view);
  if (isWalledIn(isSolid, target, reach, start)) return null;
  const estimate = (cell) => Math.max(0, flat(target[0] - cell[0], target[2] - cell[2]) - reach * DIAGONAL);
  const open = new Heap();
  const best = new Map([[numberOf(...start), { length: 0, from: null, cell: start, isClosed: false }]]);
  open.push(estimate(start), start);
  for (let closed = 0; open.items.length && closed < MAX_CELLS; closed++) {
    const cell = open.pop();
    const here = best.get(numberOf(...cell));
    if (here.isClosed) continue;
    here.isClosed = true;
    if (distance(cell, target) <= reach) return twoLegs(isSolid, start, cell, here.length) ?? corners(here);
    for (const [next, cost] of steps(isSolid, cell)) {
      const length = here.length + cost;
      const number = numberOf(...next);
      if (length < (best.get(number)?.length ?? Infinity) - 1e-9) {
        best.set(number, { length, from: here, cell: next, isClosed: false });
        open.push(length + estimate(next), next);
      }
    }
  }
  return null;
}

/** Of ways of one length over level ground, the one that goes slantwise first and then straight, if that is free. */
function twoLegs(isSolid, start, goal, length) {
  const [dx, rise, dz] = goal.map((value, axis) => value - start[axis]);
  if (rise || Math.abs(flat(dx, dz) - length) > 1e-6) return null;
  const slanted = Math.min(Math.abs(dx), Math.abs(dz));
  const corner = [start[0] + slanted * Math.sign(dx), start[1], start[2] + slanted * Math.sign(dz)];
  if (!isFreeLine(isSolid, start, corner) || !isFreeLine(isSolid, corner, goal)) return null;
  const legs = [start, corner, goal];
  return legs.filter((cell, i) => i === 0 || cell.join() !== legs[i - 1].join());
}

function isFreeLine(isSolid, from, to) {
  const [sx, sz] = [Math.sign(to[0] - from[0]), Math.sign(to[2] - from[2])];
  for (let cell = from; cell.join() !== to.join(); ) {
    const next = [cell[0] + sx, cell[1], cell[2] + sz];
    const sides =
      sx && sz
        ? [
            [next[0], next[1], cell[2]],
            [cell[0], next[1], next[2]],
          ]
        : [];
    const isOpen = ([x, y, z]) => !isSolid(x, y, z) && !isSolid(x, y + 1, z);
    if (!canStand(isSolid, next) || !sides.every(isOpen)) return false;
    cell = next;
  }
  return true;
}

/** Whether the cells within reach of the target lie in a small hollow that the start is not in. From the target's side
 * that is found out quickly; from the start's, all the plain would have to be searched first. */
function isWalledIn(isSolid, target, reach, start) {
  const hollow = cellsWithin(target, reach).filter((cell) => canStand(isSolid, cell));
  const seen = new Set(hollow.map((cell) => numberOf(...cell)));
  const goal = numberOf(...start);
  for (let at = 0; at < hollow.length; at++) {
    if (seen.has(goal) || hollow.length > MAX_HOLLOW) return false;
    const [x, y, z] = hollow[at];
    for (const [dx, dz] of [...STRAIGHT, ...SLANTED]) {
      for (let dy = -1; dy <= MAX_DROP; dy++) {
        const next = [x + dx, y + dy, z + dz];
        if (seen.has(numberOf(...next)) || !canStand(isSolid, next)) continue;
        seen.add(numberOf(...next));
        hollow.push(next);
      }
    }
  }
  return !seen.has(goal);
}

function cellsWithin([x, y, z], reach) {
  const span = Math.floor(reach);
  const cells = [];
  for (let dx = -span; dx <= span; dx++) {
    for (let dy = -span; dy <= span; dy++) {
      for (let dz = -span; dz <= span; dz++) {
        if (Math.hypot(dx, dy, dz) <= reach) cells.push([x + dx, y + dy, z + dz]);
      }
    }
  }
  return cells;
}

function flat(dx, dz) {
  const [far, near] = [Math.max(Math.abs(dx), Math.abs(dz)), Math.min(Math.abs(dx), Math.abs(dz))];
  return far + (DIAGONAL - 1) * near;
}

/** The way back from the goal, turned round, without the cells between two corners on one level; each step up or
 * down stays, since it has to be jumped. */
function corners(goal) {
  const cells = [];
  for (let at = goal; at !== null; at = at.from) cells.push(at.cell);
  cells.reverse();
  return cells.filter((cell, i) => {
    if (i === 0 || i === cells.length - 1) return true;
    if (cell[1] !== cells[i - 1][1] || cell[1] !== cells[i + 1][1]) return true;
    return cell.some((value, axis) => value - cells[i - 1][axis] !== cells[i + 1][axis] - value);
  });
}

/** The cell from which a walker at this position goes on. */
function entryCell(isSolid, position) {
  const cell = nearestCell(position);
  if (canStand(isSolid, cell)) return cell;
  const around = [];
  for (let dx = -1; dx <= 1; dx++) {
    for (let dz = -1; dz <= 1; dz++) {
      for (let dy = -MAX_DROP; dy <= 1; dy++) around.push([cell[0] + dx, cell[1] + dy, cell[2] + dz]);
    }
  }
  const options = around.filter((option) => canStand(isSolid, option));
  return options.sort((a, b) => distance(a, position) - distance(b, position))[0] ?? cell;
}

/** The way from a position that may lie between cells; one point if the walker need not move. */
function findWay(isSolid, here, target, reach) {
  const start = entryCell(isSolid, here);
  const path = findPath(isSolid, start, target, reach);
  if (path === null) return null;
  if (path.length === 1) return distance(here, target) <= reach + 1e-3 ? [here] : [here, start];
  return [here, ...path.slice(nearestCell(here).join() === start.join() ? 1 : 0)];
}

/** Where something that falls from the cell comes to rest. */
function floorBelow(isSolid, [x, y, z], bottom = 60) {
  while (y > bottom && !isSolid(x, y - 1, z)) y--;
  return y;
}

module.exports = { canStand, entryCell, findPath, findWay, floorBelow };

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

const { findPath, findWay } = createRequire(import.meta.url)("../../engine/minecraft/js/shared/paths.js");

/** Flat ground up to y = 63, and blocks on it. */
function ground(...blocks) {
  const solid = new Set(blocks.map((cell) => cell.join()));
  return (x, y, z) => y <= 63 || solid.has(`${x},${y},${z}`);
}

const wall = (x, zs, heights = [64, 65]) => zs.flatMap((z) => heights.map((y) => [x, y, z]));

test("over free ground a way goes slantwise first and then straight", () => {
  assert.deepEqual(findPath(ground(), [0, 64, 0], [5, 64, 2], 0), [
    [0, 64, 0],
    [2, 64, 2],
    [5, 64, 2],
  ]);
});

test("a step up is jumped, and each step is a corner", () => {
  const stairs = ground([2, 64, 0], [3, 64, 0], [3, 65, 0]);
  assert.deepEqual(findPath(stairs, [0, 64, 0], [3, 66, 0], 0), [
    [0, 64, 0],
    [1, 64, 0],
    [2, 65, 0],
    [3, 66, 0],
  ]);
});

test("corners are not cut", () => {
  const path = findPath(ground(...wall(1, [0])), [0, 64, 0], [1, 64, 1], 0);
  assert.deepEqual(path, [
    [0, 64, 0],
    [0, 64, 1],
    [1, 64, 1],
  ]);
});

test("who is walled in cannot be reached, and that is found out without searching the plain", () => {
  let looked = 0;
  const ring = [wall(-1, [-1, 0, 1]), wall(0, [-1, 1]), wall(1, [-1, 0, 1])].flat();
  const world = ground(...ring.map(([x, y, z]) => [x + 50, y, z]));
  const view = (...cell) => {
    looked++;
    return world(...cell);
  };
  assert.equal(findPath(view, [0, 64, 0], [50, 64, 0], 0), null);
  assert.ok(looked < 500, `looked at ${looked} cells`);
});

test("who is off the middle of a cell that is within reach walks to the middle", () => {
  assert.deepEqual(findWay(ground(), [0, 64, 0.1], [1, 64, -1], 1.42), [
    [0, 64, 0.1],
    [0, 64, 0],
  ]);
  assert.deepEqual(findWay(ground(), [0, 64, 0], [1, 64, -1], 1.42), [[0, 64, 0]]);
});

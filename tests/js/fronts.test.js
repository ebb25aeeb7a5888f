import assert from "node:assert/strict";
import { test } from "node:test";
import { crisisText } from "../../static/js/map/crisis.js";
import {
  arrivalAt,
  arrivalLines,
  filledAt,
  overAt,
  restOfArea,
  slicesOf,
  startOf,
  tickOf,
} from "../../static/js/map/fronts.js";

/** Ten slices, half a slice a step, from step 20 on. */
const EAST = {
  event: "wave",
  block: "lava",
  min: [0, 64, 0],
  max: [9, 65, 4],
  direction: "east",
  speed_bps: 0.5,
  start: 20,
  end: null,
};

test("a crisis sets out as the task says, unless the log says when it did", () => {
  assert.deepEqual(startOf(EAST, []), { tick: 400, begun: false });
  const mark = { event: "wave", action: "progressive_fill", tick: 440 };
  assert.deepEqual(startOf({ ...EAST, start: null }, [mark]), { tick: 440, begun: true });
  assert.equal(startOf({ ...EAST, start: null }, [{ ...mark, event: "other" }]), null);
});

test("slice k fills k / speed whole steps after the start", () => {
  assert.equal(slicesOf(EAST), 10);
  assert.deepEqual(
    [0, 1, 9].map((k) => tickOf(EAST, 400, k)),
    [400, 440, 760],
  );
  assert.equal(overAt(EAST, 400), 760);
  // 3 slices a step: slices 1 to 3 one step after the start.
  assert.deepEqual(
    [1, 3, 4].map((k) => tickOf({ ...EAST, speed_bps: 3 }, 400, k)),
    [420, 420, 440],
  );
});

test("what is filled at a tick goes up by whole steps, and no further than the end", () => {
  assert.deepEqual(
    [399, 400, 439, 440, 759, 760, 9999].map((tick) => filledAt(EAST, 400, tick)),
    [0, 1, 1, 2, 9, 10, 10],
  );
  const cut = { ...EAST, end: 30 };
  assert.equal(filledAt(cut, 400, 9999), 6);
  assert.equal(tickOf(cut, 400, 6), null);
  assert.equal(overAt(cut, 400), 600);
});

test("it arrives at a place when the slice of that place fills, and never outside its area", () => {
  assert.equal(arrivalAt(EAST, 400, [3, 64, 2]), 400 + 6 * 20);
  assert.equal(arrivalAt({ ...EAST, direction: "west" }, 400, [3, 64, 2]), 400 + 12 * 20);
  assert.equal(arrivalAt({ ...EAST, direction: "south" }, 400, [3, 64, 2]), 400 + 4 * 20);
  assert.equal(arrivalAt(EAST, 400, [3, 64, 5]), null);
  assert.equal(arrivalAt({ ...EAST, direction: "up" }, 400, [3, 66, 2]), 400 + 2 * 20);
});

test("what is left of the area begins at the front", () => {
  assert.deepEqual(restOfArea(EAST, 3), { min: [3, 64, 0], max: [9, 65, 4] });
  assert.deepEqual(restOfArea({ ...EAST, direction: "west" }, 3).max, [6, 65, 4]);
  assert.equal(restOfArea(EAST, 10), null);
});

test("lines tell at which round steps the crisis is where", () => {
  // Slices fill at steps 20, 22, … 38; with one line each 10 steps: slice 5 at 30.
  assert.deepEqual(arrivalLines(EAST, 400, 0, 10), [{ at: 5, axis: 0, step: 30 }]);
  assert.deepEqual(arrivalLines({ ...EAST, direction: "west" }, 400, 0, 10), [{ at: 5, axis: 0, step: 30 }]);
  assert.deepEqual(arrivalLines(EAST, 400, 6, 10), []);
  assert.deepEqual(arrivalLines({ ...EAST, direction: "down" }, 400, 0, 10), []);
});

test("a crisis is told in words", () => {
  assert.equal(
    crisisText(EAST, { tick: 400, begun: false }, 150),
    "lava: sets out in 13 steps, all covered at step 38",
  );
  assert.equal(crisisText(EAST, { tick: 400, begun: true }, 400), "lava: all covered at step 38");
  assert.equal(crisisText(EAST, null, 0), "lava: sets out when its condition holds");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import * as scale from "../../static/js/timeline/scale.js";

test("pixels and ticks are each other's inverse", () => {
  const view = { start: 200, end: 600 };
  assert.equal(scale.toX(view, 400, 100, 800), 500);
  assert.equal(scale.toTick(view, 500, 100, 800), 400);
});

test("zooming keeps the tick under the pointer in its place", () => {
  const view = scale.zoom({ start: 0, end: 1_000 }, 2, 250, 2_000);
  assert.deepEqual(view, { start: 125, end: 625 });
  assert.equal(scale.toX(view, 250, 0, 100), 25);
});

test("the view never leaves the episode, nor gets wider than it or narrower than half a step", () => {
  assert.deepEqual(scale.pan({ start: 100, end: 300 }, -500, 1_000), { start: 0, end: 200 });
  assert.deepEqual(scale.pan({ start: 700, end: 900 }, 500, 1_000), { start: 800, end: 1_000 });
  assert.deepEqual(scale.zoom({ start: 0, end: 1_000 }, 0.1, 500, 1_000), { start: 0, end: 1_000 });
  assert.deepEqual(scale.zoom({ start: 0, end: 20 }, 100, 10, 1_000), { start: 5, end: 15 });
  assert.deepEqual(scale.clampView({ start: 0, end: 50 }, 0), { start: 0, end: 10 });
});

test("following moves only when the present nears the right edge or is out of view", () => {
  const view = { start: 0, end: 1_000 };
  assert.equal(scale.follow(view, 900, 9_000), view);
  assert.deepEqual(scale.follow(view, 1_000, 9_000), { start: 100, end: 1_100 });
  assert.deepEqual(scale.follow({ start: 5_000, end: 6_000 }, 4_000, 9_000), { start: 3_100, end: 4_100 });
  const last = { start: 8_000, end: 9_000 };
  assert.equal(scale.follow(last, 9_000, 9_000), last);
});

test("the axis has round steps at a readable distance", () => {
  const labels = (view, width) => scale.axisMarks(view, width).map(({ label }) => label);
  assert.deepEqual(labels({ start: 0, end: 2_000 }, 700), [
    "0",
    "10",
    "20",
    "30",
    "40",
    "50",
    "60",
    "70",
    "80",
    "90",
    "100",
  ]);
  assert.deepEqual(labels({ start: 0, end: 2_000 }, 350), ["0", "20", "40", "60", "80", "100"]);
  assert.deepEqual(labels({ start: 690, end: 710 }, 300), ["34.5", "34.75", "35", "35.25", "35.5"]);
  assert.deepEqual(scale.axisMarks({ start: 30, end: 70 }, 128), [
    { tick: 40, label: "2" },
    { tick: 60, label: "3" },
  ]);
});

test("binary search finds the segment that holds a tick, half-open", () => {
  const segments = [
    { start: 0, end: 10 },
    { start: 10, end: 30 },
    { start: 40, end: null },
  ];
  assert.equal(scale.segmentAt(segments, 0), segments[0]);
  assert.equal(scale.segmentAt(segments, 10), segments[1]);
  assert.equal(scale.segmentAt(segments, 29.9), segments[1]);
  assert.equal(scale.segmentAt(segments, 35), null);
  assert.equal(scale.segmentAt(segments, 1_000), segments[2]);
  assert.equal(scale.segmentAt([], 5), null);
});

test("binary search finds the first mark at or after a tick", () => {
  const marks = [{ tick: 0 }, { tick: 20 }, { tick: 20 }, { tick: 50 }];
  assert.deepEqual(
    [0, 1, 20, 21, 51].map((tick) => scale.firstAtOrAfter(marks, tick)),
    [0, 1, 1, 3, 4],
  );
});

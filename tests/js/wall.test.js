import assert from "node:assert/strict";
import { test } from "node:test";
import { Folds } from "../../static/js/live/folds.js";
import { Recording } from "../../static/js/live/recording.js";
import { tileAt } from "../../static/js/wall/grid.js";
import { drawStrip, stripHeight } from "../../static/js/wall/strip.js";
import { progressText } from "../../static/js/wall/tile.js";
import { begin, event, finish, listingContext, started } from "./fakes.js";

test("the strip shows what each agent did in its colour, and where the present is", () => {
  const folds = new Folds();
  for (const one of [
    started(["Ada", "Bruno"]),
    begin(400, "Bruno", "a", "attack"),
    finish(1_000, "Bruno", "a", "attack"),
  ]) {
    folds.apply(one);
  }
  const context = listingContext();
  drawStrip(context, { folds, now: 1_000, width: 200, maxSteps: 100, colour: (name) => name });
  // 2,000 ticks are 200 pixels; the second bar begins 7 pixels below the first.
  assert.deepEqual(
    context.list.rects.filter(({ fill }) => fill !== "idle"),
    [
      { x: 40, y: 7, width: 60, height: 5, fill: "action-attack" },
      { x: 99.5, y: 0, width: 1, height: 14, fill: "accent" },
    ],
  );
  assert.equal(stripHeight(2), 14);
});

test("a tile says how far the checkpoints were at the moment, not how far they got", () => {
  const gold = { name: "deposit raw_gold", have: 0, need: 24 };
  const folds = new Folds();
  for (const one of [
    started(["Ada"], [gold, { name: "agents alive", have: 1, need: 1 }]),
    event(200, "checkpoint_changed", { ...gold, have: 5 }),
    event(900, "checkpoint_changed", { ...gold, have: 24 }),
  ]) {
    folds.apply(one);
  }
  const at = (tick) => progressText(folds, tick);
  assert.equal(at(199), "deposit raw gold 0/24 · agents alive 1/1");
  assert.equal(at(200), "deposit raw gold 5/24 · agents alive 1/1");
  assert.equal(at(2_000), "deposit raw gold 24/24 · agents alive 1/1");
});

test("a recording tells all of its events once, in order, and then that it is over", async () => {
  const events = Array.from({ length: 4_500 }, (_, i) => event(i, "plan_ended", { agent: "Ada" }));
  const told = [];
  const parts = [];
  await new Promise((resolve) => {
    const recording = new Recording(
      events,
      (part) => {
        parts.push(part.length);
        told.push(...part);
        assert.equal(recording.log.length, told.length);
      },
      resolve,
    );
    recording.connect();
  });
  assert.deepEqual(parts, [2_000, 2_000, 500]);
  assert.deepEqual(told, events);
});

test("arrow keys go through tiles as they lie: three in a row, the last row with two", () => {
  const boxes = Array.from({ length: 8 }, (_, i) => ({ left: (i % 3) * 100, top: Math.floor(i / 3) * 50 }));
  const from = (at, ...keys) => keys.map((key) => tileAt(boxes, at, key));
  assert.deepEqual(from(4, "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"), [3, 5, 1, 7]);
  assert.deepEqual(from(0, "ArrowLeft", "ArrowUp", "ArrowDown", "End"), [-1, -1, 3, 7]);
  assert.deepEqual(from(5, "ArrowDown", "ArrowRight"), [7, 6]); // nothing lies right below
  assert.deepEqual(from(7, "ArrowDown", "ArrowRight", "Home", "x"), [-1, -1, 0, -1]);
});

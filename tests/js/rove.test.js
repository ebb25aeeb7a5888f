import assert from "node:assert/strict";
import { test } from "node:test";
import { Folds } from "../../static/js/live/folds.js";
import { go } from "../../static/js/timeline/rove.js";
import { momentText } from "../../static/js/timeline/twin.js";
import { begin, event, finish, started } from "./fakes.js";

function folded() {
  const folds = new Folds();
  const mark = (tick, name) =>
    event(tick, "event_fired", {
      event: name,
      firing: 1,
      action: "spawn_blocks",
      subject: "gold_ore",
      done: 1,
      wanted: 1,
    });
  for (const one of [
    started(["Ada", "Bruno"]),
    mark(100, "gold"),
    mark(100, "iron"),
    begin(200, "Ada", "a", "move_to"),
    finish(300, "Ada", "a", "move_to"),
    begin(300, "Bruno", "b", "attack"),
    mark(400, "gold"),
    finish(500, "Bruno", "b", "attack"),
    begin(500, "Ada", "c", "attack"),
  ]) {
    folds.apply(one);
  }
  return folds;
}

/** What is there: the agent and the tick at which it began, or the environment's events. */
function told(stop) {
  const { segment, marks } = stop.hit;
  return segment ? [segment.agent, segment.start] : marks.map((mark) => mark.event);
}

test("arrows go along a lane and stop at its ends", () => {
  const folds = folded();
  let stop = go(folds, null, "on", 250);
  assert.deepEqual(told(stop), ["Ada", 200]);
  const seen = [];
  for (const move of ["on", "on", "on", "back", "back", "back", "back"]) {
    stop = go(folds, stop, move, 0);
    seen.push(told(stop)[1]);
  }
  // Ada: 0–200 nothing, 200–300 move_to, 300–500 nothing, from 500 on attack.
  assert.deepEqual(seen, [300, 500, 500, 300, 200, 0, 0]);
});

test("up and down keep to the same moment, and reach the environment above the lanes", () => {
  const folds = folded();
  let stop = go(folds, null, "down", 450);
  assert.deepEqual(told(stop), ["Ada", 300]);
  stop = go(folds, stop, "down", 0);
  assert.deepEqual(told(stop), ["Bruno", 300]);
  assert.equal(stop.tick, 450);
  assert.deepEqual(told(go(folds, stop, "down", 0)), ["Bruno", 300]);
  stop = go(folds, go(folds, stop, "up", 0), "up", 0);
  assert.deepEqual(told(stop), ["gold"]);
  stop = go(folds, stop, "back", 0);
  assert.deepEqual(told(stop), ["gold", "iron"]);
  assert.deepEqual(told(go(folds, stop, "down", 0)), ["Ada", 0]);
});

test("there is nowhere to go before the log says who acts", () => {
  assert.equal(go(new Folds(), null, "on", 0), null);
});

test("the moment is told in words", () => {
  const lanes = [...folded().lanes.values()];
  const at = lanes.map(({ segments }) =>
    segments.find(({ start, end }) => start <= 400 && (end ?? 999) > 400),
  );
  assert.equal(momentText(419, new Set(at)), `Step 20: Ada ${at[0].label}; Bruno ${at[1].label}`);
  assert.equal(momentText(0, new Set()), "Step 0: nothing is under way");
});

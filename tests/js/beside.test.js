import assert from "node:assert/strict";
import { test } from "node:test";
import { drawRace } from "../../static/js/beside/race.js";
import { checkpointRows, scoreAt, scoreLine } from "../../static/js/beside/score.js";
import { Folds } from "../../static/js/live/folds.js";
import { Story } from "../../static/js/live/story.js";
import { ended, event, listingContext, started } from "./fakes.js";

const GOLD = { name: "deposit raw_gold", have: 0, need: 4 };
const LOG = { name: "deposit oak_log", have: 0, need: 2 };
const change = (tick, checkpoint, have) => event(tick, "checkpoint_changed", { ...checkpoint, have });

function folded(events) {
  const folds = new Folds();
  for (const one of events) {
    folds.apply(one);
  }
  return folds;
}

/** Gold 2 of 4 at step 10, all logs at step 15, all gold at step 30. */
const quick = () =>
  folded([
    started(["Ada"], [GOLD, LOG]),
    change(200, GOLD, 2),
    change(300, LOG, 2),
    change(600, GOLD, 4),
    ended(600, [
      { ...GOLD, have: 4 },
      { ...LOG, have: 2 },
    ]),
  ]);

/** One log at step 20, and no more. */
const slow = () => folded([started(["Ada"], [GOLD, LOG]), change(400, LOG, 1)]);

test("the score over time is the mean completion of the checkpoints", () => {
  // (2/4 + 0)/2 = 0.25, (2/4 + 2/2)/2 = 0.75, (4/4 + 2/2)/2 = 1; two changes within one tick are one point.
  assert.deepEqual(scoreLine(quick()), [
    { tick: 0, share: 0 },
    { tick: 200, share: 0.25 },
    { tick: 300, share: 0.75 },
    { tick: 600, share: 1 },
  ]);
  assert.deepEqual(scoreLine(slow()), [
    { tick: 0, share: 0 },
    { tick: 400, share: 0.25 },
  ]);
  assert.deepEqual(scoreLine(new Folds()), []);
});

test("the score at a tick is that of the last change up to it", () => {
  const line = scoreLine(quick());
  assert.equal(scoreAt(line, 199.9), 0);
  assert.equal(scoreAt(line, 200), 0.25);
  assert.equal(scoreAt(line, 5_000), 1);
  assert.equal(scoreAt([], 5_000), null);
});

test("each checkpoint tells how far both are, and since when they have had it for good", () => {
  assert.deepEqual(checkpointRows([slow(), quick()], 450), [
    {
      name: "deposit raw_gold",
      sides: [
        { have: 0, need: 4, since: null },
        { have: 2, need: 4, since: 600 },
      ],
    },
    {
      name: "deposit oak_log",
      sides: [
        { have: 1, need: 2, since: null },
        { have: 2, need: 2, since: 300 },
      ],
    },
  ]);
});

test("what is complete from the beginning and lost later is not complete", () => {
  const alive = { name: "agents alive", have: 2, need: 2 };
  const fell = folded([started(["Ada", "Bruno"], [alive]), change(100, alive, 1)]);
  const stood = folded([started(["Ada", "Bruno"], [alive]), ended(200, [alive])]);
  const [{ sides }] = checkpointRows([fell, stood], 150);
  assert.deepEqual(sides, [
    { have: 1, need: 2, since: null },
    { have: 2, need: 2, since: 0 },
  ]);
});

test("where one log has not begun, the other one's checkpoints are told", () => {
  const [row] = checkpointRows([new Folds(), slow()], 450);
  assert.deepEqual(row.sides, [
    { have: 0, need: null, since: null },
    { have: 0, need: 4, since: null },
  ]);
});

test("the moment of both is marked where the timeline has it", () => {
  const context = listingContext();
  const stories = [slow(), quick()].map((folds) => ({ folds, edge: 600 }));
  const layout = { left: 100, width: 500 };
  drawRace(
    context,
    { stories, layout, view: { start: 0, end: 1_000 }, colour: (name) => name, tick: 450 },
    stories.map(({ folds }) => scoreLine(folds)),
  );
  // Half a pixel a tick.
  assert.deepEqual(
    context.list.rects.filter(({ fill }) => fill === "accent").map(({ x }) => x),
    [100 + 225],
  );
  assert.deepEqual(
    context.list.texts.map(({ text }) => text),
    ["0", "0.5", "1"],
  );
});

test("after its end an episode stays as it ended; before, it goes as far as its heartbeat says", () => {
  const story = new Story({ tick: 0, status: "running", pace: 4 });
  const log = [];
  story.watch(log);
  const take = (...events) => {
    log.push(...events);
    story.take(events);
  };
  take(started(["Ada"], [GOLD]));
  story.heart = { tick: 90, status: "running", pace: 4 };
  assert.deepEqual([story.edge, story.running, story.over], [90, true, false]);
  take(change(80, GOLD, 4), ended(80, [{ ...GOLD, have: 4 }]));
  assert.deepEqual([story.edge, story.running, story.over], [80, false, true]);
  const moment = story.moment(500, { knows: "", agent: "Ada" });
  assert.deepEqual([moment.tick, moment.world.tick, moment.mind, moment.selected], [80, 80, null, "Ada"]);
  assert.deepEqual(story.mind("Ada", 80).observers, ["Ada"]);
  assert.equal(story.mind("Nobody", 80), null);
});

test("an episode that starts over is read anew", () => {
  const story = new Story({ tick: 700, status: "running", pace: 0 });
  story.take([started(["Ada"], [GOLD]), change(80, GOLD, 4)]);
  const log = [];
  story.reset(log);
  assert.deepEqual([story.edge, story.names, story.worlds.events === log], [0, [], true]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { completion, Folds } from "../../static/js/live/folds.js";
import { begin, ended, event, finish, started } from "./fakes.js";
import { breakdown } from "./reading.js";

function fold(events) {
  const folds = new Folds();
  for (const one of events) {
    folds.apply(one);
  }
  return folds;
}

function lane(folds, name) {
  return folds.lanes
    .get(name)
    .segments.map(({ activity, action, start, end }) => [action || activity, start, end]);
}

const planning = (tick, ...agents) => event(tick, "planning_started", { agents });
const decided = (tick, ...agents) => event(tick, "planning_ended", { agents });
const died = (tick, agent) => event(tick, "agent_died", { agent, cause: "lava", position: [0, 64, 0] });

test("every tick belongs to one activity, and the last one is open while the episode runs", () => {
  const folds = fold([
    started(["Ada", "Bruno"]),
    planning(0, "Ada", "Bruno"),
    decided(40, "Ada", "Bruno"),
    begin(40, "Ada", "a1", "mine_blocks_at"),
    finish(100, "Ada", "a1", "mine_blocks_at"),
    begin(100, "Ada", "a2", "move_to"),
    finish(130, "Ada", "a2", "move_to"),
  ]);
  assert.deepEqual(lane(folds, "Ada"), [
    ["planning", 0, 40],
    ["mine_blocks_at", 40, 100],
    ["move_to", 100, 130],
    ["idle", 130, null],
  ]);
  assert.deepEqual(lane(folds, "Bruno"), [
    ["planning", 0, 40],
    ["idle", 40, null],
  ]);
});

test("an agent that waits for a decision while it acts is acting", () => {
  const folds = fold([
    started(["Ada"]),
    begin(0, "Ada", "a1", "attack"),
    planning(10, "Ada"),
    finish(30, "Ada", "a1", "attack"),
    begin(45, "Ada", "a2", "move_to"),
    finish(50, "Ada", "a2", "move_to"),
    decided(70, "Ada"),
    ended(80),
  ]);
  assert.deepEqual(lane(folds, "Ada"), [
    ["attack", 0, 30],
    ["planning", 30, 45],
    ["move_to", 45, 50],
    ["planning", 50, 70],
    ["idle", 70, 80],
  ]);
});

const said = (tick, tag, sender, ...to) =>
  event(tick, "message_sent", { sender, to, text: `[${tag}] …`, tag });

test("waiting is planning while a proposal is unanswered, and else idle", () => {
  const folds = fold([
    started(["Ada", "Bruno"]),
    begin(0, "Ada", "a1", "wait"),
    begin(0, "Bruno", "b1", "wait"),
    said(10, "PROPOSAL", "Ada", "Bruno"),
    said(30, "AGREE", "Bruno", "Ada"),
    finish(40, "Ada", "a1", "wait"),
    finish(40, "Bruno", "b1", "wait"),
    ended(60),
  ]);
  for (const name of ["Ada", "Bruno"]) {
    assert.deepEqual(lane(folds, name), [
      ["idle", 0, 10],
      ["planning", 10, 30],
      ["idle", 30, 60],
    ]);
    assert.deepEqual(breakdown(folds.lanes.get(name), 60), { planning: 20, action: 0, idle: 40, dead: 0 });
  }
});

test("who proposed and then acts no longer negotiates", () => {
  const folds = fold([
    started(["Ada", "Bruno"]),
    said(0, "PROPOSAL", "Ada", "Bruno"),
    begin(0, "Ada", "a1", "wait"),
    begin(0, "Bruno", "b1", "wait"),
    finish(20, "Ada", "a1", "wait"),
    begin(20, "Ada", "a2", "move_to"),
    ended(50),
  ]);
  assert.deepEqual(lane(folds, "Ada"), [
    ["planning", 0, 20],
    ["move_to", 20, 50],
  ]);
  assert.deepEqual(lane(folds, "Bruno"), [
    ["planning", 0, 20],
    ["idle", 20, 50],
  ]);
});

test("waiting while a decision is on its way is planning, a proposal alone is not", () => {
  const folds = fold([
    started(["Ada", "Bruno"]),
    said(0, "PROPOSAL", "Bruno", "Ada"),
    begin(5, "Bruno", "b1", "move_to"),
    begin(5, "Ada", "a1", "wait"),
    planning(10, "Ada"),
    decided(30, "Ada"),
    said(40, "PROPOSAL", "Ada", "Bruno"),
    finish(45, "Ada", "a1", "wait"),
    ended(50),
  ]);
  assert.deepEqual(lane(folds, "Ada"), [
    ["idle", 0, 10],
    ["planning", 10, 30],
    ["idle", 30, 40],
    ["planning", 40, 45],
    ["idle", 45, 50],
  ]);
});

test("what takes no time leaves no trace, and idle time around it is one stretch", () => {
  const folds = fold([
    started(["Ada"]),
    planning(20, "Ada"),
    decided(20, "Ada"),
    event(20, "plan_set", { agent: "Ada", reasoning: "", steps: [] }),
    planning(40, "Ada"),
    decided(40, "Ada"),
    begin(60, "Ada", "a1", "attack"),
    finish(60, "Ada", "a1", "attack", "failed", "not_found"),
    ended(90),
  ]);
  assert.deepEqual(lane(folds, "Ada"), [["idle", 0, 90]]);
  assert.deepEqual(folds.lanes.get("Ada").failures, [{ tick: 60 }]);
});

test("two decisions in a row are two planning segments", () => {
  const folds = fold([
    started(["Ada"]),
    planning(0, "Ada"),
    decided(20, "Ada"),
    planning(20, "Ada"),
    decided(50, "Ada"),
    ended(60),
  ]);
  assert.deepEqual(lane(folds, "Ada"), [
    ["planning", 0, 20],
    ["planning", 20, 50],
    ["idle", 50, 60],
  ]);
});

test("the dead stay dead, and the action that death cut short keeps its outcome", () => {
  const folds = fold([
    started(["Ada"]),
    begin(0, "Ada", "a1", "mine_blocks_at", { block_positions: [[1, 64, 2]] }),
    died(50, "Ada"),
    finish(50, "Ada", "a1", "mine_blocks_at", "failed", "dead"),
    planning(60, "Ada"),
    decided(70, "Ada"),
    ended(100),
  ]);
  assert.deepEqual(lane(folds, "Ada"), [
    ["mine_blocks_at", 0, 50],
    ["dead", 50, 100],
  ]);
  const [action] = folds.lanes.get("Ada").segments;
  assert.equal(action.outcome, "failed");
  assert.equal(action.reason, "dead");
  assert.equal(action.label, "mine 1 block");
});

test("steps by activity add up to the time that has passed, open segment included", () => {
  const events = [
    started(["Ada"]),
    planning(0, "Ada"),
    decided(30, "Ada"),
    begin(30, "Ada", "a1", "move_to"),
    finish(75, "Ada", "a1", "move_to"),
    planning(80, "Ada"),
    decided(80, "Ada"),
  ];
  const folds = fold(events);
  const open = breakdown(folds.lanes.get("Ada"), 95);
  assert.deepEqual(open, { planning: 30, action: 45, idle: 20, dead: 0 });
  folds.apply(ended(100));
  const closed = breakdown(folds.lanes.get("Ada"), 100);
  assert.deepEqual(closed, { planning: 30, action: 45, idle: 25, dead: 0 });
});

test("checkpoints keep their history, and repeat nothing", () => {
  const folds = fold([
    started(["Ada"], [{ name: "gold", have: 0, need: 4 }]),
    event(20, "checkpoint_changed", { name: "gold", have: 3, need: 4 }),
    event(50, "checkpoint_changed", { name: "gold", have: 4, need: 4 }),
    ended(60, [{ name: "gold", have: 4, need: 4 }]),
  ]);
  const gold = folds.checkpoints.get("gold");
  assert.deepEqual(gold.history, [
    { tick: 0, have: 0 },
    { tick: 20, have: 3 },
    { tick: 50, have: 4 },
  ]);
  assert.deepEqual(folds.end, { tick: 60, status: "finished", success: true, reason: "done" });
});

test("a checkpoint's completion is capped, and nothing needed is complete", () => {
  assert.equal(completion(3, 4), 0.75);
  assert.equal(completion(9, 4), 1);
  assert.equal(completion(0, 0), 1);
});

test("the environment's acts are marks", () => {
  const fired = { event: "gold", firing: 1, action: "spawn_blocks", subject: "gold_ore", wanted: 9, done: 8 };
  const folds = fold([started(["Ada"]), event(0, "event_fired", fired)]);
  assert.deepEqual(folds.marks, [{ tick: 0, seq: 2, ...fired }]);
});

test("changed segments are handed out once, those that vanished marked as dropped", () => {
  const folds = fold([started(["Ada"]), begin(10, "Ada", "a1", "move_to")]);
  const summary = ({ activity, start, end, dropped }) => [activity, start, end, dropped];
  assert.deepEqual([...folds.takeChanged()].map(summary), [
    ["idle", 0, 10, false],
    ["action", 10, null, false],
  ]);
  folds.apply(finish(10, "Ada", "a1", "move_to"));
  assert.deepEqual([...folds.takeChanged()].map(summary).sort(), [
    ["action", 10, 10, true],
    ["idle", 0, null, false],
  ]);
  assert.equal(folds.takeChanged().size, 0);
});

test("unknown event types are passed over, and clearing forgets everything", () => {
  const folds = fold([
    started(["Ada"]),
    event(3, "constructor", {}),
    event(4, "weather_changed", { to: "rain" }),
  ]);
  assert.equal(folds.tick, 4);
  folds.clear();
  assert.equal(folds.lanes.size, 0);
  assert.equal(folds.seq, 0);
});

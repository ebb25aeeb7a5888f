import assert from "node:assert/strict";
import { test } from "node:test";
import { layOutPlan } from "../../static/js/minds/dag.js";
import { Decisions, stageOf } from "../../static/js/minds/decisions.js";
import { threadsOf } from "../../static/js/minds/threads.js";
import { begin, event, finish } from "./fakes.js";

const step = (id, after = []) => ({ id, do: "wait", with: {}, after, note: "" });
const plan = (tick, agent, ...steps) => event(tick, "plan_set", { agent, reasoning: "because", steps });
const inference = (tick, asked, call, attempt, agents) =>
  event(tick, "inference_ended", { caller: agents[0], agents, call, attempt, asked_tick: asked });

function decisionsOf(...events) {
  const decisions = new Decisions();
  for (const one of events) {
    decisions.apply(one);
  }
  return decisions;
}

test("a plan's steps go through planned, running and their fate, as of each moment", () => {
  const decisions = decisionsOf(
    plan(10, "Ada", step("a"), step("b", ["a"]), step("c")),
    begin(10, "Ada", "a", "wait"),
    finish(30, "Ada", "a", "wait", "failed", "timeout"),
    event(30, "action_skipped", { agent: "Ada", id: "b", do: "wait", after: "a" }),
    begin(30, "Ada", "c", "wait"),
  );
  const found = decisions.planAt("Ada", 10);
  const stages = (tick) => ["a", "b", "c"].map((id) => stageOf(found, id, tick));
  assert.deepEqual(stages(9), ["planned", "planned", "planned"]);
  assert.deepEqual(stages(10), ["running", "planned", "planned"]);
  assert.deepEqual(stages(30), ["failed", "skipped", "running"]);
  assert.equal(found.fates.get("b").detail, "a did not succeed");
  assert.equal(decisions.planAt("Ada", 9), null);
  assert.equal(decisions.planAt("Bruno", 99), null);
});

test("an action that a new plan interrupts belongs to the plan that began it, though both use its name", () => {
  const decisions = decisionsOf(
    plan(10, "Ada", step("a")),
    begin(10, "Ada", "a", "wait"),
    plan(20, "Ada", step("a")),
    finish(20, "Ada", "a", "wait", "failed", "interrupted"),
    begin(20, "Ada", "a", "wait"),
    finish(40, "Ada", "a", "wait"),
  );
  assert.equal(stageOf(decisions.planAt("Ada", 10), "a", 99), "failed");
  assert.equal(stageOf(decisions.planAt("Ada", 20), "a", 99), "ok");
});

test("a planning segment leads to the decision that ended it", () => {
  const decisions = decisionsOf(
    inference(100, 60, 1, 1, ["Ada"]),
    inference(100, 60, 1, 2, ["Ada"]),
    inference(300, 200, 2, 1, ["Ada", "Bruno"]),
  );
  const [first, second, third] = decisions.all;
  assert.equal(decisions.decisionOf({ agent: "Ada", start: 60, end: 100 }), second);
  assert.equal(decisions.decisionOf({ agent: "Bruno", start: 200, end: 300 }), third);
  // In async it may have gone on acting, and its planning was seen only for a part of the wait.
  assert.equal(decisions.decisionOf({ agent: "Ada", start: 250, end: 280 }), third);
  assert.equal(decisions.decisionOf({ agent: "Ada", start: 400, end: null }), null);
  assert.equal(decisions.decisionAt("Bruno", 299), null);
  assert.equal(decisions.decisionAt("Ada", 299), second);
  assert.deepEqual([decisions.reAsks(first), decisions.reAsks(third)], [1, 0]);
});

test("a plan is laid out by what comes after what", () => {
  const laid = layOutPlan([step("a"), step("b", ["a"]), step("c", ["a"]), step("d", ["b", "c"]), step("e")]);
  assert.deepEqual(
    laid.nodes.map(({ id, column, row }) => [id, column, row]),
    [
      ["a", 0, 0],
      ["b", 1, 0],
      ["c", 1, 1],
      ["d", 2, 0],
      ["e", 0, 1],
    ],
  );
  assert.deepEqual(laid.edges, [
    ["a", "b"],
    ["a", "c"],
    ["b", "d"],
    ["c", "d"],
  ]);
  assert.deepEqual([laid.columns, laid.rows], [3, 2]);
});

test("a plan that refers to itself or to nothing is still laid out", () => {
  const laid = layOutPlan([step("a", ["b"]), step("b", ["a"]), step("c", ["ghost"]), step("d", ["d"])]);
  assert.equal(laid.nodes.length, 4);
  assert.deepEqual(layOutPlan([]), { nodes: [], edges: [], columns: 0, rows: 0 });
});

test("answers stand below the proposal that they answer", () => {
  const message = (sender, to, tag, text) => ({ tick: 0, seq: 0, sender, to, tag, text });
  const ada = message("Ada", ["Bruno", "Chen"], "PROPOSAL", "I mine");
  const agree = message("Bruno", ["Ada"], "AGREE", "well");
  const counter = message("Chen", ["Ada"], "COUNTER-PROPOSAL", "I do");
  const back = message("Ada", ["Chen"], "AGREE", "fine");
  const news = message("wave", ["Ada"], "", "lava comes");
  assert.deepEqual(threadsOf([ada, news, agree, counter, back]), [
    { message: ada, answers: [agree, counter] },
    { message: news, answers: [] },
    { message: counter, answers: [back] },
  ]);
  assert.deepEqual(threadsOf([back]), [{ message: back, answers: [] }]);
});

test("a decision of another episode is none of these", () => {
  const [here, there] = [1, 2].map(() => decisionsOf(inference(30, 0, 1, 1, ["Ada"])));
  const [decision] = there.all;
  assert.equal(there.own(decision), decision);
  assert.equal(here.own(decision), null);
  assert.equal(here.own(null), null);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { Filter } from "../../static/js/events/filter.js";
import { rowsInView, scrollTo } from "../../static/js/events/window.js";
import { begin, event, finish, started } from "./fakes.js";

test("only the rows in view exist, and a few beside them", () => {
  assert.deepEqual(rowsInView(2_800, 280, 28, 1_000), { first: 92, last: 118, before: 2_576, after: 24_696 });
  assert.deepEqual(rowsInView(0, 280, 28, 5), { first: 0, last: 5, before: 0, after: 0 });
  assert.deepEqual(rowsInView(99_999, 280, 28, 100), { first: 82, last: 100, before: 2_296, after: 0 });
  assert.deepEqual(rowsInView(0, 280, 28, 0), { first: 0, last: 0, before: 0, after: 0 });
});

test("scrolling to a row moves no more than it takes, or puts it in the middle", () => {
  assert.equal(scrollTo(5, 100, 280, 28), 100);
  assert.equal(scrollTo(2, 100, 280, 28), 56);
  assert.equal(scrollTo(20, 100, 280, 28), 308);
  assert.equal(scrollTo(50, 100, 280, 28, true), 1_274);
  assert.equal(scrollTo(0, 100, 280, 28, true), 0);
});

function filled() {
  const filter = new Filter();
  filter.add([
    started(["Ada", "Bruno"]),
    begin(0, "Ada", "a", "wait", { duration: 3 }),
    begin(0, "Bruno", "b", "move_to", { target_pos: [1, 64, 2] }),
    finish(60, "Ada", "a", "wait", "failed", "interrupted"),
    event(70, "agent_died", { agent: "Bruno", cause: "lava", position: [1, 64, 2] }),
  ]);
  return filter;
}

const shown = (filter) => filter.shown.map((index) => filter.events[index].seq);

test("filters by type, by agent and by words, and all of them together", () => {
  const filter = filled();
  const choose = (type, agent, text) => {
    filter.choose({ type, agent, text });
    return shown(filter);
  };
  assert.deepEqual(choose("", "", ""), [1, 2, 3, 4, 5]);
  assert.deepEqual(choose("action_started", "", ""), [2, 3]);
  assert.deepEqual(choose("", "Bruno", ""), [1, 3, 5]);
  assert.deepEqual(choose("", "", " INTERRUPTED "), [4]);
  assert.deepEqual(choose("action_started", "Ada", "wait"), [2]);
  assert.deepEqual(choose("", "", "no such thing"), []);
});

test("new events are filtered as they come", () => {
  const filter = filled();
  filter.choose({ type: "action_ended", agent: "", text: "" });
  filter.add([finish(80, "Bruno", "b", "move_to"), event(81, "plan_ended", { agent: "Ada" })]);
  assert.deepEqual(shown(filter), [4, 6]);
});

test("finds an event's row, or the last row before it", () => {
  const filter = filled();
  filter.choose({ type: "action_started", agent: "", text: "" });
  assert.deepEqual(
    [1, 2, 3, 5].map((seq) => filter.rowOf(seq)),
    [-1, 0, 1, 1],
  );
});

test("starting over forgets the events and keeps the choice", () => {
  const filter = filled();
  filter.choose({ type: "action_started", agent: "", text: "" });
  filter.clear();
  assert.deepEqual(shown(filter), []);
  filter.add([started(["Ada"]), begin(0, "Ada", "a", "wait")]);
  assert.deepEqual(shown(filter), [2]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { readPlace, writePlace } from "../../static/js/time/address.js";
import { Clock, SPEEDS } from "../../static/js/time/clock.js";
import { nearestOf } from "../../static/js/time/kinds.js";
import { event } from "./fakes.js";

function clockAt(edge, running, pace = 4) {
  const clock = new Clock();
  clock.extend(edge, running, pace);
  return clock;
}

test("live it keeps close behind the edge, evenly, and never beyond it", () => {
  const clock = clockAt(0, true, 4);
  clock.pass(0);
  clock.extend(8, true, 4); // 4 × 20 ticks a second: 8 ticks are 0.1 s
  clock.pass(50);
  assert.equal(clock.t, 4);
  clock.pass(500);
  assert.equal(clock.t, 8);
  clock.extend(800, true, 4);
  clock.pass(501);
  assert.equal(clock.t, 800 - 80 * 0.12);
});

test("at the greatest pace, and when the episode has ended, live is the edge itself", () => {
  const clock = clockAt(100, true, 0);
  assert.equal(clock.t, 100);
  clock.extend(150, false, 4);
  assert.equal(clock.t, 150);
  assert.equal(clock.moving, false);
});

test("seeking while live pauses; the edge goes on without it; live catches up", () => {
  const clock = clockAt(200, true);
  clock.seek(50);
  clock.extend(300, true, 4);
  clock.pass(0);
  clock.pass(1000);
  assert.deepEqual([clock.mode, clock.t], ["paused", 50]);
  clock.live();
  assert.deepEqual([clock.mode, clock.t], ["live", 300]);
});

test("a replay moves at its speed and becomes live at the edge of what runs", () => {
  const clock = clockAt(100, true);
  clock.seek(0);
  clock.toggle();
  clock.pass(0);
  clock.pass(200); // 0.2 s at 4 × 20 ticks
  assert.equal(clock.t, 16);
  clock.speed = 64;
  clock.pass(400);
  assert.deepEqual([clock.mode, clock.t], ["live", 100]);
});

test("a replay of what has ended rests at the end, and plays from the start again", () => {
  const clock = clockAt(100, false);
  clock.toggle();
  assert.deepEqual([clock.mode, clock.t], ["playing", 0]);
  clock.speed = 64;
  clock.pass(0);
  clock.pass(250);
  assert.deepEqual([clock.mode, clock.t], ["paused", 100]);
});

test("a page that was hidden does not jump", () => {
  const clock = clockAt(10_000, false);
  clock.seek(0);
  clock.toggle();
  clock.pass(0);
  clock.pass(60_000);
  assert.equal(clock.t, 0.25 * 4 * 20);
});

test("steps go to whole steps and stay within what there is", () => {
  const clock = clockAt(70, false);
  clock.seek(25);
  clock.step(1);
  assert.equal(clock.t, 40);
  clock.step(-1);
  clock.step(-1);
  clock.step(-1);
  assert.equal(clock.t, 0);
  clock.seek(65);
  clock.step(1);
  assert.equal(clock.t, 70);
  clock.seek(25);
  clock.step(-1);
  assert.equal(clock.t, 20);
});

test("speeds go from a quarter to 64 and no further", () => {
  const clock = clockAt(70, false);
  assert.deepEqual([SPEEDS[0], SPEEDS.at(-1)], [0.25, 64]);
  clock.speed = 32;
  clock.shift(1);
  clock.shift(1);
  assert.equal(clock.speed, 64);
  clock.speed = 0.25;
  clock.shift(-1);
  assert.equal(clock.speed, 0.25);
});

test("one jumps to the nearest event of a kind, forward and back", () => {
  const failed = { agent: "Ada", id: "a", do: "attack", outcome: "failed", reason: "timeout" };
  const log = [
    event(10, "action_ended", failed),
    event(10, "action_ended", { ...failed, agent: "Bruno" }),
    event(15, "action_ended", { ...failed, outcome: "ok" }),
    event(30, "action_ended", failed),
    event(40, "agent_died", { agent: "Ada" }),
  ];
  const at = (kind, tick, direction) => nearestOf(log, kind, tick, direction);
  assert.equal(at("failed action", 0, 1), log[0]);
  assert.equal(at("failed action", 10, 1), log[3]);
  assert.equal(at("failed action", 30, -1), log[0]);
  assert.equal(at("failed action", 30.5, -1), log[3]);
  assert.equal(at("failed action", 30, 1), null);
  assert.equal(at("death", 99, -1), log[4]);
  assert.equal(at("message", 0, 1), null);
});

test("the address carries moment, selection and view, there and back", () => {
  const place = { tick: 690, agent: "Ada & Co", knows: "Ada", seq: 12, besideSeq: 7, view: "3d" };
  assert.equal(writePlace(place), "#t=34.5&agent=Ada+%26+Co&knows=Ada&event=12&beside-event=7&view=3d");
  assert.deepEqual(readPlace(writePlace(place)), place);
  assert.equal(writePlace({}), "");
});

test("what an address says wrongly is left out", () => {
  const nowhere = { tick: null, agent: "", knows: "", seq: 0, besideSeq: 0, view: "" };
  for (const text of [
    "",
    "#",
    "#beside-event=-3",
    "#t=-1&event=x&view=4d",
    "#t=1e999",
    "#t=NaN&event=1.5",
    "#outcome",
  ]) {
    assert.deepEqual(readPlace(text), nowhere, text);
  }
});

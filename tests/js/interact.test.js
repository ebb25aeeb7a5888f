import assert from "node:assert/strict";
import { test } from "node:test";
import { Gestures, pressKey } from "../../static/js/timeline/interact.js";

function recorder() {
  const done = [];
  const act = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...values) =>
          done.push([name, ...values]),
    },
  );
  return { act, done };
}

test("keys zoom, move, fit and jump", () => {
  const { act, done } = recorder();
  for (const key of ["W", "+", "s", "-", "a", "d", "0", "f", "Home", "End"]) {
    assert.equal(pressKey(act, { key }), true);
  }
  assert.equal(pressKey(act, { key: "ArrowLeft", shiftKey: true }), true);
  assert.deepEqual(done, [
    ["zoom", 1.25, null],
    ["zoom", 1.25, null],
    ["zoom", 0.8, null],
    ["zoom", 0.8, null],
    ["panShare", -0.15],
    ["panShare", 0.15],
    ["fit"],
    ["fit"],
    ["jump", "start"],
    ["jump", "now"],
    ["panShare", -0.15],
  ]);
});

test("arrows go from segment to segment, Enter opens, Escape lets go", () => {
  const { act, done } = recorder();
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", "Escape"]) {
    assert.equal(pressKey(act, { key }), true);
  }
  const moves = ["back", "on", "up", "down"].map((move) => ["rove", move]);
  assert.deepEqual(done, [...moves, ["enter"], ["leave"]]);
  assert.equal(pressKey({ leave: () => false }, { key: "Escape" }), false); // the page may want it
});

test("browser and page keep their own keys", () => {
  const { act, done } = recorder();
  for (const event of [
    { key: "f", ctrlKey: true },
    { key: "l", metaKey: true },
    { key: "Tab" },
    { key: "l" }, // the page's own: it goes to the live edge
    { key: "constructor" },
  ]) {
    assert.equal(pressKey(act, event), false);
  }
  assert.deepEqual(done, []);
});

test("a pointer that hardly moves picks, one that moves drags", () => {
  const { act, done } = recorder();
  const gestures = new Gestures(act);
  gestures.press(1, { x: 100, y: 50 });
  gestures.move(1, { x: 101, y: 50 });
  gestures.release(1, true);
  assert.deepEqual(done.splice(0), [["pick", { x: 101, y: 50 }]]);
  gestures.press(1, { x: 100, y: 50 });
  gestures.move(1, { x: 90, y: 50 });
  gestures.move(1, { x: 70, y: 50 });
  gestures.release(1, true);
  assert.deepEqual(
    done.filter(([name]) => name !== "hover"),
    [
      ["panPixels", 10],
      ["panPixels", 20],
    ],
  );
});

test("two fingers zoom by how far they part, and move by where their middle goes", () => {
  const { act, done } = recorder();
  const gestures = new Gestures(act);
  gestures.press(1, { x: 100, y: 0 });
  gestures.press(2, { x: 200, y: 0 });
  gestures.move(2, { x: 300, y: 0 });
  assert.deepEqual(done.splice(0), [
    ["zoom", 2, 200],
    ["panPixels", -50],
  ]);
  gestures.release(2, true);
  gestures.release(1, true);
  assert.deepEqual(done, []);
});

test("a pointer that is not pressed hovers, and a cancelled one picks nothing", () => {
  const { act, done } = recorder();
  const gestures = new Gestures(act);
  gestures.move(1, { x: 5, y: 6 });
  gestures.press(1, { x: 5, y: 6 });
  gestures.release(1, false);
  assert.deepEqual(done, [["hover", { x: 5, y: 6 }]]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { countDeciders, countSeeds } from "../../static/js/launch.js";

test("seeds are counted each once", () => {
  assert.equal(countSeeds("0-4, 7, 3"), 6);
  assert.equal(countSeeds("0 – 2"), 3);
  assert.equal(countSeeds("2147483647"), 1);
});

test("what names no seeds has no count, and is told at once however large its numbers", () => {
  const bad = [
    "",
    "x",
    "5-1",
    "0-1000",
    "2147483648",
    "99999999999999999999",
    "99999999999999999998-99999999999999999999",
  ];
  for (const text of bad) assert.equal(countSeeds(text), Number.NaN, text);
});

test("a policy that asks no model counts once, the others once a model", () => {
  assert.equal(countDeciders(["oracle", "centralized", "distributed"], 3, ["centralized", "distributed"]), 7);
  assert.equal(countDeciders(["centralized"], 0, ["centralized"]), 0);
  assert.equal(countDeciders([], 3, ["centralized"]), 0);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { blockColour } from "../../static/js/map/blocks.js";
import { Film } from "../../static/js/map/film.js";
import {
  columnAt,
  columnsOf,
  fitMap,
  gridLines,
  gridStep,
  mapX,
  mapZ,
  wordsAt,
} from "../../static/js/map/geometry.js";
import { moved } from "../../static/js/map/preview.js";

const bounds = { min: [-10, -5], max: [9, 14] };

test("the ground fills the width, in square blocks, east to the right and south down", () => {
  const frame = fitMap(bounds, 444, 1_000);
  assert.equal(frame.cell, 20);
  assert.equal(frame.canvasHeight, 428);
  assert.deepEqual([mapX(frame, -10), mapX(frame, 10)], [36, 436]);
  assert.deepEqual([mapZ(frame, -5), mapZ(frame, 15)], [20, 420]);
});

test("where the height is the limit, more ground is shown on both sides", () => {
  const frame = fitMap(bounds, 644, 228);
  assert.equal(frame.cell, 10);
  assert.deepEqual([frame.minX, frame.columns, frame.rows], [-30, 60, 20]);
  assert.equal(mapX(frame, 0), 336);
});

test("a pixel belongs to the column drawn there, or to none", () => {
  const frame = fitMap(bounds, 444, 1_000);
  assert.deepEqual(columnAt(frame, 36, 20), [-10, -5]);
  assert.deepEqual(columnAt(frame, 245, 139), [0, 0]);
  assert.equal(columnAt(frame, 35, 100), null);
  assert.equal(columnAt(frame, 436, 100), null);
});

test("grid lines are at round coordinates that stay readable", () => {
  assert.deepEqual([28, 6.4, 3.2, 1, 0.1].map(gridStep), [5, 5, 10, 50, 500]);
  assert.deepEqual(gridLines(-12, 11, 5), [-10, -5, 0, 5, 10]);
  assert.deepEqual(gridLines(1, 4, 5), []);
});

const data = {
  agents: [{ name: "Ada", position: [3, 64, -4], perception_range: 16 }],
  chests: [[0, 64, 0]],
  hostiles: [{ entity: "wither_skeleton", role: "boss", position: [5, 64, 5] }],
  blocks: [
    {
      block: "stone",
      cells: [
        [1, 64, 1],
        [1, 65, 1],
        [2, 64, 1],
      ],
    },
    { block: "gold_ore", cells: [[1, 66, 1]] },
  ],
  spawns: [{ event: "gold", block: "gold_ore", center: [0, 64, 20], radius: 2 }],
  fills: [{ event: "wave", block: "lava", min: [-2, 64, 10], max: [2, 66, 12], direction: "east" }],
  regions: [{ id: "swamp", min: [-1, 64, 11], max: [0, 64, 30] }],
};

test("from above one sees the highest block of each column", () => {
  const columns = columnsOf(data.blocks);
  assert.deepEqual(columns.get("1,1"), { block: "gold_ore", x: 1, y: 66, z: 1, height: 3 });
  assert.equal(columns.size, 2);
});

test("pointing tells everything that is at a place, and everything that will be", () => {
  const columns = columnsOf(data.blocks);
  const say = (...at) => wordsAt(data, columns, at);
  assert.equal(say(3, -4), "x 3, z -4: Ada");
  assert.equal(say(0, 0), "x 0, z 0: chest");
  assert.equal(say(5, 5), "x 5, z 5: wither skeleton");
  assert.equal(say(1, 1), "x 1, z 1: gold ore, 3 high");
  assert.equal(say(2, 1), "x 2, z 1: stone");
  assert.equal(say(2, 20), "x 2, z 20: gold (gold ore) spawns here");
  assert.equal(say(2, 21), "x 2, z 21: ground");
  assert.equal(say(-1, 12), "x -1, z 12: wave (lava) fills this, moving east; region swamp");
});

test("the arrow keys start in the middle and stop at the edge", () => {
  assert.deepEqual(moved(null, [1, 0], bounds), [-1, 4]);
  assert.deepEqual(moved([9, 4], [1, 0], bounds), [9, 4]);
  assert.deepEqual(moved([9, 4], [0, -1], bounds), [9, 3]);
});

test("a block has the same colour every time, known or not", () => {
  assert.equal(blockColour("gold_ore"), "#f2c230");
  assert.equal(blockColour("purpur_block"), blockColour("purpur_block"));
  assert.match(blockColour("constructor"), /^hsl\(\d+ 42% 52%\)$/);
});

test("a film that is stopped before its first picture was recorded ends with that picture", async () => {
  globalThis.MediaRecorder = class {
    static isTypeSupported = () => true;
    start() {}
    stop() {
      this.state = "inactive";
      this.onstop();
    }
  };
  const film = new Film([{ name: "", canvas: { captureStream: () => null } }]);
  globalThis.cancelAnimationFrame = () => {};
  const saved = film.stop();
  film.recorder.ondataavailable({ data: new Blob([]) });
  await new Promise(setImmediate);
  assert.equal(film.recorder.state, undefined);
  film.recorder.ondataavailable({ data: new Blob(["picture"]) });
  assert.equal(await (await saved).text(), "picture");
});

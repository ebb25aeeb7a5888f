import assert from "node:assert/strict";
import { test } from "node:test";
import { happening, narrator } from "../../static/js/map/happenings.js";
import { lifeLeft, Moments } from "../../static/js/map/moments.js";
import { Playback } from "../../static/js/map/playback.js";

const data = {
  blocks: [{ block: "stone", cells: [[0, 64, 0]] }],
  hostiles: [{ entity: "wither_skeleton", role: "boss", position: [5, 64, 5] }],
  regions: [{ id: "fog", min: [0, 64, 0], max: [3, 66, 3], active: true }],
};

const gold = { kind: "blocks", event: "gold", cause: "event", block: "gold_ore" };
const air = { kind: "blocks", event: "gold", cause: "lifetime", block: "air", until: null };
const zombie = {
  kind: "mob",
  event: "horde",
  mob: 2,
  entity: "zombie",
  role: "minion",
  position: [1, 64, 1],
};
const changes = [
  { step: 2, ...gold, boxes: [[3, 64, 3, 4, 64, 3]], until: 12 },
  { step: 5, ...zombie, until: 9 },
  { step: 6, kind: "region", id: "fog", active: false, min: [0, 64, 0], max: [3, 66, 3] },
  { step: 9, kind: "gone", mob: 2, cause: "lifetime" },
  { step: 12, ...air, boxes: [[3, 64, 3, 4, 64, 3]] },
  { step: 13, kind: "gone", mob: 1, cause: "event" },
];

const blocksAt = (moments, step) => [...moments.at(step).columns.keys()].sort();

test("blocks come with their step and go with theirs, also when one goes back", () => {
  const moments = new Moments(data, { changes });
  assert.deepEqual(blocksAt(moments, 1), ["0,0"]);
  assert.deepEqual(blocksAt(moments, 2), ["0,0", "3,3", "4,3"]);
  assert.deepEqual(blocksAt(moments, 11), ["0,0", "3,3", "4,3"]);
  assert.deepEqual(blocksAt(moments, 12), ["0,0"]);
  assert.deepEqual(blocksAt(moments, 11), ["0,0", "3,3", "4,3"]);
  assert.deepEqual(blocksAt(moments, 0), ["0,0"]);
});

test("a box covers what it is put upon, and one sees the highest block", () => {
  const lava = { step: 1, kind: "blocks", event: "wave", cause: "event", block: "lava", until: null };
  const moments = new Moments(data, { changes: [{ ...lava, boxes: [[0, 65, 0, 0, 66, 1]] }] });
  const { columns } = moments.at(1);
  assert.deepEqual(columns.get("0,0"), {
    block: "lava",
    x: 0,
    y: 66,
    z: 0,
    since: 1,
    until: null,
    height: 3,
  });
  assert.equal(columns.get("0,1").height, 2);
});

test("mobs come and go by their numbers, those of the beginning first", () => {
  const moments = new Moments(data, { changes });
  const names = (step) => moments.at(step).mobs.map(({ entity }) => entity);
  assert.deepEqual(names(4), ["wither_skeleton"]);
  assert.deepEqual(names(5), ["wither_skeleton", "zombie"]);
  assert.deepEqual(names(9), ["wither_skeleton"]);
  assert.deepEqual(names(13), []);
});

test("regions are switched off and on", () => {
  const moments = new Moments(data, { changes });
  assert.equal(moments.at(5).regions[0].active, true);
  assert.equal(moments.at(6).regions[0].active, false);
});

test("a life shrinks from whole to nothing; what stays has none", () => {
  assert.deepEqual(
    [2, 4.5, 12, 20].map((time) => lifeLeft({ since: 2, until: 12 }, time)),
    [1, 0.75, 0, 0],
  );
  assert.equal(lifeLeft({ since: 2, until: null }, 3), null);
  assert.equal(lifeLeft({}, 3), null);
});

const fired = (event, action, subject, done, wanted = done) => ({
  step: 0,
  kind: "fired",
  event,
  action,
  subject,
  done,
  wanted,
});

test("what happens is told once, by what fires", () => {
  const boxes = [[0, 64, 0, 4, 64, 0]];
  const spawn = [{ step: 0, ...gold, boxes, until: 30 }, fired("gold", "spawn_blocks", "gold_ore", 5)];
  assert.equal(happening(spawn), "gold: 5 × gold ore appear");
  assert.equal(
    happening([fired("gold", "spawn_blocks", "gold_ore", 1, 4)]),
    "gold: 1 × gold ore appears, with no room for 3 more",
  );
  assert.equal(happening([fired("wave", "progressive_fill", "lava", 1, 9)]), "wave: lava sets out");
  assert.equal(happening([{ ...gold, block: "lava", event: "wave", boxes }]), "wave: lava spreads");
  assert.equal(happening([{ ...air, boxes }]), "gold: 5 blocks vanish");
  assert.equal(happening([{ ...air, event: "wave", cause: "fire", boxes }]), "wave: 5 blocks burn");
  const message = [{ kind: "message", event: "news", text: "Run!" }, fired("news", "message", "Run!", 0)];
  assert.equal(happening(message), "news: “Run!”");
  assert.equal(happening([fired("own", "meteor_shower", "stone", 2)]), "own: meteor shower stone");
});

test("the narrator says what was last and what is next", () => {
  const tell = narrator([
    { ...fired("gold", "spawn_blocks", "gold_ore", 5), step: 3 },
    { ...air, step: 9, boxes: [[0, 64, 0, 0, 64, 0]] },
  ]);
  assert.equal(tell(2), "Nothing has happened yet. Next at step 3.");
  assert.equal(tell(8), "Step 3: gold: 5 × gold ore appear. Next at step 9.");
  assert.equal(tell(50), "Step 9: gold: 1 block vanishes. Nothing more happens by itself.");
});

test("a playback starts paused at step 0, plays at its speed and pauses at the end", () => {
  const playback = new Playback(10);
  playback.pass(1_000);
  assert.deepEqual([playback.playing, playback.step], [false, 0]);
  playback.toggle();
  playback.pass(2_000);
  playback.pass(2_200);
  assert.equal(playback.time, 0.8);
  playback.speed = 16;
  playback.pass(2_300);
  assert.equal(Math.round(playback.time * 10) / 10, 2.4);
  assert.equal(playback.step, 2);
  playback.seek(9);
  playback.pass(2_400);
  assert.deepEqual([playback.playing, playback.step], [false, 10]);
  playback.toggle();
  assert.deepEqual([playback.playing, playback.step], [true, 0]);
});

test("a page that was hidden goes on where it was", () => {
  const playback = new Playback(1_000);
  playback.toggle();
  playback.pass(0);
  playback.pass(60_000);
  assert.equal(playback.time, 1);
});

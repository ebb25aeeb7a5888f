import assert from "node:assert/strict";
import { test } from "node:test";
import { Folds } from "../../static/js/live/folds.js";
import { arcsInView } from "../../static/js/timeline/arcs.js";
import { spansOf } from "../../static/js/timeline/bands.js";
import { draw, markClusters } from "../../static/js/timeline/draw.js";
import { describe, hitAt } from "../../static/js/timeline/hit.js";
import { layOut, rowAt } from "../../static/js/timeline/layout.js";
import { progressRows } from "../../static/js/timeline/progress.js";
import { found, matcher, nextMatch } from "../../static/js/timeline/search.js";
import { cellsOf } from "../../static/js/timeline/twin.js";
import { begin, ended, event, finish, listingContext, started } from "./fakes.js";

/** A scene 1,170 pixels wide: 156 for names, 1,000 for 100 steps (half a pixel a tick), 14 beside. */
function scene(events, more = {}) {
  const folds = new Folds();
  for (const one of events) {
    folds.apply(one);
  }
  return {
    folds,
    layout: layOut(1_170, folds.lanes.size, folds.checkpoints.size),
    view: { start: 0, end: 2_000 },
    now: folds.tick,
    running: true,
    colour: (name) => name,
    measure: (text) => text.length * 6,
    hatch: "hatch",
    hover: null,
    selected: null,
    cursor: null,
    head: null,
    matches: null,
    arcs: true,
    crises: [],
    ...more,
  };
}

function painted(events, more) {
  const context = listingContext();
  draw(context, scene(events, more));
  return context.list;
}

const where = ({ x, width }) => [x, x + width];

test("names stand beside the lanes on a wide screen and above them on a narrow one", () => {
  const wide = layOut(1_170, 2, 1);
  assert.deepEqual([wide.narrow, wide.left, wide.width], [false, 156, 1_000]);
  const narrow = layOut(390, 2, 1);
  assert.deepEqual([narrow.narrow, narrow.left, narrow.width], [true, 8, 368]);
  assert.equal(narrow.lanes[0].height, wide.lanes[0].height + 15);
});

test("rows do not overlap, whatever the number of agents and checkpoints", () => {
  for (const [lanes, checkpoints] of [
    [0, 0],
    [1, 1],
    [5, 4],
    [64, 9],
  ]) {
    const layout = layOut(800, lanes, checkpoints);
    const rows = [layout.world, ...layout.checkpoints, ...layout.lanes];
    for (const [i, row] of rows.entries()) {
      assert.ok(i === 0 || row.top >= rows[i - 1].top + rows[i - 1].height);
      assert.equal(rowAt(rows, row.top), i);
    }
    assert.ok(layout.height >= rows.at(-1).top + rows.at(-1).height);
  }
});

test("more than four checkpoints share one row with their mean", () => {
  assert.equal(layOut(800, 2, 4).checkpoints.length, 4);
  assert.equal(layOut(800, 2, 5).checkpoints.length, 1);
  const five = ["a", "b", "c", "d", "e"].map((name) => ({ name, have: 0, need: 2 }));
  const at = scene([
    started(["Ada"], five),
    event(10, "checkpoint_changed", { name: "a", have: 1, need: 2 }),
    event(20, "checkpoint_changed", { name: "b", have: 2, need: 2 }),
  ]);
  const [row] = progressRows(at.folds, at.layout);
  assert.equal(row.text, "5 checkpoints 30 %");
  assert.equal(progressRows(at.folds, at.layout, 19.5)[0].text, "5 checkpoints 10 %");
  assert.deepEqual(
    row.history.slice(-2).map(({ tick, share }) => [tick, Number(share.toFixed(2))]),
    [
      [10, 0.1],
      [20, 0.3],
    ],
  );
});

test("a segment lies where its ticks are, in the colour of its action", () => {
  const { rects, texts } = painted([
    started(["Ada"]),
    begin(400, "Ada", "a", "move_to", { target_pos: [1, 64, 2] }),
    finish(800, "Ada", "a", "move_to"),
    ended(1_000),
  ]);
  assert.deepEqual(where(rects.find(({ fill }) => fill === "action-move_to")), [356, 555]);
  assert.deepEqual(rects.filter(({ fill }) => fill === "idle").map(where), [
    [156, 355],
    [556, 655],
  ]);
  assert.ok(texts.some(({ text }) => text === "move to (1, 64, 2)"));
});

test("failure shows as hatching, border and sign, partial success as hatching alone", () => {
  const events = (outcome) => [
    started(["Ada"]),
    begin(0, "Ada", "a", "attack", { entity_type: "zombie" }),
    finish(1_000, "Ada", "a", "attack", outcome, "vanished"),
    ended(1_000),
  ];
  const failed = painted(events("failed"));
  assert.ok(failed.rects.some(({ fill }) => fill === "hatch"));
  assert.ok(failed.strokes.some(({ stroke }) => stroke === "bad"));
  assert.ok(failed.texts.some(({ text }) => text === "✕ attack zombie"));
  const partial = painted(events("partial"));
  assert.ok(partial.rects.some(({ fill }) => fill === "hatch"));
  assert.equal(partial.strokes.length, 0);
  const ok = painted(events("ok"));
  assert.ok(!ok.rects.some(({ fill }) => fill === "hatch"));
});

test("failures beside a lane and checkpoints are counted up to the shown moment", () => {
  const gold = { name: "gold", have: 0, need: 4 };
  const fail = (from, to, id) => [
    begin(from, "Ada", id, "attack"),
    finish(to, "Ada", id, "attack", "failed", "vanished"),
  ];
  const events = [
    started(["Ada"], [gold]),
    ...fail(0, 100, "a"),
    event(150, "checkpoint_changed", { ...gold, have: 3 }),
    ...fail(150, 200, "b"),
    event(250, "checkpoint_changed", { ...gold, have: 4 }),
  ];
  const told = (head) =>
    painted(events, { head })
      .texts.map(({ text }) => text)
      .filter((text) => /^(✕ \d|gold )/.test(text));
  assert.deepEqual(told(99.5), ["gold 0/4"]);
  assert.deepEqual(told(100), ["gold 0/4", "✕ 1"]);
  assert.deepEqual(told(199), ["gold 3/4", "✕ 1"]);
  assert.deepEqual(told(200), ["gold 3/4", "✕ 2"]);
  assert.deepEqual(told(null), ["gold 4/4", "✕ 2"]);
});

test("a label that does not fit is shortened to its verb, and then left out", () => {
  const labels = (ticks) => {
    const { texts } = painted([
      started(["Ada"]),
      begin(0, "Ada", "a", "move_to", { target_pos: [1, 64, 2] }),
      finish(ticks, "Ada", "a", "move_to"),
      ended(ticks),
    ]);
    return texts.map(({ text }) => text).filter((text) => text.startsWith("move"));
  };
  assert.deepEqual(labels(260), ["move to (1, 64, 2)"]);
  assert.deepEqual(labels(100), ["move"]);
  assert.deepEqual(labels(40), []);
});

/** 5,000 actions of 4 ticks, every second one a different action. */
function dense() {
  const events = [started(["Ada"], [], 1_000)];
  for (let i = 0; i < 5_000; i += 1) {
    events.push(
      begin(i * 4, "Ada", `a${i}`, i % 2 ? "move_to" : "attack"),
      finish(i * 4 + 4, "Ada", `a${i}`, "x"),
    );
  }
  return [...events, ended(20_000)];
}

test("segments narrower than a pixel cost no more rectangles than there are pixels", () => {
  const { rects } = painted(dense(), { view: { start: 0, end: 20_000 } });
  const drawn = rects.filter(({ fill }) => fill.startsWith("action-"));
  assert.ok(drawn.length > 500 && drawn.length <= 1_400, `${drawn.length} rectangles`);
});

test("only what is in view is drawn", () => {
  const { rects } = painted(dense(), { view: { start: 10_000, end: 10_200 } });
  const drawn = rects.filter(({ fill }) => fill.startsWith("action-"));
  assert.equal(drawn.length, 51);
});

test("the present, the limit and the end are marked", () => {
  const texts = (list) => list.texts.map(({ text }) => text);
  const running = texts(painted([started(["Ada"]), event(300, "plan_ended", { agent: "Ada" })]));
  assert.ok(running.includes("now") && running.includes("limit 100"));
  const over = texts(painted([started(["Ada"]), ended(850)], { running: false }));
  assert.ok(over.includes("ended 42.5") && over.includes("limit 100") && !over.includes("now"));
});

test("a checkpoint's row is as high as it is complete, from each change to the next, up to the present", () => {
  const { rects } = painted([
    started(["Ada"], [{ name: "gold", have: 0, need: 4 }]),
    event(400, "checkpoint_changed", { name: "gold", have: 2, need: 4 }),
    event(800, "checkpoint_changed", { name: "gold", have: 4, need: 4 }),
    event(1_000, "plan_ended", { agent: "Ada" }),
  ]);
  const bars = rects.filter(({ fill }) => fill === "good");
  assert.deepEqual(bars.map(where), [
    [356, 556],
    [556, 656],
  ]);
  assert.deepEqual(
    bars.map(({ height }) => height),
    [7, 14],
  );
});

const fired = (tick, name) =>
  event(tick, "event_fired", {
    event: name,
    firing: 1,
    action: "spawn_blocks",
    subject: "ore",
    wanted: 9,
    done: 9,
  });

test("marks of the environment that would overlap are drawn as one", () => {
  const at = scene([started(["Ada"]), fired(100, "gold"), fired(110, "iron"), fired(400, "gold")]);
  assert.deepEqual(
    markClusters(at).map(({ x, marks }) => [x, marks.map((mark) => mark.event)]),
    [
      [206, ["gold", "iron"]],
      [356, ["gold"]],
    ],
  );
});

test("pointing finds the segment or the mark under the pointer, and tells all about it", () => {
  const at = scene([
    started(["Ada", "Bruno"]),
    fired(0, "gold"),
    begin(400, "Bruno", "b1", "mine_blocks_at", { block_positions: [[1, 64, 2]] }),
    finish(800, "Bruno", "b1", "mine_blocks_at", "partial", "vanished"),
    ended(1_000),
  ]);
  const y = (row) => row.top + row.height / 2;
  const hit = hitAt(at, 400, y(at.layout.lanes[1]));
  assert.deepEqual(describe(hit, at.now), {
    title: "Bruno · mine 1 block",
    lines: ["mine_blocks_at: block positions (1, 64, 2)", "steps 20 – 40 (20)", "partial (vanished), 1 of 1"],
  });
  assert.equal(hitAt(at, 400, y(at.layout.lanes[0])).segment.activity, "idle");
  assert.deepEqual(describe(hitAt(at, 159, y(at.layout.world)), at.now), {
    title: "Step 0",
    lines: ["gold #1: spawn_blocks ore, 9 of 9"],
  });
  assert.equal(hitAt(at, 400, y(at.layout.world)), null);
  assert.equal(hitAt(at, 900, y(at.layout.lanes[0])), null);
  assert.equal(hitAt(at, 20, y(at.layout.lanes[0])), null);
});

test("the table says the same as the lanes", () => {
  const { folds } = scene([
    started(["Ada"]),
    begin(10, "Ada", "a", "attack", { entity_type: "zombie" }),
    finish(30, "Ada", "a", "attack", "failed", "interrupted"),
  ]);
  assert.deepEqual(folds.lanes.get("Ada").segments.map(cellsOf), [
    ["Ada", "idle", "", "0", "0.5"],
    ["Ada", "action", "attack zombie: failed (interrupted), 1 of 1", "0.5", "1.5"],
    ["Ada", "idle", "", "1.5", "…"],
  ]);
});

test("messages are arcs from the sender's lane to each receiver's, one line down the lanes for many", () => {
  const told = (tick, sender, to, tag = "") =>
    event(tick, "message_sent", { sender, to, text: "hello", tag });
  const names = ["Ada", "Bruno", "Chen", "Dalia", "Emre"];
  const at = scene([
    started(names),
    told(100, "Ada", ["Bruno"], "PROPOSAL"),
    told(100, "Ada", ["Bruno"]),
    told(200, "Chen", ["Ada", "Bruno", "Dalia", "Emre"]),
    told(300, "wave", ["Ada"]),
  ]);
  const [ada, bruno, chen, , emre] = at.layout.lanes.map((row) => row.top + row.height / 2);
  const world = at.layout.world.top + at.layout.world.height / 2;
  const arcs = arcsInView(at).map(({ x, from, to }) => [x, from, to]);
  assert.deepEqual(arcs, [
    [206, ada, bruno],
    [256, chen, ada],
    [256, chen, emre],
    [306, world, ada],
  ]);
  const middle = { x: 206 + 14, y: (ada + bruno) / 2 };
  assert.equal(hitAt(at, middle.x, middle.y).message.sender, "Ada");
  assert.equal(describe(hitAt(at, middle.x, middle.y), 400).title, "Ada to Bruno, step 5");
  assert.equal(hitAt({ ...at, arcs: false }, middle.x, middle.y)?.message, undefined);
  assert.equal(hitAt(at, 206 + 25, middle.y)?.message, undefined);
});

test("a crisis has a row of its own, which reaches from its start to when it has covered all", () => {
  const fill = {
    event: "wave",
    block: "lava",
    min: [0, 64, 0],
    max: [9, 64, 9],
    direction: "east",
    speed_bps: 1,
    start: 20,
    end: null,
  };
  const layout = layOut(1_170, 1, 0, 1);
  const crises = [{ fill, start: { tick: 400, begun: true } }];
  const { rects, texts } = painted([started(["Ada"]), event(500, "plan_ended", { agent: "Ada" })], {
    layout,
    crises,
  });
  const row = layout.crises[0];
  const bars = rects.filter(({ y }) => y === row.top + 2).map(where);
  // 400 ticks are 200 pixels: what has come of it up to tick 500, then what will have by 400 + 9 × 20 = 580, twice.
  assert.deepEqual(bars, [
    [356, 406],
    [406, 446],
    [406, 446],
  ]);
  assert.ok(texts.some(({ text }) => text === "lava has covered all at 29"));
  assert.ok(texts.some(({ text }) => text === "wave"));
  const at = scene([started(["Ada"])], { layout, crises });
  assert.deepEqual(describe(hitAt(at, 400, row.top + 3), 500), {
    title: "wave",
    lines: ["lava: all covered at step 29", "moves east"],
  });
});

test("events that fire again and again have a band from the first to the last time", () => {
  const mark = (event, tick) => ({ event, tick });
  assert.deepEqual(spansOf([mark("gold", 0), mark("once", 5), mark("gold", 200), mark("gold", 400)]), [
    { event: "gold", first: 0, last: 400 },
  ]);
});

test("a search finds segments by agent, action and outcome, and goes round", () => {
  const { folds } = scene([
    started(["Ada", "Bruno"]),
    begin(0, "Ada", "a", "mine_blocks_at"),
    begin(0, "Bruno", "a", "attack", { entity_type: "zombie" }),
    finish(40, "Ada", "a", "mine_blocks_at"),
    finish(60, "Bruno", "a", "attack", "failed", "timeout"),
    begin(80, "Ada", "b", "mine_blocks_at"),
  ]);
  const search = (text) => found(folds, matcher(text)).map(({ agent, start }) => [agent, start]);
  assert.deepEqual(search("MINE"), [
    ["Ada", 0],
    ["Ada", 80],
  ]);
  assert.deepEqual(search("bruno failed"), [["Bruno", 0]]);
  assert.deepEqual(search("zombie timeout"), [["Bruno", 0]]);
  assert.deepEqual(search("nothing of the kind"), []);
  assert.equal(matcher("  "), null);
  const [first, last] = found(folds, matcher("mine"));
  assert.equal(nextMatch([first, last], null, 50, 1), last);
  assert.equal(nextMatch([first, last], null, 50, -1), first);
  assert.equal(nextMatch([first, last], last, 50, 1), first);
  assert.equal(nextMatch([], null, 0, 1), null);
});

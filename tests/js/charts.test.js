import assert from "node:assert/strict";
import { test } from "node:test";
import { figure } from "../../static/js/charts/steps.js";

const COLOURS = { planning: "p", action: "a", idle: "i", dead: "d", text: "t", line: "l" };
const BARS = [
  { label: "oracle · sync", agents: 1, episodes: 3, shares: { planning: 0, action: 75, idle: 20, dead: 5 } },
  {
    label: "<b>x</b> & y · async",
    agents: 4,
    episodes: 2,
    shares: { planning: 60, action: 10, idle: 30, dead: 0 },
  },
];

test("each activity is one trace with a bar's share at each place", () => {
  const { data, layout } = figure(BARS, COLOURS, 1200);
  assert.deepEqual(
    data.map((trace) => [trace.name, trace.x, trace.y, trace.marker.color]),
    [
      ["planning", [0, 60], [0, 1], "p"],
      ["action", [75, 10], [0, 1], "a"],
      ["idle", [20, 30], [0, 1], "i"],
      ["dead", [5, 0], [0, 1], "d"],
    ],
  );
  assert.equal(layout.barmode, "stack");
  assert.deepEqual(layout.xaxis.range, [0, 100]);
  assert.equal(layout.yaxis.autorange, "reversed");
});

test("a name stays text, in labels and where one points", () => {
  const { data, layout } = figure(BARS, COLOURS, 1200);
  assert.deepEqual(layout.yaxis.ticktext, [
    "oracle · sync · 1 agent ",
    "&lt;b&gt;x&lt;/b&gt; &amp; y · async · 4 agents ",
  ]);
  assert.equal(data[0].customdata[1][0], "&lt;b&gt;x&lt;/b&gt; &amp; y · async");
});

test("on a narrow screen labels stand above their bars", () => {
  const { layout } = figure(BARS, COLOURS, 360);
  assert.deepEqual(layout.yaxis.ticktext, ["", ""]);
  assert.deepEqual(
    layout.annotations.map((note) => [note.text, note.y]),
    [
      ["oracle · sync · 1 agent", 0],
      ["&lt;b&gt;x&lt;/b&gt; &amp; y · async · 4 agents", 1],
    ],
  );
  assert.deepEqual(figure(BARS, COLOURS, 1200).layout.annotations, []);
});

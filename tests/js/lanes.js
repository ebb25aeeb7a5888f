/** Prints the lanes and the breakdown that an event log comes to, for comparison with the engine's own fold. */

import { readFileSync } from "node:fs";
import { Folds } from "../../static/js/live/folds.js";
import { breakdown } from "./reading.js";

const folds = new Folds();
for (const line of readFileSync(process.argv[2], "utf8").trim().split("\n")) {
  folds.apply(JSON.parse(line));
}
const lanes = {};
for (const [name, lane] of folds.lanes) {
  const segments = lane.segments.map(({ activity, start, end, action }) => [activity, start, end, action]);
  lanes[name] = { segments, ticks: breakdown(lane, folds.tick) };
}
process.stdout.write(JSON.stringify(lanes));

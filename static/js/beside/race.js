/** Two episodes' scores as lines over the timeline's own axis, and their checkpoints at the moment as a table. */

import { el, fillRows, fitCanvas, setText } from "../dom.js";
import { steps } from "../live/words.js";
import { toX } from "../timeline/scale.js";
import { checkpointRows, scoreAt, scoreLine } from "./score.js";

const HEIGHT = 120;
const [TOP, BOTTOM] = [14, 110];
const STROKES = [
  { colour: "accent", width: 2.5, dash: [] },
  { colour: "text", width: 2, dash: [6, 4] },
];

/**
 * @typedef {object} Race
 * @property {import("../live/story.js").Story[]} stories this episode's, and the one beside it
 * @property {import("../timeline/layout.js").Layout} layout
 * @property {import("../timeline/scale.js").View} view
 * @property {(name: string) => string} colour
 * @property {number} tick the moment
 */

/** The picture and its table, in a host of its own. */
export class RaceView {
  /**
   * @param {HTMLElement} host
   * @param {string[]} names of both episodes
   */
  constructor(host, names) {
    this.names = names;
    this.canvas = el("canvas", {
      role: "img",
      "aria-label": "Both scores over time. The table below says how far each checkpoint is.",
    });
    this.scores = names.map(() => el("b", { class: "num" }));
    this.body = el("tbody");
    const swatch = (i) => el("i", { class: `race-swatch race-${i}` });
    const heads = ["Checkpoint", ...names, ...names.map((name) => `${name} complete from`)];
    host.replaceChildren(
      el("div", { class: "timeline-frame" }, this.canvas),
      el(
        "p",
        { class: "race-legend" },
        el("span", { text: "Score" }),
        ...names.map((name, i) => el("span", {}, swatch(i), `${name} `, this.scores[i])),
      ),
      el(
        "div",
        {
          class: "table-scroll race-scroll",
          tabindex: "0",
          role: "region",
          "aria-label": "Checkpoints of both",
        },
        el(
          "table",
          { class: "table table-sm race-table" },
          el("thead", {}, el("tr", {}, ...heads.map((text) => el("th", { scope: "col", text })))),
          this.body,
        ),
      ),
    );
    this.box = this.canvas.parentElement;
    /** The last lines, since most pictures show the same log at another moment. */
    this.known = names.map(() => ({ seq: -1, line: [] }));
  }

  /**
   * Show a moment.
   * @param {Race} race
   */
  show(race) {
    const lines = race.stories.map(({ folds }, i) => this.#lineOf(folds, i));
    drawRace(fitCanvas(this.canvas, this.box.clientWidth, HEIGHT), race, lines);
    lines.forEach((line, i) => {
      setText(this.scores[i], scoreText(scoreAt(line, race.tick)));
    });
    const checkpoints = checkpointRows(
      race.stories.map(({ folds }) => folds),
      race.tick,
    );
    fillRows(this.body, checkpoints.map(rowOf));
  }

  #lineOf(folds, i) {
    if (this.known[i].seq !== folds.seq) {
      this.known[i] = { seq: folds.seq, line: scoreLine(folds) };
    }
    return this.known[i].line;
  }
}

/**
 * Draw the lines.
 * @param {CanvasRenderingContext2D} context scaled to CSS pixels
 * @param {Race} race
 * @param {import("./score.js").Point[][]} lines
 */
export function drawRace(context, { stories, layout, view, colour, tick }, lines) {
  const { left, width } = layout;
  const right = left + width;
  const x = (at) => toX(view, at, left, width);
  const y = (share) => BOTTOM - (BOTTOM - TOP) * share;
  context.clearRect(0, 0, right + 14, HEIGHT);
  context.font = "11px system-ui, -apple-system, 'Segoe UI', sans-serif";
  context.textBaseline = "middle";
  context.textAlign = layout.narrow ? "left" : "right";
  for (const share of [0, 0.5, 1]) {
    context.fillStyle = colour("line");
    context.fillRect(left, Math.round(y(share)), width, 1);
    context.fillStyle = colour("text-muted");
    // Where nothing stands beside the plot, the numbers stand on its lines.
    context.fillText(String(share), layout.narrow ? left : left - 6, y(share) - (layout.narrow ? 6 : 0));
  }
  context.save();
  context.beginPath();
  context.rect(left, 0, width + 2, HEIGHT);
  context.clip();
  lines.forEach((line, i) => {
    const { colour: name, width: thick, dash } = STROKES[i];
    context.strokeStyle = colour(name);
    context.lineWidth = thick;
    context.setLineDash(dash);
    context.beginPath();
    line.forEach((point, j) => {
      const until = line[j + 1]?.tick ?? stories[i].edge;
      context.lineTo(x(point.tick), y(point.share));
      context.lineTo(x(until), y(point.share));
    });
    context.stroke();
  });
  context.setLineDash([]);
  context.fillStyle = colour("accent");
  context.fillRect(Math.round(x(tick)), 0, 1, HEIGHT);
  context.restore();
}

/** Cells of the table. @param {import("./score.js").Row} row */
function rowOf({ name, sides }) {
  return [
    name.replaceAll("_", " "),
    ...sides.map(({ have, need }) => (need === null ? "–" : `${plain(have)}/${plain(need)}`)),
    ...sides.map(({ since }) => (since === null ? "–" : `step ${steps(since)}`)),
  ];
}

function plain(count) {
  return String(Number(count.toFixed(1)));
}

function scoreText(score) {
  return score === null ? "–" : score.toFixed(2);
}

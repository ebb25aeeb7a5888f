/** The map on a task's page: what stands where at a step, and where events will act. */

import { pagePalette, watchTheme } from "../colours.js";
import { el, fitCanvas, oncePerFrame } from "../dom.js";
import { blockColour } from "./blocks.js";
import { drawMap } from "./draw.js";
import { columnAt, columnsOf, fitMap, wordsAt } from "./geometry.js";

const HINT =
  "x grows to the right (east), z downwards (south). Point at the map, or use the arrow keys, to see what is where.";
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Draw the map and keep it in shape.
 * @param {HTMLElement} host
 * @param {any} data as the page carries it
 * @returns {{slot: HTMLElement, show: (moment: import("./moments.js").Moment, time: number) => void}} the place for
 *   controls below the map, and what shows another moment than the start
 */
export function showMap(host, data) {
  let columns = columnsOf(data.blocks);
  let present = data;
  let time = 0;
  const canvas = el("canvas", {
    tabindex: "0",
    role: "img",
    "aria-label": "Map from above, north up. The list below holds the same.",
    "aria-describedby": "map-words",
  });
  const words = el("p", { class: "map-words", id: "map-words", role: "status", text: HINT });
  const sight = el("input", { type: "checkbox", class: "form-check-input", id: "map-sight", checked: true });
  const frameBox = el("div", { class: "map-frame" }, canvas);
  const slot = el("div");
  host.replaceChildren(
    el("label", { class: "map-sight", for: "map-sight" }, sight, "show how far agents see"),
    frameBox,
    slot,
    words,
    legend(data),
  );

  let colour = pagePalette();
  let frame = null;
  let at = null;
  const draw = oncePerFrame(() => {
    const width = frameBox.clientWidth;
    if (width === 0) {
      return;
    }
    frame = fitMap(data.bounds, width, Math.min(560, Math.max(320, width)));
    const context = fitCanvas(canvas, width, frame.canvasHeight);
    drawMap(context, { data: present, time, frame, columns, colour, sight: sight.checked, at });
  });

  const say = () => {
    words.textContent = at ? wordsAt(present, columns, at) : HINT;
  };
  const point = (column) => {
    if (column?.join() !== at?.join()) {
      at = column;
      say();
      draw();
    }
  };
  canvas.addEventListener("pointermove", (event) => {
    point(frame ? columnAt(frame, event.offsetX, event.offsetY) : null);
  });
  canvas.addEventListener("pointerdown", (event) => {
    point(frame ? columnAt(frame, event.offsetX, event.offsetY) : null);
  });
  canvas.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    if (move) {
      event.preventDefault();
      point(moved(at, move, data.bounds));
    }
  });
  sight.addEventListener("change", draw);
  watchTheme(() => {
    colour = pagePalette();
    draw();
  });
  new ResizeObserver(draw).observe(frameBox);
  draw();
  const show = (moment, then) => {
    if (columns !== moment.columns) {
      columns = moment.columns;
      present = { ...data, hostiles: moment.mobs, regions: moment.regions };
    }
    time = then;
    draw();
  };
  return { slot, show };
}

/**
 * The neighbouring column, within the map; from nowhere the first is the middle.
 * @param {[number, number] | null} at
 * @param {number[]} move
 * @param {{min: number[], max: number[]}} bounds
 * @returns {[number, number]}
 */
export function moved(at, [dx, dz], { min, max }) {
  if (!at) {
    return [Math.floor((min[0] + max[0]) / 2), Math.floor((min[1] + max[1]) / 2)];
  }
  const clamp = (value, i) => Math.max(min[i], Math.min(max[i], value));
  return [clamp(at[0] + dx, 0), clamp(at[1] + dz, 1)];
}

function legend(data) {
  const entries = [entry("round", "agent", "var(--accent)")];
  const when = (list, ...rest) => {
    if (list?.length > 0) {
      entries.push(entry(...rest));
    }
  };
  when(data.chests, "chest", "chest", "#a5682a");
  const mobs = [...(data.hostiles ?? []), ...data.spawns.filter(({ entity }) => entity)];
  when(mobs, "mob", "mob", "var(--bad)");
  for (const block of new Set([...data.blocks, ...data.spawns, ...data.fills].map((one) => one.block))) {
    if (block) {
      entries.push(entry("block", block.replaceAll("_", " "), blockColour(block)));
    }
  }
  when(data.spawns, "ring", "things spawn within", "");
  when(
    data.spawns.filter(({ lifetime }) => lifetime),
    "life",
    "time left until it vanishes",
    "",
  );
  when(data.fills, "band", "will be filled, in the arrow's direction", "");
  when(data.regions, "region", "region", "color-mix(in srgb, var(--planning) 30%, transparent)");
  return el("ul", { class: "timeline-legend", "aria-label": "Legend" }, ...entries);
}

function entry(kind, text, colour) {
  const swatch = el("span", { class: `timeline-swatch map-swatch-${kind}`, "aria-hidden": "true" });
  if (colour) {
    swatch.style.background = colour;
  }
  return el("li", {}, swatch, text);
}

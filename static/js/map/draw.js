/** Paints a task's world as it is at a step, seen from above, with what will happen to it. */

import { hatching } from "../timeline/draw.js";
import { blockColour } from "./blocks.js";
import { gridLines, gridStep, mapX, mapZ } from "./geometry.js";
import { lifeLeft } from "./moments.js";

const FONT = "12px system-ui, -apple-system, 'Segoe UI', sans-serif";
const SMALL_FONT = "11px system-ui, -apple-system, 'Segoe UI', sans-serif";

/**
 * @typedef {object} MapScene
 * @property {any} data of the page, with the mobs and regions of the moment
 * @property {number} time steps, also between two
 * @property {import("./geometry.js").Frame} frame
 * @property {ReturnType<typeof import("./geometry.js").columnsOf>} columns
 * @property {(name: string) => string} colour
 * @property {boolean} sight show how far each agent sees
 * @property {[number, number] | null} at column pointed at
 */

/**
 * Paint everything.
 * @param {CanvasRenderingContext2D} context scaled to CSS pixels
 * @param {MapScene} scene
 */
export function drawMap(context, scene) {
  const { frame, colour, data } = scene;
  const { left, top, width, height } = frame;
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.textBaseline = "middle";
  context.fillStyle = colour("canvas");
  context.fillRect(left, top, width, height);
  drawGrid(context, scene);
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  const labels = new Labels(context, scene);
  data.regions.forEach((region) => {
    drawRegion(context, scene, region, labels);
  });
  data.fills.forEach((fill) => {
    drawFill(context, scene, fill, labels);
  });
  data.spawns.forEach((spawn) => {
    drawSpawn(context, scene, spawn, labels);
  });
  drawBlocks(context, scene);
  drawLives(context, scene);
  data.chests.forEach((chest) => {
    drawChest(context, scene, chest);
  });
  drawAgents(context, scene, labels);
  (data.hostiles ?? []).forEach((mob) => {
    drawHostile(context, scene, mob, labels);
  });
  labels.draw();
  drawPointed(context, scene);
  context.restore();
}

function drawGrid(context, { frame, colour }) {
  const step = gridStep(frame.cell);
  const { minX, minZ, columns, rows } = frame;
  context.font = SMALL_FONT;
  context.fillStyle = colour("text-muted");
  context.lineWidth = 1;
  const line = (x1, y1, x2, y2, at) => {
    context.strokeStyle = colour(at === 0 ? "line-strong" : "line");
    context.beginPath();
    context.moveTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
    context.lineTo(Math.round(x2) + 0.5, Math.round(y2) + 0.5);
    context.stroke();
  };
  context.textAlign = "center";
  for (const x of gridLines(minX, minX + columns, step)) {
    const px = mapX(frame, x);
    line(px, frame.top, px, frame.top + frame.height, x);
    context.fillText(String(x), px, 10);
  }
  context.textAlign = "right";
  for (const z of gridLines(minZ, minZ + rows, step)) {
    const py = mapZ(frame, z);
    line(frame.left, py, frame.left + frame.width, py, z);
    context.fillText(String(z), frame.left - 5, py);
  }
}

function boxOf(frame, { min, max }) {
  return {
    x: mapX(frame, min[0]),
    y: mapZ(frame, min[2]),
    width: (max[0] - min[0] + 1) * frame.cell,
    height: (max[2] - min[2] + 1) * frame.cell,
  };
}

function drawRegion(context, { frame, colour }, region, labels) {
  const box = boxOf(frame, region);
  const isOff = region.active === false;
  if (!isOff) {
    context.globalAlpha = 0.14;
    context.fillStyle = colour("planning");
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
  }
  context.strokeStyle = colour("planning");
  context.lineWidth = 1.5;
  context.setLineDash([2, 3]);
  context.strokeRect(box.x, box.y, box.width, box.height);
  context.setLineDash([]);
  labels.add(isOff ? `${region.id} (off)` : region.id, box.x + box.width / 2, box.y + 10, "text-muted");
}

const DIRECTIONS = { east: [1, 0], west: [-1, 0], south: [0, 1], north: [0, -1] };

function drawFill(context, { frame, colour }, fill, labels) {
  const box = boxOf(frame, fill);
  context.globalAlpha = 0.5;
  context.fillStyle = hatching(context, colour("bad"));
  context.fillRect(box.x, box.y, box.width, box.height);
  context.globalAlpha = 1;
  context.strokeStyle = colour("bad");
  context.lineWidth = 1.5;
  context.strokeRect(box.x, box.y, box.width, box.height);
  const [dx, dy] = DIRECTIONS[fill.direction] ?? [0, 0];
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  if (dx || dy) {
    const reach = Math.min(0.4 * (dx ? box.width : box.height), 90);
    drawArrow(context, middle, [dx, dy], reach, colour("bad"));
  }
  const turn = dx || dy ? "" : ` (${fill.direction})`;
  const text = `${fill.event}: ${fill.block.replaceAll("_", " ")}${turn}`;
  labels.add(text, middle[0], middle[1] - 16, "bad");
}

function drawArrow(context, [x, y], [dx, dy], reach, colour) {
  const tip = [x + dx * reach, y + dy * reach];
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = 3;
  context.beginPath();
  context.moveTo(x - dx * reach, y - dy * reach);
  context.lineTo(tip[0] - dx * 8, tip[1] - dy * 8);
  context.stroke();
  context.beginPath();
  context.moveTo(...tip);
  context.lineTo(tip[0] - dx * 12 - dy * 7, tip[1] - dy * 12 - dx * 7);
  context.lineTo(tip[0] - dx * 12 + dy * 7, tip[1] - dy * 12 + dx * 7);
  context.fill();
}

function drawSpawn(context, { frame, colour }, spawn, labels) {
  const x = mapX(frame, spawn.center[0] + 0.5);
  const y = mapZ(frame, spawn.center[2] + 0.5);
  const radius = (spawn.radius + 0.5) * frame.cell;
  const subject = spawn.block ?? spawn.entity;
  const paint = spawn.block ? blockColour(spawn.block) : colour("bad");
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.globalAlpha = 0.12;
  context.fillStyle = paint;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = colour("warn");
  context.lineWidth = 2;
  context.setLineDash([6, 4]);
  context.stroke();
  context.setLineDash([]);
  labels.add(`${spawn.event}: ${subject.replaceAll("_", " ")}`, x, y, "warn");
}

function drawBlocks(context, { data, frame, columns, colour }) {
  const flowing = new Set(data.fills.map(({ block }) => block));
  const size = Math.max(1, frame.cell - (frame.cell > 5 ? 0.5 : 0));
  for (const { block, x, z } of columns.values()) {
    const side = flowing.has(block) ? frame.cell + 0.5 : size; // without seams
    context.fillStyle = blockColour(block);
    context.fillRect(mapX(frame, x), mapZ(frame, z), side, side);
  }
  if (frame.cell >= 7) {
    context.strokeStyle = colour("text-muted");
    context.lineWidth = 0.5;
    for (const { block, x, z } of columns.values()) {
      if (!flowing.has(block)) {
        context.strokeRect(mapX(frame, x) + 0.25, mapZ(frame, z) + 0.25, size - 0.5, size - 0.5);
      }
    }
  }
}

function drawLives(context, { frame, columns, colour, time }) {
  const radius = Math.max(frame.cell * 0.8, 5);
  for (const column of columns.values()) {
    const [x, y] = [mapX(frame, column.x + 0.5), mapZ(frame, column.z + 0.5)];
    drawLife(context, [x, y], radius, lifeLeft(column, time), colour("text"));
  }
}

/** Round what will vanish, the part of a ring that is left of its life. */
function drawLife(context, [x, y], radius, left, ink) {
  if (left) {
    const top = -Math.PI / 2;
    context.beginPath();
    context.arc(x, y, radius, top, top + 2 * Math.PI * left);
    context.strokeStyle = ink;
    context.lineWidth = 2;
    context.stroke();
  }
}

function drawChest(context, { frame, colour }, [x, , z]) {
  const size = Math.max(frame.cell, 11);
  const left = mapX(frame, x + 0.5) - size / 2;
  const top = mapZ(frame, z + 0.5) - size / 2;
  context.fillStyle = "#a5682a";
  context.fillRect(left, top, size, size);
  context.strokeStyle = colour("text");
  context.lineWidth = 1.5;
  context.strokeRect(left, top, size, size);
  context.beginPath();
  context.moveTo(left, top + size * 0.4);
  context.lineTo(left + size, top + size * 0.4);
  context.stroke();
}

function drawAgents(context, { data, frame, colour, sight }, labels) {
  for (const { name, position, perception_range: range } of data.agents) {
    const x = mapX(frame, position[0] + 0.5);
    const y = mapZ(frame, position[2] + 0.5);
    if (sight) {
      context.beginPath();
      context.arc(x, y, range * frame.cell, 0, 2 * Math.PI);
      context.strokeStyle = colour("accent");
      context.globalAlpha = 0.4;
      context.lineWidth = 1;
      context.stroke();
      context.globalAlpha = 1;
    }
    const radius = Math.min(7, Math.max(4, frame.cell / 2));
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = colour("accent");
    context.fill();
    context.strokeStyle = colour("surface");
    context.lineWidth = 1.5;
    context.stroke();
    labels.add(name, x, y, "text", radius + 4);
  }
}

function drawHostile(context, { frame, colour, time }, mob, labels) {
  const x = mapX(frame, mob.position[0] + 0.5);
  const y = mapZ(frame, mob.position[2] + 0.5);
  const radius = mob.role === "boss" ? 9 : 6;
  context.beginPath();
  context.moveTo(x, y - radius);
  context.lineTo(x + radius, y + radius);
  context.lineTo(x - radius, y + radius);
  context.closePath();
  context.fillStyle = colour("bad");
  context.fill();
  context.strokeStyle = colour("surface");
  context.lineWidth = 1.5;
  context.stroke();
  drawLife(context, [x, y], radius + 4, lifeLeft(mob, time), colour("text"));
  labels.add(mob.entity.replaceAll("_", " "), x, y, "bad", radius + 4);
}

function drawPointed(context, { frame, colour, at }) {
  if (at) {
    const size = Math.max(frame.cell, 4);
    context.strokeStyle = colour("text");
    context.lineWidth = 2;
    context.strokeRect(mapX(frame, at[0]), mapZ(frame, at[1]), size, size);
  }
}

/** Names on the map: each where it hides nothing, or nowhere (pointing at the place tells it then). */
class Labels {
  constructor(context, { frame, colour }) {
    this.context = context;
    this.frame = frame;
    this.colour = colour;
    this.wanted = [];
  }

  /** Ask for a text beside a point; `gap` 0 means centred on it. */
  add(text, x, y, ink, gap = 0) {
    this.wanted.push({ text, x, y, ink, gap });
  }

  /** Draw them: names of agents and mobs first, since they are the closest to their point. */
  draw() {
    const { context } = this;
    context.font = FONT;
    context.textAlign = "left";
    const points = this.wanted.filter(({ gap }) => gap > 0);
    const taken = points.map(({ x, y, gap }) => ({
      x: x - gap,
      y: y - gap,
      width: 2 * gap,
      height: 2 * gap,
    }));
    for (const label of [...points, ...this.wanted.filter(({ gap }) => gap === 0)]) {
      const width = context.measureText(label.text).width;
      const box = this.#places(label, width).find((place) => this.#isFree(place, taken));
      if (box) {
        taken.push(box);
        context.globalAlpha = 0.8;
        context.fillStyle = this.colour("canvas");
        context.fillRect(box.x - 2, box.y, box.width + 4, box.height);
        context.globalAlpha = 1;
        context.fillStyle = this.colour(label.ink);
        context.fillText(label.text, box.x, box.y + 8);
      }
    }
  }

  #places({ x, y, gap }, width) {
    const box = (px, py) => ({ x: px, y: py, width, height: 15 });
    if (gap > 0) {
      const middle = x - width / 2;
      return [
        box(x + gap, y - 8),
        box(x - gap - width, y - 8),
        box(middle, y + gap),
        box(middle, y - gap - 15),
      ];
    }
    return [0, -22, 22, -44, 44, -66, 66].map((shift) => box(x - width / 2, y - 8 + shift));
  }

  #isFree(box, taken) {
    const { left, top, width, height } = this.frame;
    const within =
      box.x >= left &&
      box.y >= top &&
      box.x + box.width <= left + width &&
      box.y + box.height <= top + height;
    const overlaps = (other) =>
      box.x < other.x + other.width &&
      other.x < box.x + box.width &&
      box.y < other.y + other.height &&
      other.y < box.y + box.height;
    return within && !taken.some(overlaps);
  }
}

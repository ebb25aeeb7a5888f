/** Paints a task's world as it is at a step, seen from above, with what will happen to it. */

import { hatching } from "../timeline/draw.js";
import { blockColour } from "./blocks.js";
import { mapX, mapZ } from "./geometry.js";
import { boxOf, drawArrow, drawChest, drawGrid, drawLife, drawPointed, drawRegion } from "./ground.js";
import { Labels } from "./labels.js";
import { lifeLeft } from "./moments.js";

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

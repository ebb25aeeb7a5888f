/** Agents, mobs, drops and chests as a map shows them. */

import { headingOn, restOf } from "../world/motion.js";
import { placeOf } from "../world/state.js";
import { mapX, mapZ } from "./geometry.js";
import { drawChest, drawLife, SMALL_FONT } from "./ground.js";
import { lifeLeft } from "./moments.js";

const BAR = 22;
const plain = (name) => name.replaceAll("_", " ");

/**
 * @typedef {object} Scene
 * @property {import("../world/state.js").World} world
 * @property {number} tick
 * @property {import("./geometry.js").Frame} frame
 * @property {(name: string) => string} colour
 * @property {string} selected name of an agent
 * @property {boolean} sight show how far each agent sees
 * @property {Map<string, import("../live/folds.js").Progress>} checkpoints
 */

/** The pixels of a place, which is a block's centre. */
function pixels(frame, place) {
  return [mapX(frame, place[0] + 0.5), mapZ(frame, place[2] + 0.5)];
}

/** The chest, with what it holds against what is wanted. */
export function drawStore(context, scene, { position, items }, labels) {
  drawChest(context, scene, position);
  const [x, y] = pixels(scene.frame, position);
  labels.add(storeText(items, scene.checkpoints), x, y, "text", Math.max(scene.frame.cell, 11) / 2 + 3);
}

/**
 * What a chest holds, and of what how much is wanted.
 * @param {Record<string, number>} items
 * @param {Map<string, {name: string, have: number, need: number}>} checkpoints
 * @returns {string} for example `raw gold 3/24, bread 2`
 */
export function storeText(items, checkpoints) {
  const wanted = [...checkpoints.values()].filter(({ name }) => name.startsWith("deposit "));
  const quota = new Map(wanted.map(({ name, need }) => [name.slice("deposit ".length), need]));
  const names = [...new Set([...quota.keys(), ...Object.keys(items)])];
  const told = names
    .slice(0, 4)
    .map((name) => `${plain(name)} ${items[name] ?? 0}${quota.has(name) ? `/${quota.get(name)}` : ""}`);
  return `${told.join(", ") || "empty"}${names.length > 4 ? ", …" : ""}`;
}

/** What lies on the ground. */
export function drawDrops(context, { world, frame, colour }) {
  context.fillStyle = colour("warn");
  context.strokeStyle = colour("surface");
  context.lineWidth = 1;
  for (const { cell } of world.drops.values()) {
    const [x, y] = pixels(frame, cell);
    context.beginPath();
    context.arc(x, y, 3, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }
}

/** An agent: where it faces and goes, what it holds, how it is, and how far it sees. */
export function drawAgent(context, scene, agent, labels) {
  const { frame, colour, tick, selected } = scene;
  const place = placeOf(agent, tick);
  const [x, y] = pixels(frame, place);
  if (!agent.alive) {
    drawCross(context, x, y, colour("dead"));
    labels.add(`${agent.name} †`, x, y, "text-muted", 8);
    return;
  }
  const isSelected = agent.name === selected;
  if (scene.sight || isSelected) {
    drawSight(context, scene, agent, x, y, isSelected);
  }
  drawWay(context, scene, agent, isSelected);
  const radius = isSelected ? 8 : 6;
  drawNose(context, agent.way ? headingOn(agent.way, tick) : null, x, y, radius, colour("accent"));
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour("accent");
  context.fill();
  context.strokeStyle = colour(isSelected ? "text" : "surface");
  context.lineWidth = isSelected ? 2.5 : 1.5;
  context.stroke();
  drawHealth(context, scene, agent, x, y - radius - 7);
  const held = agent.held ? ` · ${plain(agent.held)}` : "";
  labels.add(`${agent.name}${held}`, x, y, "text", radius + 8);
}

/** A mob; a boss is larger, and both tell how much health is left. */
export function drawMob(context, scene, mob, labels) {
  const { frame, colour, tick } = scene;
  const [x, y] = pixels(frame, placeOf(mob, tick));
  const isBoss = mob.role === "boss";
  const radius = isBoss ? 10 : 6;
  drawTriangle(context, x, y, radius, colour("bad"), colour("surface"));
  drawLife(context, [x, y], radius + 3, lifeLeft(mob, tick), colour("text"));
  drawHealth(context, scene, mob, x, y - radius - 7, isBoss ? 2 * BAR : BAR);
  const health = isBoss ? ` ${Math.ceil(mob.health)}/${mob.maxHealth}` : "";
  labels.add(`${plain(mob.entity)}${health}`, x, y, "bad", radius + 8);
}

/** Something as it was when it was last seen. */
export function drawGhost(context, { frame, colour }, { position, text, isMob }, labels) {
  const [x, y] = pixels(frame, position);
  context.globalAlpha = 0.6;
  context.setLineDash([2, 2]);
  context.strokeStyle = colour(isMob ? "bad" : "accent");
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, 6, 0, 2 * Math.PI);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
  labels.add(text, x, y, "text-muted", 9);
}

function drawSight(context, { frame, colour }, agent, x, y, isSelected) {
  context.beginPath();
  context.arc(x, y, agent.range * frame.cell, 0, 2 * Math.PI);
  context.strokeStyle = colour("accent");
  context.globalAlpha = isSelected ? 0.9 : 0.35;
  context.lineWidth = isSelected ? 1.5 : 1;
  context.stroke();
  context.globalAlpha = 1;
}

function drawWay(context, { frame, colour, tick }, { way }, isSelected) {
  if (!way || tick >= way.arrival) {
    return;
  }
  context.beginPath();
  restOf(way, tick).forEach((place, i) => {
    context[i === 0 ? "moveTo" : "lineTo"](...pixels(frame, place));
  });
  context.strokeStyle = colour("accent");
  context.lineWidth = isSelected ? 2.5 : 1.5;
  context.setLineDash([4, 3]);
  context.stroke();
  context.setLineDash([]);
}

function drawNose(context, heading, x, y, radius, fill) {
  if (!heading) {
    return;
  }
  const [dx, dz] = heading;
  context.beginPath();
  context.moveTo(x + dx * (radius + 6), y + dz * (radius + 6));
  context.lineTo(x - dz * radius, y + dx * radius);
  context.lineTo(x + dz * radius, y - dx * radius);
  context.fillStyle = fill;
  context.fill();
}

function drawHealth(context, { colour }, { health, maxHealth }, x, y, width = BAR) {
  const share = Math.max(0, Math.min(1, health / maxHealth));
  context.fillStyle = colour("surface");
  context.fillRect(x - width / 2 - 1, y - 1, width + 2, 5);
  context.fillStyle = colour("idle");
  context.fillRect(x - width / 2, y, width, 3);
  context.fillStyle = colour(share > 0.3 ? "good" : "bad");
  context.fillRect(x - width / 2, y, width * share, 3);
}

function drawTriangle(context, x, y, radius, fill, border) {
  context.beginPath();
  context.moveTo(x, y - radius);
  context.lineTo(x + radius, y + radius);
  context.lineTo(x - radius, y + radius);
  context.closePath();
  context.fillStyle = fill;
  context.fill();
  context.strokeStyle = border;
  context.lineWidth = 1.5;
  context.stroke();
}

function drawCross(context, x, y, stroke) {
  context.strokeStyle = stroke;
  context.lineWidth = 3;
  context.beginPath();
  for (const side of [-1, 1]) {
    context.moveTo(x - 5, y - 5 * side);
    context.lineTo(x + 5, y + 5 * side);
  }
  context.stroke();
  context.font = SMALL_FONT;
}

/** What all maps draw in the same way: the grid, regions, chests, rings and arrows. */

import { gridLines, gridStep, mapX, mapZ } from "./geometry.js";

export const SMALL_FONT = "11px system-ui, -apple-system, 'Segoe UI', sans-serif";

/** The lines of the grid with their coordinates. */
export function drawGrid(context, { frame, colour }) {
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

/** The pixels of a box of blocks. */
export function boxOf(frame, { min, max }) {
  return {
    x: mapX(frame, min[0]),
    y: mapZ(frame, min[2]),
    width: (max[0] - min[0] + 1) * frame.cell,
    height: (max[2] - min[2] + 1) * frame.cell,
  };
}

/** A region with its name; only its border while it is off. */
export function drawRegion(context, { frame, colour }, region, labels) {
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

/** An arrow through a point. */
export function drawArrow(context, [x, y], [dx, dy], reach, colour) {
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

/** Round what will vanish, the part of a ring that is left of its life. */
export function drawLife(context, [x, y], radius, left, ink) {
  if (left) {
    const top = -Math.PI / 2;
    context.beginPath();
    context.arc(x, y, radius, top, top + 2 * Math.PI * left);
    context.strokeStyle = ink;
    context.lineWidth = 2;
    context.stroke();
  }
}

/** A chest. */
export function drawChest(context, { frame, colour }, [x, , z]) {
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

/** The column that the viewer points at. */
export function drawPointed(context, { frame, colour, at }) {
  if (at) {
    const size = Math.max(frame.cell, 4);
    context.strokeStyle = colour("text");
    context.lineWidth = 2;
    context.strokeRect(mapX(frame, at[0]), mapZ(frame, at[1]), size, size);
  }
}

/** The blocks of a map, painted once and repaired where a column has changed. */

import { columnPlace, topOf } from "../world/columns.js";
import { blockColour } from "./blocks.js";

const HOLE = "rgb(0 0 0 / 45%)";

/** A canvas of blocks without anything else. */
export class Terrain {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d");
    this.clear();
  }

  /** Paint everything anew next time. */
  clear() {
    /** @type {Map<number, readonly import("../world/columns.js").Placed[]>} what is painted, by column */
    this.painted = new Map();
    /** Columns that hold something that vanishes by itself. @type {Set<number>} */
    this.mortal = new Set();
    this.frame = null;
  }

  /**
   * Bring the canvas in line with the world.
   * @param {Map<number, readonly import("../world/columns.js").Placed[]>} columns
   * @param {import("./geometry.js").Frame} frame
   * @param {number} ratio device pixels a CSS pixel
   * @param {number} groundY
   * @returns {HTMLCanvasElement} as large as the frame's ground
   */
  paint(columns, frame, ratio, groundY) {
    this.groundY = groundY;
    this.#fit(frame, ratio);
    for (const [key, column] of columns) {
      if (this.painted.get(key) !== column) {
        this.#repair(key, column);
      }
    }
    if (this.painted.size > columns.size) {
      for (const key of [...this.painted.keys()].filter((one) => !columns.has(one))) {
        this.#repair(key, null);
      }
    }
    return this.canvas;
  }

  #fit(frame, ratio) {
    const { minX, minZ, cell, columns, rows } = frame;
    const shape = [minX, minZ, cell, columns, rows, ratio].join();
    if (this.shape === shape && this.frame) {
      return;
    }
    this.clear();
    this.shape = shape;
    this.frame = frame;
    this.canvas.width = Math.max(1, Math.round(frame.width * ratio));
    this.canvas.height = Math.max(1, Math.round(frame.height * ratio));
    this.scale = frame.cell * ratio;
  }

  #repair(key, column) {
    const box = this.#boxOf(columnPlace(key));
    this.context.clearRect(box.x, box.y, box.width, box.height);
    this.mortal.delete(key);
    const top = column ? topOf(column) : null;
    if (top) {
      paintBlock(this.context, box, top, this.groundY);
      this.painted.set(key, column);
    } else {
      this.painted.delete(key);
    }
    if (top?.until) {
      this.mortal.add(key);
    }
  }

  /** Whole pixels, so that a cell that is cleared leaves no edges behind. */
  #boxOf([x, z]) {
    const { frame, scale } = this;
    const at = (columns) => Math.round(columns * scale);
    const [left, top] = [at(x - frame.minX), at(z - frame.minZ)];
    return {
      x: left,
      y: top,
      width: Math.max(1, at(x - frame.minX + 1) - left),
      height: Math.max(1, at(z - frame.minZ + 1) - top),
    };
  }
}

/**
 * One block from above: the higher it is, the lighter; what an agent built has a border.
 * @param {CanvasRenderingContext2D} context
 * @param {{x: number, y: number, width: number, height: number}} box pixels
 * @param {{y: number, block: string, built?: boolean}} placed
 * @param {number} groundY
 */
export function paintBlock(context, box, { y, block, built }, groundY) {
  context.fillStyle = block === "air" ? HOLE : blockColour(block);
  context.fillRect(box.x, box.y, box.width, box.height);
  const height = y - groundY - 1;
  if (height > 0) {
    context.fillStyle = `rgb(255 255 255 / ${Math.min(40, height * 8)}%)`;
    context.fillRect(box.x, box.y, box.width, box.height);
  }
  if (built && box.width >= 4) {
    context.strokeStyle = "rgb(0 0 0 / 70%)";
    context.lineWidth = 1;
    context.strokeRect(box.x + 1, box.y + 1, box.width - 2, box.height - 2);
  }
}

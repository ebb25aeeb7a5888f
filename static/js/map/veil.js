/** “See what this agent knows”: dims what is outside the perception and memory of observers. */

import { steps } from "../live/words.js";
import { topOf } from "../world/columns.js";
import { placeOf } from "../world/state.js";
import { drawGhost } from "./figures.js";
import { mapX, mapZ } from "./geometry.js";
import { paintBlock } from "./terrain.js";

/** A dark layer with a hole wherever an observer sees. */
export class Veil {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d");
  }

  /**
   * Dim the ground but for what the observers see; what they remember stays half visible, as they remember it.
   * @param {CanvasRenderingContext2D} context
   * @param {import("./figures.js").Scene} scene
   * @param {import("../world/mind.js").Mind} mind
   */
  draw(context, scene, mind) {
    const { left, top, width, height } = scene.frame;
    this.#paint(scene, mind);
    context.globalAlpha = 0.88;
    context.drawImage(this.canvas, left, top, width, height);
    context.globalAlpha = 1;
    drawRemembered(context, scene, mind);
  }

  #paint({ frame, colour, tick }, mind) {
    this.canvas.width = Math.max(1, Math.ceil(frame.width));
    this.canvas.height = Math.max(1, Math.ceil(frame.height));
    const ink = this.context;
    ink.setTransform(1, 0, 0, 1, -frame.left, -frame.top);
    ink.fillStyle = colour("canvas");
    ink.fillRect(frame.left, frame.top, frame.width, frame.height);
    ink.globalCompositeOperation = "destination-out";
    for (const name of mind.observers) {
      const agent = mind.world.agents.get(name);
      if (agent?.alive) {
        const [x, , z] = placeOf(agent, tick);
        ink.beginPath();
        ink.arc(mapX(frame, x + 0.5), mapZ(frame, z + 0.5), agent.range * frame.cell, 0, 2 * Math.PI);
        ink.fill();
      }
    }
    ink.globalCompositeOperation = "source-over";
  }
}

function drawRemembered(context, { frame, colour, tick, world }, mind) {
  for (const [key, blocks] of mind.blocks) {
    const top = topOf(blocks.toSorted((a, b) => a.y - b.y));
    if (mind.sees([top.x, top.y, top.z], tick)) {
      continue;
    }
    context.globalAlpha = 0.6;
    const [x, y, size] = [mapX(frame, top.x), mapZ(frame, top.z), frame.cell];
    paintBlock(context, { x, y, width: size, height: size }, top, world.groundY);
    context.globalAlpha = 1;
    const real = topOf(world.columns.get(key) ?? []);
    if (real?.block !== top.block) {
      context.strokeStyle = colour("bad");
      context.lineWidth = 1;
      context.setLineDash([2, 2]);
      context.strokeRect(x, y, size, size);
      context.setLineDash([]);
    }
  }
}

/**
 * Those agents and mobs that the observers do not see now stand where they were last seen.
 * @param {CanvasRenderingContext2D} context
 * @param {import("./figures.js").Scene} scene
 * @param {import("../world/mind.js").Mind} mind
 * @param {import("./labels.js").Labels} labels
 */
export function drawGhosts(context, scene, mind, labels) {
  for (const { position, tick, ...seen } of [...named(mind.agents), ...mind.mobs.values()]) {
    if (!mind.sees(position, scene.tick)) {
      const text = `${(seen.name ?? seen.entity).replaceAll("_", " ")}, step ${steps(tick)}`;
      drawGhost(context, scene, { position, text, isMob: Boolean(seen.entity) }, labels);
    }
  }
}

function named(agents) {
  return [...agents].map(([name, seen]) => ({ ...seen, name }));
}

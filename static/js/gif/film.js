/** A GIF of the map, or of two maps side by side, over a span of time. */

import { pagePalette } from "../colours.js";
import { el } from "../dom.js";
import { clockText } from "../live/words.js";
import { LiveMap } from "../map/live.js";

const DELAY = 8; // hundredths of a second
const TICKS_A_FRAME = (20 * DELAY) / 100; // as fast as in the world
const MOST_FRAMES = 120;
const WIDTH = 480;
const MOST_HEIGHT = 480;
const CAPTION = 22;

/**
 * The ticks of the pictures: evenly from the first to the last, at the world's own speed unless that makes too many.
 * @param {number} first
 * @param {number} last
 * @returns {number[]}
 */
export function ticksOf(first, last) {
  const gaps = Math.min(MOST_FRAMES - 1, Math.max(1, Math.ceil((last - first) / TICKS_A_FRAME)));
  return Array.from({ length: gaps + 1 }, (_, i) => first + ((last - first) * i) / gaps);
}

/**
 * Make the GIF.
 * @param {object} options
 * @param {string} options.worker address of `worker.js`
 * @param {import("../live/spectator.js").Scene} options.scene
 * @param {{name: string, story: import("../live/story.js").Story}[]} options.sides what to show, from left to right
 * @param {{knows: string, agent: string}} options.chosen
 * @param {number[]} options.ticks of the pictures
 * @param {number} options.maxSteps
 * @param {AbortSignal} options.signal gives it up
 * @param {(share: number) => void} options.told how much is done, from 0 to 1
 * @returns {Promise<Blob>}
 * @throws {DOMException} `AbortError` when it was given up
 * @throws {Error} when the worker cannot be run
 */
export async function gifOf({ worker, scene, sides, chosen, ticks, maxSteps, signal, told }) {
  const studio = new Studio(scene, sides, chosen, maxSteps);
  const hand = new Worker(worker, { type: "module" });
  const ask = (message, moved = []) => asked(hand, message, moved, signal);
  try {
    for (const [i, tick] of ticks.entries()) {
      const { width, height, data } = studio.picture(tick);
      if (i === 0) {
        await ask({ kind: "start", width, height, delay: DELAY });
      }
      await ask({ kind: "add", pixels: data.buffer }, [data.buffer]);
      told((i + 1) / ticks.length);
    }
    return (await ask({ kind: "finish" })).blob;
  } finally {
    hand.terminate();
    studio.close();
  }
}

/** One question to the worker, and its answer. */
function asked(hand, message, moved, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    hand.onmessage = ({ data }) => resolve(data);
    hand.onerror = (event) => reject(new Error(event.message || "its worker could not be started"));
    hand.postMessage(message, moved);
  });
}

/** Draws pictures of one size, apart from what the page shows. */
class Studio {
  constructor(scene, sides, chosen, maxSteps) {
    this.chosen = chosen;
    this.maxSteps = maxSteps;
    this.sides = sides.map(({ name, story }) => ({
      name,
      story: story.aside(),
      map: new LiveMap(el("div"), scene, { small: true }),
    }));
    this.colour = pagePalette();
    this.canvas = el("canvas");
    this.context = this.canvas.getContext("2d", { willReadFrequently: true });
  }

  /** @param {number} tick */
  picture(tick) {
    const maps = this.sides.map(({ story, map }) =>
      map.picture(story.moment(tick, this.chosen), WIDTH, MOST_HEIGHT),
    );
    const { canvas, context, colour } = this;
    if (canvas.dataset.ready === undefined) {
      canvas.dataset.ready = "";
      canvas.width = WIDTH * maps.length;
      canvas.height = Math.max(...maps.map(({ height }) => height)) + CAPTION;
    }
    context.fillStyle = colour("surface");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = colour("text");
    context.font = "13px system-ui, -apple-system, 'Segoe UI', sans-serif";
    context.textBaseline = "middle";
    maps.forEach((map, i) => {
      context.drawImage(map, WIDTH * i, CAPTION);
      context.fillText(this.#caption(i, tick), WIDTH * i + 8, CAPTION / 2);
    });
    return context.getImageData(0, 0, canvas.width, canvas.height);
  }

  close() {
    for (const { map } of this.sides) {
      map.close();
    }
  }

  #caption(i, tick) {
    const { name, story } = this.sides[i];
    const time = clockText(Math.min(tick, story.edge), this.maxSteps);
    return name ? `${name} · ${time}` : time;
  }
}

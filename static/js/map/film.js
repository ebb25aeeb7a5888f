/** A film of a canvas, or of two side by side, as WebM. */

import { pagePalette } from "../colours.js";
import { el } from "../dom.js";

const FRAMES = 30;
const SLICE_MS = 200;
const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
const CAPTION = 22;

/** The type in which this browser can film; empty where it cannot. */
export function filmType() {
  return TYPES.find((type) => globalThis.MediaRecorder?.isTypeSupported(type)) ?? "";
}

/**
 * What is filmed.
 * @typedef {{name: string, canvas: HTMLCanvasElement}} Side
 */

/** Films from its making on. */
export class Film {
  /** @param {Side[]} sides from left to right; names are written above them where there are several */
  constructor(sides) {
    this.parts = [];
    const shown = sides.length > 1 ? this.#together(sides) : sides[0].canvas;
    this.recorder = new MediaRecorder(shown.captureStream(FRAMES), { mimeType: filmType() });
    /** A slow machine takes its time for the first picture, and a film that ends before it would be empty. */
    this.begun = new Promise((resolve) => {
      this.recorder.ondataavailable = ({ data }) => {
        this.parts.push(data);
        if (data.size > 0) {
          resolve();
        }
      };
    });
    this.recorder.start(SLICE_MS);
  }

  /** @returns {Promise<Blob>} all of it */
  async stop() {
    await this.begun;
    cancelAnimationFrame(this.frame);
    return new Promise((resolve) => {
      this.recorder.onstop = () => resolve(new Blob(this.parts, { type: "video/webm" }));
      this.recorder.stop();
    });
  }

  /** A canvas on which all are drawn again with each picture of the page, each as large as it is now. */
  #together(sides) {
    const places = placesOf(sides.map(({ canvas }) => canvas));
    const last = places.at(-1);
    const height = Math.max(...places.map((place) => place.height));
    const screen = el("canvas", { width: last.x + last.width, height: height + CAPTION });
    const context = screen.getContext("2d");
    const colour = pagePalette();
    const draw = () => {
      context.fillStyle = colour("surface");
      context.fillRect(0, 0, screen.width, screen.height);
      context.fillStyle = colour("text");
      context.font = "13px system-ui, -apple-system, 'Segoe UI', sans-serif";
      context.textBaseline = "middle";
      sides.forEach(({ name, canvas }, i) => {
        const place = places[i];
        context.drawImage(canvas, place.x, CAPTION, place.width, place.height);
        context.fillText(name, place.x + 8, CAPTION / 2);
      });
      this.frame = requestAnimationFrame(draw);
    };
    draw();
    return screen;
  }
}

/** Where canvases lie beside each other. */
function placesOf(canvases) {
  let x = 0;
  return canvases.map(({ width, height }) => {
    x += width;
    return { x: x - width, width, height };
  });
}

/** Makes a GIF off the page's own thread. It is told `{kind: "start" | "add" | "finish", …}` and answers each. */

import { GifEncoder } from "./encode.js";

/** @type {GifEncoder | null} */
let encoder = null;

self.onmessage = ({ data }) => {
  if (data.kind === "start") {
    encoder = new GifEncoder(data.width, data.height, data.delay);
    self.postMessage({});
  } else if (data.kind === "add") {
    encoder.add(new Uint8ClampedArray(data.pixels));
    self.postMessage({});
  } else {
    self.postMessage({ blob: encoder.finish() });
  }
};

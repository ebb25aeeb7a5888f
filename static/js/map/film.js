/** A film of a canvas, as WebM. */

const FRAMES = 30;
const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

/** The type in which this browser can film; empty where it cannot. */
export function filmType() {
  return TYPES.find((type) => globalThis.MediaRecorder?.isTypeSupported(type)) ?? "";
}

/** Films from its making on. */
export class Film {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.parts = [];
    this.recorder = new MediaRecorder(canvas.captureStream(FRAMES), { mimeType: filmType() });
    this.recorder.ondataavailable = ({ data }) => this.parts.push(data);
    this.recorder.start(1_000);
  }

  /** @returns {Promise<Blob>} all of it */
  stop() {
    return new Promise((resolve) => {
      this.recorder.onstop = () => resolve(new Blob(this.parts, { type: "video/webm" }));
      this.recorder.stop();
    });
  }
}

/**
 * A GIF (GIF89a) of pictures that differ little from one to the next: each frame holds only the smallest box round
 * what has changed, in which pixels that have not are transparent. Pure. Source: the GIF89a specification, 1990.
 */

import { compress } from "./lzw.js";
import { paletteOf } from "./quantise.js";

const TRANSPARENT = 0;
const COLOURS = 256;
const LATER = { keep: 1 << 2, transparent: 1 };

/** Takes one picture after another; its parts together are the file. */
export class GifEncoder {
  /**
   * @param {number} width pixels
   * @param {number} height pixels
   * @param {number} delay of each frame in hundredths of a second
   */
  constructor(width, height, delay) {
    this.width = width;
    this.height = height;
    this.delay = delay;
    /** @type {Uint32Array | null} the picture of before */
    this.last = null;
    /** @type {Uint8Array[]} */
    this.parts = [header(width, height)];
  }

  /**
   * The next picture.
   * @param {Uint8ClampedArray} pixels four bytes each: red, green, blue and opacity, which is taken as full
   */
  add(pixels) {
    const picture = new Uint32Array(
      pixels.buffer.slice(pixels.byteOffset, pixels.byteOffset + pixels.byteLength),
    );
    const box = this.#changed(picture);
    const { indices, colours } = this.#indexed(picture, box);
    this.parts.push(control(this.delay), descriptor(box), colours, compress(indices, 8));
    this.last = picture;
  }

  /** The file. @returns {Blob} */
  finish() {
    return new Blob([...this.parts, new Uint8Array([0x3b])], { type: "image/gif" });
  }

  /** The smallest box round what is another than before; one pixel if nothing is. */
  #changed(picture) {
    const { width, height, last } = this;
    if (!last) {
      return { x: 0, y: 0, width, height };
    }
    let [left, top, right, bottom] = [width, height, -1, -1];
    picture.forEach((pixel, at) => {
      if (pixel !== last[at]) {
        const x = at % width;
        const y = (at - x) / width;
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
      }
    });
    return right < 0
      ? { x: 0, y: 0, width: 1, height: 1 }
      : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  }

  /** A box of the picture as numbers of colours, 0 for what is as before. */
  #indexed(picture, box) {
    const { width, last } = this;
    const changed = [];
    const places = [];
    for (let y = 0; y < box.height; y += 1) {
      for (let x = 0; x < box.width; x += 1) {
        const at = (box.y + y) * width + box.x + x;
        if (!last || picture[at] !== last[at]) {
          changed.push(picture[at]);
          places.push(y * box.width + x);
        }
      }
    }
    const { colours, numberOf } = paletteOf(changed, COLOURS - 1);
    const indices = new Uint8Array(box.width * box.height).fill(TRANSPARENT);
    changed.forEach((pixel, i) => {
      indices[places[i]] = numberOf(pixel) + 1;
    });
    const table = new Uint8Array(3 * COLOURS);
    table.set(colours, 3);
    return { indices, colours: table };
  }
}

/** Signature, size, and that it plays for ever (Netscape's extension). */
function header(width, height) {
  const bytes = (text) => [...text].map((letter) => letter.charCodeAt(0));
  const screen = [...word(width), ...word(height), 0x70, 0, 0];
  const forEver = [0x21, 0xff, 11, ...bytes("NETSCAPE2.0"), 3, 1, ...word(0), 0];
  return new Uint8Array([...bytes("GIF89a"), ...screen, ...forEver]);
}

function control(delay) {
  return new Uint8Array([0x21, 0xf9, 4, LATER.keep | LATER.transparent, ...word(delay), TRANSPARENT, 0]);
}

/** Where a frame lies, and that 256 colours of its own follow. */
function descriptor({ x, y, width, height }) {
  return new Uint8Array([0x2c, ...word(x), ...word(y), ...word(width), ...word(height), 0x87]);
}

function word(number) {
  return [number & 0xff, number >> 8];
}

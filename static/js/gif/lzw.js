/** The compression of GIF: LZW with codes of growing width, in blocks of up to 255 bytes. Pure. */

const MOST_CODES = 4096;
const BLOCK = 255;

/**
 * Compress.
 * @param {Uint8Array} indices numbers of colours
 * @param {number} depth bits of the largest number, 2 to 8
 * @returns {Uint8Array} the image data of a frame: the depth, blocks, and an empty block
 */
export function compress(indices, depth) {
  const clear = 1 << depth;
  const end = clear + 1;
  const out = new Blocks();
  /** Code of a sequence: by the code of all but its last number, and that number. @type {Map<number, number>} */
  let codes = new Map();
  let next = end + 1;
  let width = depth + 1;
  out.write(clear, width);
  let prefix = indices[0];
  for (let i = 1; i < indices.length; i += 1) {
    const key = (prefix << 8) | indices[i];
    const code = codes.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    out.write(prefix, width);
    if (next < MOST_CODES) {
      // A reader learns each code one step later than a writer, so the width grows when it has learnt the last one.
      if (next === 1 << width) {
        width += 1;
      }
      codes.set(key, next);
      next += 1;
    } else {
      out.write(clear, width);
      codes = new Map();
      next = end + 1;
      width = depth + 1;
    }
    prefix = indices[i];
  }
  out.write(prefix, width);
  if (next === 1 << width && width < 12) {
    width += 1;
  }
  out.write(end, width);
  return out.finish(depth);
}

/** Bits, the lowest first, as blocks with their lengths. */
class Blocks {
  constructor() {
    this.bytes = [];
    this.bits = 0;
    this.held = 0;
  }

  write(code, width) {
    this.bits |= code << this.held;
    this.held += width;
    while (this.held >= 8) {
      this.bytes.push(this.bits & 0xff);
      this.bits >>>= 8;
      this.held -= 8;
    }
  }

  finish(depth) {
    if (this.held > 0) {
      this.bytes.push(this.bits & 0xff);
    }
    const { length } = this.bytes;
    const out = new Uint8Array(2 + length + Math.ceil(length / BLOCK));
    out[0] = depth;
    let at = 1;
    for (let from = 0; from < length; from += BLOCK) {
      const part = this.bytes.slice(from, from + BLOCK);
      out[at] = part.length;
      out.set(part, at + 1);
      at += 1 + part.length;
    }
    return out;
  }
}

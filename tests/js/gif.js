/**
 * Reads GIFs, as the specification says, for comparison with what was written. Run with a file, it prints as JSON the
 * size, the number of frames, their delay, and how many pixels of the last picture differ from the first.
 */

import { readFileSync } from "node:fs";

/** A GIF as whole pictures, each a number per pixel: red in the lowest byte, then green, then blue. */
export function decode(bytes) {
  const word = (at) => bytes[at] | (bytes[at + 1] << 8);
  const signature = String.fromCharCode(...bytes.slice(0, 6));
  const [width, height] = [word(6), word(8)];
  let canvas = new Uint32Array(width * height);
  const frames = [];
  let at = 13;
  let control = null;
  while (bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21) {
      if (bytes[at + 1] === 0xf9) {
        control = { flags: bytes[at + 3], delay: word(at + 4), transparent: bytes[at + 6] };
      }
      at = afterBlocks(bytes, at + 2);
      continue;
    }
    const [x, y, w, h] = [word(at + 1), word(at + 3), word(at + 5), word(at + 7)];
    const colours = 2 << (bytes[at + 9] & 7);
    const table = bytes.slice(at + 10, at + 10 + 3 * colours);
    at += 10 + 3 * colours;
    const end = afterBlocks(bytes, at + 1);
    const indices = decompress(blocks(bytes, at + 1), bytes[at]);
    at = end;
    canvas = canvas.slice();
    indices.forEach((index, i) => {
      if (index !== control.transparent) {
        const place = (y + Math.floor(i / w)) * width + x + (i % w);
        canvas[place] = table[3 * index] | (table[3 * index + 1] << 8) | (table[3 * index + 2] << 16);
      }
    });
    frames.push({ box: [x, y, w, h], delay: control.delay, pixels: canvas, count: indices.length });
  }
  return { signature, width, height, frames, rest: bytes.length - at - 1 };
}

function afterBlocks(bytes, from) {
  let at = from;
  while (bytes[at] > 0) {
    at += 1 + bytes[at];
  }
  return at + 1;
}

function blocks(bytes, from) {
  const data = [];
  for (let at = from; bytes[at] > 0; at += 1 + bytes[at]) {
    data.push(...bytes.slice(at + 1, at + 1 + bytes[at]));
  }
  return data;
}

function decompress(data, depth) {
  const clear = 1 << depth;
  const out = [];
  let table = [];
  let width = depth + 1;
  let last = null;
  let [bits, held, at] = [0, 0, 0];
  for (;;) {
    while (held < width) {
      bits |= data[at] << held;
      at += 1;
      held += 8;
    }
    const code = bits & ((1 << width) - 1);
    bits >>>= width;
    held -= width;
    if (code === clear + 1) {
      return out;
    }
    if (code === clear) {
      table = Array.from({ length: clear }, (_, i) => [i]);
      table.push(null, null);
      width = depth + 1;
      last = null;
      continue;
    }
    const entry = table[code] ?? [...last, last[0]];
    if (last) {
      table.push([...last, entry[0]]);
      if (table.length === 1 << width && width < 12) {
        width += 1;
      }
    }
    out.push(...entry);
    last = entry;
  }
}

if (process.argv[2]) {
  const { signature, width, height, frames, rest } = decode(readFileSync(process.argv[2]));
  const [first, last] = [frames[0].pixels, frames.at(-1).pixels];
  process.stdout.write(
    JSON.stringify({
      signature,
      width,
      height,
      rest,
      frames: frames.length,
      delays: [...new Set(frames.map(({ delay }) => delay))],
      colours: new Set(first).size,
      changed: first.filter((pixel, i) => pixel !== last[i]).length,
    }),
  );
}

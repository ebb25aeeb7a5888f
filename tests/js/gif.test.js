import assert from "node:assert/strict";
import { test } from "node:test";
import { GifEncoder } from "../../static/js/gif/encode.js";
import { ticksOf } from "../../static/js/gif/film.js";
import { compress } from "../../static/js/gif/lzw.js";
import { paletteOf } from "../../static/js/gif/quantise.js";
import { decode } from "./gif.js";

const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];
const pixels = (...colours) => new Uint8ClampedArray(colours.flat());

async function read(encoder) {
  return decode(new Uint8Array(await encoder.finish().arrayBuffer()));
}

test("codes are packed as the specification says", () => {
  // 4 colours: codes of 3 bits, clear 4, end 5. Numbers 1 1 1: code 1, then 6 ("1 1"). Clear, 1, 6, end, the lowest bit
  // first: 4 + 1·8 + 6·64 = 396 = 0x18c, then 5 at bit 9: 396 + 5·512 = 2956 = 0xb8c. One block of two bytes.
  assert.deepEqual([...compress(new Uint8Array([1, 1, 1]), 2)], [2, 2, 0x8c, 0x0b, 0]);
});

test("the file says its size, plays for ever, and holds only what changed", async () => {
  const encoder = new GifEncoder(3, 2, 8);
  encoder.add(pixels(RED, RED, RED, RED, RED, RED));
  encoder.add(pixels(RED, RED, RED, RED, RED, BLUE));
  encoder.add(pixels(RED, RED, RED, RED, RED, BLUE));
  const bytes = new Uint8Array(await encoder.finish().arrayBuffer());
  assert.match(String.fromCharCode(...bytes), /^GIF89a.*NETSCAPE2\.0/s);
  const { width, height, frames, rest } = decode(bytes);
  assert.deepEqual([width, height, rest], [3, 2, 0]);
  assert.deepEqual(
    frames.map(({ box, delay, count }) => [box, delay, count]),
    [
      [[0, 0, 3, 2], 8, 6],
      [[2, 1, 1, 1], 8, 1],
      [[0, 0, 1, 1], 8, 1],
    ],
  );
  assert.deepEqual([...frames[0].pixels], Array(6).fill(0x0000ff));
  assert.deepEqual([...frames[2].pixels], [...Array(5).fill(0x0000ff), 0xff0000]);
});

test("many pictures of many pixels come back as they were, through growing codes and full tables", async () => {
  const [width, height] = [160, 120];
  const encoder = new GifEncoder(width, height, 8);
  const shown = [];
  for (let frame = 0; frame < 4; frame += 1) {
    // 27 colours that differ in their upper bits, in an order without a pattern.
    let seed = frame + 1;
    const picture = Array.from({ length: width * height }, () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return [0, 1, 2].map((part) => (((seed >>> (16 + 2 * part)) & 3) % 3) * 100);
    });
    encoder.add(pixels(...picture.map((colour) => [...colour, 255])));
    shown.push(picture.map(([red, green, blue]) => red | (green << 8) | (blue << 16)));
  }
  const { frames } = await read(encoder);
  frames.forEach(({ pixels: found }, i) => {
    assert.deepEqual([...found], shown[i]);
  });
});

test("the most frequent colours are kept, and others become the nearest of them", () => {
  const [white, black, grey] = [0xffffff, 0x000000, 0xc0c0c0];
  const { colours, numberOf } = paletteOf([white, white, white, black, black, grey], 2);
  assert.deepEqual([...colours], [255, 255, 255, 0, 0, 0]);
  assert.deepEqual([white, black, grey].map(numberOf), [0, 1, 0]);
});

test("a short span is shown at the world's own speed, a long one in 120 pictures", () => {
  // 8 hundredths of a second are 1.6 ticks.
  assert.deepEqual(
    ticksOf(100, 104.8).map((tick) => Number(tick.toFixed(6))),
    [100, 101.6, 103.2, 104.8],
  );
  const long = ticksOf(0, 2_380);
  assert.deepEqual([long.length, long[0], long[1], long.at(-1)], [120, 0, 20, 2_380]);
  assert.deepEqual(ticksOf(40, 40), [40, 40]);
});

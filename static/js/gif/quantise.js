/** Few colours that stand for many: the most frequent ones, which suits drawings in flat colours. Pure. */

/** A colour's bucket: five bits of each part. */
function bucketOf(pixel) {
  return ((pixel >> 3) & 0x1f) | ((pixel >> 6) & 0x3e0) | ((pixel >> 9) & 0x7c00);
}

/**
 * Choose the colours of some pixels.
 * @param {number[]} pixels each with red in its lowest byte, then green, then blue
 * @param {number} most colours
 * @returns {{colours: Uint8Array, numberOf: (pixel: number) => number}} three bytes a colour; and the number of the
 *   colour that stands for one of these pixels
 */
export function paletteOf(pixels, most) {
  /** By bucket: the first pixel in it stands for all. @type {Map<number, {pixel: number, count: number}>} */
  const buckets = new Map();
  for (const pixel of pixels) {
    const bucket = bucketOf(pixel);
    const known = buckets.get(bucket);
    if (known) {
      known.count += 1;
    } else {
      buckets.set(bucket, { pixel, count: 1 });
    }
  }
  const chosen = [...buckets.values()].sort((a, b) => b.count - a.count).slice(0, most);
  const colours = new Uint8Array(chosen.flatMap(({ pixel }) => partsOf(pixel)));
  const numbers = new Map(chosen.map(({ pixel }, i) => [bucketOf(pixel), i]));
  const numberOf = (pixel) => {
    const bucket = bucketOf(pixel);
    let number = numbers.get(bucket);
    if (number === undefined) {
      number = nearest(colours, partsOf(pixel));
      numbers.set(bucket, number);
    }
    return number;
  };
  return { colours, numberOf };
}

function partsOf(pixel) {
  return [pixel & 0xff, (pixel >> 8) & 0xff, (pixel >> 16) & 0xff];
}

function nearest(colours, [red, green, blue]) {
  let [found, least] = [0, Number.POSITIVE_INFINITY];
  for (let i = 0; i < colours.length; i += 3) {
    const away = (colours[i] - red) ** 2 + (colours[i + 1] - green) ** 2 + (colours[i + 2] - blue) ** 2;
    if (away < least) {
      [found, least] = [i / 3, away];
    }
  }
  return found;
}

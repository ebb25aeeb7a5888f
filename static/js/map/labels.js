/** Names on a map, kept apart from one another. */

const FONT = "12px system-ui, -apple-system, 'Segoe UI', sans-serif";

/** Names on the map: each where it hides nothing, or nowhere (pointing at the place tells it then). */
export class Labels {
  constructor(context, { frame, colour }) {
    this.context = context;
    this.frame = frame;
    this.colour = colour;
    this.wanted = [];
  }

  /** Ask for a text beside a point; `gap` 0 means centred on it. */
  add(text, x, y, ink, gap = 0) {
    this.wanted.push({ text, x, y, ink, gap });
  }

  /** Draw them: names of agents and mobs first, since they are the closest to their point. */
  draw() {
    const { context } = this;
    context.font = FONT;
    context.textAlign = "left";
    const points = this.wanted.filter(({ gap }) => gap > 0);
    const taken = points.map(({ x, y, gap }) => ({
      x: x - gap,
      y: y - gap,
      width: 2 * gap,
      height: 2 * gap,
    }));
    for (const label of [...points, ...this.wanted.filter(({ gap }) => gap === 0)]) {
      const width = context.measureText(label.text).width;
      const box = this.#places(label, width).find((place) => this.#isFree(place, taken));
      if (box) {
        taken.push(box);
        context.globalAlpha = 0.8;
        context.fillStyle = this.colour("canvas");
        context.fillRect(box.x - 2, box.y, box.width + 4, box.height);
        context.globalAlpha = 1;
        context.fillStyle = this.colour(label.ink);
        context.fillText(label.text, box.x, box.y + 8);
      }
    }
  }

  #places({ x, y, gap }, width) {
    const box = (px, py) => ({ x: px, y: py, width, height: 15 });
    if (gap > 0) {
      const middle = x - width / 2;
      return [
        box(x + gap, y - 8),
        box(x - gap - width, y - 8),
        box(middle, y + gap),
        box(middle, y - gap - 15),
      ];
    }
    return [0, -22, 22, -44, 44, -66, 66].map((shift) => box(x - width / 2, y - 8 + shift));
  }

  #isFree(box, taken) {
    const { left, top, width, height } = this.frame;
    const within =
      box.x >= left &&
      box.y >= top &&
      box.x + box.width <= left + width &&
      box.y + box.height <= top + height;
    const overlaps = (other) =>
      box.x < other.x + other.width &&
      other.x < box.x + box.width &&
      box.y < other.y + other.height &&
      other.y < box.y + box.height;
    return within && !taken.some(overlaps);
  }
}

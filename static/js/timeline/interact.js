/** Turns pointer, wheel, touch and keys on the timeline's canvas into moves of the view. */

const ZOOM_STEP = 1.25;
const PAN_SHARE = 0.15;
const CLICK_SLOP = 4;
const PAGE_SCROLL_MS = 400;

/**
 * @typedef {object} Actions
 * @property {(factor: number, x: number | null) => boolean} zoom around a pixel, or the middle; whether the view changed
 * @property {(pixels: number) => void} panPixels
 * @property {(share: number) => void} panShare of the view's width
 * @property {() => void} fit
 * @property {(where: "start" | "now") => void} jump
 * @property {(place: {x: number, y: number} | null) => void} hover
 * @property {(place: {x: number, y: number}) => void} pick
 * @property {(move: import("./rove.js").Move) => void} rove to the next segment or mark
 * @property {() => boolean} enter open what the keyboard is at; whether there is anything
 * @property {() => boolean} leave let go of it; whether there was anything
 */

/** What each key does; false says that it did nothing, and leaves the key to the page. */
const KEYS = {
  "+": (act) => act.zoom(ZOOM_STEP, null),
  "=": (act) => act.zoom(ZOOM_STEP, null),
  w: (act) => act.zoom(ZOOM_STEP, null),
  "-": (act) => act.zoom(1 / ZOOM_STEP, null),
  _: (act) => act.zoom(1 / ZOOM_STEP, null),
  s: (act) => act.zoom(1 / ZOOM_STEP, null),
  arrowleft: (act) => act.rove("back"),
  arrowright: (act) => act.rove("on"),
  arrowup: (act) => act.rove("up"),
  arrowdown: (act) => act.rove("down"),
  "shift arrowleft": (act) => act.panShare(-PAN_SHARE),
  "shift arrowright": (act) => act.panShare(PAN_SHARE),
  enter: (act) => act.enter(),
  escape: (act) => act.leave(),
  a: (act) => act.panShare(-PAN_SHARE),
  d: (act) => act.panShare(PAN_SHARE),
  home: (act) => act.jump("start"),
  end: (act) => act.jump("now"),
  0: (act) => act.fit(),
  f: (act) => act.fit(),
};

/**
 * Do what a key asks for.
 * @param {Actions} act
 * @param {{key: string, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean, shiftKey?: boolean}} event
 * @returns {boolean} whether the key is one of ours, and did something
 */
export function pressKey(act, event) {
  const shift = event.shiftKey && event.key.startsWith("Arrow") ? "shift " : "";
  const name = shift + event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, name)) {
    return false;
  }
  return KEYS[name](act) !== false;
}

/**
 * Follow one or two pointers: one drags, two pinch, and one that hardly moved picks.
 * @param {Actions} act
 */
export class Gestures {
  constructor(act) {
    this.act = act;
    /** @type {Map<number, {x: number, y: number}>} */
    this.down = new Map();
    this.travelled = 0;
  }

  /** A pointer went down. */
  press(id, place) {
    if (this.down.size === 0) {
      this.travelled = 0;
    }
    this.down.set(id, place);
  }

  /** A pointer moved, pressed or not. */
  move(id, place) {
    const before = this.down.get(id);
    if (!before) {
      this.act.hover(place);
      return;
    }
    const apart = this.#spread();
    this.down.set(id, place);
    this.travelled += Math.abs(place.x - before.x) + Math.abs(place.y - before.y);
    if (this.down.size === 2) {
      const now = this.#spread();
      if (apart.distance > 10 && now.distance > 10) {
        this.act.zoom(now.distance / apart.distance, now.middle);
      }
      this.act.panPixels(apart.middle - now.middle);
    } else if (this.travelled > CLICK_SLOP) {
      this.act.hover(null);
      this.act.panPixels(before.x - place.x);
    }
  }

  /** A pointer was lifted (`true`), or taken away by the browser (`false`). */
  release(id, lifted) {
    const place = this.down.get(id);
    this.down.delete(id);
    if (place && lifted && this.down.size === 0 && this.travelled <= CLICK_SLOP) {
      this.act.pick(place);
    }
  }

  #spread() {
    const [a, b = a] = [...this.down.values()];
    return { distance: Math.abs(a.x - b.x), middle: (a.x + b.x) / 2 };
  }
}

/**
 * Listen on a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {Actions} act
 */
export function listen(canvas, act) {
  const gestures = new Gestures(act);
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button === 0) {
      canvas.setPointerCapture(event.pointerId);
      gestures.press(event.pointerId, place(event));
    }
  });
  canvas.addEventListener("pointermove", (event) => gestures.move(event.pointerId, place(event)));
  canvas.addEventListener("pointerup", (event) => gestures.release(event.pointerId, true));
  canvas.addEventListener("pointercancel", (event) => gestures.release(event.pointerId, false));
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") {
      act.hover(null);
    }
  });
  canvas.addEventListener("keydown", (event) => {
    if (pressKey(act, event)) {
      event.preventDefault();
    }
  });
  listenToWheel(canvas, act, place);
}

/** The wheel zooms, sideways it pans; a page that is being scrolled past the timeline goes on scrolling. */
function listenToWheel(canvas, act, place) {
  let pageScrolled = Number.NEGATIVE_INFINITY;
  window.addEventListener(
    "scroll",
    (event) => {
      pageScrolled = event.timeStamp;
    },
    { passive: true },
  );
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (event.timeStamp - pageScrolled < PAGE_SCROLL_MS) {
        return;
      }
      const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
      if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
        act.panPixels(sideways);
        event.preventDefault();
      } else if (act.zoom(ZOOM_STEP ** -Math.max(-3, Math.min(3, event.deltaY / 100)), place(event).x)) {
        event.preventDefault();
      }
    },
    { passive: false },
  );
}

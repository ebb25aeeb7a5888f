/** Many episodes at once, under one clock. Only what is in view listens to its episode and is drawn. */

import { Clock } from "../time/clock.js";
import { tileAt } from "./grid.js";
import { Tile } from "./tile.js";

const PICTURE_MS = 100; // ten pictures a second are enough here
const NEAR = "300px"; // around the window: what is about to be scrolled into view is there already

/** Fills the list; `told` is called whenever the clock has moved or reaches further. */
export class Wall {
  /**
   * @param {HTMLUListElement} host
   * @param {Record<string, any>} scenes by task; more may come later
   */
  constructor(host, scenes) {
    this.host = host;
    this.scenes = scenes;
    this.clock = new Clock();
    this.told = () => {};
    /** @type {Map<string, Tile>} by episode */
    this.tiles = new Map();
    /** @type {Map<Element, Tile>} */
    this.byElement = new Map();
    this.watcher = new IntersectionObserver((seen) => this.#seen(seen), { rootMargin: NEAR });
    host.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /**
   * Take over which episodes there are, and in which order.
   * @param {import("./tile.js").Described[]} episodes
   */
  show(episodes) {
    const keys = new Set(episodes.map(({ pk }) => String(pk)));
    for (const [key, tile] of this.tiles) {
      if (!keys.has(key)) {
        this.tiles.delete(key);
        this.byElement.delete(tile.element);
        this.watcher.unobserve(tile.element);
        tile.close();
      }
    }
    this.#arrange(episodes.map((episode) => this.#tile(episode).element));
    this.render();
  }

  /** Draw the moment, soon. */
  render() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      requestAnimationFrame(() => this.#render());
    }, PICTURE_MS);
  }

  #tile(episode) {
    const key = String(episode.pk);
    let tile = this.tiles.get(key);
    if (!tile) {
      tile = new Tile(episode, this.scenes[episode.task], () => this.render());
      this.tiles.set(key, tile);
      this.byElement.set(tile.element, tile);
      this.watcher.observe(tile.element);
    }
    tile.describe(episode);
    return tile;
  }

  /** Elements are moved only where their order is another one, and the focus stays where it was. */
  #arrange(elements) {
    const there = [...this.host.children];
    if (there.length === elements.length && elements.every((element, i) => element === there[i])) {
      return;
    }
    const focused = document.activeElement;
    this.host.replaceChildren(...elements);
    if (focused instanceof HTMLElement && this.host.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
  }

  #seen(entries) {
    for (const { target, isIntersecting } of entries) {
      const tile = this.byElement.get(target);
      if (isIntersecting) {
        tile?.wake();
      } else {
        tile?.rest();
      }
    }
    this.render();
  }

  #render() {
    const { clock } = this;
    const tiles = [...this.tiles.values()];
    const edge = Math.max(0, ...tiles.map((tile) => tile.edge));
    clock.extend(
      edge,
      tiles.some((tile) => tile.running),
      0,
    );
    clock.pass(performance.now());
    for (const tile of tiles) {
      if (tile.awake) {
        tile.draw(clock.mode === "live" ? tile.edge : Math.min(clock.t, tile.edge));
      }
    }
    this.told();
    if (clock.mode === "playing") {
      this.render();
    }
  }

  #pressed(event) {
    const elements = [...this.host.children];
    const at = elements.findIndex((element) => element.contains(event.target));
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const boxes = elements.map(({ offsetLeft, offsetTop }) => ({ left: offsetLeft, top: offsetTop }));
    const to = tileAt(boxes, at, event.key);
    if (to >= 0) {
      event.preventDefault();
      elements[to].querySelector("a").focus();
    }
  }
}

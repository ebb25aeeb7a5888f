/** One episode on the wall: its map and its timeline, small, and how far it is. */

import { pagePalette, watchTheme } from "../colours.js";
import { el, fitCanvas, setText } from "../dom.js";
import { Folds, haveAt } from "../live/folds.js";
import { LiveClient } from "../live/socket.js";
import { clockText } from "../live/words.js";
import { LiveMap } from "../map/live.js";
import { History } from "../world/history.js";
import { World } from "../world/state.js";
import { drawStrip, stripHeight } from "./strip.js";

const OUTCOMES = new Map([
  [true, "success"],
  [false, "failure"],
]);

/** What a connection may be without a word about it. */
const UNTOLD = new Set(["connecting", "live", "ended"]);

const CHECKPOINTS = 3; // there is no room for more

/**
 * @typedef {{pk: number, title: string, condition: string, task: string, status: string, success: boolean | null,
 *   attempt: number, tick: number, max_steps: number, url: string, socket: string}} Described
 */

/** Listens to its episode while it is awake. */
export class Tile {
  /**
   * @param {Described} episode
   * @param {any} scene of its task
   * @param {() => void} changed there is something new to draw
   */
  constructor(episode, scene, changed) {
    this.episode = episode;
    this.changed = changed;
    /** Whether it listens and is to be drawn. */
    this.awake = false;
    this.heard = 0;
    /** What is wrong with its stream, in words. */
    this.problem = "";
    this.folds = new Folds();
    this.worlds = new History(() => new World());
    this.colour = pagePalette();
    this.stopWatching = watchTheme(() => {
      this.colour = pagePalette();
      this.changed();
    });
    this.#build(scene);
    this.#listen();
  }

  /** The last moment that is known of it, in ticks. */
  get edge() {
    return this.folds.end?.tick ?? Math.max(this.episode.tick, this.heard, this.folds.tick);
  }

  /** Whether more will come. */
  get running() {
    return this.episode.status === "running" && !this.folds.end;
  }

  /** It has come into view: listen, from where it broke off. */
  wake() {
    this.awake = true;
    this.client.connect();
  }

  /** It is out of view: what is known stays, nothing more comes. */
  rest() {
    this.awake = false;
    this.client.rest();
  }

  /** Take over what the server says of it now. */
  describe(episode) {
    this.episode = episode;
    this.#say();
  }

  /** It has gone from the wall. */
  close() {
    this.awake = false;
    this.stopWatching();
    this.map.close();
    this.client.close();
    this.element.remove();
  }

  #build(scene) {
    this.place = el("div", { class: "wall-map" });
    this.canvas = el("canvas", { class: "wall-strip", role: "img", "aria-hidden": "true" });
    this.clockText = el("span", { class: "wall-clock" });
    this.state = el("span", { class: "wall-state" });
    this.progress = el("span", { class: "wall-progress" });
    this.element = el(
      "li",
      { class: "card wall-tile" },
      el(
        "a",
        { href: this.episode.url, class: "wall-link keeps-moment" },
        el("b", { text: this.episode.title }),
        el("span", { class: "muted", text: this.episode.condition }),
      ),
      this.place,
      this.canvas,
      el("p", { class: "wall-facts" }, this.state, this.clockText, this.progress),
    );
    this.map = new LiveMap(this.place, scene, { small: true });
    this.#say();
  }

  #listen() {
    const url = new URL(this.episode.socket, location.href.replace(/^http/, "ws")).href;
    this.client = new LiveClient(url, {
      connection: ({ kind, text, count }) => {
        this.problem = UNTOLD.has(kind) ? "" : `${text} ${count}`.trim();
        this.#say();
      },
      clock: ({ tick, status }) => {
        this.heard = tick;
        this.episode = { ...this.episode, status };
        this.changed();
      },
      events: (events) => {
        for (const event of events) {
          this.folds.apply(event);
        }
        this.changed();
      },
      reset: () => {
        this.folds.clear();
        this.heard = 0;
        this.episode = { ...this.episode, tick: 0 };
        this.worlds.clear(this.client.log);
        this.changed();
      },
      end: () => this.changed(),
    });
    this.worlds.clear(this.client.log);
  }

  /**
   * Show a moment.
   * @param {number} tick
   */
  draw(tick) {
    const { folds, colour } = this;
    const maxSteps = folds.maxSteps || this.episode.max_steps;
    this.map.show({ world: this.worlds.at(tick), mind: null, tick, folds, selected: "" });
    const width = this.place.clientWidth;
    const height = stripHeight(folds.lanes.size);
    drawStrip(fitCanvas(this.canvas, width, height), { folds, now: tick, width, maxSteps, colour });
    this.clockText.textContent = clockText(tick, maxSteps);
    this.progress.textContent = progressText(folds, tick);
    this.element.dataset.lastSeq = String(folds.seq);
    this.#say();
  }

  #say() {
    const { status, success } = this.episode;
    const ended = this.folds.end;
    const outcome = OUTCOMES.get(ended?.success ?? success) ?? ended?.status ?? status;
    setText(this.state, this.problem || outcome);
    this.state.classList.toggle("is-problem", this.problem !== "");
    this.element.dataset.status = ended?.status ?? status;
  }
}

/**
 * How far the first checkpoints were at a tick.
 * @param {Folds} folds
 * @param {number} tick
 * @returns {string} `deposit raw gold 5/24 · deposit oak log 0/22`
 */
export function progressText(folds, tick) {
  const plain = (count) => Number(count.toFixed(1));
  return [...folds.checkpoints.values()]
    .slice(0, CHECKPOINTS)
    .map((one) => `${one.name.replaceAll("_", " ")} ${plain(haveAt(one, tick))}/${plain(one.need)}`)
    .join(" · ");
}

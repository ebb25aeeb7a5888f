/** The map on an episode's page: the world at the shown moment, from above. */

import { pagePalette, watchTheme } from "../colours.js";
import { el, fillRows, fitCanvas, oncePerFrame, setText } from "../dom.js";
import { columnPlace, topOf } from "../world/columns.js";
import { placeOf } from "../world/state.js";
import { drawCrisis } from "./crisis.js";
import { drawAgent, drawDrops, drawMob, drawStore } from "./figures.js";
import { columnAt, fitMap, mapX, mapZ } from "./geometry.js";
import { drawGrid, drawLife, drawPointed, drawRegion } from "./ground.js";
import { Labels } from "./labels.js";
import { lifeLeft } from "./moments.js";
import { moved } from "./preview.js";
import { Terrain } from "./terrain.js";
import { drawGhosts, Veil } from "./veil.js";
import { rowsOf, wordsAt } from "./words.js";

const HINT =
  "Point at the map, or use the arrow keys, to see what is where; Enter or a click on an agent opens its mind.";
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SMALL_HEIGHT = 180;
const CLOSE = 14; // blocks around an agent
const REACH = 14; // pixels from a click to the agent that it means

/**
 * @typedef {object} Moment what the map shows
 * @property {import("../world/state.js").World} world
 * @property {import("../world/mind.js").Mind | null} mind dim everything that it does not know
 * @property {number} tick
 * @property {import("../live/folds.js").Folds} folds
 * @property {string} selected
 */

/** Draws a moment on the animation frame after each `show`. */
export class LiveMap {
  /**
   * @param {HTMLElement} host
   * @param {{bounds: {min: number[], max: number[]} | null, fills: import("./fronts.js").Fill[]}} scene
   * @param {object} [options]
   * @param {(agent: string) => void} [options.picked] the viewer chose an agent
   * @param {boolean} [options.small] a picture without controls, for a wall of many
   * @param {HTMLElement | null} [options.options] where the viewer chooses what to see
   * @param {LiveMap | null} [options.leader] another map whose choices hold for this one too
   * @param {string} [options.of] whose map it is, where there are two
   */
  constructor(
    host,
    scene,
    { picked = () => {}, small = false, options = null, leader = null, of = "" } = {},
  ) {
    this.fills = scene.fills;
    this.bounds = scene.bounds;
    this.picked = picked;
    this.small = small;
    this.options = options;
    this.leader = leader;
    this.of = of && ` of ${of}`;
    this.terrain = new Terrain();
    this.veil = new Veil();
    /** @type {Moment | null} */
    this.moment = null;
    this.frame = null;
    /** @type {[number, number] | null} */
    this.at = null;
    this.colour = pagePalette();
    this.redraw = oncePerFrame(() => this.#draw());
    this.#build(host);
    this.stopWatching = watchTheme(() => {
      this.colour = pagePalette();
      this.redraw();
    });
    this.resizes = new ResizeObserver(() => this.redraw());
    this.resizes.observe(this.box);
  }

  /** Let go of the page. */
  close() {
    this.stopWatching();
    this.resizes.disconnect();
  }

  /**
   * Show a moment.
   * @param {Moment} moment
   */
  show(moment) {
    this.moment = moment;
    this.redraw();
  }

  /**
   * Draw a moment at once, whatever room the page has; for films.
   * @param {Moment} moment
   * @param {number} width pixels
   * @param {number} most pixels of height
   * @returns {HTMLCanvasElement}
   */
  picture(moment, width, most) {
    this.moment = moment;
    this.#grow();
    this.frame = fitMap(this.#shown(), width, most);
    this.canvas.width = width;
    this.canvas.height = this.frame.canvasHeight;
    this.#paint(this.canvas.getContext("2d"), this.#scene());
    return this.canvas;
  }

  #build(host) {
    this.canvas = el("canvas", {
      tabindex: this.small ? null : "0",
      role: this.small ? "img" : "application",
      "aria-roledescription": this.small ? null : "map",
      "aria-label": this.small
        ? "Map"
        : `The world${this.of} from above, north up. The table below holds the same.`,
      "aria-describedby": this.small ? null : `${host.id}-words`,
    });
    this.box = el("div", { class: "map-frame" }, this.canvas);
    if (this.small) {
      host.replaceChildren(this.box);
      return;
    }
    const box = (checked) => el("input", { type: "checkbox", class: "form-check-input", checked });
    this.sight = this.leader?.sight ?? box(true);
    this.follow = this.leader?.follow ?? box(false);
    for (const option of [this.sight, this.follow]) {
      option.addEventListener("change", this.redraw);
    }
    this.words = el("p", { class: "map-words", id: `${host.id}-words`, role: "status", text: HINT });
    this.body = el("tbody");
    const heads = ["What", "Where", "How it is", "Doing"];
    this.twin = el(
      "details",
      { class: "map-twin", ontoggle: this.redraw },
      el("summary", { text: "Map as a table" }),
      el(
        "div",
        {
          class: "table-scroll twin-scroll",
          tabindex: "0",
          role: "region",
          "aria-label": `Map${this.of} as a table`,
        },
        el(
          "table",
          { class: "table table-sm" },
          el("thead", {}, el("tr", {}, ...heads.map((text) => el("th", { scope: "col", text })))),
          this.body,
        ),
      ),
    );
    const option = (input, text) => el("label", { class: "map-sight" }, input, text);
    this.options?.replaceChildren(
      option(this.sight, "show how far agents see"),
      option(this.follow, "close up on the chosen agent"),
    );
    host.replaceChildren(this.box, this.words, this.twin);
    this.#listen();
  }

  #listen() {
    const { canvas } = this;
    const place = (event) => (this.frame ? columnAt(this.frame, event.offsetX, event.offsetY) : null);
    canvas.addEventListener("pointermove", (event) => this.#point(place(event)));
    canvas.addEventListener("pointerleave", () => this.#point(null));
    canvas.addEventListener("click", (event) => {
      this.#point(place(event));
      this.#pick(event.offsetX, event.offsetY);
    });
    canvas.addEventListener("keydown", (event) => {
      const move = Object.hasOwn(MOVES, event.key) ? MOVES[event.key] : null;
      if (move && this.bounds) {
        event.preventDefault();
        this.#point(moved(this.at, move, this.bounds));
      } else if (event.key === "Enter" && this.at && this.frame) {
        event.preventDefault();
        this.#pick(mapX(this.frame, this.at[0] + 0.5), mapZ(this.frame, this.at[1] + 0.5));
      }
    });
  }

  #point(column) {
    if (column?.join() !== this.at?.join()) {
      this.at = column;
      this.redraw();
    }
  }

  #pick(x, y) {
    const { world, tick } = this.moment ?? {};
    if (!world || !this.frame) {
      return;
    }
    const away = (agent) => {
      const [px, , pz] = placeOf(agent, tick);
      return Math.hypot(mapX(this.frame, px + 0.5) - x, mapZ(this.frame, pz + 0.5) - y);
    };
    const nearest = [...world.agents.values()].sort((a, b) => away(a) - away(b))[0];
    if (nearest && away(nearest) <= Math.max(REACH, this.frame.cell)) {
      this.picked(nearest.name);
    }
  }

  /** Everybody stays on the map, however far they go. */
  #grow() {
    const { world, tick } = this.moment;
    const places = [...world.agents.values(), ...world.mobs.values()].map((body) => placeOf(body, tick));
    const { min, max } = this.bounds ?? { min: [-8, -8], max: [8, 8] };
    const xs = places.map(([x]) => Math.round(x));
    const zs = places.map(([, , z]) => Math.round(z));
    this.bounds = {
      min: [Math.min(min[0], ...xs), Math.min(min[1], ...zs)],
      max: [Math.max(max[0], ...xs), Math.max(max[1], ...zs)],
    };
  }

  /** The ground in view: all of it, or what is round the chosen agent. */
  #shown() {
    const { world, tick, selected } = this.moment;
    const agent = this.follow?.checked ? world.agents.get(selected) : null;
    if (!agent) {
      return this.bounds;
    }
    const [x, , z] = placeOf(agent, tick).map(Math.round);
    const reach = Math.min(CLOSE, Math.ceil(agent.range) + 1);
    return { min: [x - reach, z - reach], max: [x + reach, z + reach] };
  }

  #draw() {
    if (!this.moment) {
      return;
    }
    this.#grow();
    const width = this.box.clientWidth;
    if (width > 0) {
      const most = this.small ? SMALL_HEIGHT : Math.min(560, Math.max(320, width));
      this.frame = fitMap(this.#shown(), width, most);
      this.#paint(fitCanvas(this.canvas, width, this.frame.canvasHeight), this.#scene());
    }
    if (!this.small) {
      this.#tell(this.#scene());
    }
  }

  #scene() {
    const { folds } = this.moment;
    return {
      ...this.moment,
      frame: this.frame,
      fills: this.fills,
      marks: folds.marks,
      checkpoints: folds.checkpoints,
      colour: this.colour,
      sight: this.sight?.checked ?? false,
      at: this.at,
    };
  }

  #paint(context, scene) {
    const { frame, world, mind, colour, tick } = scene;
    const { left, top, width, height } = frame;
    context.clearRect(0, 0, left + width + 40, frame.canvasHeight);
    context.textBaseline = "middle";
    context.fillStyle = colour("canvas");
    context.fillRect(left, top, width, height);
    drawGrid(context, scene);
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    const labels = new Labels(context, scene);
    for (const { region, low, high, active } of world.regions.values()) {
      drawRegion(context, scene, { id: region, min: low, max: high, active }, labels);
    }
    const blocks = this.terrain.paint(world.columns, frame, window.devicePixelRatio || 1, world.groundY);
    context.drawImage(blocks, left, top, width, height);
    this.#rings(context, scene);
    for (const fill of this.fills) {
      drawCrisis(context, scene, fill, labels);
    }
    if (mind) {
      this.veil.draw(context, scene, mind);
    }
    this.#figures(context, scene, labels, tick);
    labels.draw();
    drawPointed(context, scene);
    context.restore();
  }

  /** Round what will vanish, what is left of its life. */
  #rings(context, { world, frame, colour, tick }) {
    const radius = Math.max(frame.cell * 0.8, 5);
    for (const key of this.terrain.mortal) {
      const [x, z] = columnPlace(key);
      const left = lifeLeft(topOf(world.columns.get(key)), tick);
      drawLife(context, [mapX(frame, x + 0.5), mapZ(frame, z + 0.5)], radius, left, colour("text"));
    }
  }

  #figures(context, scene, labels, tick) {
    const { world, mind } = scene;
    const shown = (body, name) =>
      !mind || mind.observers.includes(name) || mind.sees(placeOf(body, tick), tick);
    drawDrops(context, scene);
    for (const chest of world.chests.values()) {
      const known = mind?.chests.get(chest.position.join());
      drawStore(context, scene, known ? { ...chest, items: known.items } : chest, labels);
    }
    for (const mob of world.mobs.values()) {
      if (shown(mob)) {
        drawMob(context, scene, mob, labels);
      }
    }
    for (const agent of world.agents.values()) {
      if (shown(agent, agent.name)) {
        drawAgent(context, scene, agent, labels);
      }
    }
    if (mind) {
      drawGhosts(context, scene, mind, labels);
    }
  }

  #tell(scene) {
    setText(this.words, this.at ? wordsAt(scene, this.at) : HINT);
    if (this.twin.open) {
      fillRows(this.body, rowsOf(scene));
    }
  }
}

/** The three-dimensional view: its canvas, camera and keys. What draws it is loaded when it is first shown. */

import { pagePalette, watchTheme } from "../colours.js";
import { el, oncePerFrame, setText } from "../dom.js";
import { placeOf } from "../world/state.js";
import { thinOut } from "./labels.js";
import { Rig } from "./rig.js";

const HEIGHT = 480;
const LOOK = "Drag or the arrows turn, the wheel or + and − zoom, R shows everything.";
const FLIGHT = 1.5; // blocks a key press, at a distance of 30 blocks
const TURN = 0.12;

/** Which way a key flies: ahead, right, up. @type {Record<string, [number, number, number]>} */
const FLIGHTS = { w: [1, 0, 0], s: [-1, 0, 0], a: [0, -1, 0], d: [0, 1, 0], e: [0, 0, 1], q: [0, 0, -1] };

/** @type {Record<string, (rig: Rig) => void>} */
const LOOKS = {
  arrowleft: (rig) => rig.turn(-TURN, 0),
  arrowright: (rig) => rig.turn(TURN, 0),
  arrowup: (rig) => rig.turn(0, TURN),
  arrowdown: (rig) => rig.turn(0, -TURN),
  "+": (rig) => rig.zoom(1.2),
  "=": (rig) => rig.zoom(1.2),
  "-": (rig) => rig.zoom(1 / 1.2),
};

/** Shows moments on the animation frame after each `show`. */
export class SpaceView {
  /**
   * @param {HTMLElement} host
   * @param {{min: number[], max: number[]} | null} bounds of the ground to see at first
   * @param {string} library address of three.js; empty where there is none
   * @param {object} [options]
   * @param {SpaceView | null} [options.leader] another view, through whose camera this one looks
   * @param {string} [options.of] whose world it is, where there are two
   */
  constructor(host, bounds, library, { leader = null, of = "" } = {}) {
    this.host = host;
    this.of = of && ` of ${of}`;
    this.bounds = bounds ?? { min: [-16, -16], max: [16, 16] };
    this.library = library;
    this.rig = leader?.rig ?? new Rig();
    this.rig.frame(this.bounds);
    this.follow = leader?.follow ?? el("input", { type: "checkbox", class: "form-check-input" });
    this.follow.addEventListener("change", () => this.redraw());
    /** All views through one camera. @type {SpaceView[]} */
    this.views = leader?.views ?? [];
    this.views.push(this);
    /** @type {import("../map/live.js").Moment | null} */
    this.moment = null;
    this.redraw = oncePerFrame(() => this.#draw());
  }

  /**
   * Show a moment.
   * @param {import("../map/live.js").Moment} moment
   */
  show(moment) {
    this.moment = moment;
    this.loading ??= this.#load();
    this.redraw();
  }

  async #load() {
    this.note = el("p", { class: "map-words", role: "status", text: "Loading …" });
    this.host.replaceChildren(this.note);
    try {
      const [three, { Space }] = await Promise.all([import(this.library), import("./scene.js")]);
      this.#build(three, Space);
      this.redraw();
    } catch (error) {
      this.note.textContent = `The world cannot be shown in 3D here: ${error.message}. The map shows the same.`;
    }
  }

  #build(three, Space) {
    this.canvas = el("canvas", {
      class: "space-canvas",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "3D view",
      "aria-label": `The world${this.of} in three dimensions. The table below holds the same.`,
    });
    // A film of two views is drawn from both canvases, whose pictures would be gone by then.
    const preserveDrawingBuffer = this.views.length > 1;
    this.renderer = new three.WebGLRenderer({ canvas: this.canvas, antialias: false, preserveDrawingBuffer });
    this.camera = new three.PerspectiveCamera(50, 1, 0.1, 2_000);
    this.space = new Space(three, pagePalette());
    const isLeader = this.views[0] === this;
    this.host.prepend(
      el("div", { class: "map-frame" }, this.canvas),
      ...(isLeader ? [el("label", { class: "map-sight" }, this.follow, "follow the chosen agent")] : []),
    );
    this.#dress();
    watchTheme(() => this.#dress());
    this.#listen();
    new ResizeObserver(this.redraw).observe(this.host);
  }

  #dress() {
    this.space.dress(document.documentElement.dataset.bsTheme === "dark");
    this.redraw();
  }

  /** The camera looks from elsewhere. */
  #moved() {
    for (const view of this.views) {
      view.redraw();
    }
  }

  #listen() {
    const { canvas, rig } = this;
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons === 1) {
        rig.turn(-event.movementX * 0.006, event.movementY * 0.006);
        this.#moved();
      }
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        rig.zoom(1.15 ** -Math.max(-3, Math.min(3, event.deltaY / 100)));
        this.#moved();
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => this.#pressed(event));
  }

  #pressed(event) {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (key === "r") {
      this.follow.checked = false;
      this.rig.frame(this.bounds);
    } else if (key === "f") {
      this.follow.checked = !this.follow.checked;
    } else if (Object.hasOwn(FLIGHTS, key)) {
      const reach = (FLIGHT * this.rig.distance) / 30;
      this.follow.checked = false;
      this.rig.fly(...FLIGHTS[key].map((way) => way * reach));
    } else if (Object.hasOwn(LOOKS, key)) {
      LOOKS[key](this.rig);
    } else {
      return;
    }
    event.preventDefault();
    this.#moved();
  }

  /** Say what the camera does, and how it does something else. */
  #tell(followed, selected) {
    const free = `Flying freely: W A S D, Q and E down and up${selected ? `; F follows ${selected}` : ""}.`;
    setText(this.note, `${followed ? `Following ${followed}; F or W A S D fly freely.` : free} ${LOOK}`);
  }

  #draw() {
    const width = this.host.clientWidth;
    if (!this.space || !this.moment || width === 0) {
      return;
    }
    const { world, tick, selected } = this.moment;
    this.space.show(this.moment);
    const agent = world.agents.get(selected);
    const followed = this.follow.checked && agent ? selected : "";
    if (followed) {
      this.rig.target = this.space.at(placeOf(agent, tick));
    }
    this.#tell(followed, selected);
    const room = this.canvas.parentElement.clientWidth;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 1.5));
    this.renderer.setSize(room, HEIGHT, false);
    this.camera.aspect = room / HEIGHT;
    this.camera.updateProjectionMatrix();
    this.camera.position.set(...this.rig.eye());
    this.camera.lookAt(...this.rig.target);
    thinOut(this.space.groups, this.camera, { width: room, height: HEIGHT });
    this.renderer.render(this.space.scene, this.camera);
    const { blocks, bodies } = this.space;
    Object.assign(this.host.dataset, {
      blocks,
      bodies: [...bodies.keys()].join("; "),
      tick: Math.round(tick),
    });
  }
}

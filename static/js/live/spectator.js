/**
 * The spectator: one log, one clock, and the parts that show the moment at which the clock is.
 *
 * Live, replay and rewind are the same code at another tick: every part is given the fold of the log at that tick.
 */

import { oncePerFrame } from "../dom.js";
import { EventList } from "../events/index.js";
import { LiveMap } from "../map/live.js";
import { Decisions } from "../minds/decisions.js";
import { MindPanel } from "../minds/panel.js";
import { SpaceView } from "../space/view.js";
import { readPlace, writePlace } from "../time/address.js";
import { Clock } from "../time/clock.js";
import { Controls } from "../time/controls.js";
import { nearestOf } from "../time/kinds.js";
import { Timeline } from "../timeline/index.js";
import { Twin } from "../timeline/twin.js";
import { History } from "../world/history.js";
import { Mind } from "../world/mind.js";
import { World } from "../world/state.js";
import { Choices, EVERYBODY } from "./choices.js";
import { Folds } from "./folds.js";
import { clockText } from "./words.js";

const ADDRESS_MS = 300;
const LIST_MS = 200;

/**
 * @typedef {object} Scene what the task says beforehand
 * @property {{min: number[], max: number[]} | null} bounds of the map
 * @property {import("../map/fronts.js").Fill[]} fills
 *
 * @typedef {object} Source where the log comes from: a `LiveClient`, or a `Recording`
 * @property {import("./socket.js").LogEvent[]} log
 */

/** Fills an episode's page. */
export class Spectator {
  /**
   * @param {HTMLElement} live the section of the page
   * @param {Scene} scene
   */
  constructor(live, scene) {
    this.live = live;
    this.scene = scene;
    this.maxSteps = Number(live.dataset.maxSteps);
    this.folds = new Folds();
    this.decisions = new Decisions();
    this.clock = new Clock();
    this.worlds = new History(() => new World());
    /** @type {Map<string, History<Mind>>} by observer, or `EVERYBODY` */
    this.minds = new Map();
    this.heart = { tick: 0, status: live.dataset.status, pace: Number(live.dataset.pace) };
    /** What the viewer has chosen. */
    this.chosen = { agent: "", knows: "", decision: null, view: "" };
    /** What the address asks for and the log does not hold yet. @type {import("../time/address.js").Place | null} */
    this.wanted = readPlace(location.hash);
    this.calm = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.render = oncePerFrame(() => this.#render());
    this.#build();
  }

  /**
   * Take the log from here on.
   * @param {Source} source
   */
  watch(source) {
    this.source = source;
    this.#forget();
    this.render();
  }

  /** World time, and whether it goes on. */
  beat({ tick, status, pace }) {
    this.heart = { tick, status, pace };
    this.live.dataset.status = status;
    this.#extend();
  }

  /** Events arrived; the source holds them already. */
  take(events) {
    for (const event of events) {
      this.folds.apply(event);
      this.decisions.apply(event);
    }
    this.list.add(events);
    this.#extend();
    this.twin.update();
    this.live.dataset.lastSeq = String(this.folds.seq);
  }

  /** The episode starts over; the source holds an empty log. */
  reset() {
    this.folds.clear();
    this.decisions.clear();
    this.clock.reset();
    this.heart.tick = 0;
    this.chosen.decision = null;
    this.#forget();
    this.timeline.reset();
    this.list.reset();
    this.twin.refill();
    this.#extend();
  }

  /** Nothing more comes. */
  end(status) {
    this.beat({ ...this.heart, status });
  }

  /** Show a moment of the past. */
  seek(tick, seq = null) {
    this.clock.seek(tick);
    this.timeline.centre(tick, seq);
    this.render();
  }

  #build() {
    const find = (selector) => this.live.querySelector(selector);
    const { scene, folds, clock } = this;
    const picked = (agent) => this.choose({ agent });
    this.timeline = new Timeline(find("#timeline"), {
      folds,
      maxSteps: this.maxSteps,
      fills: scene.fills,
      picked: (tick, hit) => this.#pick(tick, hit),
    });
    this.controls = new Controls(find("#time"), clock, {
      changed: () => this.#moved(),
      jump: (kind, direction) => this.#jump(kind, direction),
    });
    this.list = new EventList(find("#events"), {
      fromStart: this.heart.status !== "queued" && this.heart.status !== "running",
      picked: (event) => this.seek(event.world_time, event.seq),
    });
    this.twin = new Twin(find("#timeline-twin"), folds);
    this.map = new LiveMap(find("#map"), scene, { picked });
    this.space = new SpaceView(find("#space"), scene.bounds, this.live.dataset.three ?? "");
    this.panel = new MindPanel(find("#mind"), { picked, base: this.live.dataset.decisions ?? "" });
    this.choices = new Choices(find("#map-choices"), {
      canvas: () => (this.live.dataset.view === "3d" ? this.space : this.map).canvas,
      space: Boolean(this.live.dataset.three),
      choose: (choice) => this.choose(choice),
      play: () => this.clock.moving || this.controls.act("toggle"),
    });
    // Ten readings a second are for the eye; a screen reader would speak without pause.
    this.output = find("#clock");
    this.output.setAttribute("aria-live", "off");
    window.addEventListener("hashchange", () => {
      // Other fragments lead to parts of the page.
      if (location.hash !== this.written && location.hash.includes("=")) {
        this.wanted = readPlace(location.hash);
        this.#go();
      }
    });
  }

  /** Take over what the viewer chose. */
  choose(choice) {
    Object.assign(this.chosen, choice);
    if (choice.agent) {
      this.chosen.decision = null;
    }
    this.render();
    this.#write();
  }

  #pick(tick, hit) {
    const segment = hit && "segment" in hit ? hit.segment : null;
    const seq = segment?.seq ?? hit?.message?.seq ?? hit?.marks?.[0].seq;
    this.clock.seek(tick);
    const agent = segment?.agent ?? hit?.message?.sender;
    if (agent && this.folds.lanes.has(agent)) {
      const decision = segment?.activity === "planning" ? this.decisions.decisionOf(segment) : null;
      this.choose({ agent });
      this.chosen.decision = decision;
    }
    if (seq) {
      this.list.show(seq);
      this.listed = this.clock.t;
    }
    this.#moved(false);
  }

  #jump(kind, direction) {
    const event = nearestOf(this.source?.log ?? [], kind, this.clock.t, direction);
    if (event) {
      this.list.show(event.seq);
      this.chosen.decision = this.decisions.bySeq(event.seq);
      this.seek(event.world_time, event.seq);
      this.#write();
    }
  }

  /** The viewer moved the clock. */
  #moved(forget = true) {
    if (forget) {
      this.chosen.decision = null;
      this.timeline.cursor = null;
    }
    if (this.clock.mode === "paused") {
      this.timeline.reveal(this.clock.t);
    } else if (this.clock.mode === "live" && this.clock.running) {
      this.timeline.present();
    }
    this.render();
    this.#write();
  }

  /** More is known than before. */
  #extend() {
    const { tick, status, pace } = this.heart;
    // The heartbeat's clock may have run ahead of the tick that a cancelled episode ended at.
    const edge = this.folds.end?.tick ?? Math.max(tick, this.folds.tick);
    this.clock.extend(edge, status === "running" && !this.folds.end, pace);
    this.#go();
    this.render();
  }

  /** Go where the address says, as soon as the log reaches that far. */
  #go() {
    const place = this.wanted;
    const known = this.folds.end !== null || (place?.tick ?? 0) <= this.folds.tick;
    if (!place || !known || this.folds.lanes.size === 0) {
      return;
    }
    this.wanted = null;
    const { agent, knows, view } = place;
    const isThere = (name) => this.folds.lanes.has(name);
    this.chosen = {
      agent: isThere(agent) ? agent : this.folds.lanes.keys().next().value,
      knows: isThere(knows) || knows === EVERYBODY ? knows : "",
      decision: this.decisions.bySeq(place.seq),
      view,
    };
    if (place.tick !== null) {
      this.seek(place.tick, place.seq || null);
    }
    if (place.seq) {
      this.list.show(place.seq);
    }
  }

  #write() {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      const { agent, knows, decision, view } = this.chosen;
      const resting = this.clock.mode === "paused";
      const tick = resting ? this.clock.t : null;
      this.written = writePlace({ tick, agent, knows, seq: decision?.seq ?? 0, view });
      history.replaceState(history.state, "", this.written || location.pathname + location.search);
    }, ADDRESS_MS);
  }

  #forget() {
    this.worlds.clear(this.source?.log ?? []);
    this.minds.clear();
  }

  #mind(who, tick) {
    const names = [...this.folds.lanes.keys()];
    const observers = who === EVERYBODY ? names : names.filter((name) => name === who);
    if (observers.length === 0) {
      return null;
    }
    if (!this.minds.has(who)) {
      this.minds.set(who, new History(() => new Mind(observers), this.source.log));
    }
    const { edge, running } = this.clock;
    return this.minds.get(who).at(Math.floor(tick), running ? edge - 1 : edge);
  }

  #render() {
    const now = performance.now();
    const { clock, folds, chosen } = this;
    clock.pass(now);
    const { t, edge, moving } = clock;
    const isNow = clock.mode === "live";
    const tick = this.calm.matches && moving ? Math.floor(t / 20) * 20 : t;
    this.choices.offer([...folds.lanes.keys()]);
    const moment = {
      tick,
      world: this.worlds.at(tick),
      mind: chosen.knows ? this.#mind(chosen.knows, tick) : null,
      folds,
      selected: chosen.agent,
    };
    const is3d = this.choices.show(chosen, moving);
    this.live.dataset.view = is3d ? "3d" : "map";
    this.map.show(moment); // in 3D it is hidden but for its table, which says what both show
    if (is3d) {
      this.space.show(moment);
    }
    const mind = chosen.agent ? this.#mind(chosen.agent, tick) : null;
    this.panel.show(
      {
        ...moment,
        agent: chosen.agent,
        mind,
        decisions: this.decisions,
        decision: chosen.decision,
        fills: this.scene.fills,
      },
      now,
      moving,
    );
    this.output.textContent = clockText(isNow ? edge : t, folds.maxSteps || this.maxSteps);
    this.live.dataset.tick = String(Math.round(t));
    this.#showInList(moment.world, isNow, now);
    this.controls.update();
    this.timeline.update(edge, moving, isNow ? null : t);
    if (moving) {
      this.render();
    }
  }

  /** The list keeps to the moment, but turns its pages more slowly than a fast replay. */
  #showInList({ seq, tick }, isNow, now) {
    if (isNow !== this.listIsNow && isNow && this.clock.running) {
      this.list.follow();
    }
    this.listIsNow = isNow;
    const { t, moving } = this.clock;
    const isDue = !moving || now - (this.listedAt ?? 0) >= LIST_MS;
    if (!isNow && seq > 0 && t !== this.listed && isDue) {
      this.listed = t;
      this.listedAt = now;
      this.list.point(seq, tick);
    }
  }
}

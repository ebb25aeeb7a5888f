/**
 * The spectator: one log, one clock, and the parts that show the moment at which the clock is.
 *
 * Live, replay and rewind are the same code at another tick: every part is given the fold of the log at that tick.
 */

import { Beside } from "../beside/index.js";
import { oncePerFrame } from "../dom.js";
import { EventList } from "../events/index.js";
import { gifOf, ticksOf } from "../gif/film.js";
import { LiveMap } from "../map/live.js";
import { MindPanel } from "../minds/panel.js";
import { SpaceView } from "../space/view.js";
import { Address, readPlace, writePlace } from "../time/address.js";
import { Clock } from "../time/clock.js";
import { Controls } from "../time/controls.js";
import { nearestOf } from "../time/kinds.js";
import { Timeline } from "../timeline/index.js";
import { Twin } from "../timeline/twin.js";
import { Choices, EVERYBODY } from "./choices.js";
import { Story } from "./story.js";
import { clockText } from "./words.js";

const LIST_MS = 200;
/** What is asked for no more of an address when the viewer goes to another moment. */
const NO_MOMENT = Object.freeze({ tick: null, seq: 0, besideSeq: 0 });
/** What the page's own episode is called where another one stands beside it. */
const OWN = "This episode";

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
    this.story = new Story({ tick: 0, status: live.dataset.status, pace: Number(live.dataset.pace) });
    this.clock = new Clock();
    /** What the viewer has chosen. */
    this.chosen = { agent: "", knows: "", decision: null, view: "" };
    /** What the address asks for and the log does not hold yet. @type {import("../time/address.js").Place | null} */
    this.wanted = readPlace(location.hash);
    this.calm = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.render = oncePerFrame(() => this.#render());
    this.#build();
  }

  get folds() {
    return this.story.folds;
  }

  /**
   * Take the log from here on.
   * @param {Source} source
   */
  watch(source) {
    this.source = source;
    this.story.watch(source.log);
    this.render();
  }

  /** World time, and whether it goes on. */
  beat({ tick, status, pace }) {
    this.story.heart = { tick, status, pace };
    this.live.dataset.status = status;
    this.#extend();
  }

  /** Events arrived; the source holds them already. */
  take(events) {
    this.story.take(events);
    this.list.add(events);
    this.#extend();
    this.twin.update();
    this.live.dataset.lastSeq = String(this.folds.seq);
  }

  /** The episode starts over; the source holds an empty log. */
  reset() {
    this.story.reset(this.source?.log ?? []);
    this.clock.reset();
    this.chosen.decision = null;
    this.timeline.reset();
    this.list.reset();
    this.twin.refill();
    this.#extend();
  }

  /** Nothing more comes. */
  end(status) {
    this.story.end(status);
    this.beat(this.story.heart);
  }

  /** Show a moment of the past. */
  seek(tick, seq = null) {
    this.#wantOnly(NO_MOMENT);
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
      fromStart: this.story.over,
      picked: (event) => this.seek(event.world_time, event.seq),
    });
    this.twin = new Twin(find("#timeline-twin"), folds);
    this.map = new LiveMap(find("#map"), scene, { picked, options: find("#map-options") });
    this.space = new SpaceView(find("#space"), scene.bounds, this.live.dataset.three ?? "");
    this.panel = new MindPanel(find("#mind"), { picked, base: this.live.dataset.decisions ?? "" });
    const section = find("#beside");
    this.beside = section
      ? new Beside(
          {
            section,
            map: find("#beside-map"),
            space: find("#beside-space"),
            mind: find("#beside-mind"),
          },
          {
            scene,
            story: this.story,
            timeline: this.timeline,
            map: this.map,
            space: this.space,
            changed: () => this.#extend(),
            picked,
            moved: (tick, hit) => this.#pick(tick, hit, this.beside.story),
          },
        )
      : null;
    this.choices = new Choices(find("#map-choices"), {
      filmed: () => this.#filmed(),
      space: Boolean(this.live.dataset.three),
      choose: (choice) => this.choose(choice),
      play: () => this.clock.moving || this.controls.act("toggle"),
      gif: this.live.dataset.gif ? (signal, told) => this.#gif(signal, told) : null,
    });
    // Ten readings a second are for the eye; a screen reader would speak without pause.
    this.output = find("#clock");
    this.output.setAttribute("aria-live", "off");
    this.bar = new Address((place) => {
      this.wanted = place;
      this.#go();
    });
  }

  /** The maps or 3D views that are there. */
  #filmed() {
    const part = this.live.dataset.view === "3d" ? "space" : "map";
    const sides = [{ name: OWN, canvas: this[part].canvas }];
    if (this.beside?.[part].canvas) {
      sides.push({ name: this.beside.name, canvas: this.beside[part].canvas });
    }
    return sides;
  }

  /** A GIF of what the timeline shows, as far as it is known. */
  #gif(signal, told) {
    const { start, end } = this.timeline.view;
    const { story, beside, chosen, scene } = this;
    const sides = beside ? [{ name: OWN, story }, beside] : [{ name: "", story }];
    return gifOf({
      worker: this.live.dataset.gif,
      scene,
      sides,
      chosen: { ...chosen },
      ticks: ticksOf(Math.max(0, start), Math.max(0, Math.min(end, this.clock.edge))),
      maxSteps: this.folds.maxSteps || this.maxSteps,
      signal,
      told,
    });
  }

  /** Take over what the viewer chose. */
  choose(choice) {
    Object.assign(this.chosen, choice);
    this.#wantOnly(choice);
    if (choice.agent) {
      this.#wantOnly({ seq: 0, besideSeq: 0 });
      this.chosen.decision = null;
    }
    this.render();
    this.#write();
  }

  /** The viewer chose a moment, and perhaps what is there, on the timeline of a story. */
  #pick(tick, hit, story = this.story) {
    const segment = hit && "segment" in hit ? hit.segment : null;
    const seq = segment?.seq ?? hit?.message?.seq ?? hit?.marks?.[0].seq;
    this.clock.seek(tick);
    const agent = segment?.agent ?? hit?.message?.sender;
    if (agent && this.folds.lanes.has(agent)) {
      this.choose({ agent });
      this.chosen.decision = segment?.activity === "planning" ? story.decisions.decisionOf(segment) : null;
    }
    if (seq && story === this.story) {
      this.list.show(seq);
      this.listed = this.clock.t;
    }
    this.#moved(false);
  }

  #jump(kind, direction) {
    const event = nearestOf(this.source?.log ?? [], kind, this.clock.t, direction);
    if (event) {
      this.list.show(event.seq);
      this.chosen.decision = this.story.decisions.bySeq(event.seq);
      this.seek(event.world_time, event.seq);
      this.#write();
    }
  }

  /** The viewer moved the clock. */
  #moved(forget = true) {
    this.#wantOnly(NO_MOMENT);
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

  /** Of what the address asks for and the log does not hold yet, the viewer has chosen some otherwise meanwhile. */
  #wantOnly(otherwise) {
    this.wanted &&= { ...this.wanted, ...otherwise };
  }

  /** More is known than before. */
  #extend() {
    const { story, beside } = this;
    const edge = story.running ? story.edge : Math.max(story.edge, beside?.story.edge ?? 0);
    this.clock.extend(edge, story.running, story.heart.pace);
    this.#go();
    this.render();
  }

  /** Go where the address says, as soon as the log reaches that far. */
  #go() {
    const place = this.wanted;
    if (!place || !this.#holds(place) || this.folds.lanes.size === 0) {
      return;
    }
    this.wanted = null;
    const { agent, knows, view } = place;
    const isThere = (name) => this.folds.lanes.has(name);
    this.chosen = {
      agent: isThere(agent) ? agent : this.folds.lanes.keys().next().value,
      knows: isThere(knows) || knows === EVERYBODY ? knows : "",
      decision:
        this.story.decisions.bySeq(place.seq) ?? this.beside?.story.decisions.bySeq(place.besideSeq) ?? null,
      view,
    };
    if (place.tick !== null) {
      this.seek(place.tick, place.seq || null);
    }
    if (place.seq) {
      this.list.show(place.seq);
    }
  }

  /** Whether the logs reach as far as a place. Beside an episode that runs, only what is named of the other has to. */
  #holds({ tick, seq, besideSeq }) {
    const reaches = ({ complete, folds }, last) =>
      complete || ((tick ?? 0) <= folds.tick && last <= folds.seq);
    const { story, beside } = this;
    return (
      reaches(story, seq) && (!beside || (story.running && !besideSeq) || reaches(beside.story, besideSeq))
    );
  }

  /**
   * The part of an address that stands for the moment and the choices, with its `#`.
   * @param {"here" | "again" | "beside"} where whose address it is: this page's, which tells the moment only while it
   *   rests; that of this episode, beside which another one may stand then; or that of the episode beside
   */
  address(where) {
    const { decision } = this.chosen;
    const { tick = null, seq = 0, besideSeq = 0, agent, knows, view } = this.wanted ?? this.chosen;
    const own = seq || seqOf(this.story, decision);
    const other = besideSeq || seqOf(this.beside?.story, decision);
    return writePlace({
      tick: tick ?? this.clock.addressed(where !== "here"),
      agent,
      knows,
      seq: where === "beside" ? other : own,
      besideSeq: where === "here" ? other : 0,
      view,
    });
  }

  #write() {
    this.bar.write(() => this.address("here"));
  }

  #render() {
    const now = performance.now();
    const { clock, story, folds, chosen } = this;
    clock.pass(now);
    const { t, edge, moving } = clock;
    const isNow = clock.mode === "live";
    const tick = this.calm.matches && moving ? Math.floor(t / 20) * 20 : t;
    this.choices.offer(story.names);
    const moment = story.moment(tick, chosen);
    const is3d = this.choices.show(chosen, moving);
    this.live.dataset.view = is3d ? "3d" : "map";
    this.map.show(moment); // in 3D it is hidden but for its table, which says what both show
    if (is3d) {
      this.space.show(moment);
    }
    this.#showMind(moment, now, moving);
    this.output.textContent = clockText(isNow ? edge : t, folds.maxSteps || this.maxSteps);
    this.live.dataset.tick = String(Math.round(t));
    this.twin.show(tick);
    this.#showInList(moment.world, isNow, now);
    this.controls.update();
    this.timeline.update(story.edge, moving, isNow ? null : t);
    this.beside?.show(tick, chosen, isNow ? null : t, { now, moving, is3d });
    if (moving) {
      this.render();
    }
  }

  /** A mind takes longest to fold: at first, lanes and map are painted before it. */
  #showMind(moment, now, moving) {
    if (!this.opened) {
      if (this.folds.lanes.size > 0) {
        this.opening ??= requestAnimationFrame(() =>
          setTimeout(() => {
            this.opened = true;
            this.render();
          }),
        );
      }
      return;
    }
    const { story, scene } = this;
    const { agent } = this.chosen;
    const mind = agent ? story.mind(agent, moment.tick) : null;
    const { decisions } = story;
    const decision = decisions.own(this.chosen.decision);
    this.panel.show({ ...moment, agent, mind, decisions, decision, fills: scene.fills }, now, moving);
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

/** The number of a decision in the log of its episode; 0 if it is none of that one. */
function seqOf(story, decision) {
  return story?.decisions.own(decision)?.seq ?? 0;
}

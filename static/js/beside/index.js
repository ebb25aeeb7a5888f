/** Another episode of the same task beside the one of the page: both at the same moment, under one time control. */

import { announce } from "../dom.js";
import { Story } from "../live/story.js";
import { steps } from "../live/words.js";
import { LiveMap } from "../map/live.js";
import { MindPanel } from "../minds/panel.js";
import { SpaceView } from "../space/view.js";
import { Lanes } from "./lanes.js";
import { RaceView } from "./race.js";

/** What is said of a log that does not reach the moment, by status. */
const WAITING = {
  queued: "It waits for a free worker.",
  running: "It is being played.",
};

/**
 * The second pane.
 *
 * @typedef {object} Places of the page
 * @property {HTMLElement} section below the timeline
 * @property {HTMLElement} map
 * @property {HTMLElement} space for the map in three dimensions
 * @property {HTMLElement} mind
 */

/** Its source tells it of events as it tells the spectator. */
export class Beside {
  /**
   * @param {Places} places
   * @param {object} options
   * @param {import("../live/spectator.js").Scene} options.scene
   * @param {Story} options.story of the page's own episode
   * @param {import("../timeline/index.js").Timeline} options.timeline which leads
   * @param {LiveMap} options.map which leads
   * @param {SpaceView} options.space which leads
   * @param {() => void} options.changed more is known than before
   * @param {(agent: string) => void} options.picked the viewer chose an agent
   * @param {(tick: number, hit: import("../timeline/hit.js").Hit | null) => void} options.moved the viewer chose a
   *   moment on its timeline, and perhaps what is there
   */
  constructor(places, { scene, story, timeline, map, space, changed, picked, moved }) {
    const { section } = places;
    const { name, status, pace, decisions } = section.dataset;
    const find = (selector) => section.querySelector(selector);
    this.section = section;
    this.name = name;
    this.own = story;
    this.story = new Story({ tick: 0, status, pace: Number(pace) });
    this.timeline = timeline;
    this.changed = changed;
    this.state = find("#beside-state");
    this.moment = { tick: 0, head: null };
    this.problem = { text: "", count: "" };
    this.race = new RaceView(find("#race"), ["This episode", name]);
    this.lanes = new Lanes(find("#beside-timeline"), {
      name,
      story: this.story,
      leader: timeline,
      fills: scene.fills,
      moved,
    });
    this.map = new LiveMap(places.map, scene, { picked, leader: map, of: name });
    this.space = new SpaceView(places.space, scene.bounds, space.library, { leader: space, of: name });
    this.panel = new MindPanel(places.mind, { picked, base: decisions ?? "", of: name });
    this.fills = scene.fills;
    timeline.drawn = () => this.#draw();
  }

  /** Read a log that grows. @param {{log: import("../live/socket.js").LogEvent[]}} source */
  watch(source) {
    this.source = source;
    this.story.watch(source.log);
  }

  /** World time and status of its episode. @param {import("../live/story.js").Beat} beat */
  beat(beat) {
    this.story.heart = beat;
    this.#extend();
  }

  /** Events arrived; the source holds them already. */
  take(events) {
    this.story.take(events);
    this.section.dataset.lastSeq = String(this.story.folds.seq);
    this.#extend();
  }

  /** Its episode starts over. */
  reset() {
    this.story.reset(this.source?.log ?? []);
    this.lanes.rover.stop = null;
    this.#extend();
  }

  /** Nothing more comes. */
  end(status) {
    this.story.end(status);
    this.#extend();
  }

  /**
   * Show a moment.
   * @param {number} tick
   * @param {{knows: string, agent: string, decision: import("../minds/decisions.js").Decision | null}} chosen
   * @param {number | null} head where the timeline shows the moment; null while that is now
   * @param {object} how
   * @param {number} how.now milliseconds
   * @param {boolean} how.moving more moments will follow at once
   * @param {boolean} how.is3d show the world in three dimensions
   */
  show(tick, chosen, head, { now, moving, is3d }) {
    this.moment = { tick, head };
    const moment = this.story.moment(tick, chosen);
    this.section.dataset.tick = String(Math.round(moment.tick));
    this.map.show(moment);
    if (is3d) {
      this.space.show(moment);
    }
    const { story, fills } = this;
    const { agent } = chosen;
    const mind = agent ? story.mind(agent, moment.tick) : null;
    const { decisions } = story;
    const decision = decisions.own(chosen.decision);
    this.panel.show({ ...moment, agent, mind, decisions, decision, fills }, now, moving);
    this.#say(tick);
  }

  /**
   * Tell the viewer what is wrong with its stream.
   * @param {string} text nothing if it is empty
   * @param {string} [count] for how long
   */
  say(text, count = "") {
    this.problem = { text, count };
    this.#say(this.moment.tick);
  }

  #extend() {
    this.timeline.until = this.story.edge;
    this.changed();
  }

  #draw() {
    const { tick, head } = this.moment;
    const { layout, view, colour } = this.timeline;
    this.race.show({ stories: [this.own, this.story], layout, view, colour, tick });
    this.lanes.show(head);
  }

  #say(tick) {
    const { heart, edge, over, folds } = this.story;
    const done = over && tick >= edge && folds.end ? `ended at step ${steps(edge)}` : "";
    const waits = !over && tick >= edge ? (WAITING[heart.status] ?? "") : "";
    const { text, count } = this.problem;
    announce(this.state, text || done || waits, text && count);
  }
}

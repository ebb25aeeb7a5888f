/** The controls under a task's map that play what its environment does by itself. */

import { el } from "../dom.js";
import { narrator } from "./happenings.js";
import { Moments } from "./moments.js";
import { Playback } from "./playback.js";

const SPEEDS = [1, 4, 16];

/**
 * Load what the environment does, and put the controls up; a failure is told in their place.
 * @param {HTMLElement} slot
 * @param {string} url
 * @param {any} data of the page
 * @param {(moment: import("./moments.js").Moment, time: number) => void} show draws a moment
 */
export async function loadPlayer(slot, url, data, show) {
  try {
    const response = await fetch(url, { credentials: "same-origin" });
    if (!response.ok) {
      throw new Error(`the server answered ${response.status}`);
    }
    mountPlayer(slot, data, await response.json(), show);
  } catch (error) {
    const text = `The animation could not be loaded: ${error.message}. Reload the page to try again.`;
    slot.replaceChildren(el("p", { class: "map-note", role: "status", text }));
  }
}

function mountPlayer(slot, data, rehearsal, show) {
  const waiting = openNote(rehearsal.open);
  if (rehearsal.changes.length === 0 && rehearsal.steps === rehearsal.max_steps) {
    slot.replaceChildren(...waiting);
    return;
  }
  const player = new Player(data, rehearsal, show);
  slot.replaceChildren(...player.parts, el("p", { class: "map-note", text: note(rehearsal) }), ...waiting);
}

/** A playback with its controls. `parts` are the elements to put up. */
class Player {
  #shown = null;
  #moment = null;

  constructor(data, rehearsal, show) {
    this.show = show;
    this.most = rehearsal.max_steps;
    this.playback = new Playback(rehearsal.steps);
    this.moments = new Moments(data, rehearsal);
    this.tell = narrator(rehearsal.changes);
    this.calm = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.play = el("button", { type: "button", class: "btn btn-sm map-play", onclick: () => this.#toggle() });
    this.slider = this.#slider(rehearsal.steps);
    this.clock = el("output", { class: "map-clock", "aria-live": "off" });
    this.now = el("p", { class: "map-now", "aria-live": "off" });
    this.speeds = SPEEDS.map((speed) => this.#speed(speed));
    const controls = el(
      "div",
      { class: "map-player", role: "group", "aria-label": "What happens by itself, played" },
      this.play,
      this.slider,
      this.clock,
      el("div", { class: "btn-group", role: "group", "aria-label": "Steps a second" }, ...this.speeds),
    );
    this.parts = [controls, this.now];
    this.#update();
  }

  #slider(steps) {
    const slider = el("input", {
      type: "range",
      class: "map-slider",
      max: steps,
      value: 0,
      "aria-label": "Step",
    });
    slider.addEventListener("input", () => {
      this.playback.seek(Number(slider.value));
      this.#update();
    });
    slider.addEventListener("keydown", (event) => {
      if (event.key === " ") {
        event.preventDefault();
        this.#toggle();
      }
    });
    return slider;
  }

  #speed(speed) {
    const choose = () => {
      this.playback.speed = speed;
      this.#update();
    };
    return el("button", {
      type: "button",
      class: "btn btn-sm",
      value: speed,
      text: `${speed}×`,
      onclick: choose,
    });
  }

  #toggle() {
    this.playback.toggle();
    this.#update();
    if (this.playback.playing) {
      requestAnimationFrame(this.#frame);
    }
  }

  #frame = (time) => {
    this.playback.pass(time);
    this.#update();
    if (this.playback.playing) {
      requestAnimationFrame(this.#frame);
    }
  };

  #update() {
    const { step, playing, speed, time } = this.playback;
    if (step !== this.#shown) {
      this.#shown = step;
      this.#moment = this.moments.at(step);
      this.slider.value = String(step);
      this.slider.setAttribute("aria-valuetext", `step ${step} of ${this.most}`);
      this.clock.textContent = `step ${step} / ${this.most}`;
      this.now.textContent = this.tell(step);
    }
    this.play.textContent = playing ? "Pause" : "Play";
    for (const button of this.speeds) {
      const chosen = Number(button.value) === speed;
      button.setAttribute("aria-pressed", String(chosen));
      button.classList.toggle("active", chosen);
    }
    this.show(this.#moment, this.calm.matches ? step : time);
  }
}

function note({ seed, steps, max_steps: most }) {
  const cut = steps < most ? ` Only the steps up to ${steps} are shown: more happens than fits here.` : "";
  return `As seed ${seed} would have it if no agent did anything; mobs are shown where they appear.${cut}`;
}

function openNote(open) {
  if (open.length === 0) {
    return [];
  }
  const items = open.map(({ event, when }) => el("li", { text: `${event}: ${when}` }));
  return [
    el("p", { class: "map-note", text: "Not played, since it depends on what the agents do:" }),
    el("ul", { class: "map-note" }, ...items),
  ];
}

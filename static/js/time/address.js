/** The part of the address behind `#`: moment, selection and view, so that a link opens on the moment. */

import { TICKS_PER_STEP } from "../timeline/scale.js";

/**
 * @typedef {object} Place
 * @property {number | null} tick null for the live edge, or the end
 * @property {string} agent whose mind is open; empty for nobody's
 * @property {string} knows whose knowledge the map is dimmed to; empty for everything
 * @property {number} seq the decision or event that is selected; 0 for none
 * @property {number} besideSeq the decision of the episode beside that is selected; 0 for none
 * @property {string} view `3d`, or empty for the map
 */

/** @type {Place} */
const NOWHERE = Object.freeze({ tick: null, agent: "", knows: "", seq: 0, besideSeq: 0, view: "" });
const MOST_STEPS = 1e6;
const WRITE_MS = 300; // browsers bear only so many changes of an address

/**
 * Read a fragment; what cannot be understood is left out.
 * @param {string} fragment with or without its `#`
 * @returns {Place}
 */
export function readPlace(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const step = Number(parts.get("t") || Number.NaN);
  return {
    tick: step >= 0 && step <= MOST_STEPS ? Math.round(step * TICKS_PER_STEP) : null,
    agent: parts.get("agent") ?? "",
    knows: parts.get("knows") ?? "",
    seq: seqOf(parts.get("event")),
    besideSeq: seqOf(parts.get("beside-event")),
    view: parts.get("view") === "3d" ? "3d" : "",
  };
}

function seqOf(text) {
  const seq = Number(text);
  return Number.isInteger(seq) && seq > 0 ? seq : 0;
}

/**
 * Write a fragment.
 * @param {Partial<Place>} place
 * @returns {string} with its `#`; empty when there is nothing to say
 */
export function writePlace(place) {
  const { tick, agent, knows, seq, besideSeq, view } = { ...NOWHERE, ...place };
  const parts = new URLSearchParams();
  if (tick !== null) {
    parts.set("t", String(Number((tick / TICKS_PER_STEP).toFixed(2))));
  }
  const named = { agent, knows, event: seq, "beside-event": besideSeq, view };
  for (const [name, value] of Object.entries(named)) {
    if (value) {
      parts.set(name, String(value));
    }
  }
  const text = parts.toString();
  return text ? `#${text}` : "";
}

/** The address of this page, kept at what the page shows. */
export class Address {
  /** @param {(place: Place) => void} asked the viewer has put another place into it */
  constructor(asked) {
    window.addEventListener("hashchange", () => {
      // Other fragments lead to parts of the page. What the page writes itself is no navigation and not told here.
      if (location.hash.includes("=")) {
        asked(readPlace(location.hash));
      }
    });
  }

  /**
   * Write, soon.
   * @param {() => string} fragment what it is by then, with its `#`
   */
  write(fragment) {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      history.replaceState(history.state, "", fragment() || location.pathname + location.search);
    }, WRITE_MS);
  }
}

/**
 * Have links and forms of the class `keeps-moment` take the shown moment along.
 * @param {(source: HTMLElement) => string} fragment what stands for it, with its `#`, in the address of a link or form
 */
export function keepMoment(fragment) {
  const take = ({ target }) => {
    const link = target.closest("a.keeps-moment");
    if (link) {
      link.hash = fragment(link);
    }
  };
  // The keyboard only clicks; the middle and right buttons, for a new tab or a copy of the address, do not.
  document.addEventListener("click", take);
  document.addEventListener("mousedown", take);
  document.addEventListener("submit", ({ target: form }) => {
    if (form.matches("form.keeps-moment")) {
      form.action = form.action.split("#", 1)[0] + fragment(form);
    }
  });
}

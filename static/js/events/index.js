/** The event list: every event of the log in a table that renders only the rows in view. */

import { el, oncePerFrame } from "../dom.js";
import { agentsOf, steps } from "../live/words.js";
import { Filter } from "./filter.js";
import { rowsInView, scrollTo } from "./window.js";

const ROW_HEIGHT = 28;
const HEADINGS = ["No.", "Step", "Type", "Agent", "What happened"];

/**
 * @typedef {object} Options
 * @property {(event: import("../live/socket.js").LogEvent) => void} [picked] the viewer chose an event
 * @property {boolean} [fromStart] begin at the first event instead of the newest
 */

/** Follows the newest event until the viewer scrolls up. */
export class EventList {
  /**
   * @param {HTMLElement} host whose contents it takes over
   * @param {Options} [options]
   */
  constructor(host, { picked = () => {}, fromStart = false } = {}) {
    this.picked = picked;
    this.filter = new Filter();
    this.following = !fromStart;
    /** @type {number | null} */
    this.selected = null;
    this.known = { type: new Set(), agent: new Set() };
    this.render = oncePerFrame(() => this.#render());
    this.#build(host);
  }

  /**
   * New events arrived.
   * @param {import("../live/socket.js").LogEvent[]} events
   */
  add(events) {
    this.filter.add(events);
    for (const event of events) {
      this.#offer("type", event.type);
      for (const agent of agentsOf(event)) {
        this.#offer("agent", agent);
      }
    }
    this.render();
  }

  /** The episode starts over. */
  reset() {
    this.filter.clear();
    this.selected = null;
    this.following = true;
    this.render();
  }

  /**
   * Scroll to an event and mark it; without effect on the timeline.
   * @param {number} seq
   */
  show(seq) {
    if (this.filter.events[this.filter.shown[this.filter.rowOf(seq)]]?.seq !== seq) {
      this.#clearFilter();
    }
    this.#select(this.filter.rowOf(seq), true);
  }

  /**
   * Scroll to the last shown event of a moment and mark it, unless one of that moment is marked; the filter stays.
   * @param {number} seq number of the last event that has happened
   * @param {number} tick of that event
   */
  point(seq, tick) {
    if (this.filter.events[this.selected - 1]?.world_time !== tick) {
      this.#select(this.filter.rowOf(seq), true);
    }
  }

  /** Follow the newest event again. */
  follow() {
    this.following = true;
    this.selected = null;
    this.render();
  }

  /**
   * Scroll to an event as if the viewer had chosen it.
   * @param {number} seq
   * @returns {boolean} whether it is in the list
   */
  open(seq) {
    this.show(seq);
    if (this.selected !== seq) {
      return false;
    }
    this.#pick();
    return true;
  }

  #build(host) {
    this.typeSelect = this.#dropdown("type", "All types");
    this.agentSelect = this.#dropdown("agent", "All agents");
    const choose = () => this.#choose();
    this.search = el("input", {
      type: "search",
      class: "form-control form-control-sm",
      placeholder: "Search",
      "aria-label": "Search the events",
      oninput: choose,
    });
    this.count = el("span", { class: "events-count" });
    this.newest = el("button", { type: "button", class: "btn btn-sm", hidden: true, text: "Newest ↓" });
    this.newest.addEventListener("click", () => this.follow());
    this.body = el("tbody");
    const heads = HEADINGS.map((text) => el("th", { scope: "col", text }));
    this.table = el(
      "table",
      { class: "events-table", role: "grid", tabindex: "0", "aria-label": "Events" },
      el("thead", {}, el("tr", { "aria-rowindex": "1" }, ...heads)),
      this.body,
    );
    this.scroller = el("div", { class: "events-scroll" }, this.table);
    host.replaceChildren(
      el(
        "div",
        { class: "events-controls" },
        this.typeSelect,
        this.agentSelect,
        this.search,
        this.count,
        this.newest,
      ),
      this.scroller,
    );
    this.scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.body.addEventListener("click", (event) => this.#clicked(event));
    this.table.addEventListener("keydown", (event) => this.#pressed(event));
    new ResizeObserver(() => this.render()).observe(this.scroller);
  }

  #dropdown(name, all) {
    const select = el("select", {
      class: "form-select form-select-sm",
      "aria-label": `Show only this ${name}`,
      onchange: () => this.#choose(),
    });
    select.append(el("option", { value: "", text: all }));
    return select;
  }

  #offer(name, value) {
    const known = this.known[name];
    if (known.has(value)) {
      return;
    }
    known.add(value);
    const select = name === "type" ? this.typeSelect : this.agentSelect;
    const next = [...select.options].slice(1).find((option) => option.value > value) ?? null;
    select.insertBefore(el("option", { value, text: value }), next);
  }

  #choose() {
    this.filter.choose({
      type: this.typeSelect.value,
      agent: this.agentSelect.value,
      text: this.search.value,
    });
    this.selected = null;
    this.render();
  }

  #clearFilter() {
    this.typeSelect.value = "";
    this.agentSelect.value = "";
    this.search.value = "";
    this.#choose();
  }

  #viewport() {
    return this.scroller.clientHeight - (this.table.tHead?.offsetHeight ?? 0);
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    this.following = scrollHeight - clientHeight - scrollTop < ROW_HEIGHT;
    this.render();
  }

  #render() {
    const { shown, events } = this.filter;
    if (this.following) {
      this.#size(shown.length);
      this.scroller.scrollTop = shown.length * ROW_HEIGHT;
    }
    const range = rowsInView(this.scroller.scrollTop, this.#viewport(), ROW_HEIGHT, shown.length);
    const rows = [];
    for (let row = range.first; row < range.last; row += 1) {
      rows.push(this.#row(row));
    }
    this.body.replaceChildren(spacer(range.before), ...rows, spacer(range.after));
    this.table.setAttribute("aria-rowcount", String(shown.length + 1));
    const active = this.selected === null ? null : this.filter.rowOf(this.selected);
    if (active !== null && active >= range.first && active < range.last) {
      this.table.setAttribute("aria-activedescendant", `event-${this.selected}`);
    } else {
      this.table.removeAttribute("aria-activedescendant");
    }
    const all = events.length;
    this.count.textContent = shown.length === all ? `${all} events` : `${shown.length} of ${all} events`;
    this.newest.hidden = this.following;
  }

  /** Make the scrollable height that of all rows, before scrolling to its end. */
  #size(count) {
    this.body.replaceChildren(spacer(count * ROW_HEIGHT));
  }

  #row(row) {
    const index = this.filter.shown[row];
    const event = this.filter.events[index];
    const cells = [
      String(event.seq),
      steps(event.world_time),
      event.type.replaceAll("_", " "),
      agentsText(event),
      this.filter.summaryOf(index),
    ];
    const selected = event.seq === this.selected;
    return el(
      "tr",
      {
        id: `event-${event.seq}`,
        "data-seq": event.seq,
        "aria-rowindex": row + 2,
        "aria-selected": String(selected),
        class: selected ? "events-selected" : null,
      },
      ...cells.map((text, i) => el("td", { text, title: i === 4 ? text : null })),
    );
  }

  #clicked(event) {
    const row = event.target.closest("tr[data-seq]");
    if (row) {
      this.#select(this.filter.rowOf(Number(row.dataset.seq)), false);
      this.#pick();
    }
  }

  #select(row, middle) {
    const index = this.filter.shown[row];
    if (index === undefined) {
      return;
    }
    this.selected = this.filter.events[index].seq;
    this.following = false;
    const { scrollTop, scrollHeight } = this.scroller;
    if (scrollHeight < this.filter.shown.length * ROW_HEIGHT) {
      this.#size(this.filter.shown.length); // the newest rows are not rendered yet
    }
    this.scroller.scrollTop = scrollTo(row, scrollTop, this.#viewport(), ROW_HEIGHT, middle);
    this.render();
  }

  #pick() {
    const index = this.filter.shown[this.filter.rowOf(this.selected)];
    this.picked(this.filter.events[index]);
  }

  #pressed(event) {
    const page = Math.max(1, Math.floor(this.#viewport() / ROW_HEIGHT) - 1);
    const last = this.filter.shown.length - 1;
    const at = this.selected === null ? last + 1 : this.filter.rowOf(this.selected);
    const moves = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      PageUp: at - page,
      PageDown: at + page,
      Home: 0,
      End: last,
    };
    if (event.key === "Enter" && this.selected !== null) {
      this.#pick();
    } else if (Object.hasOwn(moves, event.key)) {
      this.#select(Math.max(0, Math.min(last, moves[event.key])), false);
    } else {
      return;
    }
    event.preventDefault();
  }
}

function agentsText(event) {
  const agents = agentsOf(event);
  return agents.length > 2 ? `${agents.length} agents` : agents.join(", ");
}

function spacer(height) {
  const row = el("tr", { class: "events-spacer", "aria-hidden": "true" });
  row.style.height = `${height}px`;
  return row;
}

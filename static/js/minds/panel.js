/** The panel of one agent's mind at the shown moment. */

import { el, setText } from "../dom.js";
import { outcomeText, parametersText, steps } from "../live/words.js";
import { arrivalAt, startOf } from "../map/fronts.js";
import { actionWords, effectsText, itemsText, placeText } from "../map/words.js";
import { TICKS_PER_STEP } from "../timeline/scale.js";
import { placeOf } from "../world/state.js";
import { decisionParts } from "./decision.js";
import { planParts } from "./plan.js";
import { threadsOf } from "./threads.js";

const PAUSE_MS = 200; // reading is easier, and screen readers calmer, when text does not change sixty times a second

/**
 * @typedef {object} Moment
 * @property {number} tick
 * @property {string} agent whose mind is shown; empty for nobody's
 * @property {import("../world/mind.js").Mind | null} mind of that agent
 * @property {import("../world/state.js").World} world
 * @property {import("../live/folds.js").Folds} folds
 * @property {import("./decisions.js").Decisions} decisions
 * @property {import("./decisions.js").Decision | null} decision the one that the viewer chose
 * @property {import("../map/fronts.js").Fill[]} fills
 */

/** Shows moments; each part is only made anew when what it says has changed. */
export class MindPanel {
  /**
   * @param {HTMLElement} host
   * @param {object} options
   * @param {(agent: string) => void} options.picked the viewer chose an agent
   * @param {string} options.base address of the decisions' pages
   * @param {string} [options.of] whose agents' minds they are, where there are two panels
   */
  constructor(host, { picked, base, of = "" }) {
    this.picked = picked;
    this.base = base;
    this.tabs = el("div", { class: "mind-tabs", role: "group", "aria-label": "Agent" });
    this.facts = el("dl", { class: "mind-facts" });
    this.parts = new Map();
    this.body = el("div", { class: "mind-body" });
    for (const [name, title] of [
      ["plan", "Plan"],
      ["decision", "Decision"],
      ["messages", "Messages"],
      ["memory", "Memory"],
    ]) {
      const content = el("div", {
        tabindex: "0",
        role: "region",
        "aria-label": of ? `${title}, ${of}` : title,
      });
      this.parts.set(name, { content, key: null });
      this.body.append(
        el(
          "details",
          { class: `mind-${name}`, open: name !== "memory" },
          el("summary", { text: title }),
          content,
        ),
      );
    }
    this.hint = el("p", {
      class: "empty-note",
      text: "Choose an agent here, on the map or on the timeline.",
    });
    this.known = el("p");
    host.replaceChildren(this.tabs, this.hint, this.facts, this.body);
    this.shownAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Show a moment.
   * @param {Moment} moment
   * @param {number} now milliseconds
   * @param {boolean} moving more moments will follow at once, so this one may be left out
   */
  show(moment, now, moving) {
    if (moving && now - this.shownAt < PAUSE_MS) {
      return;
    }
    this.shownAt = now;
    this.#showTabs(moment);
    const agent = moment.world.agents.get(moment.agent);
    const isOpen = Boolean(agent && moment.mind);
    this.hint.hidden = isOpen;
    this.facts.hidden = !isOpen;
    this.body.hidden = !isOpen;
    if (isOpen) {
      this.#showFacts(moment, agent);
      this.#showParts(moment);
    }
  }

  #showTabs({ world, agent }) {
    const names = [...world.agents.keys()];
    if (this.tabs.children.length !== names.length) {
      const tab = (name) =>
        el("button", {
          type: "button",
          class: "btn btn-sm",
          value: name,
          text: name,
          onclick: () => this.picked(name),
        });
      this.tabs.replaceChildren(...names.map(tab));
    }
    for (const button of this.tabs.children) {
      const chosen = button.value === agent;
      button.setAttribute("aria-pressed", String(chosen));
      button.classList.toggle("active", chosen);
    }
  }

  #showFacts(moment, agent) {
    const { tick, mind } = moment;
    const memory = mind.memories.get(agent.name);
    const round = (value) => Number(value.toFixed(1));
    const shield = agent.absorption > 0 ? ` + ${round(agent.absorption)}` : "";
    const facts = [
      ["Does", agent.alive ? actionWords(memory.running) || "nothing" : "dead"],
      ["Health", `${round(agent.health)}${shield} of ${agent.maxHealth}`],
      ["At", placeText(placeOf(agent, tick))],
      ["Holds", agent.held?.replaceAll("_", " ") ?? "nothing"],
      ["Carries", itemsText(agent.inventory)],
      ["Effects", effectsText(agent.effects, tick)],
      ["Role", memory.role],
      ["Crisis", crisisWords(moment, placeOf(agent, tick))],
    ].filter(([, text]) => text);
    const texts = facts.flat();
    if (this.facts.children.length !== texts.length) {
      this.facts.replaceChildren(...texts.map((_, i) => el(i % 2 ? "dd" : "dt")));
    }
    texts.forEach((text, i) => {
      setText(this.facts.children[i], text);
    });
  }

  #showParts({ tick, agent, mind, decisions, decision: chosen }) {
    const memory = mind.memories.get(agent);
    const plan = decisions.planAt(agent, tick);
    const settled = plan ? [...plan.fates.values()].filter((fate) => fate.tick <= tick).length : 0;
    this.#part("plan", `${agent} ${plan?.seq} ${settled} ${memory.running?.id}`, () =>
      plan ? planParts(plan, tick) : [none("No plan yet.")],
    );
    const decision = chosen ?? decisions.decisionAt(agent, tick);
    this.#part("decision", `${decision?.seq} ${decision ? decisions.reAsks(decision) : ""}`, () =>
      decision
        ? decisionParts(decisions, decision, this.base)
        : [none("No language model has decided for this agent yet.")],
    );
    this.#part("messages", `${agent} ${memory.messages.at(-1)?.seq}`, () =>
      messageParts(memory.messages, agent),
    );
    this.#part("memory", `${agent} ${memory.history.length} ${memory.history.at(-1)?.tick}`, () => [
      this.known,
      historyPart(memory),
    ]);
    setText(this.known, knownText(mind));
  }

  #part(name, key, make) {
    const part = this.parts.get(name);
    if (part.key !== key) {
      part.key = key;
      part.content.replaceChildren(...make());
    }
  }
}

function none(text) {
  return el("p", { class: "muted", text });
}

function crisisWords({ fills, folds, tick }, place) {
  const told = fills.map((fill) => {
    const start = startOf(fill, folds.marks);
    const arrival = start ? arrivalAt(fill, start.tick, place) : null;
    const block = fill.block.replaceAll("_", " ");
    if (arrival === null) {
      return "";
    }
    const wait = Math.ceil((arrival - tick) / TICKS_PER_STEP);
    return wait > 0 ? `${block} arrives here in ${wait} steps` : `${block} has reached this place`;
  });
  return told.filter(Boolean).join("; ");
}

function messageParts(messages, agent) {
  if (messages.length === 0) {
    return [none("It has neither said nor been told anything.")];
  }
  const line = ({ tick, sender, to, text }, isAnswer) =>
    el(
      "li",
      { class: isAnswer ? "message-answer" : null },
      el("b", { text: sender === agent ? `${sender} (itself)` : sender }),
      el("span", { class: "muted", text: ` to ${to.join(", ")}, step ${steps(tick)}: ` }),
      text,
    );
  const lines = threadsOf(messages).flatMap(({ message, answers }) => [
    line(message, false),
    ...answers.map((answer) => line(answer, true)),
  ]);
  return [el("ul", { class: "mind-messages" }, ...lines)];
}

function knownText({ blocks, mobs, agents }) {
  const counts = new Map();
  for (const { block } of [...blocks.values()].flat()) {
    counts.set(block, (counts.get(block) ?? 0) + 1);
  }
  const knows = [
    itemsText(Object.fromEntries(counts)),
    ...[...mobs.values()].map(
      ({ entity, position, tick }) => `${entity} at ${placeText(position)}, step ${steps(tick)}`,
    ),
    ...[...agents].map(
      ([name, { position, tick }]) => `${name} at ${placeText(position)}, step ${steps(tick)}`,
    ),
  ];
  return `Knows of: ${knows.join("; ")}`;
}

function historyPart({ history }) {
  return el(
    "ul",
    { class: "mind-messages" },
    ...history.toReversed().map((entry) => el("li", { text: entryText(entry) })),
  );
}

function entryText({ tick, what }) {
  const at = `Step ${steps(tick)}: `;
  if (what.problem) {
    return `${at}plan refused: ${what.problem}`;
  }
  if (what.outcome === "skipped") {
    return `${at}${what.id} ${what.do} skipped, since ${what.after} did not succeed`;
  }
  return `${at}${what.id} ${what.do} ${parametersText(what.with)}: ${outcomeText(what)}. ${what.detail}`;
}

/** One decision in the panel: what it cost, the prompt, the reply, and the link to all of it. */

import { el } from "../dom.js";
import { steps } from "../live/words.js";

/**
 * @param {import("./decisions.js").Decisions} decisions
 * @param {import("./decisions.js").Decision} decision
 * @param {string} base address of the decisions' pages, with a slash at its end; empty where there are none
 * @returns {HTMLElement[]}
 */
export function decisionParts(decisions, decision, base) {
  const { inference, seq, came } = decision;
  const again = decisions.reAsks(decision);
  const facts = [
    `${inference.caller}, call ${inference.call}${inference.attempt > 1 ? `, attempt ${inference.attempt}` : ""}`,
    `asked at step ${steps(inference.asked_tick)}, ${inference.took_effect ? `took effect at ${steps(came)}` : "came too late"}`,
    `${Number(inference.latency_s.toFixed(2))} s`,
    `${inference.prompt_tokens} + ${inference.completion_tokens} tokens`,
    inference.cost_usd === null ? "" : `$${inference.cost_usd.toFixed(4)}`,
    inference.outcome,
    again > 0 ? "asked again" : "",
  ];
  return [
    el("p", { class: "facts" }, ...facts.filter(Boolean).map((text) => el("span", { text }))),
    ...(inference.fault ? [el("p", { class: "alert alert-warning", text: inference.fault })] : []),
    ...(base
      ? [el("p", {}, el("a", { href: `${base}${seq}/`, text: "The whole decision and what became of it" }))]
      : []),
    long("Reply", pretty(inference.completion), true),
    long("Prompt", inference.prompt, false),
    long(`Briefing of ${inference.caller}`, decisions.briefings.get(inference.caller) ?? "", false),
  ];
}

function long(title, text, open) {
  return el(
    "details",
    { open },
    el("summary", { text: title }),
    el("pre", { class: "prompt", tabindex: "0", text }),
  );
}

/** JSON set out in lines; other text as it is. */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

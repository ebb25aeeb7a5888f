/** A plan as a graph with the fate of each step, and the same as a list. */

import { el, svg } from "../dom.js";
import { actionName, actionText, parametersText, steps } from "../live/words.js";
import { layOutPlan } from "./dag.js";
import { stageOf } from "./decisions.js";

const [WIDTH, HEIGHT, GAP_X, GAP_Y] = [132, 34, 26, 10];
const MOST_NODES = 60;
const SIGNS = { planned: "○", running: "▶", ok: "✓", partial: "◐", failed: "✕", skipped: "–" };

/**
 * What a plan was and came to.
 * @param {import("./decisions.js").Plan} plan
 * @param {number} tick
 * @returns {HTMLElement[]}
 */
export function planParts(plan, tick) {
  const parts = [el("p", { class: "mind-note", text: `Set at step ${steps(plan.tick)}. ${plan.reasoning}` })];
  if (plan.steps.length > 1 && plan.steps.length <= MOST_NODES) {
    parts.push(
      el(
        "div",
        { class: "plan-scroll", tabindex: "0", role: "group", "aria-label": "Plan as a graph" },
        graph(plan, tick),
      ),
    );
  }
  parts.push(el("ol", { class: "plan-list" }, ...plan.steps.map((step) => item(plan, step, tick))));
  return parts;
}

function graph(plan, tick) {
  const { nodes, edges, columns, rows } = layOutPlan(plan.steps);
  const [width, height] = [columns * (WIDTH + GAP_X), rows * (HEIGHT + GAP_Y)];
  const place = new Map(
    nodes.map(({ id, column, row }) => [id, [column * (WIDTH + GAP_X) + 2, row * (HEIGHT + GAP_Y) + 2]]),
  );
  const lines = edges.map(([from, to]) => {
    const [x1, y1] = [place.get(from)[0] + WIDTH, place.get(from)[1] + HEIGHT / 2];
    const [x2, y2] = [place.get(to)[0], place.get(to)[1] + HEIGHT / 2];
    return svg("path", {
      class: "plan-edge",
      d: `M${x1} ${y1} C${x1 + 14} ${y1} ${x2 - 14} ${y2} ${x2} ${y2}`,
    });
  });
  const boxes = plan.steps.map((step) => {
    const [x, y] = place.get(step.id);
    return node(step, stageOf(plan, step.id, tick), x, y);
  });
  return svg(
    "svg",
    {
      class: "plan-graph",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": "The plan as a graph; the list below says the same.",
    },
    ...lines,
    ...boxes,
  );
}

function node(step, stage, x, y) {
  return svg(
    "g",
    { class: `plan-node plan-${stage}`, transform: `translate(${x} ${y})` },
    svg("rect", { width: WIDTH, height: HEIGHT - 2, rx: 5 }),
    svg("text", { x: 8, y: 14 }, `${SIGNS[stage]} ${clip(step.id, 16)}`),
    svg("text", { x: 8, y: 27, class: "plan-what" }, clip(actionName(step.do), 20)),
    svg("title", {}, `${step.id}: ${step.do} ${parametersText(step.with)} (${stage})`),
  );
}

function clip(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function item(plan, step, tick) {
  const stage = stageOf(plan, step.id, tick);
  const fate = plan.fates.get(step.id);
  const told = fate && fate.tick <= tick;
  const why = told && fate.reason ? ` (${fate.reason.replaceAll("_", " ")})` : "";
  const after = step.after.length > 0 ? ` · after ${step.after.join(", ")}` : "";
  return el(
    "li",
    { class: `plan-${stage}` },
    el("span", { class: "plan-stage", text: `${SIGNS[stage]} ${stage}${why}` }),
    ` ${step.id}: ${actionText(step.do, step.with)}`,
    el("span", { class: "muted", text: `${after}${step.note ? ` · ${step.note}` : ""}` }),
    told && fate.detail ? el("div", { class: "muted", text: fate.detail }) : "",
  );
}

/** Decisions and plans of a log, and what became of them: a fold that can be asked about any moment. Pure. */

/**
 * @typedef {{seq: number, came: number, inference: any}} Decision `came`: tick at which its reply took effect
 * @typedef {{tick: number, seq: number, outcome: string, reason: string, detail: string}} Fate
 * @typedef {object} Plan
 * @property {string} agent
 * @property {number} seq
 * @property {number} tick
 * @property {string} reasoning
 * @property {{id: string, do: string, with: any, after: string[], note: string}[]} steps
 * @property {Map<string, number>} begun tick by step
 * @property {Map<string, Fate>} fates by step
 *
 * @typedef {"planned" | "running" | "ok" | "partial" | "failed" | "skipped"} Stage
 */

/** All decisions and plans so far. */
export class Decisions {
  constructor() {
    this.clear();
  }

  /** The episode starts over. */
  clear() {
    /** @type {Decision[]} in order */
    this.all = [];
    /** @type {Map<string, Plan[]>} by agent, in order */
    this.plans = new Map();
    /** @type {Map<string, string>} by caller */
    this.briefings = new Map();
  }

  /**
   * Take in the next event.
   * @param {import("../live/socket.js").LogEvent} event
   */
  apply({ type, payload, seq, world_time: tick }) {
    switch (type) {
      case "briefing_given":
        this.briefings.set(payload.caller, payload.text);
        break;
      case "inference_ended":
        this.all.push({ seq, came: tick, inference: payload });
        break;
      case "plan_set":
        this.#plan(payload, seq, tick);
        break;
      case "action_started":
        this.plans.get(payload.agent)?.at(-1)?.begun.set(payload.id, tick);
        break;
      case "action_ended":
      case "action_skipped":
        this.#settle(payload, seq, tick);
        break;
    }
  }

  #plan({ agent, reasoning, steps }, seq, tick) {
    const plan = { agent, seq, tick, reasoning, steps, begun: new Map(), fates: new Map() };
    const plans = this.plans.get(agent);
    if (plans) {
      plans.push(plan);
    } else {
      this.plans.set(agent, [plan]);
    }
  }

  /** An action that a new plan interrupts ends after that plan was set, and belongs to the one before. */
  #settle({ agent, id, outcome = "skipped", reason = "", detail = "", after = "" }, seq, tick) {
    const plans = this.plans.get(agent) ?? [];
    const plan = plans.findLast((one) => one.begun.has(id) && !one.fates.has(id)) ?? plans.at(-1);
    if (plan?.steps.some((step) => step.id === id)) {
      const told = after ? `${after} did not succeed` : detail;
      plan.fates.set(id, { tick, seq, outcome, reason, detail: told });
    }
  }

  /**
   * The plan that an agent had at a moment.
   * @param {string} agent
   * @param {number} tick
   * @returns {Plan | null}
   */
  planAt(agent, tick) {
    return this.plans.get(agent)?.findLast((plan) => plan.tick <= tick) ?? null;
  }

  /**
   * The last decision that concerned an agent.
   * @param {string} agent
   * @param {number} tick
   * @returns {Decision | null}
   */
  decisionAt(agent, tick) {
    return (
      this.all.findLast(({ came, inference }) => came <= tick && inference.agents.includes(agent)) ?? null
    );
  }

  /**
   * The decision that an agent waited for.
   * @param {{agent: string, start: number, end: number | null}} segment of planning
   * @returns {Decision | null} null while it has not come
   */
  decisionOf({ agent, start, end }) {
    const mine = this.all.filter(({ inference }) => inference.agents.includes(agent));
    const during = mine.filter(({ came }) => came >= start && (end === null || came <= end));
    return (
      during.at(-1) ??
      mine.find(({ came, inference }) => came >= start && inference.asked_tick <= start) ??
      null
    );
  }

  /**
   * The decision if it is one of these, and not another episode's.
   * @param {Decision | null} decision
   * @returns {Decision | null}
   */
  own(decision) {
    return decision && this.all.includes(decision) ? decision : null;
  }

  /** A decision by the number of its event. */
  bySeq(seq) {
    return this.all.find((decision) => decision.seq === seq) ?? null;
  }

  /** How often a decision's caller had to be asked again for it. */
  reAsks({ inference: { caller, call } }) {
    return (
      this.all.filter(({ inference }) => inference.caller === caller && inference.call === call).length - 1
    );
  }
}

/**
 * How far a step of a plan was at a moment.
 * @param {Plan} plan
 * @param {string} id
 * @param {number} tick
 * @returns {Stage}
 */
export function stageOf(plan, id, tick) {
  const fate = plan.fates.get(id);
  if (fate && fate.tick <= tick) {
    return /** @type {Stage} */ (fate.outcome);
  }
  return (plan.begun.get(id) ?? Number.POSITIVE_INFINITY) <= tick ? "running" : "planned";
}

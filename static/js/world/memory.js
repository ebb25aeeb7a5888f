/** What an agent remembers of its own doings and of what it was told; as `engine/agents/team/memory.py`. */

const ENTRIES = 24;

/**
 * @typedef {{tick: number, what: Record<string, any>}} Entry
 * @typedef {{tick: number, seq: number, sender: string, to: string[], text: string, tag: string}} Heard
 */

/** One agent's. All parts are immutable, so that a copy is cheap. */
export class Memory {
  /**
   * @param {string} name
   * @param {Memory} [other] copy this one
   */
  constructor(name, other) {
    this.name = name;
    /** @type {readonly Entry[]} what it did and how that came out, oldest first */
    this.history = other?.history ?? [];
    /** @type {readonly Heard[]} what it said and was told, oldest first */
    this.messages = other?.messages ?? [];
    /** @type {any} the action under way */
    this.running = other?.running ?? null;
    /** @type {readonly any[]} steps of its plan that have not begun */
    this.remaining = other?.remaining ?? [];
    this.role = other?.role ?? "";
  }

  /**
   * Take in what happened, if it concerns the agent.
   * @param {import("../live/socket.js").LogEvent} event
   */
  apply({ type, payload, world_time: tick, seq }) {
    if (type === "message_sent") {
      const { sender, to, text, tag = "" } = payload;
      if (sender === this.name || to.includes(this.name)) {
        this.messages = last([...this.messages, { tick, seq, sender, to, text, tag }]);
      }
    } else if (payload.agent === this.name && Object.hasOwn(LIVED, type)) {
      LIVED[type](this, payload, tick);
    }
  }

  /** Remember an entry. */
  note(tick, what) {
    this.history = last([...this.history, { tick, what }]);
  }

  /** A step of the plan is left no more. */
  take(id) {
    this.remaining = this.remaining.filter((step) => step.id !== id);
  }
}

function last(list) {
  return list.slice(-ENTRIES);
}

const LIVED = {
  plan_set(memory, { steps }) {
    memory.remaining = steps;
  },
  action_started(memory, payload) {
    memory.running = payload;
    memory.take(payload.id);
  },
  action_ended(memory, { id, do: name, outcome, reason, done, wanted, detail }, tick) {
    const told = reason ? { reason, done, wanted } : {};
    memory.note(tick, { id, do: name, with: memory.running?.with ?? {}, outcome, ...told, detail });
    memory.running = null;
  },
  action_skipped(memory, { id, do: name, after }, tick) {
    memory.take(id);
    memory.note(tick, { id, do: name, outcome: "skipped", after });
  },
  plan_refused(memory, { fault }, tick) {
    memory.note(tick, { problem: fault });
  },
  role_taken(memory, { role }) {
    memory.role = role;
  },
  agent_died(memory) {
    memory.running = null;
    memory.remaining = [];
  },
};

/**
 * Which proposals are unanswered: a fold over messages, actions and deaths; as `engine/agents/messages.py`.
 *
 * A proposal is open between its sender and each receiver until that receiver answers, one of the two dies, or the
 * sender begins an action other than `wait`: silence counts as agreement then.
 */

const PROPOSALS = new Set(["PROPOSAL", "COUNTER-PROPOSAL"]);
const ANSWERS = new Set(["AGREE", "DISAGREE", "COUNTER-PROPOSAL"]);

export class Negotiation {
  /** @type {Map<string, Set<string>>} receivers that have not answered, by sender */
  #open = new Map();

  /**
   * Whether a proposal made by or sent to the agent is unanswered.
   * @param {string} agent
   * @returns {boolean}
   */
  concerns(agent) {
    return this.#open.has(agent) || [...this.#open.values()].some((receivers) => receivers.has(agent));
  }

  /**
   * Take in the next event.
   * @param {import("./socket.js").LogEvent} event
   * @returns {boolean} whether a proposal may have been opened or closed
   */
  apply({ type, payload }) {
    if (type === "message_sent" && payload.tag) {
      this.#hear(payload);
      return true;
    }
    if (type === "action_started" && payload.do !== "wait") {
      return this.#open.delete(payload.agent);
    }
    if (type === "agent_died") {
      this.#open.delete(payload.agent);
      for (const sender of [...this.#open.keys()]) {
        this.#close(sender, payload.agent);
      }
      return true;
    }
    return false;
  }

  #hear({ sender, to, tag }) {
    for (const receiver of to) {
      if (ANSWERS.has(tag)) {
        this.#close(receiver, sender);
      }
      if (PROPOSALS.has(tag)) {
        this.#open.set(sender, (this.#open.get(sender) ?? new Set()).add(receiver));
      }
    }
  }

  #close(sender, receiver) {
    const receivers = this.#open.get(sender);
    receivers?.delete(receiver);
    if (receivers?.size === 0) {
      this.#open.delete(sender);
    }
  }
}

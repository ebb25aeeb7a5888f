// One action under way: how far it has come, and the way to break it off.
const { ticks } = require("../shared/clock.js");

class Interrupted extends Error {}

class Run {
  done = 0;
  wanted = 1;
  reason = "";
  detail = "";
  isOver = false;

  /** `number` tells it from the agent's other actions. */
  constructor(number) {
    this.number = number;
  }

  /** Note what went wrong; the first reason stays. */
  blame(reason, detail) {
    if (!this.reason) Object.assign(this, { reason, detail });
  }

  /** Stand still for so many ticks. */
  async wait(count) {
    await ticks(count);
    this.check();
  }

  check() {
    if (this.isOver) throw new Interrupted();
  }

  report() {
    const { done, wanted, reason, detail } = this;
    const isWhole = done >= wanted && !reason;
    return {
      outcome: isWhole ? "ok" : done ? "partial" : "failed",
      reason: isWhole ? "" : reason,
      done,
      wanted,
      detail,
    };
  }
}

module.exports = { Interrupted, Run };

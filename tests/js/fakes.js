/** Stand-ins for the outside world: a clock moved by hand, sockets that only remember, and a canvas that lists. */

/** Timers that fire when the test says so. */
export class FakeTimers {
  constructor() {
    this.now = 0;
    this.timers = new Map();
    this.last = 0;
  }

  set = (callback, ms) => {
    this.last += 1;
    this.timers.set(this.last, { at: this.now + ms, callback });
    return this.last;
  };

  clear = (timer) => {
    this.timers.delete(timer);
  };

  /** Let time pass, firing what falls due in order. */
  pass(ms) {
    const until = this.now + ms;
    for (;;) {
      const due = [...this.timers].filter(([, { at }]) => at <= until).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) {
        break;
      }
      const [id, { at, callback }] = due;
      this.timers.delete(id);
      this.now = at;
      callback();
    }
    this.now = until;
  }
}

/** A socket whose other end is the test. */
export class FakeSocket {
  constructor(url) {
    this.url = url;
    this.sent = [];
    this.closedWith = null;
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close(code) {
    this.closedWith = code;
  }

  /** The server sends a frame. */
  receive(frame) {
    this.onmessage({ data: typeof frame === "string" ? frame : JSON.stringify(frame) });
  }

  /** The connection ends. */
  end(code) {
    this.onclose({ code });
  }
}

/** A canvas context that lists the rectangles filled and the texts written. */
export function listingContext() {
  const list = { rects: [], texts: [], strokes: [] };
  const context = {
    list,
    measureText: (text) => ({ width: text.length * 6 }),
    fillRect: (x, y, width, height) => list.rects.push({ x, y, width, height, fill: context.fillStyle }),
    strokeRect: (x, y, width, height) =>
      list.strokes.push({ x, y, width, height, stroke: context.strokeStyle }),
    fillText: (text, x, y) => list.texts.push({ text, x, y }),
  };
  return new Proxy(context, { get: (target, name) => target[name] ?? (() => {}) });
}

let seq = 0;

/** An event; numbered onwards from the last, unless it is the first of its log. */
export function event(worldTime, type, payload) {
  seq = type === "episode_started" ? 1 : seq + 1;
  return { seq, world_time: worldTime, type, version: 1, payload };
}

/** The first event of a log with these agents. */
export function started(agents, checkpoints = [], maxSteps = 100) {
  return event(0, "episode_started", {
    max_steps: maxSteps,
    agents: agents.map((name) => ({ name, position: [0, 64, 0] })),
    checkpoints,
  });
}

/** An action's start. */
export function begin(tick, agent, id, name, parameters = {}) {
  return event(tick, "action_started", { agent, id, do: name, with: parameters });
}

/** An action's end. */
export function finish(tick, agent, id, name, outcome = "ok", reason = "") {
  return event(tick, "action_ended", {
    agent,
    id,
    do: name,
    outcome,
    reason,
    done: 1,
    wanted: 1,
    detail: "",
  });
}

/** The last event of a log. */
export function ended(tick, checkpoints = [], success = true) {
  return event(tick, "episode_ended", {
    status: "finished",
    success,
    partial_score: 1,
    reason: "done",
    checkpoints,
  });
}

/**
 * The client of an episode's event stream: applies every event exactly once and in order, whatever the network does.
 *
 * Events up to the last one applied are dropped, a gap is asked for again, and a lost connection is taken up again
 * from where it broke. A new attempt of the episode starts over from nothing.
 */

import { Silence } from "./silence.js";

const FIRST_DELAY_MS = 300;
const LONGEST_DELAY_MS = 5_000;
const ASK_AGAIN_MS = 2_000;
const DEAD_MS = 60_000;
const NORMAL_CLOSURE = 1000;
const DROPPED = 4000;
const REFUSALS = new Map([
  [4403, "You may not watch this episode. Log in, then reload the page."],
  [4404, "This episode no longer exists."],
]);

/**
 * @typedef {{seq: number, world_time: number, type: string, version: number, payload: any}} LogEvent
 * @typedef {object} Connection
 * @property {"connecting" | "live" | "silent" | "waiting" | "offline" | "ended" | "refused"} kind
 * @property {string} text
 * @property {string} [count] how long already, or for how long still; another one each second
 * @typedef {object} Listener
 * @property {(events: LogEvent[]) => void} [events] events in order, each exactly once
 * @property {(clock: {tick: number, status: string, pace: number}) => void} [clock] world time and status now
 * @property {() => void} [reset] the episode starts over: forget every event
 * @property {(status: string) => void} [end] after the last event
 * @property {(connection: Connection) => void} [connection] what to tell the viewer about the connection
 */

/**
 * How long to wait before the next attempt: doubling from 0.3 s up to 5 s, of which half is random.
 * @param {number} failures attempts that failed since the last success, from 0
 * @param {() => number} random in [0, 1)
 * @returns {number} milliseconds
 */
export function backOff(failures, random) {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 10));
  return longest / 2 + (longest / 2) * random();
}

/** One episode's stream. `log` holds the applied events, `lastSeq` the number of the last of them. */
export class LiveClient {
  /**
   * @param {string} url address of the socket, without a query
   * @param {Listener} listener
   * @param {object} [outside] the outside world, replaceable in tests
   * @param {(url: string) => WebSocket} [outside.open]
   * @param {(callback: () => void, ms: number) => number} [outside.setTimeout]
   * @param {(timer: number) => void} [outside.clearTimeout]
   * @param {() => number} [outside.now] milliseconds
   * @param {() => number} [outside.random]
   * @param {() => boolean} [outside.online] whether the machine says that it has a network
   */
  constructor(url, listener, outside = {}) {
    this.url = url;
    this.listener = listener;
    this.outside = {
      open: (address) => new WebSocket(address),
      setTimeout: (callback, ms) => window.setTimeout(callback, ms),
      clearTimeout: (timer) => window.clearTimeout(timer),
      now: () => performance.now(),
      random: Math.random,
      online: () => navigator.onLine,
      ...outside,
    };
    /** @type {LogEvent[]} */
    this.log = [];
    this.lastSeq = 0;
    this.attempt = null;
    this.status = "";
    this.socket = null;
    this.failures = 0;
    this.highestSeq = 0;
    this.complete = false;
    this.over = false;
    this.timers = new Map();
    this.silence = new Silence(this.outside, (seconds) =>
      seconds > 0 ? this.#tell("silent", "No news", `for ${seconds} s`) : this.#tell("live", "Live"),
    );
  }

  /** Connect now, unless a connection is there or nothing is left to come. */
  connect() {
    if (this.socket || this.over) {
      return;
    }
    this.#stop("retry");
    this.#tell("connecting", "Connecting …");
    const socket = this.outside.open(`${this.url}?after=${this.lastSeq}`);
    this.socket = socket;
    socket.onmessage = (message) => this.#receive(socket, message.data);
    socket.onclose = (closing) => this.#closed(socket, closing.code);
    this.#watchConnection();
  }

  /** Look after the connection at once: the network or the viewer has come back. */
  wake() {
    this.failures = 0;
    this.connect();
  }

  /** Break the connection as a failing network would; it is taken up again by itself. */
  drop() {
    const socket = this.socket;
    if (socket) {
      this.#closed(socket, DROPPED);
      socket.close(DROPPED);
    }
  }

  /** Stop for good. */
  close() {
    this.over = true;
    this.rest();
  }

  /** Break off; `connect` goes on from here. */
  rest() {
    for (const name of [...this.timers.keys()]) {
      this.#stop(name);
    }
    this.silence.stop();
    const socket = this.socket;
    this.socket = null;
    socket?.close(NORMAL_CLOSURE);
  }

  #receive(socket, data) {
    const frame = socket === this.socket ? parse(data) : null;
    if (!frame) {
      return;
    }
    this.#watchConnection();
    if (frame.kind === "hello") {
      this.#hello(frame);
    } else if (frame.kind === "events") {
      this.#events(frame);
    } else if (frame.kind === "clock") {
      this.#clock(frame);
    } else if (frame.kind === "reset") {
      this.#startOver(frame.attempt);
    } else if (frame.kind === "end") {
      this.status = frame.status;
      this.complete = true;
      this.#caughtUpTo(frame.last_seq);
    }
  }

  #hello(frame) {
    this.failures = 0;
    if (this.#isNews(frame.attempt)) {
      this.#ask();
    }
    this.#tell("live", "Live");
    this.#clock(frame);
  }

  #clock(frame) {
    this.status = frame.status;
    this.listener.clock?.({ tick: frame.tick, status: frame.status, pace: frame.pace });
    if (frame.status === "running") {
      this.silence.heard(frame.silent_s ?? 0);
    } else {
      this.silence.stop();
    }
  }

  /** Whether the frame belongs to an attempt that we had no idea of, though we hold events of an older one. */
  #isNews(attempt) {
    if (this.attempt === null || attempt === this.attempt) {
      this.attempt = attempt;
      return false;
    }
    this.#startOver(attempt);
    return true;
  }

  #startOver(attempt) {
    this.attempt = attempt;
    this.lastSeq = 0;
    this.log = [];
    this.highestSeq = 0;
    this.complete = false;
    this.#stop("ask");
    this.listener.reset?.();
  }

  #events(frame) {
    if (this.attempt !== null && frame.attempt < this.attempt) {
      return;
    }
    this.#isNews(frame.attempt);
    const fresh = [];
    for (const event of frame.events) {
      if (event.seq > this.lastSeq + 1) {
        break;
      }
      if (event.seq === this.lastSeq + 1) {
        fresh.push(event);
        this.log.push(event);
        this.lastSeq = event.seq;
      }
    }
    if (fresh.length > 0) {
      this.listener.events?.(fresh);
    }
    if (frame.clock) {
      this.#clock(frame.clock);
    } else {
      this.silence.other();
    }
    this.#caughtUpTo(frame.last_seq);
  }

  /** The server has sent up to `seq`: ask for what is missing of it, or finish when nothing is left to come. */
  #caughtUpTo(seq) {
    this.highestSeq = Math.max(this.highestSeq, seq);
    if (this.lastSeq < this.highestSeq) {
      this.#ask();
    } else if (this.complete && !this.over) {
      this.close();
      this.#tell("ended", "Ended");
      this.listener.end?.(this.status);
    }
  }

  /** Ask for everything after the last event, but not again while an answer may still be on its way. */
  #ask() {
    if (this.timers.has("ask") || !this.socket) {
      return;
    }
    this.socket.send(JSON.stringify({ kind: "resend", after: this.lastSeq }));
    this.#start("ask", ASK_AGAIN_MS, () => this.#caughtUpTo(this.highestSeq));
  }

  #closed(socket, code) {
    if (socket !== this.socket) {
      return;
    }
    this.socket = null;
    this.#stop("ask");
    this.#stop("dead");
    this.silence.stop();
    if (REFUSALS.has(code)) {
      this.close();
      this.#tell("refused", REFUSALS.get(code));
      return;
    }
    this.#wait(backOff(this.failures, this.outside.random));
    this.failures += 1;
  }

  #wait(ms) {
    if (ms <= 0) {
      this.connect();
      return;
    }
    const seconds = `in ${Math.ceil(ms / 1_000)} s`;
    if (this.outside.online()) {
      this.#tell("waiting", "Reconnecting", seconds);
    } else {
      this.#tell("offline", "No network: trying again", seconds);
    }
    const part = ms % 1_000 || 1_000;
    this.#start("retry", part, () => this.#wait(ms - part));
  }

  /** A running episode is hardly ever silent for long: the connection may be dead without knowing it. */
  #watchConnection() {
    this.#stop("dead");
    this.#start("dead", DEAD_MS, () => (this.status === "queued" ? this.#watchConnection() : this.drop()));
  }

  #tell(kind, text, count = "") {
    this.listener.connection?.({ kind, text, count });
  }

  #start(name, ms, callback) {
    const fire = () => {
      this.timers.delete(name);
      callback();
    };
    this.timers.set(name, this.outside.setTimeout(fire, ms));
  }

  #stop(name) {
    if (this.timers.has(name)) {
      this.outside.clearTimeout(this.timers.get(name));
      this.timers.delete(name);
    }
  }
}

function parse(data) {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

/**
 * Have the client look after its connection when the network or the viewer comes back.
 * @param {LiveClient} client
 */
export function wakeWithPage(client) {
  window.addEventListener("online", () => client.wake());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) {
      client.wake();
    }
  });
}

/** A log that is all there, told to the same listeners as a live stream. */

const AT_ONCE = 2_000;

/** Tells its events in parts, so that the page is drawn before the last of a long log has been taken in. */
export class Recording {
  /**
   * @param {import("./socket.js").LogEvent[]} events
   * @param {(events: import("./socket.js").LogEvent[]) => void} take
   * @param {() => void} over
   */
  constructor(events, take, over) {
    this.events = events;
    this.take = take;
    this.over = over;
    /** @type {import("./socket.js").LogEvent[]} what has been told */
    this.log = [];
  }

  /** Begin. */
  connect() {
    const part = this.events.slice(this.log.length, this.log.length + AT_ONCE);
    this.log.push(...part);
    this.take(part);
    if (this.log.length < this.events.length) {
      setTimeout(() => this.connect());
    } else {
      this.over();
    }
  }
}

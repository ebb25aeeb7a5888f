/** Noticing that nothing has been heard of a running episode for a while, though the connection is there. */

const SECOND = 1_000;

/** Seconds without a sign of life, of which there is at least one every two seconds, that are called silence. */
const PATIENCE = 5;

/** Counts the seconds since the last sign of life. */
export class Silence {
  /**
   * @param {object} outside the outside world
   * @param {(callback: () => void, ms: number) => number} outside.setTimeout
   * @param {(timer: number) => void} outside.clearTimeout
   * @param {() => number} outside.now milliseconds
   * @param {(seconds: number) => void} tell it has been silent for so long, told each second; 0 when it is over
   */
  constructor({ setTimeout, clearTimeout, now }, tell) {
    this.later = setTimeout;
    this.never = clearTimeout;
    this.now = now;
    this.tell = tell;
    this.timer = null;
    this.told = false;
  }

  /**
   * A sign of life came.
   * @param {number} ago seconds that it was old
   */
  heard(ago) {
    const wasTold = this.told;
    this.stop();
    this.since = this.now() - ago * SECOND;
    if (ago >= PATIENCE) {
      this.#count();
      return;
    }
    if (wasTold) {
      this.tell(0);
    }
    this.#wait((PATIENCE - ago) * SECOND);
  }

  /** Something came that may be old: a reason neither to begin to count nor to stop it. */
  other() {
    if (this.timer !== null && !this.told) {
      this.heard(0);
    }
  }

  /** None is awaited any more. */
  stop() {
    if (this.timer !== null) {
      this.never(this.timer);
      this.timer = null;
    }
    this.told = false;
  }

  #wait(ms) {
    this.timer = this.later(() => this.#count(), ms);
  }

  #count() {
    const passed = this.now() - this.since;
    const seconds = Math.round(passed / SECOND);
    this.told = true;
    this.tell(seconds);
    this.#wait((seconds + 1) * SECOND - passed);
  }
}

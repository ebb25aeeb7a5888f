/** A clock that plays steps. Pure: the time of day is told to it. */

const LONGEST_FRAME = 0.25; // seconds; a page that was hidden does not jump when it is seen again

/** Where a playback is, and how fast it goes. Starts paused at step 0. */
export class Playback {
  /** @param {number} steps the last step */
  constructor(steps) {
    this.steps = steps;
    this.time = 0;
    this.speed = 4;
    this.playing = false;
    this.last = null;
  }

  /** The step that it is at. */
  get step() {
    return Math.floor(this.time);
  }

  /** Play or pause; at the end, play from the start. */
  toggle() {
    this.playing = !this.playing;
    this.last = null;
    if (this.playing && this.time >= this.steps) {
      this.time = 0;
    }
  }

  /**
   * Go to a step.
   * @param {number} step
   */
  seek(step) {
    this.time = Math.max(0, Math.min(this.steps, step));
  }

  /**
   * Let time pass; pauses at the end.
   * @param {number} now milliseconds
   */
  pass(now) {
    if (this.playing) {
      const seconds = this.last === null ? 0 : Math.min(LONGEST_FRAME, (now - this.last) / 1000);
      this.last = now;
      this.time = Math.min(this.steps, this.time + seconds * this.speed);
      this.playing = this.time < this.steps;
    }
  }
}

// A socket that never leaves the process: what one end writes, the other end reads within the same real turn.
const { Duplex } = require("node:stream");

/** How often anything was written to any pipe: as long as it grows, packets are on their way. */
const traffic = { writes: 0 };

class End extends Duplex {
  #isPatient = true;
  #underway = 0;

  constructor() {
    super({ highWaterMark: 1 << 24 });
    this.remoteAddress = "127.0.0.1";
  }

  _read() {}

  _write(chunk, _encoding, done) {
    traffic.writes++;
    this.#pass(chunk);
    done();
  }

  _final(done) {
    this.#pass(null);
    done();
  }

  _destroy(error, done) {
    this.#pass(null);
    done(error);
  }

  /** From now on the other end reads while this one writes. Who logs in must not: it is answered before it listens. */
  hurry() {
    this.#isPatient = false;
  }

  #pass(chunk) {
    if (!this.#isPatient && !this.#underway) {
      this.#push(chunk);
      return;
    }
    this.#underway++;
    process.nextTick(() => {
      this.#underway--;
      this.#push(chunk);
    });
  }

  #push(chunk) {
    const { other } = this;
    if (!other.destroyed && !other.readableEnded) other.push(chunk);
  }

  setNoDelay() {}
}

function pipe() {
  const [one, other] = [new End(), new End()];
  one.other = other;
  other.other = one;
  return [one, other];
}

module.exports = { pipe, traffic };

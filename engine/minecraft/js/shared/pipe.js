// A socket that never leaves the process: what one end writes, the other end reads within the same real turn.
const { Duplex } = require("node:stream");

/** How often anything was written to any pipe: as long as it grows, packets are on their way. */
const traffic = { writes: 0 };

class End extends Duplex {
  constructor() {
    super({ highWaterMark: 1 << 24 });
    this.remoteAddress = "127.0.0.1";
  }

  _read() {}

  _write(chunk, _encoding, done) {
    traffic.writes++;
    if (!this.other.destroyed) this.other.push(chunk);
    done();
  }

  _final(done) {
    if (!this.other.destroyed) this.other.push(null);
    done();
  }

  _destroy(error, done) {
    if (!this.other.destroyed && !this.other.readableEnded) this.other.push(null);
    done(error);
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

// RCON, Valve's "Source RCON Protocol" as Minecraft speaks it: a packet is its length, a number, a type, text and two
// zero bytes; integers have 32 bits, little-endian.
const net = require("node:net");
const { createHash, timingSafeEqual } = require("node:crypto");

const [LOGIN, COMMAND, ANSWER] = [3, 2, 0];
const REFUSED = -1;
const HEAD_BYTES = 12;
const LEAST_BYTES = 14;
const MOST_BYTES = 1460; // what Minecraft reads at once
const ANSWER_LETTERS = 4096; // what it sends in one packet

function packet(number, type, text) {
  const body = Buffer.from(text, "utf8");
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeInt32LE(body.length + 10, 0);
  head.writeInt32LE(number, 4);
  head.writeInt32LE(type, 8);
  return Buffer.concat([head, body, Buffer.alloc(2)]);
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
function isSame(one, other) {
  const digest = (text) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** One connection: what it asks is answered in the order in which it comes. */
class Connection {
  isIn = false;
  data = Buffer.alloc(0);

  constructor(socket, password, answer) {
    Object.assign(this, { socket, password, answer });
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => this.take(chunk));
  }

  take(chunk) {
    this.data = Buffer.concat([this.data, chunk]);
    while (this.data.length >= 4) {
      const size = this.data.readInt32LE(0) + 4;
      if (size < LEAST_BYTES || size > MOST_BYTES) return this.socket.destroy();
      if (this.data.length < size) return undefined;
      const [number, type] = [this.data.readInt32LE(4), this.data.readInt32LE(8)];
      const text = this.data.toString("utf8", HEAD_BYTES, size - 2);
      this.data = this.data.subarray(size);
      this.reply(number, type, text);
    }
    return undefined;
  }

  reply(number, type, text) {
    if (type === LOGIN) {
      this.isIn = isSame(text, this.password);
      this.socket.write(packet(this.isIn ? number : REFUSED, COMMAND, ""));
    } else if (!this.isIn) {
      this.socket.write(packet(REFUSED, COMMAND, ""));
    } else {
      const whole = type === COMMAND ? this.answer(text) : `Unknown request ${(type >>> 0).toString(16)}`;
      for (let at = 0; at === 0 || at < whole.length; at += ANSWER_LETTERS) {
        this.socket.write(packet(number, ANSWER, whole.slice(at, at + ANSWER_LETTERS)));
      }
    }
  }
}

/** Listen for RCON; `answer` takes a command and returns its answer. Resolves to the port; rejects if it cannot. */
function listenForCommands({ host, port, password }, answer) {
  const listener = net.createServer((socket) => new Connection(socket, password, answer));
  return new Promise((resolve, reject) => {
    listener.once("error", ({ message }) => reject(new Error(`RCON needs another port: ${message}`)));
    listener.listen(port, host, () => resolve(listener.address().port));
  });
}

module.exports = { listenForCommands };

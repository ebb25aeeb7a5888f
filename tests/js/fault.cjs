// Preloaded into Node: after so many packets something goes wrong that nobody catches.
const pipes = require("../../engine/minecraft/js/shared/pipe.js");

const PACKETS = 1000;
const { pipe } = pipes;
let left = PACKETS;

pipes.pipe = () => {
  const ends = pipe();
  for (const end of ends) {
    const write = end._write.bind(end);
    end._write = (...packet) => {
      write(...packet);
      if (--left === 0) setImmediate(() => left.nothing.at.all);
    };
  }
  return ends;
};

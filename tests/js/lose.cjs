// Preloaded into Node: the first bot's connection to the embedded server breaks after so many packets.
const pipes = require("../../engine/minecraft/js/shared/pipe.js");

const PACKETS = 150;
const { pipe } = pipes;
let isFirst = true;

pipes.pipe = () => {
  const [bot, server] = pipe();
  if (isFirst) {
    const write = bot._write.bind(bot);
    let left = PACKETS;
    bot._write = (...packet) => (left-- > 0 ? write(...packet) : bot.destroy());
  }
  isFirst = false;
  return [bot, server];
};

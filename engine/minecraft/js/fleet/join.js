// Letting a bot join the server: over a pipe within the process, with a time-out and retries.
const mineflayer = require("mineflayer");
const { drain, pass } = require("../shared/clock.js");
const { pipe } = require("../shared/pipe.js");

const ATTEMPTS = 3;
const PATIENCE_MS = 10000; // of virtual time

function connect(server, config, name) {
  const [ours, theirs] = pipe();
  server.serv._server.socketServer.emit("connection", theirs);
  const bot = mineflayer.createBot({
    stream: ours,
    username: name,
    version: config.version,
    auth: "offline",
    respawn: false,
    hideErrors: true,
    logErrors: false,
    checkTimeoutInterval: 600000,
    viewDistance: "tiny",
    loadInternalPlugins: true,
  });
  return { bot, enter: () => ours.emit("connect") };
}

/** A bot that has spawned, with the ground under it loaded. */
async function join(server, config, name) {
  let fault = "it never spawned";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { bot, enter } = connect(server, config, name);
    const state = { spawned: false, ended: null };
    bot.once("spawn", () => (state.spawned = true));
    bot.on("error", (error) => (fault = error.message));
    bot.once("end", (reason) => (state.ended = reason));
    await pass(50); // Mineflayer sets itself up; whoever logs in before that misses its first packets
    enter();
    await drain(); // all at one instant: the bot's physics is to keep step with the server's ticks
    for (let waited = 0; waited < PATIENCE_MS && !state.ended; waited += 50) {
      await pass(50);
      await drain();
      if (state.spawned && bot.entity?.onGround && server.serv.getPlayer(name)) return bot;
    }
    bot.end("joining took too long");
    fault = state.ended ?? fault;
    await pass(1000);
  }
  throw new Error(`bot ${name} could not join the embedded server in ${ATTEMPTS} attempts: ${fault}`);
}

module.exports = { join };

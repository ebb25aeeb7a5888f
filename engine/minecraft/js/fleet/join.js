// Letting a bot join a server, with a time-out and retries.
const mineflayer = require("mineflayer");
const { wordsOf } = require("../shared/chat.js");
const { drain, pass } = require("../shared/clock.js");

const ATTEMPTS = 3;
const PATIENCE_MS = 10000;
const OPTIONS = {
  auth: "offline",
  respawn: false,
  hideErrors: true,
  logErrors: false,
  checkTimeoutInterval: 600000,
  viewDistance: "tiny",
};

/** Lets bots join one after the other.
 *
 * `where` says in words what they join. `connect` gives what Mineflayer's options need for the way there, and `enter`,
 * to be called when the bot has set itself up. `isIn(bot)` tells whether the server has let it in.
 */
class Door {
  constructor({ where, version, connect, isIn }) {
    Object.assign(this, { where, version, connect, isIn });
  }

  /** A bot that has spawned. A server that turns it away is not asked again. */
  async join(username) {
    let fault = "it never spawned";
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { bot, state } = await this.#enter(username);
      for (let waited = 0; waited < PATIENCE_MS && !state.end; waited += 50) {
        await pass(50);
        await drain();
        if (state.spawned && this.isIn(bot)) return bot;
      }
      bot.end("joining took too long");
      if (state.kick) throw new Error(`${this.where} turned the bot ${username} away: ${state.kick}`);
      fault = state.fault ?? state.end ?? fault;
      await pass(1000);
    }
    throw new Error(`bot ${username} could not join ${this.where} in ${ATTEMPTS} attempts: ${fault}`);
  }

  async #enter(username) {
    const { options, enter } = this.connect();
    const bot = mineflayer.createBot({ ...OPTIONS, ...options, username, version: this.version });
    const state = { spawned: false, end: null, kick: null, fault: null };
    bot.once("spawn", () => (state.spawned = true));
    bot.on("error", (error) => (state.fault = error.message));
    bot.once("kicked", (reason) => (state.kick = wordsOf(reason)));
    bot.once("end", (reason) => (state.end = reason));
    await pass(50); // Mineflayer sets itself up; whoever logs in before that misses its first packets
    enter();
    await drain(); // all at one instant: the bot's physics is to keep step with the server's ticks
    return { bot, state };
  }
}

module.exports = { Door };

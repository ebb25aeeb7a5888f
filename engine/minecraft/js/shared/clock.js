// One virtual clock for server and bots. Required before anything that might keep a timer.
const FakeTimers = require("@sinonjs/fake-timers");

const { traffic } = require("./pipe.js");
const { TICK_MS } = require("./time.js");

const QUIET_TURNS = 2;
const CATCH_UP_MS = 40; // less than a tick: blows and clicks must not come too soon for the server
const realImmediate = setImmediate;
const realTimeout = setTimeout;
const realInterval = setInterval;
const wallNow = performance.now.bind(performance);
let due = null; // on the wall, if virtual time is to keep to it

const clock = FakeTimers.install({
  now: Date.UTC(2022, 5, 7), // any fixed day: no run may depend on when it takes place
  loopLimit: 1e9,
  toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance", "hrtime"],
});

/** One real turn of the event loop: packets that are on their way between server and bots arrive. */
const turn = () => new Promise((resolve) => realImmediate(resolve));

/** Let everything arrive that is on its way: turns until nothing has been written to a pipe for some. */
async function drain() {
  for (let quiet = 0, seen = -1; quiet < QUIET_TURNS; quiet = traffic.writes === seen ? quiet + 1 : 0) {
    seen = traffic.writes;
    await turn();
  }
}

/** Call it every so many milliseconds of real time, whether the virtual clock stands or not. */
const repeat = (act, ms) => realInterval(act, ms);

/** From now on virtual time passes no faster than that on the wall; what is lost by being late stays lost but for little. */
function keepToTheWall() {
  due = wallNow();
}

async function onTheWall(ms) {
  if (due === null) return;
  due = Math.max(due + ms, wallNow() - CATCH_UP_MS);
  const left = due - wallNow();
  if (left > 0) await new Promise((resolve) => realTimeout(resolve, left));
}

/** Let `ms` of virtual time pass, so finely that an answer to a packet does not wait for a whole tick. */
async function pass(ms, grain = 10) {
  for (let left = ms; left > 0; left -= grain) {
    await onTheWall(Math.min(grain, left));
    clock.tick(Math.min(grain, left));
    await drain();
  }
}

/** Resolves after so many ticks of world time. */
const ticks = (count) => new Promise((resolve) => setTimeout(resolve, count * TICK_MS));

module.exports = { drain, keepToTheWall, pass, repeat, ticks, turn };

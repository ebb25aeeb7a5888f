// What Python sees: open a worker thread for an episode, ask it, close it. Strings of JSON go both ways.
const path = require("node:path");
const { Worker } = require("node:worker_threads");

const MOMENT_MS = 200; // so long Python is kept waiting before it may look after other things

const episodes = new Map();
let ids = 0;

// The Python process is gone, however it went: so is everything here.
process.stdin.on("end", () => process.exit());
process.stdin.on("close", () => process.exit());
// Ctrl-C is for Python, which closes episodes in its own time.
process.on("SIGINT", () => {});
// Replies to Python travel on stderr: nothing else may be written there.
process.removeAllListeners("warning");
process.on("warning", () => {});

function open() {
  const worker = new Worker(path.join(__dirname, "episode.js"), { stdout: true, stderr: true });
  const episode = { worker, waiting: new Map(), output: "", asked: 0 };
  const keep = (chunk) => (episode.output = (episode.output + chunk).slice(-4000));
  worker.stdout.on("data", keep);
  worker.stderr.on("data", keep);
  worker.on("message", ({ id, answer, fault }) => {
    const { resolve, reject } = episode.waiting.get(id) ?? {};
    episode.waiting.delete(id);
    if (fault === undefined) resolve?.(answer);
    else reject?.(new Error(fault));
  });
  const fail = (error) => {
    for (const { reject } of episode.waiting.values())
      reject(new Error(`the Minecraft thread ended: ${error}\n${episode.output}`));
    episode.waiting.clear();
    episode.isOver = true;
  };
  worker.on("error", (error) => fail(error.stack ?? error));
  worker.on("exit", (code) => fail(`exit status ${code}`));
  episodes.set(++ids, episode);
  return ids;
}

/**
 * Ask, and wait for the answer as `wait` does. An answer that takes longer than `ms` is an error, and so is a thread that
 * has ended.
 */
function ask(number, request, body, ms) {
  const episode = episodes.get(number);
  if (!episode || episode.isOver) return Promise.reject(new Error("the Minecraft thread has ended"));
  const id = ++episode.asked;
  episode.answer = new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      episode.waiting.delete(id);
      reject(new Error(`no answer to ${request} within ${ms} ms\n${episode.output}`));
    }, ms);
    const finish = (settle) => (value) => {
      clearTimeout(timer);
      settle(value);
    };
    episode.waiting.set(id, { resolve: finish(resolve), reject: finish(reject) });
    episode.worker.postMessage({ id, request, body });
  });
  episode.answer.catch(() => {}); // nobody may be waiting when it comes
  return wait(number);
}

/** The answer to what was asked last; null if it takes longer than a moment. */
function wait(number) {
  let timer;
  const moment = new Promise((resolve) => (timer = setTimeout(resolve, MOMENT_MS, null)));
  return Promise.race([episodes.get(number).answer, moment]).finally(() => clearTimeout(timer));
}

async function close(number) {
  const episode = episodes.get(number);
  episodes.delete(number);
  await episode?.worker.terminate();
  return true;
}

module.exports = { open, ask, wait, close };

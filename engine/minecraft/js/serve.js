// The process of a server without an episode. Its settings come as one line on standard input; it prints its ports as
// one line, and ends when its input does, that is with whoever started it. The server has a thread of its own, since
// flying-squid would take standard input for its console.
const path = require("node:path");
const { Worker } = require("node:worker_threads");

let text = "";
process.stdin.on("data", (chunk) => {
  const isWhole = text.includes("\n");
  text += chunk;
  if (!isWhole && text.includes("\n")) start(JSON.parse(text));
});
process.stdin.on("end", () => process.exit());
process.on("SIGINT", () => {}); // Ctrl-C is for whoever started it

function start(settings) {
  const script = path.join(__dirname, "standalone.js");
  const worker = new Worker(script, { workerData: settings, stdout: true, stderr: true });
  worker.stderr.pipe(process.stderr);
  worker.on("message", (ports) => process.stdout.write(`${JSON.stringify(ports)}\n`));
  worker.on("error", (error) => process.stdout.write(`${JSON.stringify({ fault: error.message })}\n`));
}

// Players who join a server all at once and do nothing: crowd.cjs PORT COUNT. When all have joined it says so and
// ends.
const { createClient } = require("minecraft-protocol");

const [port, count] = process.argv.slice(2).map(Number);
const join = (_, number) =>
  new Promise((resolve, reject) => {
    const client = createClient({ host: "127.0.0.1", port, username: `Player${number}`, version: "1.19" });
    client.once("login", resolve);
    client.once("error", reject);
  });

Promise.all(Array.from({ length: count }, join)).then(() =>
  process.stdout.write("joined\n", () => process.exit()),
);

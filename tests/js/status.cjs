// A server of minecraft-protocol on a free port, for one version; prints the port. Ends with its standard input.
const protocol = require("minecraft-protocol");

const server = protocol.createServer({
  host: "127.0.0.1",
  port: 0,
  version: process.argv[2],
  "online-mode": false,
  maxPlayers: 8,
});
server.on("listening", () => process.stdout.write(`${server.socketServer.address().port}\n`));
process.stdin.resume().on("end", () => process.exit());

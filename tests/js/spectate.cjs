// A player who only watches, by the protocol alone: prints its game mode and the players that it hears of.
const { createClient } = require("minecraft-protocol");

const say = (...words) => process.stdout.write(`${words.join(" ")}\n`);

const client = createClient({
  host: "127.0.0.1",
  port: +process.argv[2],
  username: "Watcher",
  version: "1.19",
  auth: "offline",
});
client.on("login", (packet) => say("gamemode", packet.gameMode));
client.on("player_info", (packet) => say("players", JSON.stringify(packet.data)));
client.on("named_entity_spawn", (packet) => say("sees", JSON.stringify([packet.x, packet.y, packet.z])));
client.on("error", (error) => say("error", error.message));
client.on("end", (reason) => say("end", reason));

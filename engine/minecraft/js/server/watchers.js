// Whoever joins an episode's server and is no agent: a spectator, who sees everything and changes nothing.
const { SPECTATOR } = require("./modes.js");

/** What spectators send when they click on something, or type; flying-squid would act on it. */
const DEEDS = [
  "block_dig",
  "block_place",
  "chat",
  "chat_command",
  "chat_message",
  "close_window",
  "held_item_slot",
  "set_creative_slot",
  "tab_complete",
  "use_entity",
  "use_item",
  "window_click",
];

function watch(player) {
  player.gameMode = SPECTATOR;
  player.once("spawned", () => player.setGameMode(SPECTATOR)); // since 1.20.2 flying-squid does not say so at once
  for (const deed of DEEDS) player._client.removeAllListeners(deed);
}

/** Minecraft's own client draws only players that are on its list. */
function introduce(serv, player) {
  const { sendSpawnPosition } = player;
  player.sendSpawnPosition = () => {
    sendSpawnPosition();
    const data = serv.players.map(({ uuid, username, gameMode }) => {
      return { uuid, name: username, properties: [], gamemode: gameMode, ping: 0 };
    });
    player._client.write("player_info", { action: "add_player", data });
  };
}

/** A sign of life: Minecraft's own client leaves when it has heard nothing for 30 s, and the clock may stand longer. */
function comfort(serv) {
  for (const { gameMode, _client } of serv.players) {
    if (gameMode === SPECTATOR) _client.write("update_time", { age: [0, 0], time: [0, serv.time] });
  }
}

module.exports = { comfort, introduce, watch };

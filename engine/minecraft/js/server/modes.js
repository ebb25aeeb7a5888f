// Game modes, in the order of their numbers in the protocol.
const MODES = ["survival", "creative", "adventure", "spectator"];

module.exports = { MODES, SPECTATOR: MODES.indexOf("spectator") };

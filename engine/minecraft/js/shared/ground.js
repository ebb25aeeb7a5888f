// The flat world: which block lies at which level, everywhere.
const GROUND = { 60: "bedrock", 61: "dirt", 62: "dirt", 63: "grass_block" };

module.exports = { GROUND };

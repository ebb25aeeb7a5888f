// Where an entity's metadata has what, Java Edition 1.17 and later.
const STACK_KEY = 8; // of items on the ground
const HEALTH_KEY = 9; // of living beings
const ABSORPTION_KEY = 15; // of players

module.exports = { ABSORPTION_KEY, HEALTH_KEY, STACK_KEY };

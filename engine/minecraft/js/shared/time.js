// World time. Nothing here starts a clock, so this may be required where real time passes as well.
const TICK_MS = 50;

module.exports = { TICK_MS };

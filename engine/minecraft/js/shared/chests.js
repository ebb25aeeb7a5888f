// Chests as Minecraft has them.

/** Slots of a single chest, which come first in its window. */
const CHEST_SLOTS = 27;

module.exports = { CHEST_SLOTS };

// Since 1.20.5 minecraft-data takes for the material of ores and metals which tools are too weak for them, instead of
// what breaks them; a pickaxe would be no faster than the bare hand.
const TOO_WEAK = "incorrect_for_";

function mendOres(registry) {
  for (const block of registry.blocksArray) {
    if (block.material?.startsWith(TOO_WEAK)) block.material = "mineable/pickaxe";
  }
}

module.exports = { mendOres };

// What bots can do, by the names of the action space. Each takes the bot, its run and the checked parameters.
const { attack } = require("./fighting.js");
const { buildFloor } = require("./building.js");
const { depositToChest, getFromChest } = require("./chests.js");
const { equipItem, useItem } = require("./holding.js");
const { findBlocks, findEntities, scoutBlocksAt } = require("./looking.js");
const { mineBlocksAt } = require("./mining.js");
const { moveTo, wait } = require("./moving.js");

module.exports = {
  attack,
  build_floor: buildFloor,
  deposit_to_chest: depositToChest,
  equip_item: equipItem,
  find_blocks: findBlocks,
  find_entities: findEntities,
  get_from_chest: getFromChest,
  mine_blocks_at: mineBlocksAt,
  move_to: moveTo,
  scout_blocks_at: scoutBlocksAt,
  use_item: useItem,
  wait,
};

// What bots can do, by the names of the action space. Each takes the bot, its run and the checked parameters.
const { attack } = require('./fighting')
const { buildFloor } = require('./building')
const { depositToChest, getFromChest } = require('./chests')
const { equipItem, useItem } = require('./holding')
const { findBlocks, findEntities, scoutBlocksAt } = require('./looking')
const { mineBlocksAt } = require('./mining')
const { moveTo, wait } = require('./moving')

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
  wait
}

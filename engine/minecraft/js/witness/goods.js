// Items on the ground and in chests, as the bots see them come and go.
const { CHEST_SLOTS } = require("../shared/chests.js");
const { nearestCell, toCellSpace } = require("../shared/geometry.js");
const { floorBelow } = require("../shared/paths.js");

module.exports = (scene) => {
  const { items, emit } = scene;
  const lying = new Map();
  let numbers = 0;

  function attach(unit) {
    const { bot } = unit;
    bot.on("itemDrop", (entity) => see(unit, entity));
    bot._client.on("collect", (packet) => collect(unit, packet));
    bot.on("windowClose", () => closeChest(unit));
  }

  /** The first bot that sees an item reports it; several may. */
  function see(unit, entity) {
    const item = entity.getDroppedItem();
    const here = nearestCell(toCellSpace(entity.position));
    if (!item || lying.has(entity.id)) return;
    const pile = { drop: ++numbers, item: items.nameOf(item), count: item.count };
    lying.set(entity.id, pile);
    emit("item_dropped", { ...pile, cell: [here[0], floorBelow(unit.isSolid, here), here[2]] });
  }

  /** Everybody near hears of it; whoever takes it reports it. */
  function collect(unit, { collectedEntityId, collectorEntityId, pickupItemCount }) {
    const pile = lying.get(collectedEntityId);
    if (!pile || collectorEntityId !== unit.bot.entity.id) return;
    const { drop, item } = pile;
    pile.count -= pickupItemCount;
    emit("item_picked_up", { drop, agent: unit.name, item, count: pickupItemCount, left: pile.count });
    if (pile.count <= 0) lying.delete(collectedEntityId);
  }

  function closeChest(unit) {
    if (!unit.chest) return;
    const { cell, window, moved } = unit.chest;
    unit.chest = null;
    const inside = items.tally(window.slots.slice(0, CHEST_SLOTS));
    for (const [item, delta] of Object.entries(moved)) {
      const count = inside[item] ?? 0;
      if (delta) emit("chest_changed", { chest: cell, item, delta, count, agent: unit.name });
    }
  }

  return { attach };
};

// Items by the names that tasks use. Potions are one item in Minecraft, told apart by a tag; here each has its name.
const nbt = require("prismarine-nbt");

const POTION = "_potion";

module.exports = (registry) => {
  const Item = require("prismarine-item")(registry);

  function make(name, count, unbreakable = false) {
    if (name.endsWith(POTION) && !registry.itemsByName[name]) {
      const tag = nbt.comp({ Potion: nbt.string(`minecraft:${name.slice(0, -POTION.length)}`) });
      return new Item(registry.itemsByName.potion.id, count, null, tag);
    }
    const tag = unbreakable ? nbt.comp({ Unbreakable: nbt.byte(1) }) : null;
    return new Item(registry.itemsByName[name].id, count, null, tag);
  }

  function nameOf(item) {
    const potion = item.name === "potion" && item.nbt?.value?.Potion?.value;
    return potion ? potion.replace("minecraft:", "") + POTION : item.name;
  }

  const stackSize = (name) => make(name, 1).stackSize;

  return { Item, make, nameOf, stackSize };
};

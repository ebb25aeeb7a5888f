// Items by the names that tasks use. Potions are one item in Minecraft, told apart by a tag, since 1.20.5 by a component;
// here each has its name.
const nbt = require("prismarine-nbt");

const POTION = "_potion";
/** Numbers of the potions of tasks since 1.20.5: their places in the order in which Minecraft registers potions, water
 * being 0 (class `Potions`). minecraft-data lacks them. */
const NUMBERS = {
  fire_resistance: 11,
  swiftness: 13,
  healing: 24,
  strong_healing: 25,
  regeneration: 31,
  strength: 34,
};

module.exports = (registry) => {
  const Item = require("prismarine-item")(registry);
  const hasComponents = registry.supportFeature("itemsWithComponents");

  /** An item with what tells it apart: the potion that it is, or null, and whether it never wears out. */
  function special(name, count, potion, isUnbreakable) {
    const { id } = registry.itemsByName[name];
    if (hasComponents) {
      const item = new Item(id, count);
      if (potion) {
        const data = { potionId: NUMBERS[potion], customEffects: [] };
        item.components.push({ type: "potion_contents", data });
      }
      if (isUnbreakable) item.components.push({ type: "unbreakable", data: true });
      return item;
    }
    const tag = {
      ...(potion ? { Potion: nbt.string(`minecraft:${potion}`) } : {}),
      ...(isUnbreakable ? { Unbreakable: nbt.byte(1) } : {}),
    };
    return new Item(id, count, null, Object.keys(tag).length ? nbt.comp(tag) : null);
  }

  function make(name, count, isUnbreakable = false) {
    const isPotion = name.endsWith(POTION) && !registry.itemsByName[name];
    return isPotion
      ? special("potion", count, name.slice(0, -POTION.length), isUnbreakable)
      : special(name, count, null, isUnbreakable);
  }

  const component = (item, type) => item.components?.find((one) => one.type === type)?.data;

  function potionOf(item) {
    if (item.name !== "potion") return null;
    if (!hasComponents) return item.nbt?.value?.Potion?.value.replace("minecraft:", "") ?? null;
    const number = component(item, "potion_contents")?.potionId;
    return Object.keys(NUMBERS).find((name) => NUMBERS[name] === number) ?? null;
  }

  function nameOf(item) {
    const potion = potionOf(item);
    return potion ? potion + POTION : item.name;
  }

  const isUnbreakable = (item) =>
    hasComponents ? component(item, "unbreakable") !== undefined : Boolean(item.nbt?.value?.Unbreakable);

  /** So many of the same. */
  function copy(item, count) {
    const other = new Item(item.type, count, item.metadata, item.nbt);
    other.components = item.components;
    return other;
  }

  const stackSize = (name) => make(name, 1).stackSize;

  /** How many there are of each item, by name. */
  function tally(slots) {
    const counts = {};
    for (const item of slots) {
      if (item) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + item.count;
    }
    return counts;
  }

  /** How many more of an item the slots can take. */
  function room(slots, name) {
    const size = stackSize(name);
    const free = (item) => (item ? (nameOf(item) === name ? size - item.count : 0) : size);
    return slots.reduce((sum, item) => sum + free(item), 0);
  }

  return { Item, copy, isUnbreakable, make, nameOf, potionOf, room, stackSize, tally };
};

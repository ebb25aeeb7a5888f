// give, clear, and `item replace`.
const { Refusal } = require("./reader.js");
const snbt = require("./snbt.js");

const POTION = "potion";
const HOTBAR = 36;
const hotbar = [...Array(9).keys()].map((place) => HOTBAR + place);
const inside = [...Array(27).keys()].map((place) => 9 + place);
/** Slots of the window by their names in commands. */
const SLOTS = { hotbar, inventory: inside, container: [...hotbar, ...inside] };
const KNOWN_TAGS = ["Potion", "Unbreakable"];
const GIVEN_STACKS = 100; // the most that one `give` takes

module.exports = (world, { words, beings }) => {
  const { registry, inventory } = world;

  /** The next word as an item: its name as tasks have it, and how to make some. */
  function read(reader) {
    const text = reader.word();
    const [, id, rest] = /^(?:minecraft:)?([a-z0-9_]+)(.*)$/s.exec(text) ?? [];
    if (!registry.itemsByName[id])
      throw reader.misread("argument.item.id.invalid", `minecraft:${id ?? text}`);
    const tag = rest ? (rest.startsWith("[") ? components(rest) : snbt.read(rest)) : {};
    const odd = Object.keys(tag).filter((name) => !KNOWN_TAGS.includes(name));
    if (odd.length) throw new Refusal(`this server knows nothing of an item's ${odd.join(", ")}`);
    const name = id === POTION && tag.Potion ? `${tag.Potion.replace("minecraft:", "")}_${POTION}` : id;
    const isUnbreakable = Boolean(tag.Unbreakable);
    return { name, isUnbreakable, make: (count) => world.items.make(name, count, isUnbreakable) };
  }

  /** `[potion_contents={potion:"…"},unbreakable={}]`, since 1.20.5, as the tags of before. */
  function components(text) {
    const given = snbt.read(`{${text.slice(1, -1).replace(/(\w+)=/g, "$1:")}}`);
    const { potion_contents: potion, unbreakable, ...odd } = given;
    return {
      ...odd,
      ...(potion ? { Potion: potion.potion } : {}),
      ...(unbreakable ? { Unbreakable: 1 } : {}),
    };
  }

  const shown = (item) => `[${words.item(item.name)}]`;

  const give = (reader, source) => {
    const who = beings.targets(reader, source, { onlyPlayers: true });
    const item = read(reader);
    const count = reader.optionalWhole(1, 1);
    reader.end();
    const most = GIVEN_STACKS * world.items.stackSize(item.name);
    if (count > most) throw new Refusal(words.say("commands.give.failed.toomanyitems", most, shown(item)));
    for (const { it: agent } of who) {
      const fitting = Math.min(count, inventory.room(agent, item.name));
      if (fitting) inventory.give(agent, item.name, fitting, item.isUnbreakable);
      if (count > fitting) world.drops.dropAll({ [item.name]: count - fitting }, agent.position);
    }
    return words.count("commands.give.success", who, (whom) => [count, shown(item), whom]);
  };

  const clear = (reader, source) => {
    const who = beings.targets(reader, source, { onlyPlayers: true });
    const item = reader.isAtEnd ? null : read(reader);
    const most = reader.optionalWhole(Infinity, 0);
    reader.end();
    let total = 0;
    for (const { it: agent } of who) total += most ? take(agent, item, most - total) : countOf(agent, item);
    if (!total) throw new Refusal(words.count("clear.failed", who, (whom) => [whom]));
    if (!most) return words.count("commands.clear.test", who, (whom) => [total, whom]);
    return words.count("commands.clear.success", who, (whom) => [total, whom]);
  };

  /** What an agent carries of the item, or of everything, with the counts. */
  const carriedOf = (agent, item) =>
    Object.entries(inventory.carries(agent)).filter(([name]) => item === null || name === item.name);

  const countOf = (agent, item) => carriedOf(agent, item).reduce((sum, [, count]) => sum + count, 0);

  function take(agent, item, most) {
    let total = 0;
    for (const [name, has] of carriedOf(agent, item)) {
      const count = Math.min(has, most - total);
      if (count) inventory.take(agent, name, count);
      total += count;
    }
    return total;
  }

  /** `item replace entity`, of which the first words have been read. */
  function equip(reader, source) {
    const who = beings.targets(reader, source, { onlyPlayers: true });
    const name = reader.word();
    reader.oneOf(["with"]);
    const item = read(reader);
    const count = reader.optionalWhole(1, 1, 64);
    reader.end();
    for (const { it: agent } of who) {
      const slot = slotOf(agent, name);
      if (slot === null) throw new Refusal(words.say("commands.item.target.no_such_slot", name));
      agent.player.inventory.updateSlot(slot, item.make(count));
    }
    return words.count("commands.item.entity.set.success", who, (whom) => [whom, shown(item)]);
  }

  /** A slot of the window from its name in commands; null if players have none of that name. */
  function slotOf(agent, name) {
    if (name === "weapon" || name === "weapon.mainhand") return HOTBAR + agent.player.heldItemSlot;
    const [, kind, number] = /^(hotbar|container|inventory)\.(\d+)$/.exec(name) ?? [];
    return SLOTS[kind]?.[number] ?? null;
  }

  return { commands: { clear, give }, equip, read };
};

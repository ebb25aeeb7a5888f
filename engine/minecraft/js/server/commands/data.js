// `data get`: what is known of an entity or of a chest, as Minecraft keeps it.
const { Refusal } = require("./reader.js");
const { write } = require("./snbt.js");

const HOTBAR = 36;
const FIRST_SLOT = 9;
const ALIASES = { unluck: "bad_luck" }; // as minecraft-data calls it

module.exports = (world, { words, beings, blocks, entities, states }) => {
  const { registry, items } = world;
  const isRecent = registry.version[">="]("1.20.2");

  const uuid = (text) => {
    const hex = text.replaceAll("-", "");
    return write.ints([0, 8, 16, 24].map((at) => Number.parseInt(hex.slice(at, at + 8), 16) | 0));
  };

  function effectId(name) {
    const wanted = ALIASES[name] ?? name;
    const pascal = wanted.replace(/(^|_)([a-z])/g, (_, __, letter) => letter.toUpperCase());
    return registry.effectsByName[pascal]?.id ?? 0;
  }

  function effect([name, { amplifier, until, grant }]) {
    const end = until ?? grant?.until ?? null;
    const duration = write.int(end === null ? -1 : end - world.serv.now());
    return write.compound(
      isRecent
        ? { id: write.text(`minecraft:${name}`), duration, amplifier: write.byte(amplifier) }
        : { Id: write.int(effectId(name)), Duration: duration, Amplifier: write.byte(amplifier) },
    );
  }

  function attributes(being) {
    const prefix = registry.version["<"]("1.21.2") ? "generic." : "";
    const [id, base] = registry.version["<"]("1.21") ? ["Name", "Base"] : ["id", "base"];
    const rows = Object.entries(states.basesOf(being)).map(([name, value]) =>
      write.compound({ [id]: write.text(`minecraft:${prefix}${name}`), [base]: write.double(value) }),
    );
    return { [registry.version["<"]("1.21") ? "Attributes" : "attributes"]: write.list(rows) };
  }

  function stack(item, slot) {
    const [potion, isUnbreakable] = [items.potionOf(item), items.isUnbreakable(item)];
    const known = registry.supportFeature("itemsWithComponents")
      ? {
          count: write.int(item.count),
          ...part("components", {
            ...(potion && { "minecraft:potion_contents": `{potion: "minecraft:${potion}"}` }),
            ...(isUnbreakable && { "minecraft:unbreakable": "{}" }),
          }),
        }
      : {
          Count: write.byte(item.count),
          ...part("tag", {
            ...(potion && { Potion: write.text(`minecraft:${potion}`) }),
            ...(isUnbreakable && { Unbreakable: "1b" }),
          }),
        };
    return write.compound({ Slot: write.byte(slot), id: write.text(`minecraft:${item.name}`), ...known });
  }

  /** A compound inside another one, left out if it is empty. */
  const part = (name, fields) => (Object.keys(fields).length ? { [name]: write.compound(fields) } : {});

  const stacks = (slots) => write.list(slots.map((item, slot) => item && stack(item, slot)).filter(Boolean));

  /** The slots of what a player carries in the order in which Minecraft saves them: the hotbar first. */
  function carried({ player }) {
    const { slots } = player.inventory;
    return [...slots.slice(HOTBAR, HOTBAR + 9), ...slots.slice(FIRST_SLOT, HOTBAR)];
  }

  const fieldsOf = {
    player: ({ it: agent }) => ({
      AbsorptionAmount: write.float(agent.absorption),
      Inventory: stacks(carried(agent)),
      SelectedItemSlot: write.int(agent.player.heldItemSlot),
      foodLevel: write.int(20),
      playerGameType: write.int(agent.player.gameMode),
      OnGround: write.byte(Boolean(agent.player.onGround)),
    }),
    mob: ({ it: mob }) => ({
      PersistenceRequired: "1b",
      ...(mob.ai ? {} : { NoAI: "1b" }),
      ...(mob.title ? { CustomName: write.text(JSON.stringify({ text: mob.title })) } : {}),
    }),
    item: ({ it: pile }) => ({ Item: stack(items.make(pile.item, pile.count), 0) }),
  };

  function entity(being) {
    const { it, tags } = being;
    const effects = Object.entries(it.effects ?? {});
    return {
      Pos: write.list(being.at.map(write.double)),
      UUID: uuid(being.uuid),
      ...(tags.size ? { Tags: write.list([...tags].map(write.text)) } : {}),
      ...("health" in it ? { Health: write.float(it.health), ...attributes(being) } : {}),
      ...(effects.length
        ? { [isRecent ? "active_effects" : "ActiveEffects"]: write.list(effects.map(effect)) }
        : {}),
      ...fieldsOf[being.kind](being),
    };
  }

  /** The whole, or the one field that is asked for. */
  function pick(reader, fields) {
    if (reader.isAtEnd) return write.compound(fields);
    const path = reader.word();
    const [, field, index] = /^(\w+)(?:\[(\d+)\])?$/.exec(path) ?? [];
    if (!field || (index !== undefined && field !== "Pos"))
      throw new Refusal(`this server cannot look for ${path}; ask for a whole field`);
    if (!(field in fields)) throw new Refusal(words.say("arguments.nbtpath.nothing_found", path));
    return index === undefined ? fields[field] : fields[field].slice(1, -1).split(", ")[index];
  }

  function get(reader, source) {
    if (reader.oneOf(["entity", "block"]) === "entity") {
      const [being] = beings.targets(reader, source, { one: true });
      return words.say("commands.data.entity.query", being.name, pick(reader, entity(being)));
    }
    const cell = blocks.place(reader, source);
    const slots = world.inventory.slotsOf(cell);
    if (!slots) throw new Refusal(words.say("commands.data.block.invalid"));
    const [x, y, z] = cell.map(write.int);
    const fields = { x, y, z, id: write.text("minecraft:chest"), Items: stacks(slots) };
    return words.say("commands.data.block.query", ...cell, pick(reader, fields));
  }

  const data = (reader, source) => {
    if (reader.oneOf(["get", "merge"]) === "get") return get(reader, source);
    reader.oneOf(["entity"]);
    return entities.merge(reader, source);
  };

  return { commands: { data } };
};

// summon, kill, tp, damage, tag, and `data merge entity`.
const { randomUUID } = require("node:crypto");
const { Refusal } = require("./reader.js");
const snbt = require("./snbt.js");
const { toCellSpace } = require("../../shared/geometry.js");

const VANILLA_SPEED = 0.25; // the attribute of a mob of which nothing else is known
const FOLLOW_RANGE = 32;
const COORDINATE = /^[~\d.-]/;
const UNKNOWN = { health: 20, damage: 0 };
const KNOWN_TAGS = [
  "Attributes",
  "attributes",
  "CustomName",
  "Health",
  "NoAI",
  "PersistenceRequired",
  "Silent",
  "Tags",
  "UUID",
]; // prettier-ignore
/** Blocks a second of a mob with that attribute: it is multiplied by itself, and friction leaves 1 / (1 − 0.546). */
const paceOf = (attribute) => (attribute * attribute * 20) / (1 - 0.546);

const uuidOf = (ints) => {
  const hex = ints.map((int) => (int >>> 0).toString(16).padStart(8, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

module.exports = (world, { words, beings, settings }) => {
  const { registry, mobs, vitals } = world;
  let numbers = 0;

  const isHostile = (entity) => Boolean(world.config.mobs[entity]?.hostile);

  /** What follows from a mob's attributes and effects, and from the difficulty. */
  function refresh(mob) {
    const level = (effect) => (mob.effects[effect]?.amplifier ?? -1) + 1;
    const pace = (1 + 0.2 * level("speed")) * Math.max(0, 1 - 0.15 * level("slowness"));
    mob.most = mob.bases.max_health;
    mob.speed = paceOf(mob.bases.movement_speed) * pace;
    mob.sight = mob.bases.follow_range;
    const blow = Math.max(0, mob.bases.attack_damage + 3 * level("strength") - 4 * level("weakness"));
    mob.damage = settings.scaled(mob.entity, blow);
    if (mob.health > mob.most) mobs.setHealth(mob, mob.most);
    mob.hunts = mob.ai && isHostile(mob.entity);
    if (!mob.hunts) mobs.stand(mob);
  }

  const summon = (reader, source) => {
    const entity = reader.name();
    if (!registry.entitiesByName[entity]) throw reader.misread("argument.id.unknown", `minecraft:${entity}`);
    const at = reader.isAtEnd ? source.at : reader.position(source.at);
    const tag = reader.isAtEnd ? {} : tagOf(reader);
    const uuid = tag.UUID ? uuidOf(tag.UUID) : randomUUID();
    if (beings.all().some((being) => being.uuid === uuid))
      throw new Refusal(words.say("commands.summon.failed.uuid"));
    const mob = embody(entity, at, uuid, tag);
    if (settings.isPeaceful() && isHostile(entity)) mobs.remove(mob.number);
    return words.say("commands.summon.success", mob.title ?? words.entity(entity));
  };

  function tagOf(reader) {
    const tag = snbt.read(reader.rest());
    const odd = Object.keys(tag).filter((name) => !KNOWN_TAGS.includes(name));
    if (odd.length) throw new Refusal(`this server knows nothing of an entity's ${odd.join(", ")}`);
    return tag;
  }

  function embody(entity, [x, y, z], uuid, tag) {
    const vanilla = world.config.mobs[entity] ?? UNKNOWN;
    const bases = {
      max_health: vanilla.health,
      movement_speed: VANILLA_SPEED,
      attack_damage: vanilla.damage,
      follow_range: FOLLOW_RANGE,
      knockback_resistance: 0,
      ...attributes(tag),
    };
    const health = Math.min(tag.Health ?? bases.max_health, bases.max_health);
    const mob = mobs.spawn({ number: --numbers, entity, position: toCellSpace({ x, y, z }), health, uuid });
    const title = tag.CustomName && JSON.parse(tag.CustomName).text;
    Object.assign(mob, { bases, ai: !tag.NoAI, tags: new Set(tag.Tags), effects: {}, title });
    refresh(mob);
    return mob;
  }

  /** `Attributes:[{Name:…,Base:…}]`, since 1.21 `attributes:[{id:…,base:…}]`, as bases by name. */
  function attributes({ Attributes: old = [], attributes: later = [] }) {
    const pairs = [...old.map((one) => [one.Name, one.Base]), ...later.map((one) => [one.id, one.base])];
    return Object.fromEntries(
      pairs.map(([name, base]) => [name.replace(/^(minecraft:)?(generic\.)?/, ""), base]),
    );
  }

  const kill = (reader, source) => {
    const who = reader.isAtEnd ? beings.self(source) : beings.targets(reader, source);
    reader.end();
    for (const { kind, it } of who) {
      if (kind === "player") vitals.kill(it, "kill");
      else if (kind === "mob") mobs.hurt(it, it.health, "");
      else world.drops.remove(it.number);
    }
    return words.count("commands.kill.success", who, (whom) => [whom]);
  };

  const tp = (reader, source) => {
    const who = beings.targets(reader, source);
    if (!reader.startsWith(COORDINATE)) {
      const [to] = beings.targets(reader, source, { one: true });
      move(who, to.at);
      return words.count("commands.teleport.success.entity", who, (whom) => [whom, to.name]);
    }
    const at = reader.position(source.at);
    if (!reader.isAtEnd) for (const base of [0, 0]) reader.coordinate(base, false); // where it looks
    reader.end();
    move(who, at);
    const where = at.map((value) => value.toFixed(6));
    return words.count("commands.teleport.success.location", who, (whom) => [whom, ...where]);
  };

  function move(who, [x, y, z]) {
    const place = toCellSpace({ x, y, z });
    for (const { kind, it } of who) {
      if (kind === "player") world.hazards.place(it, place);
      else if (kind === "mob") mobs.place(it, place);
    }
  }

  const damage = (reader, source) => {
    const [{ kind, it, name }] = beings.targets(reader, source, { one: true });
    const amount = reader.number(0, Infinity, "float");
    const type = reader.isAtEnd ? "generic" : reader.name();
    reader.end();
    const before = it.health;
    if (kind === "player") vitals.hurt(it, amount, type);
    else if (kind === "mob") mobs.hurt(it, amount, "");
    if (it.health === before) throw new Refusal(words.say("commands.damage.invulnerable"));
    return words.say("commands.damage.success", amount.toFixed(1), name);
  };

  const tag = (reader, source) => {
    const who = beings.targets(reader, source);
    const act = reader.oneOf(["add", "remove", "list"]);
    if (act === "list") return listTags(who);
    const name = reader.word();
    reader.end();
    const isNew = act === "add";
    const changed = who.filter(({ tags }) => tags.has(name) !== isNew);
    if (!changed.length) throw new Refusal(words.say(`commands.tag.${act}.failed`));
    for (const { tags } of changed) isNew ? tags.add(name) : tags.delete(name);
    return words.count(`commands.tag.${act}.success`, changed, (whom) => [name, whom]);
  };

  function listTags(who) {
    const all = [...new Set(who.flatMap(({ tags }) => [...tags]))];
    const kind = `commands.tag.list.${who.length === 1 ? "single" : "multiple"}`;
    const whom = who.length === 1 ? who[0].name : who.length;
    return all.length
      ? words.say(`${kind}.success`, whom, all.length, all.join(", "))
      : words.say(`${kind}.empty`, whom);
  }

  /** `data merge entity`, of which the first words have been read. */
  function merge(reader, source) {
    const [{ kind, it: mob, name }] = beings.targets(reader, source, { one: true });
    const tag = snbt.read(reader.rest());
    if (kind === "player") throw new Refusal(words.say("commands.data.entity.invalid"));
    const odd = Object.keys(tag).filter((field) => !["NoAI", "Health"].includes(field));
    if (kind !== "mob" || odd.length)
      throw new Refusal(`this server cannot change an entity's ${odd.join(", ") || "data"}`);
    const isSame = Boolean(tag.NoAI ?? !mob.ai) === !mob.ai && (tag.Health ?? mob.health) === mob.health;
    if (isSame) throw new Refusal(words.say("commands.data.merge.failed"));
    if ("NoAI" in tag) mob.ai = !tag.NoAI;
    if ("Health" in tag) mobs.setHealth(mob, Math.min(tag.Health, mob.most));
    refresh(mob);
    return words.say("commands.data.entity.modified", name);
  }

  return { commands: { damage, kill, summon, tag, teleport: tp, tp }, merge, refresh };
};

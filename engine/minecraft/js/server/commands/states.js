// attribute and effect: what is changed of players and mobs for a while or for good.
const { attributeOf, paceOf } = require("../../shared/attributes.js");
const { Refusal } = require("./reader.js");
const { decimal } = require("./snbt.js");

const LONGEST_SECONDS = 1_000_000;
const DEFAULT_SECONDS = 30;
const UNDEAD = /zombie|skeleton|husk|stray|drowned|wither|phantom|zoglin|piglin$/;

module.exports = (world, { words, beings, entities }) => {
  const { mobs, vitals } = world;

  // --- attributes

  /** The bases of a being's attributes, as they are now. */
  function basesOf({ kind, it }) {
    if (kind === "mob") return it.bases;
    if (kind !== "player") return {};
    const { max_health, speed_bps, bases } = it.spec;
    return { max_health, movement_speed: attributeOf(speed_bps), ...bases };
  }

  function setBase({ kind, it }, name, value) {
    if (kind === "mob") {
      it.bases[name] = value;
      entities.refresh(it);
    } else if (name === "max_health") vitals.setMaxHealth(it, value);
    else if (name === "movement_speed") vitals.setPace(it, paceOf(value));
    else it.spec.bases[name] = value;
  }

  /** `attribute … modifier`, of which only what multiplies the damage of players has a meaning here. */
  function modify(reader, { kind, it, name: whose }, name, title) {
    const { version } = world.registry;
    const isAdded = reader.oneOf(["add", "remove"]) === "add";
    const id = reader.word();
    if (kind !== "player" || name !== "attack_damage")
      throw new Refusal(`this server cannot modify ${title}`);
    const { scales } = it.spec;
    if (!isAdded) {
      reader.end();
      if (!scales.delete(id))
        throw new Refusal(words.say("commands.attribute.failed.no_modifier", title, whose, id));
      return words.say("commands.attribute.modifier.remove.success", id, title, whose);
    }
    if (version["<"]("1.21")) reader.word(); // before, a name came after the UUID
    const amount = reader.number();
    reader.oneOf([version["<"]("1.20.5") ? "multiply" : "add_multiplied_total"]);
    reader.end();
    if (scales.has(id))
      throw new Refusal(words.say("commands.attribute.failed.modifier_already_present", id, title, whose));
    scales.set(id, 1 + amount);
    return words.say("commands.attribute.modifier.add.success", id, title, whose);
  }

  const attribute = (reader, source) => {
    const [being] = beings.targets(reader, source, { one: true });
    const id = reader.name();
    const isOld = world.registry.version["<"]("1.21.2");
    const name = isOld ? id.replace(/^generic\./, "") : id;
    const title = words.attribute(id);
    if (title === id || (isOld && name === id))
      throw reader.misread("argument.id.unknown", `minecraft:${id}`);
    const act = reader.oneOf(["base", "get", "modifier"]);
    const bases = basesOf(being);
    if (!(name in bases))
      throw new Refusal(words.say("commands.attribute.failed.no_attribute", being.name, title));
    if (act === "modifier") return modify(reader, being, name, title);
    if (act === "get")
      return words.say("commands.attribute.value.get.success", title, being.name, decimal(bases[name]));
    if (reader.oneOf(["get", "set"]) === "get")
      return words.say("commands.attribute.base_value.get.success", title, being.name, decimal(bases[name]));
    const value = reader.number();
    reader.end();
    setBase(being, name, value);
    return words.say("commands.attribute.base_value.set.success", title, being.name, decimal(value));
  };

  // --- effects

  /** The next word as an effect that the language has a name for. */
  function effectOf(reader) {
    const name = reader.name();
    if (!words.effect(name)) throw reader.misread("argument.id.unknown", `minecraft:${name}`);
    return name;
  }

  function giveMob(mob, effect, amplifier, ticks) {
    const jolt = vitals.jolt(effect, amplifier);
    if (jolt) return strike(mob, jolt);
    const until = ticks === null ? null : world.serv.now() + ticks;
    const old = mob.effects[effect];
    if (old && !isStronger({ amplifier, until }, old)) return false;
    mob.effects[effect] = { amplifier, until };
    entities.refresh(mob);
    return true;
  }

  function isStronger(one, other) {
    const end = ({ until }) => until ?? Infinity;
    return one.amplifier > other.amplifier || (one.amplifier === other.amplifier && end(one) > end(other));
  }

  /** What heals the living harms the undead, and the other way round. */
  function strike(mob, amount) {
    const change = UNDEAD.test(mob.entity) ? -amount : amount;
    if (change < 0) mobs.hurt(mob, -change, "");
    else mobs.setHealth(mob, Math.min(mob.most, mob.health + change));
    return true;
  }

  /** How long, in ticks; null for ever. Instant effects count in ticks where others count in seconds. */
  function durationOf(reader, effect) {
    const hasForever = world.registry.version[">="]("1.19.4");
    if (hasForever && reader.skip("infinite")) return null;
    return reader.optionalWhole(DEFAULT_SECONDS, 1, LONGEST_SECONDS) * (vitals.jolt(effect, 0) ? 1 : 20);
  }

  function give(reader, source) {
    const who = beings.targets(reader, source);
    const effect = effectOf(reader);
    const ticks = durationOf(reader, effect);
    const amplifier = reader.optionalWhole(0, 0, 255);
    if (!reader.isAtEnd) reader.oneOf(["true", "false"]);
    reader.end();
    const changed = who.filter(({ kind, it }) => {
      if (kind === "player") return vitals.give(it, effect, amplifier, ticks);
      return kind === "mob" && giveMob(it, effect, amplifier, ticks);
    });
    if (!changed.length) throw new Refusal(words.say("commands.effect.give.failed"));
    return words.count("commands.effect.give.success", changed, (whom) => [words.effect(effect), whom]);
  }

  function take({ kind, it }, effect) {
    if (kind === "player") vitals.clear(it, effect);
    else {
      delete it.effects[effect];
      entities.refresh(it);
    }
  }

  function clear(reader, source) {
    const who = reader.isAtEnd ? beings.self(source) : beings.targets(reader, source);
    if (reader.isAtEnd) return remove(who, () => true, "everything", []);
    const only = effectOf(reader);
    reader.end();
    return remove(who, (effect) => effect === only, "specific", [words.effect(only)]);
  }

  function remove(who, isMeant, what, values) {
    const found = who
      .map((being) => [being, Object.keys(being.it.effects ?? {}).filter(isMeant)])
      .filter(([, effects]) => effects.length);
    if (!found.length) throw new Refusal(words.say(`commands.effect.clear.${what}.failed`));
    for (const [being, effects] of found) for (const effect of effects) take(being, effect);
    const changed = found.map(([being]) => being);
    return words.count(`commands.effect.clear.${what}.success`, changed, (whom) => [...values, whom]);
  }

  const effect = (reader, source) =>
    reader.oneOf(["give", "clear"]) === "give" ? give(reader, source) : clear(reader, source);

  /** Effects of mobs end; those of players end by themselves. */
  function tick() {
    for (const mob of mobs.all()) {
      for (const [name, { until }] of Object.entries(mob.effects)) {
        if (until !== null && until <= world.serv.now()) take({ kind: "mob", it: mob }, name);
      }
    }
  }

  return { commands: { attribute, effect }, basesOf, tick };
};

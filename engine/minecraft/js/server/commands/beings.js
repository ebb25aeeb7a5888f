// Players, mobs and items on the ground, as commands see them.
const { Refusal } = require("./reader.js");
const { select } = require("./selectors.js");
const { toMinecraft } = require("../../shared/geometry.js");

const DIMENSION = "minecraft:overworld";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

module.exports = (world, words) => {
  const being = (kind, it, rest, position) => ({ kind, it, ...rest, at: toMinecraft(position).toArray() });

  const ofPlayer = (agent) => {
    const { name, tags, player } = agent;
    return being("player", agent, { name, type: "player", uuid: player.uuid, tags }, agent.position);
  };
  const ofMob = (mob) => {
    const { entity, uuid, tags, title } = mob;
    return being("mob", mob, { name: title ?? words.entity(entity), type: entity, uuid, tags }, mob.position);
  };
  const ofPile = (pile) => {
    const { item, entity } = pile;
    const rest = { name: words.item(item), type: "item", uuid: entity.uuid, tags: new Set() };
    return being("item", pile, rest, pile.cell);
  };

  const players = () => world.agents.map(ofPlayer);
  const all = () => [...players(), ...world.mobs.all().map(ofMob), ...world.drops.all().map(ofPile)];

  /** Who might be meant by a kind of selector: the dead are players, but no entities any more. */
  const pool = (source) => (kind) => {
    if (kind === "s") return source.being ? [source.being] : [];
    return kind === "e" ? all().filter(({ it }) => it.alive !== false) : players();
  };

  function find(reader, source) {
    const text = reader.word();
    if (text.startsWith("@")) return select(text, source.at, reader, pool(source));
    const beings = UUID.test(text)
      ? all().filter(({ uuid }) => uuid === text.toLowerCase())
      : players().filter(({ name }) => name === text);
    return { beings, isOne: true, hasPlayersOnly: beings.every(({ kind }) => kind === "player") };
  }

  /** Those whom the next word of the command means; none is a refusal. */
  function targets(reader, source, { one = false, onlyPlayers = false } = {}) {
    const { beings, isOne, hasPlayersOnly } = find(reader, source);
    if (one && !isOne) throw reader.misreadAll("argument.entity.toomany");
    if (onlyPlayers && !hasPlayersOnly) throw reader.misreadAll("argument.player.entities");
    if (!beings.length)
      throw new Refusal(words.say(`argument.entity.notfound.${onlyPlayers ? "player" : "entity"}`));
    return beings;
  }

  /** As `targets`, but none are none. */
  const matches = (reader, source) => find(reader, source).beings;

  /** Whoever runs the command; RCON is nobody. */
  function self({ being }) {
    if (!being) throw new Refusal(words.say("permissions.requires.entity"));
    return [being];
  }

  return { DIMENSION, all, matches, self, targets };
};

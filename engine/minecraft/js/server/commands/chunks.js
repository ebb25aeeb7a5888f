// forceload, and which places are loaded: only there can commands see and change blocks.
const { Refusal } = require("./reader.js");

const MOST_CHUNKS = 256;
const SPAWN_CHUNKS = 11; // round the world's spawn, kept loaded whoever is where
const CHUNK = 4; // bits

const shown = (chunk) => `[${chunk.join(", ")}]`;

module.exports = (world, { words, beings }) => {
  const forced = new Map();

  function isLoaded([x, , z]) {
    const here = [x >> CHUNK, z >> CHUNK];
    const isNear = (there, span) => there.every((value, axis) => Math.abs(value - here[axis]) <= span);
    const view = world.config.view_distance;
    return (
      forced.has(here.join()) ||
      isNear([0, 0], SPAWN_CHUNKS) ||
      world.agents.some(({ position }) => isNear([position[0] >> CHUNK, position[2] >> CHUNK], view))
    );
  }

  const column = (reader, source) =>
    [source.at[0], source.at[2]].map((base) => Math.floor(reader.coordinate(base, false)) >> CHUNK);

  /** The chunks of a box from corner to corner. */
  function box(from, to) {
    const low = from.map((value, axis) => Math.min(value, to[axis]));
    const high = from.map((value, axis) => Math.max(value, to[axis]));
    const count = (high[0] - low[0] + 1) * (high[1] - low[1] + 1);
    if (count > MOST_CHUNKS) throw new Refusal(words.say("commands.forceload.toobig", MOST_CHUNKS, count));
    const rows = [...Array(high[0] - low[0] + 1).keys()];
    const columns = [...Array(high[1] - low[1] + 1).keys()];
    return rows.flatMap((x) => columns.map((z) => [low[0] + x, low[1] + z]));
  }

  function report(what, changed) {
    if (!changed.length) throw new Refusal(words.say(`${what}.failure`));
    const ends = [changed[0], changed.at(-1)].map(shown);
    return changed.length === 1
      ? words.say(`${what}.single`, ends[0], beings.DIMENSION)
      : words.say(`${what}.multiple`, changed.length, beings.DIMENSION, ...ends);
  }

  const acts = {
    add(reader, source) {
      const from = column(reader, source);
      const chunks = box(from, reader.isAtEnd ? from : column(reader, source));
      reader.end();
      const added = chunks.filter((chunk) => !forced.has(chunk.join()));
      for (const chunk of added) forced.set(chunk.join(), chunk);
      return report("commands.forceload.added", added);
    },

    remove(reader, source) {
      if (reader.skip("all")) {
        forced.clear();
        return words.say("commands.forceload.removed.all", beings.DIMENSION);
      }
      const from = column(reader, source);
      const chunks = box(from, reader.isAtEnd ? from : column(reader, source));
      reader.end();
      return report(
        "commands.forceload.removed",
        chunks.filter((chunk) => forced.delete(chunk.join())),
      );
    },

    query(reader, source) {
      if (!reader.isAtEnd) {
        const chunk = column(reader, source);
        const answer = forced.has(chunk.join()) ? "success" : "failure";
        return words.say(`commands.forceload.query.${answer}`, shown(chunk), beings.DIMENSION);
      }
      if (!forced.size) return words.say("commands.forceload.added.none", beings.DIMENSION);
      const all = [...forced.values()].map(shown).join(", ");
      return forced.size === 1
        ? words.say("commands.forceload.list.single", beings.DIMENSION, all)
        : words.say("commands.forceload.list.multiple", forced.size, beings.DIMENSION, all);
    },
  };

  const forceload = (reader, source) => acts[reader.oneOf(Object.keys(acts))](reader, source);

  return { commands: { forceload }, isLoaded };
};

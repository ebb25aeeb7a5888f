// What differs between the protocols of Minecraft's versions in the packets that this server makes itself.
const nbt = require("prismarine-nbt");
const { HEALTH_KEY, STACK_KEY } = require("../shared/metadata.js");
const { MODES } = require("./modes.js");

const MOVES = ["flying", "look", "position", "position_look"];

module.exports = (registry) => {
  const since = (version) => registry.version[">="](version);

  /** The type of a value in metadata: numbers shifted by one in 1.19.3; minecraft-data has names since 1.19.4. */
  function type(name, number) {
    if (since("1.19.4")) return name;
    return since("1.19.3") ? number + 1 : number;
  }

  return {
    health: (value) => [{ key: HEALTH_KEY, type: type("float", 2), value }],
    stack: (value) => [{ key: STACK_KEY, type: type("item_stack", 6), value }],

    /** Since 1.21.2 movements have flags, of which flying-squid knows nothing. */
    hearMoves(client) {
      for (const move of MOVES) {
        client.prependListener(move, (packet) => {
          packet.onGround ??= packet.flags?.onGround;
        });
      }
    },

    /** The fields of a packet of flying-squid's, with those that the version wants besides. */
    complete(name, fields) {
      if (name !== "entity_teleport" || !since("1.21.2")) return fields;
      return { dx: 0, dy: 0, dz: 0, flags: {}, ...fields };
    },

    /** Tell whoever sees the entity; flying-squid tells nobody since 1.20.2. */
    tellMetadata(entity, metadata) {
      entity.metadata = metadata;
      entity._writeOthersNearby("entity_metadata", { entityId: entity.id, metadata });
    },

    /** An attribute of living beings, as `max_health`. */
    attribute(name, value) {
      const key = `${since("1.20.5") ? "" : "minecraft:"}generic.${name}`;
      return { name: key, key, value, modifiers: [] };
    },

    /** A text where it is no message. */
    text: (text) => (since("1.20.3") ? nbt.comp({ text: nbt.string(text) }) : JSON.stringify({ text })),

    respawn(serv, gameMode) {
      const state = {
        hashedSeed: serv.hashedSeed,
        isDebug: false,
        isFlat: false,
        portalCooldown: 0,
        seaLevel: 63,
      };
      const [worldName, mode] = [serv.dimensionNames[0], MODES[gameMode]];
      return {
        ...state,
        dimension: "minecraft:overworld",
        worldName,
        gamemode: gameMode,
        previousGamemode: gameMode,
        copyMetadata: false,
        worldState: { ...state, dimension: 0, name: worldName, gamemode: mode, previousGamemode: 255 },
      };
    },
  };
};

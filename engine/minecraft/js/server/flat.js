// The generator of the flat world: bedrock at y = 60, dirt, and grass at y = 63, in daylight.
module.exports = ({ registry }) => {
  const Chunk = require("prismarine-chunk")(registry);
  const { Vec3 } = require("vec3");
  const LAYERS = { 60: "bedrock", 61: "dirt", 62: "dirt", 63: "grass_block" };
  const LIT = 96; // higher up nothing is ever built that a spectator would have to see lit

  const model = new Chunk({ minY: -64, worldHeight: 384 });
  for (let x = 0; x < 16; x++) {
    for (let z = 0; z < 16; z++) {
      for (const [y, name] of Object.entries(LAYERS)) {
        model.setBlockStateId(new Vec3(x, +y, z), registry.blocksByName[name].defaultState);
      }
      for (let y = 64; y < LIT; y++) model.setSkyLight(new Vec3(x, y, z), 15);
    }
  }
  const text = model.toJson();
  return () => Chunk.fromJson(text);
};

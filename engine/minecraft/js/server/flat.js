// The generator of the flat world, in daylight.
const { GROUND } = require("../shared/ground.js");

module.exports = ({ registry }) => {
  const Chunk = require("prismarine-chunk")(registry);
  const { Vec3 } = require("vec3");
  const LIT = 96; // higher up nothing is ever built that a spectator would have to see lit

  const model = new Chunk({ minY: -64, worldHeight: 384 });
  for (let x = 0; x < 16; x++) {
    for (let z = 0; z < 16; z++) {
      for (const [y, name] of Object.entries(GROUND)) {
        model.setBlockStateId(new Vec3(x, +y, z), registry.blocksByName[name].defaultState);
      }
      for (let y = 64; y < LIT; y++) model.setSkyLight(new Vec3(x, y, z), 15);
    }
  }
  const text = model.toJson();
  return () => Chunk.fromJson(text);
};

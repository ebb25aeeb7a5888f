// Changes of blocks as the server tells them: one by one, or several of a chunk's section in one packet.
const { Vec3 } = require("vec3");

const SECTION = 16;

/** Call `listen(place, state)` for each change, with Minecraft's own coordinates; returns what ends it. */
function onBlockNews({ _client: client }, listen) {
  const one = ({ location: { x, y, z }, type }) => listen(new Vec3(x, y, z), type);
  const many = ({ chunkCoordinates: { x, y, z }, records }) => {
    const corner = new Vec3(x, y, z).scale(SECTION);
    for (const record of records) {
      const number = Number(record); // state, x, z and y in one number
      listen(corner.offset((number >> 8) & 15, number & 15, (number >> 4) & 15), number >> 12);
    }
  };
  client.on("block_change", one);
  client.on("multi_block_change", many);
  return () => {
    client.removeListener("block_change", one);
    client.removeListener("multi_block_change", many);
  };
}

module.exports = { onBlockNews };

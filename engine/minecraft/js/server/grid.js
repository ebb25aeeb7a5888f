// The blocks of the server: what differs from flat ground, told to every player who has the chunk.
const { cornerOf, key } = require("../shared/geometry.js");
const { GROUND } = require("../shared/ground.js");

class Grid {
  #changed = new Map();
  #listeners = [];

  constructor(serv) {
    this.serv = serv;
  }

  block(cell) {
    return this.#changed.get(key(cell)) ?? GROUND[cell[1]] ?? "air";
  }

  isSolid = (x, y, z) =>
    this.serv.registry.blocksByName[this.#changed.get(`${x},${y},${z}`) ?? GROUND[y] ?? "air"].boundingBox ===
    "block";

  /** Called with the cells that changed, after they did. */
  onChange(listener) {
    this.#listeners.push(listener);
  }

  set(cells, block) {
    const state = this.serv.registry.blocksByName[block].defaultState;
    for (const cell of cells) {
      this.#changed.set(key(cell), block);
      const corner = cornerOf(cell);
      this.serv.overworld.setBlockStateId(corner, state);
      this.tell(cell, state);
    }
    for (const listener of this.#listeners) listener(cells);
  }

  /** Send what is in the cell, to all players or to one who is mistaken about it. */
  tell(
    cell,
    state = this.serv.registry.blocksByName[this.block(cell)].defaultState,
    players = this.serv.players,
  ) {
    const chunk = `${cell[0] >> 4},${cell[2] >> 4}`;
    for (const player of players) {
      if (player.loadedChunks?.[chunk]) {
        player._client.write("block_change", { location: cornerOf(cell), type: state });
      }
    }
  }
}

module.exports = { Grid };

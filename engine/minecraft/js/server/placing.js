// Placing blocks and opening chests: both are a click on a block.
const { FACES, cellOf, distance, nearestCell } = require("../shared/geometry.js");

const REACH = 6;

module.exports = (world) => {
  const { registry, items } = world;

  function onClick(agent, { location, direction }) {
    const clicked = cellOf(location);
    if (!agent.alive || distance(agent.position, clicked) > REACH) return;
    if (world.inventory.isChest(clicked)) {
      world.inventory.open(agent, clicked);
      return;
    }
    const cell = clicked.map((value, axis) => value + FACES[direction][axis]);
    const item = world.inventory.held(agent);
    if (item && registry.blocksByName[item.name] && !world.grid.isSolid(...cell) && isEmpty(agent, cell)) {
      const block = items.nameOf(item);
      world.inventory.take(agent, block, 1);
      world.grid.set([cell], block);
      world.emit("blocks_changed", {
        block,
        cells: [cell],
        cause: "agent",
        source: agent.name,
        vanish_tick: null,
      });
    }
    // The answer that Minecraft gives in any case: what is in both cells now.
    world.grid.tell(clicked, undefined, [agent.player]);
    world.grid.tell(cell, undefined, [agent.player]);
  }

  /** Nobody may be walled in; who places a block under itself must have jumped high enough. */
  function isEmpty(builder, cell) {
    return !world.agents.some((agent) => {
      if (!agent.alive) return false;
      const [x, y, z] = nearestCell(agent.position);
      if (x !== cell[0] || z !== cell[2]) return false;
      return agent === builder
        ? agent.position[1] < cell[1] + 1 - 0.1 && agent.position[1] + 1.8 > cell[1]
        : cell[1] === y || cell[1] === y + 1;
    });
  }

  function attach(agent) {
    agent.player._client.removeAllListeners("block_place");
    agent.player._client.on("block_place", (packet) => onClick(agent, packet));
  }

  return { attach };
};

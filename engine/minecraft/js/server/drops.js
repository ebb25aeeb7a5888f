// Items on the ground; whoever comes near first picks them up.
const { randomUUID } = require("node:crypto");
const { Vec3 } = require("vec3");
const { distance, nearestCell, toMinecraft } = require("../shared/geometry.js");
const { floorBelow } = require("../shared/paths.js");

const PICKUP_RADIUS = 1.425;

module.exports = (world) => {
  const { serv, registry, items } = world;
  const lying = new Map();
  let numbers = 0;

  function drop(name, count, cell) {
    const number = ++numbers;
    const resting = [cell[0], floorBelow(world.grid.isSolid, cell), cell[2]];
    const entity = embody(items.make(name, count), resting);
    const pile = { number, item: name, count, cell: resting, entity };
    lying.set(number, pile);
    world.emit("item_dropped", { drop: number, item: name, count, cell: resting });
    offer(pile);
  }

  /** flying-squid would send metadata of an older protocol; and without a size it leaves the moving to us. */
  function embody(item, cell) {
    const entity = serv.initEntity(
      "object",
      registry.entitiesByName.item.id,
      serv.overworld,
      toMinecraft(cell),
    );
    Object.assign(entity, {
      uuid: randomUUID(),
      name: "item",
      data: 1,
      velocity: new Vec3(0, 0, 0),
      yaw: 0,
      pitch: 0,
      metadata: world.dialect.stack(items.Item.toNotch(item)),
    });
    entity.updateAndSpawn();
    return entity;
  }

  function tick() {
    for (const pile of [...lying.values()]) offer(pile);
  }

  /** Let whoever is beside it have it, in the order of the task. */
  function offer(pile) {
    for (const agent of world.agents) {
      const isNear = agent.alive && !agent.window && distance(agent.position, pile.cell) <= PICKUP_RADIUS;
      if (isNear && pile.count) pickUp(agent, pile);
    }
  }

  function pickUp(agent, pile) {
    const taken = Math.min(pile.count, world.inventory.room(agent, pile.item));
    if (!taken) return;
    pile.count -= taken;
    world.inventory.give(agent, pile.item, taken);
    world.serv._writeAll("collect", {
      collectedEntityId: pile.entity.id,
      collectorEntityId: agent.player.id,
      pickupItemCount: taken,
    });
    world.emit("item_picked_up", {
      drop: pile.number,
      agent: agent.name,
      item: pile.item,
      count: taken,
      left: pile.count,
    });
    if (!pile.count) remove(pile.number);
  }

  world.grid.onChange(() => {
    for (const pile of lying.values()) {
      pile.cell = [pile.cell[0], floorBelow(world.grid.isSolid, pile.cell), pile.cell[2]];
      pile.entity.sendPosition(toMinecraft(pile.cell), true);
    }
  });

  function remove(number) {
    lying.get(number)?.entity.destroy();
    lying.delete(number);
  }

  return {
    all: () => [...lying.values()],
    drop,
    dropAll(counts, at) {
      for (const [name, count] of Object.entries(counts)) drop(name, count, nearestCell(at));
    },
    remove,
    tick,
  };
};

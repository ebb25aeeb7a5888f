// Eating and drinking: 32 ticks, then what the item does.
const USE_TICKS = 32;
const FINISHED = 9;

module.exports = (world) => {
  function attach(agent) {
    agent.player._client.removeAllListeners("use_item");
    agent.player._client.on("use_item", () => {
      const item = world.inventory.held(agent);
      if (agent.alive && item)
        agent.using = { item: world.items.nameOf(item), due: world.serv.now() + USE_TICKS };
    });
  }

  function tick() {
    for (const agent of world.agents) {
      if (!agent.using) continue;
      const held = world.inventory.held(agent);
      if (!agent.alive || !held || world.items.nameOf(held) !== agent.using.item) agent.using = null;
      else if (world.serv.now() >= agent.using.due) finish(agent);
    }
  }

  function finish(agent) {
    const { item } = agent.using;
    agent.using = null;
    agent.player._client.write("entity_status", { entityId: agent.player.id, entityStatus: FINISHED });
    world.inventory.take(agent, item, 1);
    for (const [effect, amplifier, ticks] of world.config.doses[item] ?? []) {
      world.vitals.give(agent, effect, amplifier, ticks);
    }
  }

  return { attach, tick };
};

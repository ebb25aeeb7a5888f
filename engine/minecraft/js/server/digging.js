// Breaking blocks: the server keeps its own time, as Minecraft's does. Who says "done" too early has to wait.
const { cellOf, distance, key } = require("../shared/geometry.js");
const { TICK_MS } = require("../shared/time.js");

const REACH = 6; // Minecraft's server allows so much; the action itself keeps to 4.5
const [START, CANCEL, FINISH] = [0, 1, 2];

module.exports = (world) => {
  const { serv, registry, items } = world;
  const Block = require("prismarine-block")(registry);

  function ticksFor(agent, name) {
    const block = Block.fromStateId(registry.blocksByName[name].defaultState, 0);
    const tool = world.inventory.held(agent);
    const ms = block.digTime(
      tool?.type ?? null,
      false,
      false,
      !agent.player.onGround,
      [],
      world.vitals.forBlock(agent),
    );
    return Math.ceil((ms / TICK_MS) * world.config.digging_factor - 1e-9);
  }

  function onDig(agent, { location, status }) {
    const cell = cellOf(location);
    if (status === START) start(agent, cell);
    else if (status === CANCEL) agent.digging = null;
    else if (status === FINISH) finish(agent, cell);
  }

  function start(agent, cell) {
    const name = world.grid.block(cell);
    const isAbsurd = name === "air" || world.inventory.isChest(cell);
    if (!agent.alive || isAbsurd || distance(agent.position, cell) > REACH) {
      world.grid.tell(cell, undefined, [agent.player]);
      return;
    }
    agent.digging = { cell, name, due: serv.now() + ticksFor(agent, name), isFinished: false };
  }

  /** The bot believes the block to be gone by now; until it is, it must hear that it is not. */
  function finish(agent, cell) {
    const isOwn = agent.digging && key(agent.digging.cell) === key(cell);
    if (isOwn) {
      agent.digging.isFinished = true;
      settle(agent);
    }
    if (!isOwn || agent.digging) world.grid.tell(cell, undefined, [agent.player]);
  }

  function settle(agent) {
    const { digging } = agent;
    if (!digging?.isFinished || serv.now() < digging.due) return;
    agent.digging = null;
    if (agent.alive && world.grid.block(digging.cell) === digging.name) destroy(agent, digging);
  }

  function destroy(agent, { cell, name }) {
    const tool = world.inventory.held(agent);
    const { harvestTools, drops } = registry.blocksByName[name];
    world.grid.set([cell], "air");
    world.emit("blocks_changed", {
      block: "air",
      cells: [cell],
      cause: "agent",
      source: agent.name,
      vanish_tick: null,
    });
    wearOut(agent, tool, name);
    if (!harvestTools || (tool && harvestTools[tool.type])) {
      for (const id of drops) world.drops.drop(registry.items[id].name, 1, cell);
    }
  }

  function wearOut(agent, tool, block) {
    if (!tool?.maxDurability || items.isUnbreakable(tool) || registry.blocksByName[block].hardness === 0)
      return;
    const uses = (agent.wear[tool.name] ?? 0) + (tool.name.endsWith("_sword") ? 2 : 1);
    agent.wear[tool.name] = uses;
    if (uses >= tool.maxDurability) {
      delete agent.wear[tool.name];
      world.inventory.take(agent, items.nameOf(tool), 1);
    }
  }

  function attach(agent) {
    agent.wear = {};
    agent.player._client.removeAllListeners("block_dig");
    agent.player._client.on("block_dig", (packet) => onDig(agent, packet));
  }

  world.grid.onChange((cells) => {
    const changed = new Set(cells.map(key));
    for (const agent of world.agents) {
      if (agent.digging && changed.has(key(agent.digging.cell))) agent.digging = null;
    }
  });

  return { attach, tick: () => world.agents.forEach(settle) };
};

/** Prints the world, and what each agent knows, at some ticks of a log, for comparison with the engine's own folds. */

import { readFileSync } from "node:fs";
import { History } from "../../static/js/world/history.js";
import { Mind } from "../../static/js/world/mind.js";
import { placeOf, World } from "../../static/js/world/state.js";

const [path, ...ticks] = process.argv.slice(2);
const events = readFileSync(path, "utf8").trim().split("\n").map(JSON.parse);
const names = events[0].payload.agents.map(({ name }) => name);
const history = new History(() => new World(), events);
const minds = new Map(names.map((name) => [name, new History(() => new Mind([name]), events)]));

const told = ticks.map(Number).map((tick) => ({
  tick,
  world: worldAt(history.at(tick), tick),
  minds: Object.fromEntries([...minds].map(([name, mind]) => [name, mindAt(mind.at(tick))])),
}));
process.stdout.write(JSON.stringify(told));

function worldAt(world, tick) {
  const cells = [...world.columns.values()].flat().filter(({ block }) => block !== "air");
  return {
    agents: Object.fromEntries([...world.agents].map(([name, agent]) => [name, agentAt(agent, tick)])),
    chests: Object.fromEntries([...world.chests].map(([key, { items }]) => [key, items])),
    placed: Object.fromEntries(cells.map(({ x, y, z, block, until }) => [[x, y, z].join(), [block, until]])),
    built: cells
      .filter(({ built }) => built)
      .map(({ x, y, z }) => [x, y, z].join())
      .sort(),
    mobs: Object.fromEntries([...world.mobs].map(([number, mob]) => [number, mobAt(mob, tick)])),
  };
}

function agentAt(agent, tick) {
  const effects = Object.entries(agent.effects).map(([name, { amplifier }]) => [name, amplifier]);
  return {
    position: placeOf(agent, tick),
    health: agent.health,
    alive: agent.alive,
    held: agent.held,
    inventory: agent.inventory,
    effects: Object.fromEntries(effects),
  };
}

function mobAt(mob, tick) {
  return { entity: mob.entity, role: mob.role, position: placeOf(mob, tick), health: mob.health };
}

function mindAt(mind) {
  const blocks = [...mind.blocks.values()].flat();
  const memory = mind.memories.get(mind.observers[0]);
  return {
    blocks: Object.fromEntries(blocks.map(({ x, y, z, block, tick }) => [[x, y, z].join(), [block, tick]])),
    mobs: Object.fromEntries(
      [...mind.mobs].map(([key, mob]) => [key, [mob.entity, mob.position, mob.health, mob.tick]]),
    ),
    agents: Object.fromEntries(
      [...mind.agents].map(([key, { position, alive, tick }]) => [key, [position, alive, tick]]),
    ),
    chests: Object.fromEntries([...mind.chests].map(([key, { items, tick }]) => [key, [items, tick]])),
    history: memory.history.map(({ tick, what }) => [tick, what]),
    messages: memory.messages.map(({ tick, sender, to, text }) => [tick, sender, to, text]),
    running: memory.running?.id ?? null,
    remaining: memory.remaining.map(({ id }) => id),
    role: memory.role,
  };
}

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const js = (path) => require(`../../engine/minecraft/js/${path}`);
const { modified } = js("shared/attributes.js");
const { wordsOf } = js("shared/chat.js");
const watchBlocks = js("witness/blocks.js");
const watchBodies = js("witness/bodies.js");
const watchMobs = js("witness/mobs.js");
const watchGoods = js("witness/goods.js");

const items = js("shared/items.js")(require("prismarine-registry")("1.19"));
const STATES = { 0: "air", 1: "stone", 9: "grass_block", 34: "water", 2000: "fire" };

/** Agents whose bots hear only what a test lets them hear. */
function stage(...names) {
  const events = [];
  const registry = {
    blocksByStateId: Object.fromEntries(Object.entries(STATES).map(([id, name]) => [id, { name }])),
  };
  const units = new Map(
    names.map((name, i) => {
      const bot = Object.assign(new EventEmitter(), {
        _client: new EventEmitter(),
        registry,
        entity: { id: 100 + i },
        entities: {},
      });
      return [name, { name, bot, work: null, blow: null, chest: null, isSolid: (_x, y) => y < 64 }];
    }),
  );
  const config = {
    changed: new Set(),
    flammable: ["oak_log"],
    server: { low: [-20, 60, -20], high: [20, 80, 20] },
  };
  const scene = { config, units, items, emit: (type, payload) => events.push([type, payload]) };
  return { scene, events, config, units, bots: [...units.values()] };
}

const tell = ({ bot }, [x, y, z], type) => bot._client.emit("block_change", { location: { x, y, z }, type });

test("the first bot that hears of a block reports it, with who was at it", () => {
  const { scene, events, config, bots } = stage("Ada", "Ben");
  const blocks = watchBlocks(scene);
  for (const unit of bots) blocks.attach(unit);
  bots[1].work = { cell: "3,64,0", until: Number.POSITIVE_INFINITY };
  for (const unit of bots) tell(unit, [3, 64, 0], 1);
  bots[1].work.until = Date.now() - 1;
  for (const unit of bots) tell(unit, [3, 64, 0], 34);
  assert.deepEqual(
    events.map(([type, { block, cells, cause, source }]) => [type, block, cells, cause, source]),
    [
      ["blocks_changed", "stone", [[3, 64, 0]], "agent", "Ben"],
      ["blocks_changed", "water", [[3, 64, 0]], "event", ""],
    ],
  );
  assert.ok(config.changed.has("3,64,0"));
});

test("what the environment does is no news, and neither is what was always there or lies outside", () => {
  const { scene, events, bots } = stage("Ada");
  const blocks = watchBlocks(scene);
  blocks.attach(bots[0]);
  blocks.expect([[1, 64, 1]], "stone");
  tell(bots[0], [1, 64, 1], 1);
  tell(bots[0], [5, 63, 5], 9);
  tell(bots[0], [21, 64, 0], 1);
  assert.deepEqual(events, []);
  tell(bots[0], [1, 64, 1], 2000);
  assert.deepEqual([events[0][1].block, events[0][1].cause], ["fire", "fire"]);
});

test("several blocks of a chunk's section come in one packet", () => {
  const { scene, events, bots } = stage("Ada");
  watchBlocks(scene).attach(bots[0]);
  // Bits of a record: state, then four each of x, z and y. The section at x -1, y 4, z 0 begins at [-16, 64, 0].
  const records = [(1 << 12) | (15 << 8) | (2 << 4) | 0, (34 << 12) | (0 << 8) | (3 << 4) | 1];
  bots[0].bot._client.emit("multi_block_change", { chunkCoordinates: { x: -1, y: 4, z: 0 }, records });
  assert.deepEqual(
    events.map(([, { block, cells }]) => [block, cells]),
    [
      ["stone", [[-1, 64, 2]]],
      ["water", [[-16, 65, 3]]],
    ],
  );
});

test("what has hurt an agent is told from what it touches, by Minecraft's rules and the task's", () => {
  const { scene, events, bots } = stage("Ada");
  const [unit] = bots;
  const cells = {};
  Object.assign(scene.config.server, { hurting: { magma_block: false, cactus: false, lava: true } });
  Object.assign(unit, { position: [0, 64, 0], block: (cell) => cells[cell.join()] ?? "air" });
  Object.assign(unit.bot, { health: 20 });
  Object.assign(unit.bot.entity, { metadata: [0], onGround: true });
  unit.bot.registry.effectsByName = {};
  scene.notes = { causes: {} };
  const bodies = watchBodies(scene, { living: () => [] });
  bodies.attach(unit);
  bodies.begin();
  let health = 20;
  const cause = (cell, block, position = [0, 64, 0]) => {
    for (const known of Object.keys(cells)) delete cells[known];
    cells[cell] = block;
    unit.position = position;
    unit.bot._client.emit("update_health", { health: --health });
    return events.at(-1)[1].cause;
  };
  assert.equal(cause("0,63,0", "magma_block"), "magma_block");
  assert.equal(cause("1,64,0", "cactus"), "event"); // a player in the middle of a cell does not reach the next one
  assert.equal(cause("1,64,0", "cactus", [0.25, 64, 0]), "cactus");
  assert.equal(cause("0,65,0", "stone"), "event");
  bodies.learn({ cause: "stone", amount: 1 });
  bodies.learn({ cause: "water", amount: 0 });
  assert.equal(cause("0,65,0", "stone"), "stone");
  assert.equal(cause("0,63,0", "stone"), "event"); // the ground that one stands on is not what hurts
  assert.equal(cause("0,64,0", "water"), "event");
  assert.equal(cause("0,64,0", "lava"), "lava");
  assert.equal(cause("0,64,0", "air"), "burning");
});

test("a mob's health is told once, whoever sees it, and its death with who hit it last", () => {
  const { scene, events, bots } = stage("Ada", "Ben");
  const mobs = watchMobs(scene);
  for (const unit of bots) mobs.attach(unit);
  mobs.expect({ number: 7, uuid: "u-7", entity: "zombie", health: 20, position: [0, 64, 0] });
  const body = {
    id: 5,
    uuid: "u-7",
    isValid: true,
    position: { x: 2.5, y: 64, z: 0.5 },
    metadata: { 9: 20 },
  };
  for (const { bot } of bots) bot.emit("entitySpawn", body);
  bots[0].blow = { id: 5, at: Date.now() };
  body.metadata[9] = 13;
  for (const { bot } of bots) bot.emit("entityUpdate", body);
  bots[1].blow = { id: 5, at: Date.now() + 1 };
  for (const { bot } of bots) bot.emit("entityDead", body);
  assert.deepEqual(events, [
    ["mob_health_changed", { mob: 7, health: 13, delta: -7, agent: "Ada" }],
    ["mob_health_changed", { mob: 7, health: 0, delta: -13, agent: "Ben" }],
    ["mob_died", { mob: 7, agent: "Ben", position: [2, 64, 0] }],
  ]);
  assert.deepEqual(mobs.positions(), []);
});

test("mobs that are nobody's and mobs that were taken away are no news", () => {
  const { scene, events, bots } = stage("Ada");
  const mobs = watchMobs(scene);
  mobs.attach(bots[0]);
  mobs.expect({ number: 1, uuid: "u-1", entity: "zombie", health: 20, position: [0, 64, 0] });
  mobs.forget(1);
  for (const uuid of ["u-1", "cow"])
    bots[0].bot.emit("entityDead", { uuid, position: { x: 0, y: 64, z: 0 } });
  assert.deepEqual(events, []);
});

test("an item is seen once and picked up by the one who says so", () => {
  const { scene, events, bots } = stage("Ada", "Ben");
  const goods = watchGoods(scene);
  for (const unit of bots) goods.attach(unit);
  const item = { name: "raw_gold", count: 3 };
  const entity = { id: 9, position: { x: 4.6, y: 64.2, z: 1.4 }, getDroppedItem: () => item };
  for (const { bot } of bots) bot.emit("itemDrop", entity);
  const packet = { collectedEntityId: 9, collectorEntityId: 101, pickupItemCount: 2 };
  for (const { bot } of bots) bot._client.emit("collect", packet);
  assert.deepEqual(events, [
    ["item_dropped", { drop: 1, item: "raw_gold", count: 3, cell: [4, 64, 1] }],
    ["item_picked_up", { drop: 1, agent: "Ben", item: "raw_gold", count: 2, left: 1 }],
  ]);
});

test("a chest tells what was moved and what is in it now, when it is closed", () => {
  const { scene, events, bots } = stage("Ada");
  watchGoods(scene).attach(bots[0]);
  const slots = new Array(63).fill(null);
  slots[0] = { name: "bread", count: 4 };
  slots[5] = { name: "bread", count: 2 };
  slots[30] = { name: "bread", count: 9 };
  bots[0].chest = { cell: [1, 64, 1], window: { slots }, moved: { bread: -3, apple: 0 } };
  bots[0].bot.emit("windowClose");
  assert.deepEqual(events, [
    ["chest_changed", { chest: [1, 64, 1], item: "bread", delta: -3, count: 6, agent: "Ada" }],
  ]);
});

test("an attribute's modifiers add first, then multiply the base, then the whole", () => {
  const modifiers = [
    { operation: 2, amount: -0.15 },
    { operation: 0, amount: 0.1 },
    { operation: 1, amount: 0.5 },
    { operation: 1, amount: 0.25 },
  ];
  // (0.1 + 0.1) × (1 + 0.75) × 0.85
  assert.ok(Math.abs(modified({ value: 0.1, modifiers }) - 0.2975) < 1e-9);
  assert.equal(modified({ value: 0.1, modifiers: [] }), 0.1);
});

test("the words with which a server turns somebody away are read in each version's form", () => {
  assert.equal(wordsOf("Not on my server!"), "Not on my server!");
  assert.equal(
    wordsOf('{"translate":"multiplayer.disconnect.not_whitelisted"}'),
    "multiplayer.disconnect.not_whitelisted",
  );
  assert.equal(wordsOf('{"text":"Go","extra":[{"text":"away"}]}'), "Go away");
  const nbt = {
    type: "compound",
    value: { translate: { type: "string", value: "multiplayer.disconnect.flying" } },
  };
  assert.equal(wordsOf(nbt), "multiplayer.disconnect.flying");
});

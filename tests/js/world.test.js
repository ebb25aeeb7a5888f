import assert from "node:assert/strict";
import { test } from "node:test";
import { columnKey, columnPlace, setBlock, topOf } from "../../static/js/world/columns.js";
import { History } from "../../static/js/world/history.js";
import { Mind } from "../../static/js/world/mind.js";
import { headingOn, motion, positionOn, restOf } from "../../static/js/world/motion.js";
import { placeOf, World } from "../../static/js/world/state.js";
import { begin, event, finish } from "./fakes.js";
import { knownBlock } from "./reading.js";

const agent = (name, position, range = 8) => ({
  name,
  position,
  max_health: 20,
  speed_bps: 4,
  perception_range: range,
  damage_multipliers: {},
  inventory: { stone_axe: 1, cobblestone: 3 },
  effects: [],
});

const opening = (...agents) =>
  event(0, "episode_started", {
    max_steps: 100,
    ground_y: 63,
    agents,
    chests: [{ position: [0, 64, 0], items: { bread: 2 } }],
    checkpoints: [],
  });

const blocks = (tick, block, cells, more = {}) =>
  event(tick, "blocks_changed", { block, cells, cause: "event", source: "gold", vanish_tick: null, ...more });

function worldOf(...events) {
  const world = new World();
  for (const one of events) {
    world.apply(one);
  }
  return world;
}

test("a walker goes along its corners at its speed and stops at the last", () => {
  // 3 blocks east, then 4 south, at 2 blocks a second: 1.5 s and 2 s, so it arrives 70 ticks after tick 100.
  const way = motion(
    100,
    [
      [0, 64, 0],
      [3, 64, 0],
      [3, 64, 4],
    ],
    2,
  );
  assert.equal(way.arrival, 170);
  assert.deepEqual(positionOn(way, 100), [0, 64, 0]);
  assert.deepEqual(positionOn(way, 110), [1, 64, 0]);
  assert.deepEqual(positionOn(way, 140), [3, 64, 1]);
  assert.deepEqual(positionOn(way, 900), [3, 64, 4]);
  assert.deepEqual(headingOn(way, 110), [1, 0]);
  assert.deepEqual(headingOn(way, 150), [0, 1]);
  assert.deepEqual(headingOn(way, 900), [0, 1]);
  assert.deepEqual(restOf(way, 110), [
    [1, 64, 0],
    [3, 64, 0],
    [3, 64, 4],
  ]);
  assert.deepEqual(restOf(way, 900), [[3, 64, 4]]);
});

test("an agent that only falls, or stands, faces south", () => {
  assert.deepEqual(
    headingOn(
      motion(
        0,
        [
          [0, 64, 0],
          [0, 60, 0],
        ],
        4,
      ),
      5,
    ),
    [0, 1],
  );
  assert.deepEqual(headingOn(motion(0, [[0, 64, 0]], 4), 5), [0, 1]);
});

test("columns keep their blocks by height, and holes only where there was ground", () => {
  const at = (y, block) => ({ x: 1, y, z: -2, block });
  let column = setBlock(undefined, at(65, "stone"), 63);
  column = setBlock(column, at(64, "dirt"), 63);
  assert.deepEqual(
    column.map(({ y }) => y),
    [64, 65],
  );
  column = setBlock(column, at(65, "air"), 63);
  assert.equal(topOf(column).block, "dirt");
  column = setBlock(setBlock(column, at(64, "air"), 63), at(63, "air"), 63);
  assert.equal(topOf(column).block, "air");
  for (const place of [
    [0, 0],
    [-1000, 1000],
    [1, -2],
  ]) {
    assert.deepEqual(columnPlace(columnKey(...place)), place);
  }
});

test("blocks come, are built over, and go", () => {
  const world = worldOf(
    opening(agent("Ada", [1, 64, 1])),
    blocks(
      20,
      "gold_ore",
      [
        [5, 64, 5],
        [6, 64, 5],
      ],
      { vanish_tick: 620 },
    ),
    blocks(30, "air", [[5, 64, 5]]),
    blocks(40, "cobblestone", [[6, 65, 5]], { cause: "agent", source: "Ada" }),
  );
  assert.equal(world.columns.has(columnKey(5, 5)), false);
  const [gold, cobble] = world.columns.get(columnKey(6, 5));
  assert.deepEqual([gold.block, gold.since, gold.until, gold.built], ["gold_ore", 20, 620, false]);
  assert.deepEqual([cobble.block, cobble.built], ["cobblestone", true]);
});

test("agents carry, hold, suffer and die", () => {
  const world = worldOf(
    opening(agent("Ada", [1, 64, 1])),
    event(10, "inventory_changed", { agent: "Ada", item: "stone_axe", count: 0 }),
    event(11, "agent_health_changed", { agent: "Ada", health: 12, delta: -8, absorption: 2, cause: "lava" }),
    event(12, "effect_changed", { agent: "Ada", effect: "slowness", amplifier: 1, until_tick: 90 }),
    event(13, "agent_moved", {
      agent: "Ada",
      points: [
        [1, 64, 1],
        [1, 64, 9],
      ],
      speed_bps: 4,
    }),
  );
  const ada = world.agents.get("Ada");
  assert.deepEqual([ada.held, ada.health, ada.absorption], [null, 12, 2]);
  assert.deepEqual(ada.inventory, { cobblestone: 3 });
  assert.deepEqual(ada.effects, { slowness: { amplifier: 1, until: 90 } });
  assert.deepEqual(placeOf(ada, 23), [1, 64, 3]);
  world.apply(event(33, "agent_died", { agent: "Ada", cause: "lava", position: [1, 64, 5] }));
  world.apply(
    event(33, "effect_changed", { agent: "Ada", effect: "slowness", amplifier: null, until_tick: null }),
  );
  assert.deepEqual(placeOf(world.agents.get("Ada"), 99), [1, 64, 5]);
  assert.deepEqual([world.agents.get("Ada").alive, world.agents.get("Ada").effects], [false, {}]);
});

test("chests, drops, mobs and regions", () => {
  const mob = { mob: 1, entity: "zombie", role: "minion", position: [9, 64, 9], health: 30, damage: 4 };
  const world = worldOf(
    opening(agent("Ada", [1, 64, 1])),
    event(5, "chest_changed", { chest: [0, 64, 0], item: "raw_gold", delta: 4, count: 4, agent: "Ada" }),
    event(5, "chest_changed", { chest: [0, 64, 0], item: "bread", delta: -2, count: 0, agent: "Ada" }),
    event(6, "item_dropped", { drop: 7, item: "raw_gold", count: 3, cell: [2, 64, 2] }),
    event(7, "item_picked_up", { drop: 7, agent: "Ada", item: "raw_gold", count: 2, left: 1 }),
    event(8, "mob_spawned", { ...mob, speed_bps: 3, source: "wave", vanish_tick: 400 }),
    event(9, "mob_health_changed", { mob: 1, health: 22, delta: -8, agent: "Ada" }),
    event(9, "region_changed", {
      region: "swamp",
      active: true,
      low: [0, 64, 0],
      high: [4, 66, 4],
      effects: [],
    }),
  );
  assert.deepEqual(world.chests.get("0,64,0").items, { raw_gold: 4 });
  assert.deepEqual(world.drops.get(7).count, 1);
  assert.deepEqual(
    [world.mobs.get(1).health, world.mobs.get(1).maxHealth, world.mobs.get(1).until],
    [22, 30, 400],
  );
  assert.equal(world.regions.get("swamp").active, true);
  world.apply(event(10, "item_picked_up", { drop: 7, agent: "Ada", item: "raw_gold", count: 1, left: 0 }));
  world.apply(event(10, "mob_died", { mob: 1, agent: "Ada", position: [9, 64, 9] }));
  assert.deepEqual([world.drops.size, world.mobs.size], [0, 0]);
});

test("events of unknown types and of unknown agents change nothing", () => {
  const world = worldOf(opening(agent("Ada", [1, 64, 1])), event(5, "comet", { agent: "Ada" }));
  world.apply(event(6, "agent_stopped", { agent: "Nobody", position: [0, 64, 0] }));
  assert.deepEqual([...world.agents.keys()], ["Ada"]);
  assert.deepEqual([world.tick, world.work], [6, 3]);
});

/** A log in which a pillar grows and shrinks, and the agent walks about. */
function longLog(count) {
  const log = [opening(agent("Ada", [0, 64, 0], 6))];
  for (let i = 1; i < count; i += 1) {
    if (i % 3 === 0) {
      const points = [
        [i % 7, 64, 0],
        [i % 11, 64, 5],
      ];
      log.push(event(i * 2, "agent_moved", { agent: "Ada", points, speed_bps: 4 }));
    } else {
      log.push(
        blocks(i * 2, i % 5 === 0 ? "air" : "stone", [
          [i % 50, 64, i % 31],
          [i % 40, 65, 3],
        ]),
      );
    }
  }
  return log;
}

test("whichever way one gets to a moment, the world there is the same", () => {
  const log = longLog(12_000);
  const history = new History(() => new World(), log);
  const told = (world) => [world.seq, [...world.columns].sort(([a], [b]) => a - b), [...world.agents]];
  for (const tick of [0, 23_998, 10, 12_345, 12_000, 20_000, 3, 12_344]) {
    const direct = new World();
    for (const one of log.filter((entry) => entry.world_time <= tick)) {
      direct.apply(one);
    }
    assert.deepEqual(told(history.at(tick)), told(direct), `tick ${tick}`);
  }
  assert.ok(history.copies.length > 3);
});

test("a log that grows is followed, and one that starts over forgotten", () => {
  const log = longLog(10);
  const history = new History(() => new World(), log.slice(0, 5));
  assert.equal(history.at(1_000).seq, 5);
  history.events.push(...log.slice(5));
  assert.equal(history.at(1_000).seq, 10);
  history.clear([]);
  assert.equal(history.at(1_000).seq, 0);
});

test("a seek in 50,000 events takes less than 200 ms anywhere", () => {
  const history = new History(() => new World(), longLog(50_000));
  history.at(100_000);
  const took = [99_000, 500, 50_000, 0, 75_321, 1, 98_765].map((tick) => {
    const before = performance.now();
    history.at(tick);
    return performance.now() - before;
  });
  assert.ok(Math.max(...took) < 200, took.join());
});

test("an agent knows what it has seen, until it sees that it is gone", () => {
  const ada = agent("Ada", [0, 64, 0], 8);
  const log = [
    opening(ada, agent("Bruno", [5, 64, 0])),
    blocks(0, "gold_ore", [
      [8, 64, 0],
      [9, 64, 0],
    ]),
    event(5, "agent_moved", {
      agent: "Ada",
      points: [
        [0, 64, 0],
        [-20, 64, 0],
      ],
      speed_bps: 20,
    }),
    blocks(30, "air", [[8, 64, 0]]),
    event(50, "agent_moved", {
      agent: "Ada",
      points: [
        [-20, 64, 0],
        [0, 64, 0],
      ],
      speed_bps: 20,
    }),
  ];
  const history = new History(() => new Mind(["Ada"]), log);
  // At tick 0 the ore 8 blocks away is in sight, the one 9 away is not; so is Bruno.
  let mind = history.at(0);
  assert.deepEqual(knownBlock(mind, [8, 64, 0]), { x: 8, y: 64, z: 0, block: "gold_ore", tick: 0 });
  assert.equal(knownBlock(mind, [9, 64, 0]), null);
  assert.deepEqual(mind.agents.get("Bruno"), { position: [5, 64, 0], alive: true, tick: 0 });
  assert.deepEqual(mind.chests.get("0,64,0"), { items: { bread: 2 }, tick: 0 });
  // Far away it still believes in the ore that is gone by now; back at tick 70, it sees at tick 80 that it is not there.
  mind = history.at(60);
  assert.equal(knownBlock(mind, [8, 64, 0])?.tick, 0);
  assert.equal(mind.sees([5, 64, 0], 60), false);
  mind = history.at(80);
  assert.equal(knownBlock(mind, [8, 64, 0]), null);
  assert.equal(mind.agents.get("Bruno").tick, 80);
});

test("a look waits until nothing more can happen at its tick", () => {
  const log = [opening(agent("Ada", [0, 64, 0]))];
  const history = new History(() => new Mind(["Ada"]), log);
  history.at(20, 19);
  log.push(blocks(20, "stone", [[1, 64, 0]]));
  assert.equal(knownBlock(history.at(20, 19), [1, 64, 0]), null);
  assert.equal(knownBlock(history.at(20, 20), [1, 64, 0])?.tick, 20);
});

test("an agent looks round and into chests when an action of its own ends", () => {
  const log = [
    opening(agent("Ada", [3, 64, 0]), agent("Bruno", [30, 64, 0])),
    begin(1, "Ada", "a", "deposit_to_chest"),
    event(7, "chest_changed", { chest: [0, 64, 0], item: "raw_gold", delta: 1, count: 1, agent: "Ada" }),
    blocks(7, "stone", [[4, 64, 0]]),
    finish(7, "Ada", "a", "deposit_to_chest"),
  ];
  const mind = new History(() => new Mind(["Ada"]), log).at(10);
  assert.deepEqual(mind.chests.get("0,64,0"), { items: { bread: 2, raw_gold: 1 }, tick: 7 });
  assert.equal(knownBlock(mind, [4, 64, 0]).tick, 7);
  const other = new History(() => new Mind(["Bruno"]), log).at(10);
  assert.deepEqual(other.chests.get("0,64,0"), { items: { bread: 2 }, tick: 0 });
});

test("an agent remembers its last 24 doings, its messages and what is left of its plan", () => {
  const step = (id, after = []) => ({ id, do: "wait", with: {}, after, note: "" });
  const log = [opening(agent("Ada", [0, 64, 0]), agent("Bruno", [1, 64, 0]))];
  log.push(
    event(1, "plan_set", { agent: "Ada", reasoning: "", steps: [step("a"), step("b", ["a"]), step("c")] }),
  );
  log.push(begin(1, "Ada", "a", "wait", { duration: 1 }));
  log.push(event(2, "message_sent", { sender: "Bruno", to: ["Ada"], text: "hello", tag: "" }));
  log.push(event(2, "message_sent", { sender: "Bruno", to: ["Chen"], text: "not for her", tag: "" }));
  log.push(finish(3, "Ada", "a", "wait", "failed", "timeout"));
  log.push(event(3, "action_skipped", { agent: "Ada", id: "b", do: "wait", after: "a" }));
  const at = (tick) => new History(() => new Mind(["Ada"]), log).at(tick).memories.get("Ada");
  assert.equal(at(1).running.id, "a");
  assert.deepEqual(
    at(1).remaining.map(({ id }) => id),
    ["b", "c"],
  );
  assert.deepEqual(
    at(3).history.map(({ what }) => [what.id, what.outcome]),
    [
      ["a", "failed"],
      ["b", "skipped"],
    ],
  );
  assert.deepEqual(
    at(3).messages.map(({ text }) => text),
    ["hello"],
  );
  assert.deepEqual(
    at(3).remaining.map(({ id }) => id),
    ["c"],
  );
  for (let i = 0; i < 30; i += 1) {
    log.push(event(4, "plan_refused", { agent: "Ada", fault: `fault ${i}` }));
  }
  assert.equal(at(4).history.length, 24);
  assert.equal(at(4).history[0].what.problem, "fault 6");
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  actionText,
  agentsOf,
  clockText,
  outcomeText,
  parametersText,
  steps,
  summary,
} from "../../static/js/live/words.js";

const say = (type, payload) => summary({ seq: 1, world_time: 0, type, version: 1, payload });

test("ticks are shown as steps, with no more decimals than they need", () => {
  assert.deepEqual([0, 1, 10, 690, 2_000].map(steps), ["0", "0.05", "0.5", "34.5", "100"]);
  assert.equal(clockText(690, 100), "step 34.5 / 100");
  assert.equal(clockText(0, 100), "step 0.0 / 100");
});

test("actions read as a few words", () => {
  const cases = [
    ["mine_blocks_at", { block_positions: [[1, 64, 2]] }, "mine 1 block"],
    [
      "mine_blocks_at",
      {
        block_positions: [
          [1, 64, 2],
          [1, 64, 3],
        ],
      },
      "mine 2 blocks",
    ],
    ["move_to", { target_pos: [1, 64, -2] }, "move to (1, 64, -2)"],
    [
      "deposit_to_chest",
      { items: ["raw_gold", "oak_log"], quantities: [3, 1] },
      "deposit 3 raw_gold, 1 oak_log",
    ],
    ["get_from_chest", { items: ["bread"] }, "get bread"],
    ["find_blocks", { block_types: ["gold_ore"], count: 3, max_distance: 16 }, "find gold_ore"],
    ["wait", { duration: 5 }, "wait 5"],
    ["wait", {}, "wait"],
    ["dance_at", { tempo: 3 }, "dance"],
  ];
  for (const [name, parameters, text] of cases) {
    assert.equal(actionText(name, parameters), text);
  }
});

test("parameters that a model got wrong are shown as they are", () => {
  assert.equal(actionText("mine_blocks_at", { block_positions: "there" }), "mine 1 block");
  assert.equal(actionText("move_to", { target_pos: { x: 1, y: null } }), "move to x 1, y null");
  assert.equal(actionText("toString", { a: 1 }), "toString");
  assert.equal(actionText("deposit_to_chest", { items: 7, quantities: null }), "deposit null 7");
});

test("long values are cut short", () => {
  assert.equal(
    parametersText({ target_pos: [1, 64, 2], max_distance: 16 }),
    "target pos (1, 64, 2) · max distance 16",
  );
  assert.equal(parametersText({ note: "a".repeat(500) }).length, 160);
  const five = [1, 2, 3, 4, 5].map((x) => [x, 64, 0]);
  assert.equal(
    parametersText({ block_positions: five }),
    "block positions (1, 64, 0), (2, 64, 0), (3, 64, 0), … 5 in all",
  );
});

test("outcomes name their reason and counts", () => {
  assert.equal(outcomeText({ outcome: "ok", reason: "", done: 0, wanted: 0 }), "ok");
  assert.equal(
    outcomeText({ outcome: "partial", reason: "inventory_full", done: 2, wanted: 3 }),
    "partial (inventory full), 2 of 3",
  );
});

test("each event is one line", () => {
  const cases = [
    [
      "episode_started",
      {
        task_id: "gold_v1",
        agents: [{}, {}],
        policy: "oracle",
        mode: "sync",
        world: "simulator",
        seed: 3,
        max_steps: 100,
      },
      "gold_v1: 2 agents, oracle, sync, simulator, seed 3, at most 100 steps",
    ],
    ["checkpoint_changed", { name: "gold", have: 3, need: 24 }, "gold: 3 of 24"],
    [
      "episode_ended",
      { status: "finished", success: true, partial_score: 1, reason: "the task is done" },
      "finished, success, score 1: the task is done",
    ],
    [
      "episode_ended",
      { status: "error", success: null, partial_score: 0.125, reason: "the disk is full" },
      "error: the disk is full",
    ],
    [
      "blocks_changed",
      {
        block: "gold_ore",
        cells: [
          [1, 64, 2],
          [3, 64, 4],
        ],
        cause: "event",
        source: "gold",
        vanish_tick: 610,
      },
      "gold_ore × 2 at (1, 64, 2), (3, 64, 4) by gold, until step 30.5",
    ],
    [
      "blocks_changed",
      { block: "air", cells: [[1, 64, 2]], cause: "agent", source: "Ada", vanish_tick: null },
      "gone × 1 at (1, 64, 2) by Ada",
    ],
    [
      "event_fired",
      { event: "gold", firing: 2, action: "spawn_blocks", subject: "gold_ore", wanted: 9, done: 8 },
      "gold #2: spawn_blocks gold_ore, 8 of 9",
    ],
    ["item_dropped", { drop: 1, item: "raw_gold", count: 1, cell: [1, 64, 2] }, "1 raw_gold at (1, 64, 2)"],
    ["item_picked_up", { drop: 1, agent: "Ada", item: "raw_gold", count: 2, left: 1 }, "2 raw_gold, 1 left"],
    [
      "chest_changed",
      { chest: [0, 64, 0], item: "raw_gold", delta: 3, count: 5, agent: "Ada" },
      "put in 3 raw_gold: the chest at (0, 64, 0) holds 5",
    ],
    ["planning_started", { agents: ["Ada", "Bruno"] }, "waiting for a decision: Ada, Bruno"],
    ["planning_ended", { agents: ["Ada"] }, "decision for Ada"],
    [
      "plan_set",
      { agent: "Ada", reasoning: "Gold first.", steps: [{ do: "move_to" }, { do: "mine_blocks_at" }] },
      "move to → mine blocks. Gold first.",
    ],
    ["plan_set", { agent: "Ada", reasoning: "", steps: [] }, "nothing to do"],
    ["plan_ended", { agent: "Ada" }, "plan done"],
    ["action_started", { agent: "Ada", id: "a", do: "wait", with: { duration: 2 } }, "wait 2"],
    [
      "action_ended",
      {
        agent: "Ada",
        id: "a",
        do: "mine_blocks_at",
        outcome: "failed",
        reason: "vanished",
        done: 0,
        wanted: 1,
        detail: "Too late.",
      },
      "mine blocks: failed (vanished), 0 of 1. Too late.",
    ],
    [
      "action_skipped",
      { agent: "Ada", id: "b", do: "move_to", after: "a" },
      "move to skipped: a did not succeed",
    ],
    [
      "agent_moved",
      {
        agent: "Ada",
        points: [
          [0.5, 64, 0.5],
          [4.5, 64, 0.5],
        ],
        speed_bps: 4.317,
      },
      "to (4.5, 64, 0.5) at 4.32 blocks/s",
    ],
    ["agent_stopped", { agent: "Ada", position: [1.25, 64, 0] }, "at (1.25, 64, 0)"],
    ["inventory_changed", { agent: "Ada", item: "oak_log", count: 4 }, "carries 4 oak_log"],
    ["agent_died", { agent: "Ada", cause: "lava", position: [1, 64, 2] }, "killed by lava at (1, 64, 2)"],
    ["item_held", { agent: "Ada", item: "iron_axe" }, "holds iron_axe"],
    [
      "agent_health_changed",
      { agent: "Ada", health: 15.5, delta: -4, absorption: 0, cause: "lava" },
      "-4 HP by lava: 15.5 HP left",
    ],
    [
      "agent_health_changed",
      { agent: "Ada", health: 20, delta: 4, absorption: 2.5, cause: "golden_apple" },
      "+4 HP by golden_apple: 20 HP and 2.5 absorption left",
    ],
    [
      "effect_changed",
      { agent: "Ada", effect: "slowness", amplifier: 1, until_tick: 300 },
      "slowness 2, until step 15",
    ],
    [
      "effect_changed",
      { agent: "Ada", effect: "slowness", amplifier: null, until_tick: null },
      "slowness wears off",
    ],
    [
      "mob_spawned",
      {
        mob: 3,
        entity: "zombie",
        role: "minion",
        position: [1, 64, 2],
        health: 35,
        damage: 4,
        speed_bps: 3,
        source: "minions",
        vanish_tick: null,
      },
      "zombie 3 (minion, 35 HP) at (1, 64, 2) by minions",
    ],
    [
      "mob_moved",
      {
        mob: 3,
        points: [
          [1, 64, 2],
          [4, 64, 2],
        ],
        speed_bps: 3,
      },
      "mob 3 to (4, 64, 2) at 3 blocks/s",
    ],
    ["mob_stopped", { mob: 3, position: [1, 64, 2] }, "mob 3 at (1, 64, 2)"],
    ["mob_health_changed", { mob: 3, health: 28, delta: -7, agent: "Ada" }, "mob 3 -7 HP by Ada: 28 HP left"],
    ["mob_died", { mob: 3, agent: "Ada", position: [1, 64, 2] }, "mob 3 killed by Ada at (1, 64, 2)"],
    ["mob_died", { mob: 3, agent: "", position: [1, 64, 2] }, "mob 3 died at (1, 64, 2)"],
    ["mob_despawned", { mob: 3, cause: "lifetime" }, "mob 3 gone: lifetime"],
    ["message_sent", { sender: "gold", to: ["Ada", "Bruno"], text: "Hurry!" }, "gold to Ada, Bruno: Hurry!"],
    [
      "region_changed",
      { region: "swamp", active: true, low: [0, 64, 0], high: [3, 66, 3], effects: ["slowness"] },
      "region swamp on, (0, 64, 0) to (3, 66, 3): slowness",
    ],
    ["weather_changed", { to: "rain", since: 3 }, "to rain, since 3"],
  ];
  for (const [type, payload, text] of cases) {
    assert.equal(say(type, payload), text);
  }
});

test("every event type of the engine has a line of its own", () => {
  const source = readFileSync(new URL("../../engine/events/payloads.py", import.meta.url), "utf8");
  const classes = [...source.matchAll(/^class (\w+)\(Payload\b/gm)].map(([, name]) => name);
  const types = classes.map((name) => name.replace(/(?<!^)(?=[A-Z])/g, "_").toLowerCase());
  const words = readFileSync(new URL("../../static/js/live/words.js", import.meta.url), "utf8");
  assert.ok(types.includes("agent_died"));
  assert.deepEqual(
    types.filter((type) => !words.includes(`\n  ${type}:`)),
    [],
  );
});

test("markup stays text", () => {
  const nasty = "<img src=x onerror=alert(1)>";
  assert.equal(say("plan_set", { agent: "Ada", reasoning: nasty, steps: [] }), `nothing to do. ${nasty}`);
});

test("an event is about the agents that it names", () => {
  const about = (payload) => agentsOf({ seq: 1, world_time: 0, type: "x", version: 1, payload });
  assert.deepEqual(about({ agent: "Ada" }), ["Ada"]);
  assert.deepEqual(about({ agents: ["Ada", "Bruno"] }), ["Ada", "Bruno"]);
  assert.deepEqual(about({ agents: [{ name: "Ada" }] }), ["Ada"]);
  assert.deepEqual(about({ cause: "agent", source: "Ada" }), ["Ada"]);
  assert.deepEqual(about({ mob: 3, agent: "" }), []);
  assert.deepEqual(about({ cause: "event", source: "gold" }), []);
});

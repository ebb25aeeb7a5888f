/** Events and their parts in words. Pure functions: plain strings out, whatever the log (or a model) put in. */

const TICKS_PER_STEP = 20;
const LONGEST_TEXT = 160;

/**
 * Ticks as steps, with as many decimals as it takes (a tick is 0.05 steps).
 * @param {number} ticks
 * @returns {string} for example `34.5`
 */
export function steps(ticks) {
  return String(Number((ticks / TICKS_PER_STEP).toFixed(2)));
}

/**
 * A clock's reading; one decimal, so that it does not change its width at every tick.
 * @param {number} ticks
 * @param {number} maxSteps
 * @returns {string} `step 34.5 / 100`
 */
export function clockText(ticks, maxSteps) {
  return `step ${(ticks / TICKS_PER_STEP).toFixed(1)} / ${maxSteps}`;
}

/**
 * Any value in short.
 * @param {unknown} value
 * @returns {string}
 */
export function short(value) {
  const text = plain(value);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
}

function plain(value) {
  if (typeof value === "number") {
    return String(Number(value.toFixed(2)));
  }
  if (typeof value === "string") {
    return value;
  }
  if (isPoint(value)) {
    return `(${value.map((part) => plain(part)).join(", ")})`;
  }
  if (Array.isArray(value)) {
    const more = value.length > 3 ? `, … ${value.length} in all` : "";
    return value.slice(0, 3).map(plain).join(", ") + more;
  }
  if (value !== null && typeof value === "object") {
    return Object.entries(value)
      .map(([key, part]) => `${key} ${plain(part)}`)
      .join(", ");
  }
  return String(value);
}

function isPoint(value) {
  return Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === "number");
}

/**
 * An action's parameters in one line.
 * @param {Record<string, unknown>} parameters
 * @returns {string}
 */
export function parametersText(parameters) {
  const parts = Object.entries(parameters ?? {}).map(
    ([name, value]) => `${name.replaceAll("_", " ")} ${short(value)}`,
  );
  return short(parts.join(" · "));
}

const ACTIONS = {
  scout_blocks_at: (p) => `scout ${plain(p.target_pos)}`,
  mine_blocks_at: (p) => `mine ${counted(p.block_positions, "block")}`,
  build_floor: (p) => `build ${plain(p.width)} × ${plain(p.depth)} floor`,
  move_to: (p) => `move to ${plain(p.target_pos)}`,
  deposit_to_chest: (p) => `deposit ${goods(p.items, p.quantities)}`,
  get_from_chest: (p) => `get ${goods(p.items, p.quantities)}`,
  find_entities: (p) => `find ${plain(p.entity_types)}`,
  find_blocks: (p) => `find ${plain(p.block_types)}`,
  attack: (p) => `attack ${plain(p.entity_type)}`,
  equip_item: (p) => `equip ${plain(p.item)}`,
  use_item: (p) => `use ${plain(p.item)}`,
  wait: (p) => `wait ${plain(p.duration)}`,
};

function counted(list, noun) {
  const count = Array.isArray(list) ? list.length : 1;
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function goods(items, quantities) {
  const names = Array.isArray(items) ? items : [items];
  const counts = Array.isArray(quantities) ? quantities : [quantities];
  return names
    .map((name, i) => (counts[i] === undefined ? plain(name) : `${plain(counts[i])} ${plain(name)}`))
    .join(", ");
}

/**
 * An action in a few words.
 * @param {string} name the action's name, as `mine_blocks_at`
 * @param {Record<string, unknown>} [parameters]
 * @returns {string} for example `mine 3 blocks`
 */
export function actionText(name, parameters) {
  const say = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : null;
  return say && parameters && Object.keys(parameters).length > 0 ? short(say(parameters)) : actionName(name);
}

/**
 * An action's name for people.
 * @param {string} name
 * @returns {string} `mine blocks` for `mine_blocks_at`
 */
export function actionName(name) {
  return short(name).replace(/_at$/, "").replaceAll("_", " ");
}

/**
 * How something came out.
 * @param {{outcome: string, reason?: string, done?: number, wanted?: number}} ended
 * @returns {string} for example `partial (vanished), 2 of 3`
 */
export function outcomeText({ outcome, reason, done, wanted }) {
  const why = reason ? ` (${reason.replaceAll("_", " ")})` : "";
  const counts = wanted > 0 ? `, ${done} of ${wanted}` : "";
  return `${outcome}${why}${counts}`;
}

const have = (p) => `${p.name}: ${plain(p.have)} of ${plain(p.need)}`;

const SUMMARIES = {
  episode_started: (p) =>
    `${p.task_id}: ${counted(p.agents, "agent")}, ${p.policy}, ${p.mode}, ${p.world}, seed ${p.seed}, at most ${p.max_steps} steps`,
  checkpoint_changed: have,
  episode_ended: (p) => `${p.status}${verdict(p)}: ${p.reason}`,
  blocks_changed: (p) => {
    const what = p.block === "air" ? "gone" : p.block;
    const until = p.vanish_tick === null ? "" : `, until step ${steps(p.vanish_tick)}`;
    return `${what} × ${p.cells.length} at ${plain(p.cells)} by ${p.source || p.cause}${until}`;
  },
  event_fired: (p) => `${p.event} #${p.firing}: ${p.action} ${p.subject}, ${p.done} of ${p.wanted}`,
  item_dropped: (p) => `${p.count} ${p.item} at ${plain(p.cell)}`,
  item_picked_up: (p) => `${p.count} ${p.item}${p.left > 0 ? `, ${p.left} left` : ""}`,
  chest_changed: (p) =>
    `${p.delta > 0 ? "put in" : "took out"} ${Math.abs(p.delta)} ${p.item}: the chest at ${plain(p.chest)} holds ${p.count}`,
  planning_started: (p) => `waiting for a decision: ${plain(p.agents)}`,
  planning_ended: (p) => `decision for ${plain(p.agents)}`,
  plan_set: (p) => {
    const plan = p.steps.map((step) => actionName(step.do)).join(" → ");
    return `${plan || "nothing to do"}${p.reasoning ? `. ${p.reasoning}` : ""}`;
  },
  plan_refused: (p) => `plan refused: ${p.fault}`,
  plan_ended: () => "plan done",
  action_started: (p) => actionText(p.do, p.with),
  action_ended: (p) => `${actionName(p.do)}: ${outcomeText(p)}${p.detail ? `. ${p.detail}` : ""}`,
  role_taken: (p) => `plays the part: ${p.role}`,
  briefing_given: (p) => `briefing for ${p.caller}, ${p.text.length} characters`,
  inference_ended: (p) => {
    const again = p.attempt > 1 ? ` (attempt ${p.attempt})` : "";
    const fault = p.fault ? `: ${p.fault}` : "";
    const tokens = `${p.prompt_tokens} + ${p.completion_tokens} tokens`;
    return `${p.caller} call ${p.call}${again}, ${plain(p.latency_s)} s, ${tokens}, ${p.outcome}${fault}`;
  },
  action_skipped: (p) => `${actionName(p.do)} skipped: ${p.after} did not succeed`,
  agent_moved: (p) => `to ${plain(p.points.at(-1))} at ${plain(p.speed_bps)} blocks/s`,
  agent_stopped: (p) => `at ${plain(p.position)}`,
  inventory_changed: (p) => `carries ${p.count} ${p.item}`,
  item_held: (p) => `holds ${p.item}`,
  agent_health_changed: (p) => {
    const shield = p.absorption > 0 ? ` and ${plain(p.absorption)} absorption` : "";
    return `${changed(p.delta)} HP by ${p.cause}: ${plain(p.health)} HP${shield} left`;
  },
  effect_changed: (p) => {
    const until = p.until_tick === null ? "" : `, until step ${steps(p.until_tick)}`;
    return p.amplifier === null ? `${p.effect} wears off` : `${p.effect} ${p.amplifier + 1}${until}`;
  },
  agent_died: (p) => `killed by ${p.cause} at ${plain(p.position)}`,
  mob_spawned: (p) =>
    `${p.entity} ${p.mob} (${p.role}, ${plain(p.health)} HP) at ${plain(p.position)}${p.source ? ` by ${p.source}` : ""}`,
  mob_moved: (p) => `mob ${p.mob} to ${plain(p.points.at(-1))} at ${plain(p.speed_bps)} blocks/s`,
  mob_stopped: (p) => `mob ${p.mob} at ${plain(p.position)}`,
  mob_health_changed: (p) =>
    `mob ${p.mob} ${changed(p.delta)} HP${p.agent ? ` by ${p.agent}` : ""}: ${plain(p.health)} HP left`,
  mob_died: (p) => `mob ${p.mob} ${p.agent ? `killed by ${p.agent}` : "died"} at ${plain(p.position)}`,
  mob_despawned: (p) => `mob ${p.mob} gone: ${p.cause}`,
  message_sent: (p) => `${p.sender} to ${plain(p.to)}: ${p.text}`,
  region_changed: (p) =>
    `region ${p.region} ${p.active ? "on" : "off"}, ${plain(p.low)} to ${plain(p.high)}: ${plain(p.effects) || "no effect"}`,
};

function changed(delta) {
  return `${delta > 0 ? "+" : ""}${plain(delta)}`;
}

function verdict({ success, partial_score: score }) {
  return success === null ? "" : `${success ? ", success" : ", failure"}, score ${plain(score)}`;
}

/**
 * One line about an event. A type that this page does not know yet is shown by its contents.
 * @param {import("./socket.js").LogEvent} event
 * @returns {string}
 */
export function summary(event) {
  const say = Object.hasOwn(SUMMARIES, event.type) ? SUMMARIES[event.type] : plain;
  return short(say(event.payload));
}

/**
 * Whom an event is about.
 * @param {import("./socket.js").LogEvent} event
 * @returns {string[]} agents' names, empty when it is about the world
 */
export function agentsOf(event) {
  const { agent, agents, caller, cause, sender, source, to } = event.payload;
  if (typeof agent === "string") {
    return agent ? [agent] : [];
  }
  if (Array.isArray(agents)) {
    return agents.map((one) => (typeof one === "string" ? one : one.name));
  }
  if (Array.isArray(to)) {
    return [sender, ...to];
  }
  if (typeof caller === "string") {
    return [caller];
  }
  return cause === "agent" && source ? [source] : [];
}

/** The world of a moment in words: what is at a place, and the table beside the map. Pure. */

import { actionText, steps } from "../live/words.js";
import { segmentAt, TICKS_PER_STEP } from "../timeline/scale.js";
import { columnKey } from "../world/columns.js";
import { placeOf } from "../world/state.js";
import { crisisText } from "./crisis.js";
import { storeText } from "./figures.js";
import { arrivalAt, startOf } from "./fronts.js";

const plain = (name) => name.replaceAll("_", " ");
const round = (value) => Number(value.toFixed(1));

/** A place in short. @param {number[]} place */
export function placeText(place) {
  return place.map(round).join(", ");
}

/** What somebody carries. @param {Record<string, number>} items */
export function itemsText(items) {
  return (
    Object.entries(items)
      .map(([item, count]) => `${count} ${plain(item)}`)
      .join(", ") || "nothing"
  );
}

/**
 * What an agent does.
 * @param {import("../live/folds.js").Folds} folds
 * @param {string} name
 * @param {number} tick
 * @returns {string}
 */
function doingText(folds, name, tick) {
  const lane = folds.lanes.get(name);
  const segment = lane ? segmentAt(lane.segments, tick) : null;
  return segment ? segment.label : "";
}

/** The status effects of an agent, with the steps that are left. */
export function effectsText(effects, tick) {
  return Object.entries(effects)
    .map(([effect, { amplifier, until }]) => {
      const left = until === null ? "" : ` (${steps(Math.max(0, until - Math.round(tick)))} left)`;
      return `${plain(effect)} ${amplifier + 1}${left}`;
    })
    .join(", ");
}

/**
 * What there is at a column.
 * @param {any} scene of the map
 * @param {[number, number]} at x and z
 * @returns {string}
 */
export function wordsAt(scene, [x, z]) {
  const { world, tick, fills, marks, checkpoints } = scene;
  const here = ([px, , pz]) => Math.round(px) === x && Math.round(pz) === z;
  const of = (bodies) => [...bodies.values()].filter((body) => here(placeOf(body, tick)));
  const things = [
    ...of(world.agents).map(
      ({ name, health, maxHealth, held }) =>
        `${name}, ${round(health)}/${maxHealth} HP${held ? `, holds ${plain(held)}` : ""}`,
    ),
    ...of(world.mobs).map(
      ({ entity, health, maxHealth }) => `${plain(entity)}, ${round(health)}/${maxHealth} HP`,
    ),
    ...[...world.chests.values()]
      .filter(({ position }) => here(position))
      .map(({ items }) => `chest: ${storeText(items, checkpoints)}`),
    ...[...world.drops.values()]
      .filter(({ cell }) => here(cell))
      .map(({ item, count }) => `${count} ${plain(item)} on the ground`),
    ...columnWords(world.columns.get(columnKey(x, z)), tick),
    ...fills.flatMap((fill) => fillWords(fill, marks, [x, world.groundY + 1, z], tick)),
  ];
  return `x ${x}, z ${z}: ${things.join("; ") || "ground"}`;
}

function columnWords(column, tick) {
  return (column ?? []).toReversed().map(({ y, block, until, built }) => {
    const left = until ? `, ${steps(Math.max(0, until - Math.round(tick)))} steps left` : "";
    return `${block === "air" ? "hole" : plain(block)} at y ${y}${built ? ", built" : ""}${left}`;
  });
}

function fillWords(fill, marks, place, tick) {
  const start = startOf(fill, marks);
  const arrival = start ? arrivalAt(fill, start.tick, place) : null;
  return arrival !== null && arrival > tick
    ? [`${plain(fill.block)} arrives in ${Math.ceil((arrival - tick) / TICKS_PER_STEP)} steps`]
    : [];
}

/**
 * The rows of the table beside the map: what, where, how it is, what it does.
 * @param {any} scene of the map
 * @returns {string[][]}
 */
export function rowsOf(scene) {
  const { world, tick, folds, fills, marks, checkpoints } = scene;
  const at = (body) => placeText(placeOf(body, tick));
  return [
    ...[...world.agents.values()].map((agent) => [
      agent.name,
      at(agent),
      agent.alive
        ? `${round(agent.health)} of ${agent.maxHealth} HP; holds ${agent.held ? plain(agent.held) : "nothing"}; carries ${itemsText(agent.inventory)}`
        : "dead",
      agent.alive ? doingText(folds, agent.name, tick) : "",
    ]),
    ...[...world.mobs.values()].map((mob) => [
      `${plain(mob.entity)}${mob.role === "boss" ? " (boss)" : ""}`,
      at(mob),
      `${round(mob.health)} of ${mob.maxHealth} HP`,
      "",
    ]),
    ...[...world.chests.values()].map(({ position, items }) => [
      "chest",
      placeText(position),
      storeText(items, checkpoints),
      "",
    ]),
    ...fills.map((fill) => [
      fill.event,
      "",
      crisisText(fill, startOf(fill, marks), tick),
      `moves ${fill.direction}`,
    ]),
    ...blockRows(world, tick),
  ];
}

/** Blocks by kind: how many, and when the next of them vanishes. */
function blockRows(world, tick) {
  const kinds = new Map();
  for (const column of world.columns.values()) {
    for (const { block, until } of column) {
      const kind = kinds.get(block) ?? { count: 0, next: Number.POSITIVE_INFINITY };
      kind.count += 1;
      kind.next = Math.min(kind.next, until ?? Number.POSITIVE_INFINITY);
      kinds.set(block, kind);
    }
  }
  kinds.delete("air");
  return [...kinds].map(([block, { count, next }]) => {
    const left = Number.isFinite(next)
      ? `the next vanishes in ${steps(Math.max(0, next - Math.round(tick)))} steps`
      : "";
    return [plain(block), "", `${count} blocks`, left];
  });
}

/** An action under way, in words. */
export function actionWords(running) {
  return running ? actionText(running.do, running.with) : "";
}

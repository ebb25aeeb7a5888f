/** The kinds of events that one may want to jump to. Pure. */

import { eventsUpTo } from "../world/history.js";

/** Name for people → whether an event is of that kind. @type {Record<string, (event: any) => boolean>} */
export const KINDS = {
  "any event": () => true,
  "environment event": ({ type }) => type === "event_fired",
  decision: ({ type }) => type === "inference_ended" || type === "plan_set",
  message: ({ type }) => type === "message_sent",
  "failed action": ({ type, payload }) => type === "action_ended" && payload.outcome !== "ok",
  "chest change": ({ type }) => type === "chest_changed",
  checkpoint: ({ type }) => type === "checkpoint_changed",
  "injury of an agent": ({ type, payload }) => type === "agent_health_changed" && payload.delta < 0,
  death: ({ type }) => type === "agent_died" || type === "mob_died",
};

/**
 * The nearest event of a kind after or before a moment.
 * @param {import("../live/socket.js").LogEvent[]} events in order
 * @param {string} kind a key of `KINDS`
 * @param {number} tick
 * @param {1 | -1} direction
 * @returns {import("../live/socket.js").LogEvent | null} the first of its tick
 */
export function nearestOf(events, kind, tick, direction) {
  const fits = KINDS[kind];
  if (direction > 0) {
    const found = events.slice(eventsUpTo(events, tick)).find(fits);
    return found ?? null;
  }
  for (let i = eventsUpTo(events, Math.ceil(tick) - 1) - 1; i >= 0; i -= 1) {
    if (fits(events[i])) {
      return firstOfTick(events, i, fits);
    }
  }
  return null;
}

function firstOfTick(events, last, fits) {
  let found = events[last];
  for (let i = last - 1; i >= 0 && events[i].world_time === found.world_time; i -= 1) {
    found = fits(events[i]) ? events[i] : found;
  }
  return found;
}

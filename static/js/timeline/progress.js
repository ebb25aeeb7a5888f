/** The checkpoints' rows of the timeline. */

import { completion, haveAt } from "../live/folds.js";
import { toX } from "./scale.js";

/**
 * Draw how far each checkpoint was when.
 * @param {CanvasRenderingContext2D} context
 * @param {import("./draw.js").Scene} scene
 */
export function drawProgress(context, scene) {
  const { folds, layout, view, now, colour } = scene;
  const end = toX(view, Math.min(now, view.end), layout.left, layout.width);
  progressRows(folds, layout).forEach(({ history }, i) => {
    const row = layout.checkpoints[i];
    const [top, height] = [row.top + row.caption, row.height - row.caption];
    context.fillStyle = colour("idle");
    context.fillRect(layout.left, top + height - 1, layout.width, 1);
    context.fillStyle = colour("good");
    history.forEach(({ tick, share }, j) => {
      const x = Math.round(Math.max(layout.left, toX(view, tick, layout.left, layout.width)));
      const until = history[j + 1];
      const next = Math.round(until ? Math.min(end, toX(view, until.tick, layout.left, layout.width)) : end);
      if (next > x && share > 0) {
        context.fillRect(x, top + height * (1 - share), next - x, height * share);
      }
    });
  });
}

/**
 * What the checkpoint rows show: each checkpoint, or the mean of all when they are many.
 * @param {import("../live/folds.js").Folds} folds
 * @param {import("./layout.js").Layout} layout
 * @param {number} [tick] moment of the text; the last one unless given
 * @returns {{text: string, history: {tick: number, share: number}[]}[]}
 */
export function progressRows(folds, layout, tick = Number.POSITIVE_INFINITY) {
  const all = [...folds.checkpoints.values()];
  if (all.length === layout.checkpoints.length) {
    return all.map((one) => ({
      text: `${one.name} ${Number(haveAt(one, tick).toFixed(1))}/${Number(one.need.toFixed(1))}`,
      history: one.history.map((entry) => ({ tick: entry.tick, share: completion(entry.have, one.need) })),
    }));
  }
  const share = all.reduce((sum, one) => sum + completion(haveAt(one, tick), one.need), 0) / all.length;
  return [{ text: `${all.length} checkpoints ${Math.round(share * 100)} %`, history: meanHistory(all) }];
}

/**
 * The mean completion of checkpoints over time.
 * @param {import("../live/folds.js").Progress[]} all
 * @returns {{tick: number, share: number}[]} a point for each change of one of them, in order of time
 */
export function meanHistory(all) {
  const changes = all.flatMap(({ need, history }, which) =>
    history.map((entry) => ({ which, tick: entry.tick, share: completion(entry.have, need) })),
  );
  changes.sort((a, b) => a.tick - b.tick);
  const current = all.map(() => 0);
  let sum = 0;
  return changes.map(({ which, tick, share }) => {
    sum += share - current[which];
    current[which] = share;
    return { tick, share: sum / all.length };
  });
}

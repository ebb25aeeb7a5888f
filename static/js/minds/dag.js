/** Lays a plan out as a graph: each step to the right of those that it comes after. Pure. */

/**
 * @typedef {{id: string, after: string[]}} Step
 * @typedef {{id: string, column: number, row: number}} Node
 */

/**
 * Column and row of every step.
 * @param {Step[]} steps
 * @returns {{nodes: Node[], edges: [string, string][], columns: number, rows: number}}
 */
export function layOutPlan(steps) {
  const known = new Map(steps.map((step) => [step.id, step]));
  const depths = new Map();
  const depth = (id, above = []) => {
    if (!depths.has(id)) {
      const before = known.get(id).after.filter((one) => known.has(one) && !above.includes(one));
      depths.set(id, Math.max(-1, ...before.map((one) => depth(one, [...above, id]))) + 1);
    }
    return depths.get(id);
  };
  const heights = [];
  const nodes = steps.map(({ id }) => {
    const column = depth(id);
    heights[column] = (heights[column] ?? 0) + 1;
    return { id, column, row: heights[column] - 1 };
  });
  const edges = steps.flatMap(({ id, after }) =>
    after.filter((one) => known.has(one)).map((one) => [one, id]),
  );
  return { nodes, edges, columns: heights.length, rows: Math.max(0, ...heights) };
}

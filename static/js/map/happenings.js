/** What the environment does, in words. Pure. */

const plain = (name) => name.replaceAll("_", " ");
const some = (count, name) => `${count} × ${plain(name)}`;
const verb = (count, one, many) => (count === 1 ? one : many);

/** What a firing does, by its action; messages and regions have words of their own. */
const FIRED = {
  spawn_blocks: appears,
  spawn_entities: appears,
  progressive_fill: ({ subject }) => `${plain(subject)} sets out`,
  set_blocks: ({ done, subject }) =>
    `${done} ${verb(done, "block becomes", "blocks become")} ${plain(subject)}`,
  remove_blocks: ({ done, subject }) => `${some(done, subject)} ${verb(done, "vanishes", "vanish")}`,
  despawn_entities: ({ done, subject }) => `${some(done, subject)} ${verb(done, "leaves", "leave")}`,
  apply_effect: ({ subject }) => `the effect ${plain(subject)} is given`,
  damage: ({ subject }) => `${subject} HP of damage are dealt`,
  message: () => null,
  set_region: () => null,
};

function appears({ done, wanted, subject }) {
  const short = done < wanted ? `, with no room for ${wanted - done} more` : "";
  return `${some(done, subject)} ${verb(done, "appears", "appear")}${short}`;
}

function ofFiring(change) {
  const words = FIRED[change.action];
  return words ? words(change) : `${plain(change.action)} ${plain(change.subject)}`;
}

function size([minX, minY, minZ, maxX, maxY, maxZ]) {
  return (maxX - minX + 1) * (maxY - minY + 1) * (maxZ - minZ + 1);
}

function ofBlocks({ cause, block, boxes, event }, firing) {
  const count = boxes.reduce((sum, box) => sum + size(box), 0);
  if (cause === "lifetime") {
    return `${count} ${verb(count, "block vanishes", "blocks vanish")}`;
  }
  if (cause === "fire") {
    return `${count} ${verb(count, "block burns", "blocks burn")}`;
  }
  return firing.has(event) ? null : `${plain(block)} spreads`;
}

function ofMob({ cause }) {
  return cause === "lifetime" ? "a mob’s time is over" : null;
}

function wordsOf(change, firing) {
  switch (change.kind) {
    case "fired":
      return ofFiring(change);
    case "blocks":
      return ofBlocks(change, firing);
    case "gone":
      return ofMob(change);
    case "region":
      return `region ${change.id} is ${change.active ? "on" : "off"}`;
    case "message":
      return `“${change.text}”`;
    default:
      return null;
  }
}

/**
 * What happens at one step, as one line.
 * @param {any[]} changes all of one step
 * @returns {string} for example `gold: 5 × gold ore appear; timber: 5 blocks vanish`
 */
export function happening(changes) {
  const firing = new Set(changes.filter(({ kind }) => kind === "fired").map(({ event }) => event));
  const lines = changes.map((change) => {
    const words = wordsOf(change, firing);
    return words && (change.event ? `${change.event}: ${words}` : words);
  });
  return [...new Set(lines.filter(Boolean))].join("; ");
}

/**
 * What happened last, when, and when something happens next.
 * @param {any[]} changes all, in order of steps
 * @returns {(step: number) => string}
 */
export function narrator(changes) {
  const told = [];
  for (const [step, group] of Map.groupBy(changes, (change) => change.step)) {
    const words = happening(group);
    if (words) {
      told.push({ step, words });
    }
  }
  return (step) => {
    const last = told.findLast((one) => one.step <= step);
    const next = told.find((one) => one.step > step);
    const parts = [
      last ? `Step ${last.step}: ${last.words}.` : "Nothing has happened yet.",
      next ? `Next at step ${next.step}.` : "Nothing more happens by itself.",
    ];
    return parts.join(" ");
  };
}

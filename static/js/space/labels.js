/** Which names are written where they would lie over one another: the chosen agent's, then the nearest. */

/**
 * @typedef {object} Box of a label on the screen, in pixels
 * @property {number} x of its middle
 * @property {number} y of its lower edge
 * @property {number} width
 * @property {number} height
 * @property {number} depth how far away, in any unit
 * @property {boolean} chosen comes before all others
 */

/**
 * The labels that can stand without lying over one another. Pure.
 * @template {Box} B
 * @param {B[]} boxes
 * @returns {Set<B>}
 */
export function standing(boxes) {
  /** @type {Set<B>} */
  const kept = new Set();
  const order = boxes.toSorted((a, b) => Number(b.chosen) - Number(a.chosen) || a.depth - b.depth);
  for (const box of order) {
    if (![...kept].some((other) => overlap(box, other))) {
      kept.add(box);
    }
  }
  return kept;
}

function overlap(a, b) {
  const isBeside = Math.abs(a.x - b.x) * 2 >= a.width + b.width;
  return !isBeside && a.y > b.y - b.height && b.y > a.y - a.height;
}

/**
 * Show the labels of bodies that can stand, and hide the others.
 * @param {Iterable<any>} groups whose children may be labels, which say in `userData.share` how much of their width
 *   and height is written on
 * @param {any} camera as it looks now
 * @param {{width: number, height: number}} size of the picture, in pixels
 */
export function thinOut(groups, camera, { width, height }) {
  camera.updateMatrixWorld();
  const unit = height / (2 * Math.tan((camera.fov * Math.PI) / 360)); // pixels, one unit away from the camera
  const boxes = [];
  for (const { children, userData } of groups) {
    for (const label of children.filter((child) => child.userData.share)) {
      const { x, y, z } = label.getWorldPosition(label.position.clone()).project(camera);
      const [across, up] = label.userData.share;
      boxes.push({
        label,
        x: ((x + 1) / 2) * width,
        y: ((1 - y) / 2) * height,
        width: label.scale.x * unit * across,
        height: label.scale.y * unit * up,
        depth: z,
        chosen: Boolean(userData.chosen),
      });
    }
  }
  const kept = standing(boxes.filter(({ depth }) => depth < 1));
  for (const box of boxes) {
    box.label.visible = kept.has(box);
  }
}

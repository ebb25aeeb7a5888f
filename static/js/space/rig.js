/** The camera: looks at a target from a direction and a distance; flying moves the target. Pure. */

const STEEPEST = Math.PI / 2 - 0.05;
const [NEAREST, FARTHEST] = [3, 400];

/** Angles in radians, lengths in blocks; y is up and 0 on the ground's surface. */
export class Rig {
  constructor() {
    /** @type {[number, number, number]} */
    this.target = [0, 0, 0];
    this.yaw = 0;
    this.pitch = 0.9;
    this.distance = 60;
  }

  /**
   * See all of an area from the south.
   * @param {{min: number[], max: number[]}} bounds `[x, z]`
   */
  frame({ min, max }) {
    this.target = [(min[0] + max[0]) / 2, 0, (min[1] + max[1]) / 2];
    this.yaw = 0;
    this.pitch = 0.9;
    this.distance = clamp(Math.max(max[0] - min[0], 1.4 * (max[1] - min[1])) * 0.85, 12, FARTHEST);
  }

  /** Go round the target. */
  turn(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = clamp(this.pitch + pitch, 0.05, STEEPEST);
  }

  /** Come nearer by a factor above 1, or go away by one below. */
  zoom(factor) {
    this.distance = clamp(this.distance / factor, NEAREST, FARTHEST);
  }

  /**
   * Fly, as one looks.
   * @param {number} ahead blocks
   * @param {number} right blocks
   * @param {number} up blocks
   */
  fly(ahead, right, up) {
    const [sin, cos] = [Math.sin(this.yaw), Math.cos(this.yaw)];
    const [x, y, z] = this.target;
    this.target = [x - sin * ahead + cos * right, Math.max(0, y + up), z - cos * ahead - sin * right];
  }

  /** Where the camera stands. @returns {[number, number, number]} */
  eye() {
    const flat = Math.cos(this.pitch) * this.distance;
    const [x, y, z] = this.target;
    return [
      x + Math.sin(this.yaw) * flat,
      y + Math.sin(this.pitch) * this.distance,
      z + Math.cos(this.yaw) * flat,
    ];
  }
}

function clamp(value, least, most) {
  return Math.max(least, Math.min(most, value));
}

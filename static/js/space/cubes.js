/** Many cubes in one draw call; those that are removed make room for others. */

const FIRST = 1_024;

/** One instanced mesh that grows. */
export class Cubes {
  /**
   * @param {any} three the library
   * @param {any} parent what to put the mesh into
   * @param {any} material
   * @param {number} [side] of a cube; a little more than 1 covers another one
   */
  constructor(three, parent, material, side = 1) {
    this.three = three;
    this.parent = parent;
    this.material = material;
    this.geometry = new three.BoxGeometry(side, side, side);
    this.matrix = new three.Matrix4();
    this.colour = new three.Color();
    /** @type {Map<string, number>} slot by key */
    this.slots = new Map();
    /** @type {string[]} key by slot */
    this.keys = [];
    this.#allocate(FIRST);
  }

  /**
   * Put a cube somewhere, or change the one that is there.
   * @param {string} key
   * @param {[number, number, number]} centre
   * @param {string} colour
   * @param {number} height of the cube
   */
  set(key, [x, y, z], colour, height = 1) {
    let slot = this.slots.get(key);
    if (slot === undefined) {
      slot = this.keys.length;
      if (slot === this.mesh.instanceMatrix.count) {
        this.#allocate(slot * 2);
      }
      this.keys.push(key);
      this.slots.set(key, slot);
    }
    this.matrix.makeScale(1, height, 1).setPosition(x, y, z);
    this.mesh.setMatrixAt(slot, this.matrix);
    this.mesh.setColorAt(slot, this.colour.set(colour));
    this.#changed();
  }

  /** Take a cube away: the last one moves into its slot. */
  remove(key) {
    const slot = this.slots.get(key);
    if (slot === undefined) {
      return;
    }
    const last = this.keys.pop();
    this.slots.delete(key);
    if (last !== key) {
      const from = this.keys.length;
      this.mesh.getMatrixAt(from, this.matrix);
      this.mesh.getColorAt(from, this.colour);
      this.mesh.setMatrixAt(slot, this.matrix);
      this.mesh.setColorAt(slot, this.colour);
      this.keys[slot] = last;
      this.slots.set(last, slot);
    }
    this.#changed();
  }

  #changed() {
    this.mesh.count = this.keys.length;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor.needsUpdate = true;
  }

  #allocate(capacity) {
    const { InstancedMesh, InstancedBufferAttribute } = this.three;
    const before = this.mesh;
    const mesh = new InstancedMesh(this.geometry, this.material, capacity);
    mesh.frustumCulled = false; // its bounds would have to be computed again with each cube
    mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(capacity * 3), 3);
    if (before) {
      mesh.instanceMatrix.array.set(before.instanceMatrix.array);
      mesh.instanceColor.array.set(before.instanceColor.array);
      this.parent.remove(before);
      before.dispose();
    }
    mesh.count = this.keys.length;
    this.mesh = mesh;
    this.parent.add(mesh);
  }
}

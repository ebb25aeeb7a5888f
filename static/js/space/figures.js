/** Agents, mobs and drops as simple bodies with their names above them. */

const LABEL = { width: 256, height: 48 };

/** Makes bodies and labels; the library is given, since it is loaded late. */
export class Figures {
  /**
   * @param {any} three the library
   * @param {(name: string) => string} colour of the page's palette
   */
  constructor(three, colour) {
    this.three = three;
    this.colour = colour;
  }

  /**
   * Somebody with a body and a head, standing on the origin and facing south.
   * @param {string} name
   * @param {string} colour
   * @param {number} size 1 for an agent
   */
  body(name, colour, size = 1) {
    const { Group } = this.three;
    const group = new Group();
    const figure = new Group();
    figure.add(this.#box(0.55, 1.2, 0.35, 0, 0.6, 0, colour));
    figure.add(this.#box(0.45, 0.45, 0.45, 0, 1.45, 0, colour));
    figure.add(this.#box(0.16, 0.12, 0.2, 0, 1.45, 0.3, "#ffffff")); // shows where it looks
    figure.scale.setScalar(size);
    const label = this.#label(name);
    label.position.y = 2.6 * size;
    const health = this.#health(size);
    group.add(figure, label, health.back, health.left);
    return { group, figure, health: health.left };
  }

  /** A box on the ground. */
  block(side, colour) {
    return this.#box(side, side, side, 0, side / 2, 0, colour);
  }

  /** A ring on the ground, one block in radius. */
  ring(colour) {
    const { Mesh, RingGeometry, MeshBasicMaterial, DoubleSide } = this.three;
    const ring = new Mesh(
      new RingGeometry(0.985, 1, 96),
      new MeshBasicMaterial({ color: colour, side: DoubleSide }),
    );
    ring.rotation.x = -Math.PI / 2;
    ring.position.y = 0.05;
    return ring;
  }

  #box(width, height, depth, x, y, z, colour) {
    const { Mesh, BoxGeometry, MeshLambertMaterial } = this.three;
    const box = new Mesh(new BoxGeometry(width, height, depth), new MeshLambertMaterial({ color: colour }));
    box.position.set(x, y, z);
    return box;
  }

  #health(size) {
    const { Sprite, SpriteMaterial } = this.three;
    const bar = (colour) => {
      const sprite = new Sprite(new SpriteMaterial({ color: colour }));
      sprite.center.set(0, 0.5);
      sprite.position.set(0, 2.1 * size, 0);
      sprite.scale.set(1.2, 0.12, 1);
      return sprite;
    };
    return { back: bar("#666666"), left: bar(this.colour("good")) };
  }

  #label(text) {
    const { CanvasTexture, Sprite, SpriteMaterial } = this.three;
    const canvas = document.createElement("canvas");
    Object.assign(canvas, LABEL);
    const ink = canvas.getContext("2d");
    ink.font = "600 28px system-ui, sans-serif";
    ink.textAlign = "center";
    ink.textBaseline = "middle";
    ink.lineWidth = 6;
    ink.strokeStyle = "#000000";
    ink.fillStyle = "#ffffff";
    ink.strokeText(text, LABEL.width / 2, LABEL.height / 2, LABEL.width - 8);
    ink.fillText(text, LABEL.width / 2, LABEL.height / 2, LABEL.width - 8);
    // Of the same size however far away, so that names can be read in the overview.
    const look = { map: new CanvasTexture(canvas), depthTest: false, sizeAttenuation: false };
    const sprite = new Sprite(new SpriteMaterial(look));
    sprite.center.set(0.5, 0);
    sprite.scale.set(0.24, 0.045, 1);
    return sprite;
  }
}

/** Agents, mobs, chests and drops as simple bodies with their names above them. */

import { blockColour } from "../map/blocks.js";

const LABEL = { width: 256, height: 48 };
const LETTERS = 28; // their size on a label
const BAR = 1.2; // blocks
const WOOD = "#6b4a2b";
/** Colours of what tools are made of, by the beginning of their names. */
const TIERS = {
  wooden: "#b58f56",
  stone: "#8a8a8a",
  iron: "#e0e0e0",
  golden: "#f2c230",
  diamond: "#4ed6d0",
  netherite: "#4a3f45",
};
/** Boxes of a tool's head, by the end of its name: width, height, depth, and how far forward. */
const HEADS = {
  pickaxe: [0.1, 0.5, 0.1, 0.65],
  axe: [0.1, 0.35, 0.22, 0.6],
  shovel: [0.16, 0.1, 0.24, 0.7],
  hoe: [0.1, 0.28, 0.1, 0.65],
  sword: [0.08, 0.14, 0.7, 0.5],
};
const LOW = 0.3; // share of health below which its bar is red, as on the map

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
   * @param {object} [look]
   * @param {number} [look.size] 1 for an agent
   * @param {string} [look.held] name of the item in its hand
   * @param {number} [look.opacity] below 1 for what is only remembered
   */
  body(name, colour, { size = 1, held = "", opacity = 1 } = {}) {
    const { Group } = this.three;
    const group = new Group();
    const figure = new Group();
    figure.add(this.#box(0.55, 1.2, 0.35, 0, 0.6, 0, colour));
    figure.add(this.#box(0.45, 0.45, 0.45, 0, 1.45, 0, colour));
    figure.add(this.#box(0.16, 0.12, 0.2, 0, 1.45, 0.3, "#ffffff")); // shows where it looks
    if (held) {
      figure.add(this.tool(held));
    }
    if (opacity < 1) {
      figure.traverse(({ material }) => material?.setValues({ transparent: true, opacity }));
    }
    figure.scale.setScalar(size);
    const label = this.#label(name);
    label.position.y = 2.6 * size;
    const health = this.#health(size);
    group.add(figure, label);
    if (opacity === 1) {
      group.add(health.back, health.left); // how those are who are only remembered, nobody knows
    }
    return { group, figure, health: health.left };
  }

  /** Show how much health is left. */
  heal({ health }, share) {
    const left = Math.max(0.001, share);
    health.scale.x = BAR * left;
    health.center.x = 0.5 / left; // its left end stays where the whole bar's is
    health.material.color.set(this.colour(share > LOW ? "good" : "bad"));
  }

  /**
   * What somebody holds, in the right hand of a body that faces south.
   * @param {string} item
   */
  tool(item) {
    const { Group } = this.three;
    const hand = new Group();
    hand.position.set(-0.4, 0.75, 0.2);
    const parts = item.split("_");
    const head = Object.hasOwn(HEADS, parts.at(-1)) ? HEADS[parts.at(-1)] : null;
    if (head) {
      const colour = Object.hasOwn(TIERS, parts[0]) ? TIERS[parts[0]] : blockColour(item);
      const [width, height, depth, ahead] = head;
      hand.add(this.#box(0.07, 0.07, 0.7, 0, 0, 0.3, WOOD));
      hand.add(this.#box(width, height, depth, 0, 0, ahead, colour));
    } else {
      hand.add(this.#box(0.28, 0.28, 0.28, 0, 0, 0.15, blockColour(item)));
    }
    return hand;
  }

  /** A chest with what it holds written above it. */
  chest(text) {
    const { Group } = this.three;
    const group = new Group();
    const label = this.#label(text);
    label.position.y = 1.2;
    group.add(this.#box(0.9, 0.85, 0.9, 0, 0.425, 0, blockColour("chest")), label);
    return group;
  }

  /** Give back what something holds on the graphics card. */
  drop(object) {
    object.traverse(({ geometry, material }) => {
      material?.map?.dispose();
      material?.dispose();
      geometry?.dispose();
    });
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
      sprite.position.set(0, 2.1 * size, 0);
      sprite.scale.set(BAR, 0.12, 1);
      return sprite;
    };
    return { back: bar("#666666"), left: bar(this.colour("good")) };
  }

  #label(text) {
    const { CanvasTexture, Sprite, SpriteMaterial } = this.three;
    const canvas = document.createElement("canvas");
    Object.assign(canvas, LABEL);
    const ink = canvas.getContext("2d");
    ink.font = `600 ${LETTERS}px system-ui, sans-serif`;
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
    const written = Math.min(LABEL.width, ink.measureText(text).width + ink.lineWidth);
    sprite.userData.share = [written / LABEL.width, LETTERS / LABEL.height];
    return sprite;
  }
}

/** The world in three dimensions, brought in line with a moment part by part. */

import { blockColour } from "../map/blocks.js";
import { headingOn } from "../world/motion.js";
import { placeOf } from "../world/state.js";
import { Cubes } from "./cubes.js";
import { Figures } from "./figures.js";

const FLUIDS = new Set(["lava", "water"]);
const GROUND = 2_100;
const HOLE = "#1a1a1a";
const SKIES = { light: "#cfe3f2", dark: "#12161c" };

/** Holds the library's objects by what they stand for. */
export class Space {
  /**
   * @param {any} three the library
   * @param {(name: string) => string} colour of the page's palette
   */
  constructor(three, colour) {
    this.three = three;
    this.figures = new Figures(three, colour);
    this.colour = colour;
    this.scene = new three.Scene();
    this.solid = new Cubes(three, this.scene, new three.MeshLambertMaterial());
    this.fluid = new Cubes(
      three,
      this.scene,
      new three.MeshLambertMaterial({ transparent: true, opacity: 0.75 }),
    );
    /** @type {Map<number, readonly import("../world/columns.js").Placed[]>} what is shown, by column */
    this.columns = new Map();
    /** @type {Map<string, any>} by kind and name */
    this.bodies = new Map();
    this.#surround();
  }

  /** The sky by the page's theme. */
  dress(isDark) {
    this.scene.background = new this.three.Color(isDark ? SKIES.dark : SKIES.light);
  }

  /**
   * Show a moment.
   * @param {import("../map/live.js").Moment} moment
   */
  show(moment) {
    const { world } = moment;
    this.floor = world.groundY + 1;
    this.#showBlocks(world.columns);
    const wanted = new Set();
    const keep = (key, make) => {
      wanted.add(key);
      if (!this.bodies.has(key)) {
        const made = make();
        this.scene.add(made.group ?? made);
        this.bodies.set(key, made);
      }
      return this.bodies.get(key);
    };
    this.#showAgents(moment, keep);
    this.#showMobs(moment, keep);
    for (const { drop, item, cell } of world.drops.values()) {
      this.#put(
        keep(`drop ${drop}`, () => this.figures.block(0.3, blockColour(item))),
        cell,
      );
    }
    for (const key of [...this.bodies.keys()].filter((one) => !wanted.has(one))) {
      const body = this.bodies.get(key);
      this.scene.remove(body.group ?? body);
      this.bodies.delete(key);
    }
  }

  /** How many cubes are shown. */
  get blocks() {
    return this.solid.keys.length + this.fluid.keys.length;
  }

  /** A place of the world as the scene has it. @param {number[]} place */
  at([x, y, z]) {
    return [x, y - this.floor, z];
  }

  #surround() {
    const { HemisphereLight, DirectionalLight, Mesh, PlaneGeometry, MeshLambertMaterial, GridHelper } =
      this.three;
    const sun = new DirectionalLight("#ffffff", 1.6);
    sun.position.set(0.5, 1, 0.3);
    const ground = new Mesh(
      new PlaneGeometry(GROUND, GROUND),
      new MeshLambertMaterial({ color: blockColour("grass_block") }),
    );
    ground.rotation.x = -Math.PI / 2;
    ground.position.y = -0.02;
    const grid = new GridHelper(400, 40, "#446633", "#5c8440");
    grid.position.set(0.5, 0, 0.5);
    this.scene.add(new HemisphereLight("#ffffff", "#557744", 1.6), sun, ground, grid);
  }

  #showBlocks(columns) {
    for (const [key, column] of columns) {
      if (this.columns.get(key) !== column) {
        this.#showColumn(key, column);
      }
    }
    if (this.columns.size > columns.size) {
      for (const key of [...this.columns.keys()].filter((one) => !columns.has(one))) {
        this.#showColumn(key, []);
      }
    }
  }

  #showColumn(key, column) {
    for (const { x, y, z } of this.columns.get(key) ?? []) {
      this.solid.remove(`${x},${y},${z}`);
      this.fluid.remove(`${x},${y},${z}`);
    }
    for (const { x, y, z, block } of column) {
      const [, height] = this.at([x, y, z]);
      if (block === "air") {
        this.solid.set(`${x},${y},${z}`, [x, 0.01, z], HOLE, 0.02);
      } else {
        const cubes = FLUIDS.has(block) ? this.fluid : this.solid;
        cubes.set(`${x},${y},${z}`, [x, height + 0.5, z], blockColour(block));
      }
    }
    if (column.length > 0) {
      this.columns.set(key, column);
    } else {
      this.columns.delete(key);
    }
  }

  #showAgents({ world, tick, selected }, keep) {
    for (const agent of world.agents.values()) {
      const make = () => this.figures.body(agent.name, this.colour("accent"));
      const body = keep(`agent ${agent.name}`, make);
      this.#pose(body, agent, tick);
      body.figure.rotation.z = agent.alive ? 0 : Math.PI / 2; // the dead lie
      if (agent.name === selected && agent.alive) {
        const ring = keep("sight", () => this.figures.ring(this.colour("accent")));
        const [x, , z] = placeOf(agent, tick);
        ring.position.set(x, 0.05, z);
        ring.scale.setScalar(agent.range);
      }
    }
  }

  #showMobs({ world, tick }, keep) {
    for (const mob of world.mobs.values()) {
      const size = mob.role === "boss" ? 1.7 : 1;
      const make = () => this.figures.body(mob.entity.replaceAll("_", " "), this.colour("bad"), size);
      this.#pose(keep(`mob ${mob.mob}`, make), mob, tick);
    }
  }

  #pose({ group, figure, health }, body, tick) {
    this.#put(group, placeOf(body, tick));
    if (body.way) {
      const [dx, dz] = headingOn(body.way, tick);
      figure.rotation.y = Math.atan2(dx, dz);
    }
    health.scale.x = Math.max(0.001, 1.2 * Math.min(1, body.health / body.maxHealth));
  }

  #put(object, place) {
    const [x, y, z] = this.at(place);
    object.position.set(x, object.isMesh ? y + object.geometry.parameters.height / 2 : y, z);
  }
}

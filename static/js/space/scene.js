/** The world in three dimensions, brought in line with a moment part by part. */

import { steps } from "../live/words.js";
import { blockColour } from "../map/blocks.js";
import { storeText } from "../map/figures.js";
import { headingOn } from "../world/motion.js";
import { placeOf } from "../world/state.js";
import { Cubes } from "./cubes.js";
import { Figures } from "./figures.js";
import { Recall } from "./recall.js";
import { Sight } from "./sight.js";

const FLUIDS = new Set(["lava", "water"]);
const GROUND = 2_100;
const HOLE = "#1a1a1a";
const SKIES = { light: "#cfe3f2", dark: "#12161c" };
const DARK = { light: "#5f6b75", dark: "#0b0d10" };
const REMEMBERED = 0.55;
const OVER = 1.02; // what is remembered lies over what is there

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
    this.sight = new Sight(three);
    const cubes = (look, side) => new Cubes(three, this.scene, new three.MeshLambertMaterial(look), side);
    this.solid = cubes({});
    this.fluid = cubes({ transparent: true, opacity: 0.75 });
    this.recall = new Recall(cubes({ transparent: true, opacity: REMEMBERED }, OVER));
    this.sight.limit(this.solid.material);
    this.sight.limit(this.fluid.material);
    /** @type {Map<number, readonly import("../world/columns.js").Placed[]>} what is shown, by column */
    this.columns = new Map();
    /** @type {Map<string, any>} by kind and name */
    this.bodies = new Map();
    this.#surround();
  }

  /** The sky by the page's theme. */
  dress(isDark) {
    this.scene.background = new this.three.Color(isDark ? SKIES.dark : SKIES.light);
    this.sight.dress(isDark ? DARK.dark : DARK.light);
  }

  /**
   * Show a moment.
   * @param {import("../map/live.js").Moment} moment
   */
  show(moment) {
    const { world } = moment;
    this.floor = world.groundY + 1;
    this.#showBlocks(world.columns);
    this.#showSight(moment);
    this.recall.show(moment.mind, moment.tick, this.floor);
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
    this.#showGhosts(moment, keep);
    this.#showChests(moment, keep);
    for (const { drop, item, cell } of world.drops.values()) {
      this.#put(
        keep(`drop ${drop}`, () => this.figures.block(0.3, blockColour(item))),
        cell,
      );
    }
    for (const key of [...this.bodies.keys()].filter((one) => !wanted.has(one))) {
      const body = this.bodies.get(key);
      this.scene.remove(body.group ?? body);
      this.figures.drop(body.group ?? body);
      this.bodies.delete(key);
    }
  }

  /** How many cubes are shown. */
  get blocks() {
    return this.solid.keys.length + this.fluid.keys.length;
  }

  /** What stands in the world under a name. */
  get groups() {
    return [...this.bodies.values()].map((body) => body.group ?? body);
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
    this.sight.limit(ground.material);
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

  #showSight({ mind, tick }) {
    const eye = ([x, y, z]) => [x, y + 0.5, z];
    const eyes = mind?.eyes(tick).map(({ place, range }) => ({ place: eye(this.at(place)), range }));
    this.sight.show(eyes ?? null);
  }

  /** Whether a body is to be seen: everything is, unless one looks with somebody's eyes. */
  #isSeen({ mind, tick }, body, name) {
    return !mind || mind.observers.includes(name) || mind.sees(placeOf(body, tick), tick);
  }

  /** Those who are out of sight, where they were last seen. */
  #showGhosts({ mind, tick }, keep) {
    const agents = [...(mind?.agents ?? [])].map(([name, seen]) => ({ ...seen, name }));
    const mobs = [...(mind?.mobs.values() ?? [])];
    for (const { name, entity, position, tick: at } of [...agents, ...mobs]) {
      if (!mind.sees(position, tick)) {
        const text = `${(name ?? entity).replaceAll("_", " ")}, step ${steps(at)}`;
        const colour = this.colour(entity ? "bad" : "accent");
        const make = () => this.figures.body(text, colour, { opacity: 0.35 });
        const ghost = keep(`ghost ${text} ${position.join()}`, make);
        this.#put(ghost.group, position);
      }
    }
  }

  #showChests({ world, mind, folds }, keep) {
    for (const { position, items } of world.chests.values()) {
      const text = storeText(mind?.chests.get(position.join())?.items ?? items, folds.checkpoints);
      this.#put(
        keep(`chest ${position.join()} ${text}`, () => this.figures.chest(text)),
        position,
      );
    }
  }

  #showAgents(moment, keep) {
    const { world, tick, selected } = moment;
    for (const agent of [...world.agents.values()].filter((one) => this.#isSeen(moment, one, one.name))) {
      const held = (agent.alive && agent.held) || "";
      const text = held ? `${agent.name} · ${held.replaceAll("_", " ")}` : agent.name;
      const make = () => this.figures.body(text, this.colour("accent"), { held });
      const body = keep(`agent ${text}`, make);
      this.#pose(body, agent, tick);
      body.group.userData.chosen = agent.name === selected;
      body.figure.rotation.z = agent.alive ? 0 : Math.PI / 2; // the dead lie
      if (agent.name === selected && agent.alive) {
        const ring = keep("sight", () => this.figures.ring(this.colour("accent")));
        const [x, , z] = placeOf(agent, tick);
        ring.position.set(x, 0.05, z);
        ring.scale.setScalar(agent.range);
      }
    }
  }

  #showMobs(moment, keep) {
    const { world, tick } = moment;
    for (const mob of [...world.mobs.values()].filter((one) => this.#isSeen(moment, one))) {
      const size = mob.role === "boss" ? 1.7 : 1;
      const make = () => this.figures.body(mob.entity.replaceAll("_", " "), this.colour("bad"), { size });
      this.#pose(keep(`mob ${mob.mob}`, make), mob, tick);
    }
  }

  #pose(shown, body, tick) {
    this.#put(shown.group, placeOf(body, tick));
    if (body.way) {
      const [dx, dz] = headingOn(body.way, tick);
      shown.figure.rotation.y = Math.atan2(dx, dz);
    }
    this.figures.heal(shown, Math.min(1, body.health / body.maxHealth));
  }

  #put(object, place) {
    const [x, y, z] = this.at(place);
    object.position.set(x, object.isMesh ? y + object.geometry.parameters.height / 2 : y, z);
  }
}

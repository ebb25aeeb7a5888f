// One bot of the fleet: what it perceives, what it carries, and what it reports.
const { FACES, cornerOf, distance, key, toCellSpace } = require("../shared/geometry.js");
const { GROUND } = require("../shared/ground.js");
const { modified, paceOf } = require("../shared/attributes.js");
const { findWay } = require("../shared/paths.js");
const { wordsOf } = require("../shared/chat.js");
const { Run } = require("./run.js");
const makeItems = require("../shared/items.js");
const { mendOres } = require("../shared/ores.js");

const FIRST_SLOT = 9;
const LAST_SLOT = 45;
const DOING_MS = 1500; // until the server's answer to what a bot does must have come

class Unit {
  constructor(bot, spec, config, emit, notes) {
    Object.assign(this, { bot, spec, config, emit, notes, name: spec.name });
    mendOres(bot.registry);
    this.items = makeItems(bot.registry);
    this.run = null;
    this.walk = null;
    this.blow = null; // the last mob hit, and when
    this.work = null; // the cell last clicked or dug, and until when
    this.chest = null; // the one that is open: its cell, its window, and what has been moved
    this.held = spec.inventory[0]?.name ?? null;
    this.counts = Object.fromEntries(spec.inventory.map((stack) => [stack.name, stack.count]));
    this.isSolid = this.isSolid.bind(this);
    this.listen();
  }

  listen() {
    const { bot } = this;
    bot.on("error", () => {});
    bot._client.on("entity_update_attributes", (packet) => this.takeAttributes(packet));
    bot._client.on("update_health", () => {
      const note = this.notes.heard(this.name);
      if (note) this.emit("agent_health_changed", note);
    });
    bot.on("death", () => this.die());
    let kick = null;
    bot.once("kicked", (reason) => {
      kick = `it was turned out: ${wordsOf(reason)}`;
    });
    bot.once("end", (reason) => this.emit("bot_lost", { agent: this.name, reason: kick ?? String(reason) }));
  }

  /** Protocol 1.19 names attributes `name`, Mineflayer reads `key`: the pace must be set on the bot by hand. */
  takeAttributes({ entityId, properties }) {
    if (entityId !== this.bot.entity.id) return;
    for (const property of properties) {
      if ((property.key ?? property.name).endsWith("movement_speed")) {
        const { physics, entity } = this.bot;
        const value = modified(property);
        entity.attributes = {
          ...entity.attributes,
          [physics.movementSpeedAttribute]: { value, modifiers: [] },
        };
        this.pace = paceOf(value);
      }
    }
  }

  get position() {
    return toCellSpace(this.bot.entity.position);
  }

  /** Blocks a second as things are; effects are in the pace that the server has set. */
  get speed() {
    return Math.max(0.05, this.pace ?? this.spec.speed_bps);
  }

  block(cell) {
    return this.bot.blockAt(cornerOf(cell), false)?.name ?? "air";
  }

  /** What has not been loaded yet is taken for flat ground, which is what the world is made of. */
  isSolid(x, y, z) {
    const corner = cornerOf([x, y, z]);
    if (!this.bot.world.getColumn(corner.x >> 4, corner.z >> 4)) return y in GROUND;
    const state = this.bot.world.getBlockStateId(corner);
    return this.bot.registry.blocksByStateId[state ?? 0]?.boundingBox === "block";
  }

  perceives(position) {
    return distance(this.position, position) <= this.spec.perception_range;
  }

  way(target, reach) {
    return findWay(this.isSolid, this.position, target, reach);
  }

  /** Mobs in sight, nearest first, as the server's packets have shown them. */
  mobs() {
    const seen = Object.values(this.bot.entities)
      .filter(
        (entity) =>
          entity.isValid && entity !== this.bot.entity && entity.type !== "player" && entity.name !== "item",
      )
      .map((entity) => ({ entity, away: distance(this.position, toCellSpace(entity.position)) }))
      .filter(({ away }) => away <= this.spec.perception_range);
    return seen.sort((a, b) => a.away - b.away || a.entity.id - b.entity.id).map(({ entity }) => entity);
  }

  // --- what it carries

  slots() {
    return this.bot.inventory.slots.slice(FIRST_SLOT, LAST_SLOT).filter(Boolean);
  }

  carried(name) {
    return this.slots().find((item) => this.items.nameOf(item) === name) ?? null;
  }

  count(name) {
    return this.items.tally(this.slots())[name] ?? 0;
  }

  room(name) {
    return this.items.room(this.bot.inventory.slots.slice(FIRST_SLOT, LAST_SLOT), name);
  }

  /** Note that what changes in this cell, from now for so long, is this bot's doing. */
  workOn(cell, ms = DOING_MS) {
    this.work = { cell: key(cell), until: Date.now() + ms };
  }

  /** Click on a face of a block, as one does to place a block against it or to open it. */
  click(cell, face) {
    this.workOn(cell.map((value, axis) => value + face[axis]));
    const centre = { cursorX: 0.5, cursorY: 0.5, cursorZ: 0.5 };
    const rest = { hand: 0, insideBlock: false, sequence: 0, worldBorderHit: false };
    const direction = FACES.findIndex((other) => key(other) === key(face));
    this.bot._client.write("block_place", { location: cornerOf(cell), direction, ...centre, ...rest });
    this.bot.swingArm("right");
  }

  /** Hit a mob, and remember it: who killed it is not said by the server. */
  strike(mob) {
    this.blow = { id: mob.id, at: Date.now() };
    this.bot.attack(mob);
  }

  async hold(name) {
    const item = name && this.carried(name);
    const now = this.bot.heldItem;
    if ((now ? this.items.nameOf(now) : null) === (name ?? null)) return;
    this.bot.lastDigTime = null; // Mineflayer would wait half a second after digging
    if (item) await this.bot.equip(item, "hand");
    else if (!name) await this.bot.unequip("hand");
  }

  /** Report every change of what is carried since the last time; not while items are between two places. */
  reportInventory() {
    if (this.bot.currentWindow || this.bot.inventory.selectedItem) return;
    const counts = this.items.tally(this.slots());
    for (const item of new Set([...Object.keys(this.counts), ...Object.keys(counts)])) {
      const count = counts[item] ?? 0;
      if (count !== (this.counts[item] ?? 0))
        this.emit("inventory_changed", { agent: this.name, item, count });
      if (!count && this.held === item) this.held = null;
    }
    this.counts = counts;
  }

  // --- actions

  /** Begin an action; its end is reported as an event. A fault in it is the action's, never the fleet's. */
  begin(ability, parameters, number) {
    const run = new Run(number);
    this.run = run;
    const limit = setTimeout(
      () => this.stop("timeout", "it took longer than an action may", true),
      this.config.limit_ms,
    );
    ability(this, run, parameters)
      .catch((error) => {
        if (run.isOver) return;
        run.blame("unreachable", `the bot could not do it: ${error.message}`);
        this.emit("fault", { agent: this.name, text: String(error.stack) });
      })
      .finally(() => {
        clearTimeout(limit);
        if (!run.isOver) this.end(run);
      });
  }

  end(run) {
    run.isOver = true;
    this.run = null;
    this.rest();
    this.emit("action_over", { agent: this.name, number: run.number, ...run.report() });
  }

  /** Break off whatever is under way; returns what it had come to, and reports it if asked to. */
  stop(reason, detail, reported = false) {
    const { run } = this;
    if (!run) return null;
    run.blame(reason, detail);
    run.isOver = true;
    this.run = null;
    this.rest();
    if (this.bot.currentWindow) this.bot.closeWindow(this.bot.currentWindow);
    if (reported) this.emit("action_over", { agent: this.name, number: run.number, ...run.report() });
    return run.report();
  }

  // --- walking

  startWalk(walk, points) {
    this.walk = walk;
    this.emit("walk", { agent: this.name, points, speed: this.speed });
  }

  /** End a walk, unless it has been replaced by another one already. */
  endWalk(walk = this.walk) {
    if (!walk || this.walk !== walk) return;
    this.walk = null;
    this.bot.setControlState("forward", false);
    this.bot.setControlState("jump", false);
    this.emit("halt", { agent: this.name });
  }

  rest() {
    this.endWalk();
    this.bot.clearControlStates();
    this.bot.stopDigging();
  }

  die() {
    this.stop("dead", `killed by ${this.notes.cause(this.name)}`, true);
  }
}

module.exports = { Unit };

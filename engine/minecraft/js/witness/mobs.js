// The environment's mobs, known by the UUID that they were summoned with: where they are, and what becomes of them.
const { rounded, toCellSpace } = require("../shared/geometry.js");
const { HEALTH_KEY } = require("../shared/metadata.js");

const BLOW_MS = 1000;

module.exports = (scene) => {
  const { units } = scene;
  const living = new Map();

  function expect({ number, uuid, entity, health, position }) {
    living.set(uuid, { number, uuid, kind: entity, health, position, body: null });
  }

  function forget(number) {
    for (const mob of living.values()) if (mob.number === number) living.delete(mob.uuid);
  }

  function attach({ bot }) {
    bot.on("entitySpawn", look);
    bot.on("entityUpdate", look);
    bot.on("entityDead", (body) => {
      const mob = living.get(body.uuid);
      if (mob) hurt(mob, body, 0);
    });
  }

  /** Several bots hear the same. Mobs do not heal, so what is more than the last is only late. */
  function look(body) {
    const mob = living.get(body.uuid);
    if (!mob) return;
    if (!mob.body?.isValid) mob.body = body;
    const health = body.metadata?.[HEALTH_KEY];
    if (typeof health === "number" && health < mob.health) hurt(mob, body, health);
  }

  function hurt(mob, body, health) {
    const agent = striker(body);
    const left = Math.max(0, Math.round(health * 1e4) / 1e4);
    const delta = Math.round((left - mob.health) * 1e4) / 1e4;
    mob.health = left;
    mob.position = toCellSpace(body.position);
    if (delta) scene.emit("mob_health_changed", { mob: mob.number, health: left, delta, agent });
    if (left > 0) return;
    living.delete(mob.uuid);
    scene.emit("mob_died", { mob: mob.number, agent, position: rounded(mob.position) });
  }

  /** Who hit it last; empty if nobody has just now. */
  function striker({ id }) {
    const blows = [...units.values()].filter(
      ({ blow }) => blow?.id === id && Date.now() - blow.at <= BLOW_MS,
    );
    return blows.sort((a, b) => b.blow.at - a.blow.at)[0]?.name ?? "";
  }

  function bodyOf(mob) {
    if (!mob.body?.isValid) {
      const seen = [...units.values()].flatMap(({ bot }) => Object.values(bot.entities));
      mob.body = seen.find((body) => body.uuid === mob.uuid && body.isValid) ?? null;
    }
    return mob.body;
  }

  function positions() {
    return [...living.values()].map((mob) => {
      const body = bodyOf(mob);
      if (body) mob.position = toCellSpace(body.position);
      return [mob.number, mob.position];
    });
  }

  return { attach, expect, forget, living: () => [...living.values()], positions };
};

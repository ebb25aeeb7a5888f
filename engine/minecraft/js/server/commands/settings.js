// What holds for the whole world: difficulty, time, game rules, freezing; and words to players.
const { MODES } = require("../modes.js");
const { Refusal } = require("./reader.js");

const LEVELS = ["peaceful", "easy", "normal", "hard"];
const DAY_TICKS = 24000;
const TIMES = { day: 1000, noon: 6000, night: 13000, midnight: 18000 };
const UNITS = { "": 1, t: 1, s: 20, d: DAY_TICKS };
/** Minecraft's defaults of the rules that are not simply true. */
const DEFAULTS = {
  disableElytraMovementCheck: false,
  disableRaids: false,
  doImmediateRespawn: false,
  doLimitedCrafting: false,
  keepInventory: false,
  maxCommandChainLength: 65536,
  maxEntityCramming: 24,
  playersSleepingPercentage: 100,
  randomTickSpeed: 3,
  reducedDebugInfo: false,
  spawnRadius: 10,
  universalAnger: false,
};
const FREEZE_SINCE = "1.20.3";

module.exports = (world, { words, beings }) => {
  const { serv, registry } = world;
  const ruleNames = Object.keys(registry.language)
    .map((key) => /^gamerule\.(\w+)$/.exec(key)?.[1])
    .filter(Boolean);
  const rules = Object.fromEntries(ruleNames.map((name) => [name, DEFAULTS[name] ?? true]));
  const ops = new Set();
  let age = 0;
  let isRaining = false;

  serv.doDaylightCycle = false; // it keeps no ticks
  serv.difficulty = LEVELS.indexOf("easy");

  const isPeaceful = () => serv.difficulty === 0;

  /** The damage of a blow that does so much at normal difficulty (the Minecraft Wiki, "Difficulty"). */
  function scaled(entity, blow) {
    if (isPeaceful()) return 0;
    if (serv.difficulty === 2 || world.config.mobs[entity]?.is_unscaled) return blow;
    return serv.difficulty === 1 ? Math.min(blow, blow / 2 + 1) : blow * 1.5;
  }

  const difficulty = (onChange) => (reader) => {
    const title = (level) => words.say(`options.difficulty.${LEVELS[level]}`);
    if (reader.isAtEnd) return words.say("commands.difficulty.query", title(serv.difficulty));
    const level = LEVELS.indexOf(reader.oneOf(LEVELS));
    reader.end();
    if (level === serv.difficulty) throw new Refusal(words.say("commands.difficulty.failure", LEVELS[level]));
    serv.difficulty = level;
    serv._writeAll("difficulty", { difficulty: level, difficultyLocked: false });
    onChange();
    return words.say("commands.difficulty.success", title(level));
  };

  const gamerule = (reader) => {
    const name = reader.oneOf(ruleNames);
    if (reader.isAtEnd) return words.say("commands.gamerule.query", name, rules[name]);
    rules[name] =
      typeof rules[name] === "boolean"
        ? reader.oneOf(["true", "false"]) === "true"
        : reader.whole(0, 2 ** 31 - 1);
    reader.end();
    return words.say("commands.gamerule.set", name, rules[name]);
  };

  // --- time

  function duration(reader) {
    const [, number, unit] = /^(\d+(?:\.\d+)?)([tsd]?)$/.exec(reader.word()) ?? [];
    if (number === undefined) throw reader.misread("argument.time.invalid_unit");
    return Math.round(number * UNITS[unit]);
  }

  const time = (reader) => {
    const act = reader.oneOf(["query", "set", "add"]);
    if (act === "query") {
      const what = reader.oneOf(["daytime", "gametime", "day"]);
      reader.end();
      const values = {
        daytime: serv.time % DAY_TICKS,
        gametime: age,
        day: Math.floor(serv.time / DAY_TICKS),
      };
      return words.say("commands.time.query", values[what]);
    }
    const isNamed = reader.text.slice(reader.at) in TIMES;
    const value = isNamed ? TIMES[reader.word()] : duration(reader);
    reader.end();
    serv.setTime(act === "add" ? serv.time + value : value);
    return words.say("commands.time.set", act === "add" ? serv.time % DAY_TICKS : value);
  };

  const freeze = (reader) => {
    const act = reader.oneOf(["freeze", "unfreeze", "query"]);
    reader.end();
    if (act !== "query") world.isFrozen = act === "freeze";
    return words.say(`commands.tick.status.${world.isFrozen ? "frozen" : "running"}`);
  };

  function tick() {
    if (world.isFrozen) return;
    age++;
    if (rules.doDaylightCycle) serv.time++;
    if (age % 20 === 0) serv.setTime(serv.time);
  }

  const weather = (reader) => {
    const kind = reader.oneOf(["clear", "rain", "thunder"]);
    if (!reader.isAtEnd) duration(reader);
    isRaining = kind !== "clear";
    serv._writeAll("game_state_change", { reason: isRaining ? 1 : 2, gameMode: 0 });
    return words.say(`commands.weather.set.${kind}`);
  };

  // --- players and words

  const list = () => {
    const names = world.agents.map(({ name }) => name);
    return words.say("commands.list.players", names.length, serv._server.maxPlayers, names.join(", "));
  };

  const gamemode = (reader, source) => {
    const mode = reader.oneOf(MODES);
    const who = reader.isAtEnd ? beings.self(source) : beings.targets(reader, source, { onlyPlayers: true });
    reader.end();
    const level = MODES.indexOf(mode);
    const changed = who.filter(({ it }) => it.player.gameMode !== level);
    for (const { it: agent } of changed) {
      agent.player.setGameMode(level);
      agent.isSafe = mode === "creative" || mode === "spectator";
    }
    const title = words.say(`gameMode.${mode}`);
    return changed.map(({ name }) => words.say("commands.gamemode.success.other", name, title)).join("");
  };

  const right = (act) => (reader, source) => {
    const who = beings.targets(reader, source, { onlyPlayers: true });
    reader.end();
    const changed = who.filter(({ name }) => ops.has(name) !== (act === "op"));
    if (!changed.length) throw new Refusal(words.say(`commands.${act}.failed`));
    for (const { name } of changed) act === "op" ? ops.add(name) : ops.delete(name);
    return changed.map(({ name }) => words.say(`commands.${act}.success`, name)).join("");
  };

  const kick = (reader, source) => {
    const who = beings.targets(reader, source, { onlyPlayers: true });
    const reason = reader.isAtEnd ? words.say("multiplayer.disconnect.kicked") : reader.rest();
    for (const { it } of who) it.player.kick(reason);
    return who.map(({ name }) => words.say("commands.kick.success", name, reason)).join("");
  };

  const say = (reader) => {
    serv.broadcast(`[Rcon] ${reader.rest()}`);
    return "";
  };

  const tellraw = (reader, source) => {
    const who = beings.targets(reader, source, { onlyPlayers: true });
    const text = JSON.parse(reader.rest());
    for (const { it } of who) it.player.chat(typeof text === "string" ? text : (text.text ?? ""));
    return "";
  };

  const commands = {
    deop: right("deop"),
    gamemode,
    gamerule,
    kick,
    list,
    op: right("op"),
    say,
    tellraw,
    time,
    weather,
  };
  if (registry.version[">="](FREEZE_SINCE)) commands.tick = freeze;
  return { commands, difficulty, isPeaceful, scaled, tick };
};

// RCON of an episode's own server: commands that look at the world. What would change it belongs to the task alone, whose
// log has to say everything that happens.
const makeCommands = require("./commands/index.js");

const LOOKS = [
  /^list$/,
  /^data get (entity|block) /,
  /^execute (if|unless) (block|entity) (?!.* run )/,
  /^clear \S+ \S+ 0$/, // only counts
];
const REFUSAL =
  "An episode can only be looked at: list, data get, execute if, execute unless, and clear … 0, which counts.";

module.exports = (world) => {
  const { answer } = makeCommands(world);

  /** What commands see of everybody, and an episode has no use for. */
  function lend() {
    for (const agent of world.agents) agent.tags ??= new Set();
    for (const mob of world.mobs.all()) {
      mob.tags ??= new Set();
      mob.bases ??= {};
      mob.ai ??= true;
    }
  }

  return (line) => {
    const command = line.trim().replace(/^\//, "");
    if (!LOOKS.some((look) => look.test(command))) return REFUSAL;
    lend();
    return answer(command);
  };
};

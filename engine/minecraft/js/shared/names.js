// Tasks and logs call a block or an item the same in all versions of Minecraft, whatever a version has made of its name.
const dataOf = require("minecraft-data");

/** To be called before anything else in the thread looks up a name. `names` has tasks' names by the version's. */
function speakAsTasks({ version, names }) {
  const { blocksByName, itemsByName } = dataOf(version);
  for (const known of [blocksByName, itemsByName]) {
    for (const [later, name] of Object.entries(names)) {
      if (known[later]) known[name] = Object.assign(known[later], { name });
    }
  }
}

module.exports = { speakAsTasks };

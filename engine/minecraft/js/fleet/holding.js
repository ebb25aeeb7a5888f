// equip_item and use_item.
const EQUIP_TICKS = 5;
const ANSWER_TICKS = 60;
const { ticks } = require("../shared/clock.js");

async function equipItem(unit, run, { item }) {
  await run.wait(EQUIP_TICKS);
  if (!unit.count(item)) return run.blame("missing_items", `there is no ${item} in the inventory`);
  await unit.hold(item);
  unit.held = item;
  unit.emit("item_held", { agent: unit.name, item });
  run.done = 1;
  run.detail = `holds ${item}`;
}

async function useItem(unit, run, { item }) {
  if (!unit.config.consumables.includes(item)) {
    await run.wait(1);
    return run.blame("bad_parameters", `${item} can be neither eaten nor drunk`);
  }
  if (!unit.count(item)) {
    await run.wait(1);
    return run.blame("missing_items", `there is no ${item} in the inventory`);
  }
  await unit.hold(item);
  const eaten = unit.bot.consume().then(
    () => true,
    () => false,
  );
  const done = await Promise.race([eaten, ticks(ANSWER_TICKS)]);
  run.check();
  if (done !== true) return run.blame("timeout", `the server did not let the ${item} be used`);
  run.done = 1;
  run.detail = `used ${item}`;
}

module.exports = { equipItem, useItem };

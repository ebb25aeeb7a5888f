// deposit_to_chest and get_from_chest: as many items as there are and as fit, with exact counts.
const { CHEST_SLOTS } = require("../shared/chests.js");
const { BLOCK_REACH } = require("../shared/geometry.js");
const { ticks } = require("../shared/clock.js");
const { approach } = require("./moving.js");

const OPEN_TICKS = 5;
const STACK_TICKS = 2;
const ANSWER_TICKS = 40;
const TRIES = 4;
const ALL_SLOTS = 63;

async function depositToChest(unit, run, parameters) {
  run.detail = `deposited ${parameters.quantities.reduce((a, b) => a + b, 0)} items`;
  await transfer(unit, run, parameters, true);
}

async function getFromChest(unit, run, parameters) {
  run.detail = `took ${parameters.quantities.reduce((a, b) => a + b, 0)} items`;
  await transfer(unit, run, parameters, false);
}

async function transfer(unit, run, { chest_pos: cell, items, quantities }, isDeposit) {
  run.wanted = quantities.reduce((a, b) => a + b, 0);
  const where = `[${cell.join(", ")}]`;
  if (!unit.config.chests.includes(cell.join())) {
    await run.wait(OPEN_TICKS);
    return run.blame("no_chest", `there is no chest at ${where}`);
  }
  const reason = await approach(unit, run, cell, BLOCK_REACH);
  if (reason) return run.blame(reason, `there is no way to the chest at ${where}`);
  await run.wait(OPEN_TICKS);
  const window = await open(unit, run, cell);
  if (!window) return run.blame("timeout", `the chest at ${where} did not open`);
  unit.chest = { cell, window, moved: {} };
  const chest = [0, CHEST_SLOTS];
  const body = [CHEST_SLOTS, ALL_SLOTS];
  const [from, to] = isDeposit ? [body, chest] : [chest, body];
  for (const [i, name] of items.entries()) await move(unit, run, window, name, quantities[i], from, to);
  unit.bot.closeWindow(window);
}

async function open(unit, run, cell) {
  const opened = new Promise((resolve) => unit.bot.once("windowOpen", resolve));
  unit.click(cell, [0, 1, 0]);
  const window = await Promise.race([opened, ticks(ANSWER_TICKS)]);
  run.check();
  return window ?? null;
}

async function move(unit, run, window, name, count, from, to) {
  const { items } = unit;
  const there = Math.min(count, items.tally(window.slots.slice(...from))[name] ?? 0);
  const fitting = Math.min(there, items.room(window.slots.slice(...to), name));
  let left = fitting;
  for (let tries = 0; left > 0 && tries < TRIES; ) {
    await run.wait(STACK_TICKS);
    const source = find(window, from, (item) => item && unit.items.nameOf(item) === name);
    const moved = source < 0 ? 0 : await moveStack(unit, window, source, to, name, left);
    left -= moved;
    run.done += moved;
    const { moved: all } = unit.chest;
    all[name] = (all[name] ?? 0) + (from[0] === 0 ? -moved : moved);
    if (!moved) tries++; // somebody else has the stack in hand, and may put some of it back
  }
  const found = left ? fitting - left : there;
  if (found < count) run.blame("missing_items", `there were only ${found} of ${count} ${name}`);
  else if (fitting < there)
    run.blame("inventory_full", `there was room for only ${fitting} of ${there} ${name}`);
}

/** Move up to `count` of one stack: pick it up, put down what is wanted, put the rest back. Returns how many. */
async function moveStack(unit, window, source, to, name, count) {
  const click = (slot, button) => {
    unit.bot.lastDigTime = null; // Mineflayer would wait half a second after digging
    return unit.bot.clickWindow(slot, button, 0);
  };
  const wanted = Math.min(count, window.slots[source].count);
  await click(source, 0);
  for (let left = wanted; left > 0; ) {
    const size = window.selectedItem.stackSize;
    const stack = find(window, to, (item) => item && unit.items.nameOf(item) === name && item.count < size);
    const slot = stack < 0 ? find(window, to, (item) => !item) : stack;
    const fitting = Math.min(left, size - (window.slots[slot]?.count ?? 0));
    if (window.selectedItem.count <= left) await click(slot, 0);
    else for (let i = 0; i < fitting; i++) await click(slot, 1);
    left -= fitting;
  }
  if (window.selectedItem) await click(source, 0);
  return wanted;
}

function find(window, [start, end], fits) {
  for (let slot = start; slot < end; slot++) if (fits(window.slots[slot])) return slot;
  return -1;
}

module.exports = { depositToChest, getFromChest };

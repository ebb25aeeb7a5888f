// What players carry and what chests hold, slot by slot, and the windows through which items move between them.
const { CHEST_SLOTS } = require("../shared/chests.js");
const { key } = require("../shared/geometry.js");

const FIRST_SLOT = 9;
const SLOTS = 36;
const HOTBAR = 36;

module.exports = (world) => {
  const { registry, items } = world;
  const windows = require("prismarine-windows")(registry);
  const chests = new Map();
  let windowIds = 0;

  const carried = (agent) => agent.player.inventory.slots.slice(FIRST_SLOT, FIRST_SLOT + SLOTS);

  /** Put items into slots; `put(index, item)` stores one. The caller has seen to it that they fit. */
  function fill(slots, name, count, put, unbreakable = false) {
    const size = items.stackSize(name);
    const fitting = (item) => item && items.nameOf(item) === name && item.count < size;
    while (count > 0) {
      const stack = slots.findIndex(fitting);
      const at = stack < 0 ? slots.findIndex((item) => !item) : stack;
      const before = slots[at]?.count ?? 0;
      const moved = Math.min(count, size - before);
      slots[at] = items.make(name, before + moved, unbreakable);
      put(at, slots[at]);
      count -= moved;
    }
  }

  /** The hotbar comes first, as in Minecraft, so that the first item listed is the one in hand. */
  const ORDER = [...Array(SLOTS).keys()].map((i) => (i < 9 ? HOTBAR + i : i));

  function give(agent, name, count, unbreakable = false) {
    const slots = ORDER.map((slot) => agent.player.inventory.slots[slot]);
    fill(slots, name, count, (i, item) => agent.player.inventory.updateSlot(ORDER[i], item), unbreakable);
  }

  function take(agent, name, count) {
    const { inventory } = agent.player;
    for (const slot of [HOTBAR + agent.player.heldItemSlot, ...ORDER]) {
      const item = inventory.slots[slot];
      if (!count || !item || items.nameOf(item) !== name) continue;
      const moved = Math.min(count, item.count);
      count -= moved;
      const left = item.count - moved;
      inventory.updateSlot(slot, left ? items.copy(item, left) : null);
    }
  }

  const held = (agent) => agent.player.inventory.slots[HOTBAR + agent.player.heldItemSlot] ?? null;

  function addChest(cell, contents) {
    const slots = new Array(CHEST_SLOTS).fill(null);
    for (const [name, count] of Object.entries(contents)) fill(slots, name, count, () => {});
    chests.set(key(cell), { cell, slots, counts: items.tally(slots), viewers: new Set() });
  }

  function removeChest(cell) {
    const chest = chests.get(key(cell));
    for (const viewer of chest?.viewers ?? []) close(viewer);
    chests.delete(key(cell));
  }

  /** Put a stack into a slot of a chest. */
  function store(cell, slot, item) {
    const chest = chests.get(key(cell));
    chest.slots[slot] = item;
    chest.counts = items.tally(chest.slots);
    for (const viewer of chest.viewers) show(viewer, chest);
  }

  // --- windows

  function open(agent, cell) {
    close(agent);
    const chest = chests.get(key(cell));
    windowIds = (windowIds % 100) + 1;
    const id = windowIds;
    const window = windows.createWindow(id, "minecraft:generic_9x3", "Chest");
    for (const [i, item] of [...chest.slots, ...carried(agent)].entries()) window.updateSlot(i, item);
    agent.window = { window, chest, moved: {} };
    chest.viewers.add(agent);
    const client = agent.player._client;
    client.write("open_window", {
      windowId: id,
      inventoryType: 2,
      windowTitle: world.dialect.text("Chest"),
    });
    client.write("window_items", {
      windowId: id,
      stateId: 1,
      items: window.slots.map((item) => items.Item.toNotch(item)),
      carriedItem: items.Item.toNotch(null),
    });
  }

  function click(agent, packet) {
    const isChest = agent.window && packet.windowId === agent.window.window.id;
    const window = isChest ? agent.window.window : agent.player.inventory;
    if (!isChest && packet.windowId !== 0) return;
    const item = packet.slot === -999 ? null : window.slots[packet.slot];
    window.acceptClick({ ...packet, item });
    if (isChest) settle(agent);
  }

  /** A click in a chest's window has changed the chest, what the agent carries, and what others see. */
  function settle(agent) {
    const { window, chest, moved } = agent.window;
    const before = chest.counts; // kept, since a click changes the items themselves
    chest.slots = window.slots.slice(0, CHEST_SLOTS);
    const after = items.tally(chest.slots);
    chest.counts = after;
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      moved[name] = (moved[name] ?? 0) + (after[name] ?? 0) - (before[name] ?? 0);
    }
    window.slots.slice(CHEST_SLOTS).forEach((item, i) => {
      agent.player.inventory.slots[FIRST_SLOT + i] = item;
    });
    for (const other of chest.viewers) {
      if (other !== agent) show(other, chest);
    }
  }

  function show(viewer, chest) {
    chest.slots.forEach((item, slot) => {
      viewer.window.window.slots[slot] = item;
      const packet = { windowId: viewer.window.window.id, stateId: 1, slot, item: items.Item.toNotch(item) };
      viewer.player._client.write("set_slot", packet);
    });
  }

  function close(agent) {
    if (!agent.window) return;
    const { window, chest, moved } = agent.window;
    agent.window = null;
    chest.viewers.delete(agent);
    if (window.selectedItem) give(agent, items.nameOf(window.selectedItem), window.selectedItem.count);
    agent.player.inventory.slots.forEach((item, slot) => {
      if (item) item.slot = slot;
    });
    const { counts } = chest;
    for (const [item, delta] of Object.entries(moved)) {
      if (delta) {
        world.emit("chest_changed", {
          chest: chest.cell,
          item,
          delta,
          count: counts[item] ?? 0,
          agent: agent.name,
        });
      }
    }
  }

  /** Windows and clicks are ours: flying-squid's chests store nothing. */
  function attach(agent) {
    const client = agent.player._client;
    client.removeAllListeners("window_click");
    client.removeAllListeners("close_window");
    client.on("window_click", (packet) => click(agent, packet));
    client.on("close_window", () => close(agent));
    for (const { name, count, unbreakable } of agent.spec.inventory) give(agent, name, count, unbreakable);
  }

  return {
    attach,
    addChest,
    carried,
    carries: (agent) => items.tally(carried(agent)),
    give,
    held,
    isChest: (cell) => chests.has(key(cell)),
    open,
    close,
    removeChest,
    room: (agent, name) => items.room(carried(agent), name),
    slotsOf: (cell) => chests.get(key(cell))?.slots ?? null,
    store,
    take,
  };
};

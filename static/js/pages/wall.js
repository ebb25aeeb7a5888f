/** The wall of a run: keeps the tiles in line with the episodes that run. */

import { Tile } from "../wall/tile.js";

const ASK_MS = 3_000;

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const host = document.querySelector("#wall");
const status = document.querySelector("#wall-status");
const scenes = read("scenes-data");
/** @type {Map<string, Tile>} by episode and attempt */
const tiles = new Map();

function show({ episodes, running, done }) {
  const keys = new Set(episodes.map(({ pk }) => String(pk)));
  for (const [key, tile] of tiles) {
    if (!keys.has(key)) {
      tile.close();
      tiles.delete(key);
    }
  }
  for (const episode of episodes) {
    const key = String(episode.pk);
    const tile = tiles.get(key) ?? new Tile(episode, scenes[episode.task]);
    tiles.set(key, tile);
    tile.describe(episode);
    if (!tile.element.isConnected) {
      host.append(tile.element);
    }
  }
  const text = done ? "All episodes are done" : `${running} running`;
  if (status.textContent !== text) {
    status.textContent = text;
  }
}

async function ask() {
  const known = Object.keys(scenes).map((task) => `known=${encodeURIComponent(task)}`);
  const response = await fetch(`${host.dataset.episodes}?${known.join("&")}`, { credentials: "same-origin" });
  if (!response.ok) {
    throw new Error(`the server answered ${response.status}`);
  }
  const told = await response.json();
  Object.assign(scenes, told.scenes);
  show(told);
  return told.done;
}

async function keepAsking() {
  try {
    if (await ask()) {
      return;
    }
  } catch (error) {
    status.textContent = `The wall may be out of date: ${error.message}. Trying again.`;
  }
  setTimeout(keepAsking, ASK_MS);
}

const first = read("wall-data");
if (first.episodes.length > 0) {
  host.replaceChildren();
  show(first);
}
if (!first.done) {
  setTimeout(keepAsking, ASK_MS);
}

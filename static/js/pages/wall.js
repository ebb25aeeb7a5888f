/** The wall of a run: keeps the tiles in line with the episodes that the address asks for. */

import { WALL_KEYS } from "../keys/list.js";
import { Controls } from "../time/controls.js";
import { Wall } from "../wall/index.js";

const ASK_MS = 3_000;

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const host = document.querySelector("#wall");
const status = document.querySelector("#wall-status");
const scenes = read("scenes-data");
const wall = new Wall(host, scenes);
const controls = new Controls(document.querySelector("#wall-time"), wall.clock, {
  changed: () => wall.render(),
  keys: WALL_KEYS,
});
wall.told = () => controls.update();

function show(told) {
  wall.show(told.episodes);
  const text = told.done ? "All episodes are done" : `${told.running} running`;
  if (status.textContent !== text) {
    status.textContent = text;
  }
}

async function ask() {
  const url = new URL(host.dataset.episodes, location.href);
  for (const task of Object.keys(scenes)) {
    url.searchParams.append("known", task);
  }
  const response = await fetch(url, { credentials: "same-origin" });
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

document.querySelector("#wall-choices").addEventListener("change", (event) => event.currentTarget.submit());
const first = read("wall-data");
show(first);
if (!first.done) {
  setTimeout(keepAsking, ASK_MS);
}

/** The wall of a run: keeps the tiles in line with the episodes that the address asks for. */

import { setText } from "../dom.js";
import { WALL_KEYS } from "../keys/list.js";
import { Address, keepMoment, readPlace, writePlace } from "../time/address.js";
import { Controls } from "../time/controls.js";
import { Wall } from "../wall/index.js";

const ASK_MS = 3_000;

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const host = document.querySelector("#wall");
const status = document.querySelector("#wall-status");
const scenes = read("scenes-data");
const wall = new Wall(host, scenes);
const { clock } = wall;
/** What the address asks for and no episode has reached yet, in ticks. @type {number | null} */
let wanted = readPlace(location.hash).tick;
let done = false;
const address = new Address(({ tick }) => {
  wanted = tick;
  wall.render();
});
const fragment = (moving) => writePlace({ tick: wanted ?? clock.addressed(moving) });
const controls = new Controls(document.querySelector("#wall-time"), clock, {
  changed: () => {
    wanted = null;
    wall.render();
    address.write(() => fragment(false));
  },
  keys: WALL_KEYS,
});
wall.told = () => {
  if (wanted !== null && (done || wanted <= clock.edge)) {
    clock.seek(wanted);
    wanted = null;
    wall.render();
  }
  controls.update();
};
keepMoment(() => fragment(true));

function show(told) {
  done = told.done;
  wall.show(told.episodes);
  document.querySelector("#wall-none").hidden = told.episodes.length > 0;
  setText(status, done ? "All episodes are done" : `${told.running} running`);
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
}

async function keepAsking() {
  try {
    await ask();
  } catch (error) {
    status.textContent = `The wall may be out of date: ${error.message}. Trying again.`;
  }
  if (!done) {
    setTimeout(keepAsking, ASK_MS);
  }
}

show(read("wall-data"));
if (!done) {
  setTimeout(keepAsking, ASK_MS);
}

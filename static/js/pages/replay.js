/** The replay file: the spectator over a log that the file itself holds. */

import { Recording } from "../live/recording.js";
import { Spectator } from "../live/spectator.js";

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const dress = () => {
  document.documentElement.dataset.bsTheme = dark.matches ? "dark" : "light";
};
dark.addEventListener("change", dress);
dress();

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const live = document.querySelector("#live");
const spectator = new Spectator(live, read("scene-data"));
const recording = new Recording(
  read("events-data"),
  (events) => spectator.take(events),
  () => spectator.end(live.dataset.status),
);
spectator.watch(recording);
live.spectator = spectator;
recording.connect();

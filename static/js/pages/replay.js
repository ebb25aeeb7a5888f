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

/** Have the spectator, or what stands beside it, read a log of this file. */
function play(listener, events, status) {
  const recording = new Recording(
    events,
    (part) => listener.take(part),
    () => listener.end(status),
  );
  listener.watch(recording);
  recording.connect();
}

live.spectator = spectator;
play(spectator, read("events-data"), live.dataset.status);
if (spectator.beside) {
  play(spectator.beside, read("beside-data"), spectator.beside.section.dataset.status);
}

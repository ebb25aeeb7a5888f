/** The task page: draws the map, and plays what happens on it. */

import { loadPlayer } from "../map/player.js";
import { showMap } from "../map/preview.js";

const host = document.querySelector("#map-preview");
const data = JSON.parse(document.querySelector("#map-preview-data")?.textContent ?? "null");
if (host && data) {
  const { slot, show } = showMap(host, data);
  if (host.dataset.rehearsal) {
    loadPlayer(slot, host.dataset.rehearsal, data, show);
  }
}

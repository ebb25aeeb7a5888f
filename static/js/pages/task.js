/** The task page: draws the map. */

import { showMap } from "../map/preview.js";

const host = document.querySelector("#map-preview");
const data = JSON.parse(document.querySelector("#map-preview-data")?.textContent ?? "null");
if (host && data) {
  showMap(host, data);
}

/** The run's page: draws the step chart, anew whenever its data or the theme change. */

import { ACTIVITIES, figure } from "../charts/steps.js";

const chart = document.querySelector("#steps-chart");

function colours() {
  const style = getComputedStyle(document.documentElement);
  const names = [...ACTIVITIES, "text", "line"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

function draw() {
  const bars = JSON.parse(document.querySelector("#steps-data").textContent);
  chart.hidden = bars.length === 0;
  chart.dataset.bars = String(bars.length);
  if (bars.length === 0) return;
  const { data, layout, config } = figure(bars, colours(), chart.clientWidth);
  globalThis.Plotly.react(chart, data, layout, config);
}

if (chart) {
  draw();
  document.querySelector("#steps-part").addEventListener("refreshed", draw);
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-bs-theme"] });
}

// The launch form's comforts: searching the tasks, and counting the episodes before they are launched. The server
// checks everything again, so the form works without this.

// As in engine/episode/settings.py. Far above it a loop over numbers would never end: 1e20 + 1 is 1e20.
const MAX_SEED = 2_147_483_647;

/** How many seeds a text such as `0-4, 7` names; NaN when it cannot be read. */
export function countSeeds(text) {
  const parts = text
    .replace(/\s*[-–]\s*/g, "-")
    .split(/[,;\s]+/)
    .filter(Boolean);
  const seeds = new Set();
  for (const part of parts) {
    const found = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (!found) return Number.NaN;
    const [first, last] = [Number(found[1]), Number(found[2] ?? found[1])];
    if (last > MAX_SEED || last < first || last - first >= 1_000) return Number.NaN;
    for (let seed = first; seed <= last; seed += 1) seeds.add(seed);
  }
  return seeds.size || Number.NaN;
}

function countEpisodes(form) {
  const checked = (name) => form.querySelectorAll(`input[name="${name}"]:checked`).length;
  const grid = ["tasks", "policies", "modes", "worlds"]
    .map(checked)
    .reduce((product, count) => product * count);
  return grid * countSeeds(form.elements.seeds.value) * Number.parseInt(form.elements.repeats.value, 10);
}

function showCount(form) {
  const count = countEpisodes(form);
  const most = Number(form.dataset.maxEpisodes);
  const words = count === 1 ? "1 episode" : `${count.toLocaleString("en")} episodes`;
  const output = form.querySelector("#launch-count");
  if (!(count > 0)) output.textContent = "";
  else
    output.textContent = count > most ? `${words}: at most ${most.toLocaleString("en")} fit in a run` : words;
}

function search(form, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  for (const suite of form.querySelectorAll(".suite-choices")) {
    let any = false;
    for (const choice of suite.querySelectorAll(".choice")) {
      const shown = words.every((word) => choice.textContent.toLowerCase().includes(word));
      choice.hidden = !shown;
      any ||= shown;
    }
    suite.hidden = !any;
  }
}

const form = globalThis.document?.getElementById("launch-form");
if (form) {
  const box = form.querySelector("#task-search");
  box.hidden = false;
  box.addEventListener("input", () => search(form, box.value));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault(); // searching is not launching
  });
  form.addEventListener("input", () => showCount(form));
  showCount(form);
}

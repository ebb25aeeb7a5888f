// The launch form's comforts: searching the tasks, and counting the episodes and what they will take before they are
// launched. The server checks everything again, so the form works without this.

// As in engine/episode/settings.py. Far above it a loop over numbers would never end: 1e20 + 1 is 1e20.
const MAX_SEED = 2_147_483_647;
const ESTIMATE_AFTER_MS = 250;

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

/**
 * How many policy and model pairs the choices make: a policy that asks no model is played once.
 * @param {string[]} policies the chosen ones
 * @param {number} models how many are chosen
 * @param {string[]} asking the policies that ask one
 */
export function countDeciders(policies, models, asking) {
  return policies.reduce((sum, policy) => sum + (asking.includes(policy) ? models : 1), 0);
}

const checked = (form, name) =>
  [...form.querySelectorAll(`input[name="${name}"]:checked`)].map((box) => box.value);

const words = (text) => text.split(/\s+/).filter(Boolean);

function countEpisodes(form) {
  const models = new Set([...checked(form, "models"), ...words(form.elements.more_models.value)]);
  const deciders = countDeciders(checked(form, "policies"), models.size, words(form.dataset.asking));
  const grid = ["tasks", "modes", "worlds"]
    .map((name) => checked(form, name).length)
    .reduce((product, count) => product * count, deciders);
  return grid * countSeeds(form.elements.seeds.value) * Number.parseInt(form.elements.repeats.value, 10);
}

function showCount(form) {
  const count = countEpisodes(form);
  const most = Number(form.dataset.maxEpisodes);
  const episodes = count === 1 ? "1 episode" : `${count.toLocaleString("en")} episodes`;
  const output = form.querySelector("#launch-count");
  if (!(count > 0)) output.textContent = "";
  else
    output.textContent =
      count > most ? `${episodes}: at most ${most.toLocaleString("en")} fit in a run` : episodes;
}

function search(form, text) {
  const wanted = words(text.toLowerCase());
  for (const suite of form.querySelectorAll(".suite-choices")) {
    let any = false;
    for (const choice of suite.querySelectorAll(".choice")) {
      const shown = wanted.every((word) => choice.textContent.toLowerCase().includes(word));
      choice.hidden = !shown;
      any ||= shown;
    }
    suite.hidden = !any;
  }
  const isEmpty = !form.querySelector(".suite-choices:not([hidden])");
  form.querySelector("#task-none").textContent = isEmpty ? "No task fits the search." : "";
}

/** Say so where models are ticked that nobody asks. */
function showIdleModels(form) {
  const asking = words(form.dataset.asking);
  form.querySelector("#models-idle").hidden = checked(form, "policies").some((name) => asking.includes(name));
}

/** Show the choice of a Minecraft server where Minecraft is ticked, and what differs on the chosen one. */
function showServer(form) {
  form.querySelector("#server-choice").hidden = !checked(form, "worlds").includes("minecraft");
  const chosen = form.elements.server?.value;
  for (const hint of form.querySelectorAll("[data-server]")) hint.hidden = hint.dataset.server !== chosen;
}

/** Shows what the launch will take, a moment after the last change; an answer that was overtaken is dropped. */
function followEstimate(form) {
  const output = form.querySelector("#estimate");
  let timer = 0;
  let asked = 0;
  const ask = async () => {
    asked += 1;
    const mine = asked;
    try {
      const answer = await fetch(form.dataset.estimate, { method: "POST", body: new FormData(form) });
      if (answer.ok && !answer.redirected && mine === asked) output.innerHTML = await answer.text();
    } catch {
      output.textContent = ""; // the server is away: launching would say so
    }
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, ESTIMATE_AFTER_MS);
  });
  ask();
}

const form = globalThis.document?.getElementById("launch-form");
if (form) {
  const box = form.querySelector("#task-search");
  box.hidden = false;
  box.addEventListener("input", () => search(form, box.value));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault(); // searching is not launching
  });
  const show = () => {
    showCount(form);
    showIdleModels(form);
    showServer(form);
  };
  form.addEventListener("input", show);
  show();
  followEstimate(form);
}

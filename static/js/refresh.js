// Keeps `<div data-refresh="URL" data-refresh-every="1000" id="…">` current: fetches the URL and replaces the inner
// HTML, and tells of it by the event `refreshed`. Stops when the answer carries the header `X-Refresh-Done`, waits
// longer after failures and while hidden.

const SLOWEST_MS = 30_000;
const TOKEN = /(name="csrfmiddlewaretoken" value=")[^"]*/g; // another one in each answer, and every one is valid

/** Replace the contents if they are others, keeping keyboard focus and open <details> where they were. */
function replace(region, html) {
  const shown = html.replaceAll(TOKEN, "$1");
  if (region.dataset.shown === shown) return;
  region.dataset.shown = shown;
  const focused = region.contains(document.activeElement) ? document.activeElement.id : "";
  const open = [...region.querySelectorAll("details[open][id]")].map((details) => details.id);
  region.innerHTML = html;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  region.dispatchEvent(new CustomEvent("refreshed"));
}

async function refresh(region) {
  const response = await fetch(region.dataset.refresh, { headers: { "X-Requested-With": "fetch" } });
  if (response.redirected) {
    window.location.reload(); // the login has ended
    return true;
  }
  if (!response.ok) throw new Error(`${response.status}`);
  const html = await response.text();
  if (region.matches(":active")) return false; // a click that has begun would be lost with its button
  replace(region, html);
  return response.headers.has("X-Refresh-Done");
}

function keepFresh(region) {
  const every = Number(region.dataset.refreshEvery) || 1_000;
  let wait = every;
  const next = () => setTimeout(run, wait);
  const run = async () => {
    if (document.hidden) {
      document.addEventListener("visibilitychange", run, { once: true });
      return;
    }
    try {
      if (await refresh(region)) return;
      wait = every;
      region.classList.remove("stale");
    } catch {
      wait = Math.min(wait * 2, SLOWEST_MS);
      region.classList.add("stale");
    }
    next();
  };
  next();
}

for (const region of document.querySelectorAll("[data-refresh]")) keepFresh(region);

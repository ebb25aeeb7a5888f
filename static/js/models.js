// Trying a model without leaving the page. Without this the form is sent as any other, and the answer is a page.

const GRACE_S = 10;

/** What stands there while a model is asked. */
function progress(seconds, limit) {
  return `Asking … ${seconds} s (${limit} s at most)`;
}

async function ask(form, limit) {
  const response = await fetch(form.action, {
    method: "POST",
    body: new FormData(form),
    headers: { "X-Requested-With": "fetch" },
    signal: AbortSignal.timeout((limit + GRACE_S) * 1_000),
  });
  if (response.redirected) {
    window.location.reload(); // the login has ended
    return "";
  }
  if (!response.ok) throw new Error(`${response.status}`);
  return response.text();
}

async function tryModel(form) {
  const limit = Number(form.dataset.try);
  const place = document.getElementById(form.dataset.shows);
  const button = form.querySelector("button");
  const began = Date.now();
  const line = document.createElement("p");
  line.className = "trial muted";
  const tell = () => {
    line.textContent = progress(Math.floor((Date.now() - began) / 1_000), limit);
  };
  tell();
  place.setAttribute("aria-busy", "true"); // the seconds are not read out
  place.replaceChildren(line);
  button.disabled = true;
  const timer = setInterval(tell, 1_000);
  try {
    place.innerHTML = await ask(form, limit); // the server's own fragment, escaped there
  } catch {
    line.textContent = "The dashboard did not answer. Is it still running? Then try again.";
  } finally {
    clearInterval(timer);
    place.removeAttribute("aria-busy");
    button.disabled = false;
    // Being disabled cost it the focus, unless that has gone elsewhere meanwhile.
    if (document.activeElement === document.body) button.focus({ preventScroll: true });
  }
}

for (const form of globalThis.document?.querySelectorAll("form[data-try]") ?? []) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tryModel(form);
  });
}

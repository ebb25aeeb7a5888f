/** What the server says once an episode has ended: its part of the page is fetched anew, the rest stays. */

/**
 * Put the parts of a fetched page in the place of this page's own.
 * @param {Document} page this page
 * @param {Document} fresh the same page as the server renders it now
 * @param {string} selector which elements; each needs an id
 * @returns {number} how many were replaced
 */
export function replaceParts(page, fresh, selector) {
  let replaced = 0;
  for (const part of page.querySelectorAll(selector)) {
    const other = part.id ? fresh.getElementById(part.id) : null;
    if (other) {
      part.replaceWith(page.adoptNode(other));
      replaced += 1;
    }
  }
  return replaced;
}

/**
 * Fetch this page and take over what the selector names.
 * @param {string} selector
 * @returns {Promise<void>}
 * @throws {Error} when the server cannot be reached or refuses
 */
export async function refreshParts(selector) {
  const response = await fetch(location.href, {
    headers: { accept: "text/html" },
    credentials: "same-origin",
  });
  if (!response.ok) {
    throw new Error(`The server answered ${response.status}.`);
  }
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  replaceParts(document, fresh, selector);
}

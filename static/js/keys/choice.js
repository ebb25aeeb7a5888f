/** Whether single keys work wherever the focus is: the viewer's choice, which the browser keeps. */

const KEY = "single-keys";
/** For this page, also where storage is switched off. @type {boolean | null} */
let chosen = null;

/** @returns {boolean} true until the viewer has switched them off */
export function singleKeys() {
  if (chosen !== null) {
    return chosen;
  }
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

/**
 * Keep the choice.
 * @param {boolean} on
 */
export function chooseSingleKeys(on) {
  chosen = on;
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // it holds for this page only
  }
}

/**
 * Building page elements. Text only ever arrives as text nodes, so markup in a name or a plan stays inert.
 */

/**
 * Make an element.
 * @param {string} tag element name
 * @param {Record<string, unknown>} [attributes] `class`, `text` (its text), `on…` (listeners) or attributes;
 *   `false`, `null` and `undefined` leave the attribute out, `true` sets it empty
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/**
 * Make an element of a drawing, in the same way.
 * @param {string} tag element name of SVG
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return dress(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) {
      continue;
    }
    if (name === "text") {
      element.textContent = String(value);
    } else if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children);
  return element;
}

/**
 * Say something: text is only written when it is another, so that a screen reader is not told the same again, and
 * reading and selecting go on undisturbed.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/**
 * Say something in a live region, with a count that goes on each second: that is for the eye alone, since a screen
 * reader would speak at each change.
 * @param {Element} place
 * @param {string} text
 * @param {string} [count]
 */
export function announce(place, text, count = "") {
  if (place.childElementCount !== 2) {
    place.replaceChildren(el("span"), " ", el("span", { "aria-hidden": "true" }));
  }
  setText(place.children[0], text);
  setText(place.children[1], count);
}

/**
 * Put texts into a table row by row; only what differs is written.
 * @param {HTMLTableSectionElement} body
 * @param {string[][]} rows cells of each
 */
export function fillRows(body, rows) {
  while (body.rows.length > rows.length) {
    body.deleteRow(-1);
  }
  rows.forEach((cells, i) => {
    fillRow(body.rows[i] ?? body.insertRow(), cells);
  });
}

/**
 * Put texts into a row; only what differs is written.
 * @param {HTMLTableRowElement} row
 * @param {string[]} cells
 */
export function fillRow(row, cells) {
  cells.forEach((text, i) => {
    setText(row.cells[i] ?? row.insertCell(), text);
  });
}

/**
 * Call `draw` at most once an animation frame, however often it is asked for.
 * @param {() => void} draw
 * @param {(callback: () => void) => unknown} [frame] `requestAnimationFrame`, or a test's own
 * @returns {() => void} asks for a call
 */
export function oncePerFrame(draw, frame = (callback) => requestAnimationFrame(callback)) {
  let asked = false;
  return () => {
    if (asked) {
      return;
    }
    asked = true;
    frame(() => {
      asked = false;
      draw();
    });
  };
}

/**
 * Fit a canvas to its box at the screen's own resolution.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width CSS pixels
 * @param {number} height CSS pixels
 * @returns {CanvasRenderingContext2D} scaled so that one unit is one CSS pixel
 */
export function fitCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/**
 * Offer a file for download.
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

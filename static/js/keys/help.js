/** All keys of the page in one window, and the switch for those that work everywhere. */

import { el } from "../dom.js";
import { chooseSingleKeys, singleKeys } from "./choice.js";

/**
 * @typedef {[keys: string, action: string][]} Keys
 */

/** Built when it is first opened. */
export class KeyHelp {
  /** @param {Record<string, Keys>} groups by where the keys work */
  constructor(groups) {
    this.groups = groups;
    this.element = el("dialog", { class: "keys-help", "aria-labelledby": "keys-help-title" });
  }

  /** Show it; Escape or its button closes it, and the focus goes back to where it was. */
  open() {
    if (!this.element.hasChildNodes()) {
      this.#build();
    }
    this.single.checked = singleKeys();
    this.element.showModal();
  }

  #build() {
    this.single = el("input", {
      type: "checkbox",
      class: "form-check-input",
      onchange: () => chooseSingleKeys(this.single.checked),
    });
    this.element.append(
      el(
        "div",
        { class: "card-head" },
        el("h2", { id: "keys-help-title", text: "Keys" }),
        el("button", {
          type: "button",
          class: "btn btn-sm",
          text: "Close",
          onclick: () => this.element.close(),
        }),
      ),
      el("label", { class: "map-sight" }, this.single, "single keys work everywhere on the page"),
      ...Object.entries(this.groups).map(([where, keys]) => table(where, keys)),
    );
  }
}

function table(where, keys) {
  const row = ([key, action]) =>
    el("tr", {}, el("th", { scope: "row" }, el("kbd", { text: key })), el("td", { text: action }));
  return el(
    "table",
    { class: "table table-sm" },
    el("caption", { text: where }),
    el("tbody", {}, ...keys.map(row)),
  );
}

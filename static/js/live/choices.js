/** What the viewer chooses above the map: whose knowledge, 2D or 3D, and films of it. */

import { download, el } from "../dom.js";
import { Film, filmType } from "../map/film.js";

/** Stands for all agents together, whose knowledge a master has. */
export const EVERYBODY = "(all)";

/** The controls in the head of the world's card. */
export class Choices {
  /**
   * @param {HTMLElement} host
   * @param {object} options
   * @param {() => import("../map/film.js").Side[]} options.filmed what a film shows
   * @param {boolean} options.space whether there is a 3D view
   * @param {(choice: {knows?: string, view?: string}) => void} options.choose
   * @param {() => void} options.play let the moment move on, if it rests
   * @param {((signal: AbortSignal, told: (share: number) => void) => Promise<Blob>) | null} options.gif makes a GIF
   */
  constructor(host, { filmed, space, choose, play, gif }) {
    this.filmed = filmed;
    this.play = play;
    this.gif = gif;
    /** Gives up the GIF that is being made. @type {AbortController | null} */
    this.making = null;
    this.space = space;
    this.film = null;
    this.knows = el(
      "select",
      {
        class: "form-select form-select-sm",
        id: "map-knows",
        onchange: () => choose({ knows: this.knows.value }),
      },
      el("option", { value: "", text: "everything" }),
    );
    const button = (text, title, hidden, onclick) =>
      el("button", { type: "button", class: "btn btn-sm", text, title, hidden, onclick });
    this.view = button("3D", "Show the world in three dimensions", !space, () =>
      choose({ view: this.is3d ? "" : "3d" }),
    );
    const about = "Save what this card shows as a film (WebM), until you stop it or the replay ends";
    this.filming = button("Film", about, !filmType(), () => (this.film ? this.#cut() : this.#roll()));
    const moving = "Save the map as a moving picture (GIF) of the time that the timeline shows";
    this.gifButton = button("GIF", moving, !gif, () => (this.making ? this.making.abort() : this.#make()));
    this.note = el("span", { class: "map-made", role: "status" });
    const label = el("label", { for: "map-knows", text: "See" });
    host.replaceChildren(label, this.knows, this.view, this.filming, this.gifButton, this.note);
  }

  /** The agents are known. */
  offer(names) {
    if (this.knows.options.length === 1 && names.length > 0) {
      this.knows.append(
        ...names.map((name) => el("option", { value: name, text: `what ${name} knows` })),
        el("option", { value: EVERYBODY, text: "what all agents know together" }),
      );
    }
  }

  /**
   * Show what is chosen; what does not move any more is filmed no longer.
   * @param {{knows: string, view: string}} chosen
   * @param {boolean} moving
   * @returns {boolean} whether the 3D view is to be shown
   */
  show({ knows, view }, moving) {
    this.is3d = view === "3d" && this.space;
    this.knows.value = knows;
    this.view.setAttribute("aria-pressed", String(this.is3d));
    this.view.classList.toggle("active", this.is3d);
    if (this.film && !moving) {
      this.#cut();
    }
    return this.is3d;
  }

  #roll() {
    this.film = new Film(this.filmed());
    this.filming.textContent = "Stop filming";
    this.play();
  }

  async #cut() {
    const { film } = this;
    this.film = null;
    this.filming.textContent = "Film";
    download(await film.stop(), "map.webm");
  }

  async #make() {
    this.making = new AbortController();
    const { signal } = this.making;
    this.gifButton.textContent = "Cancel";
    this.note.textContent = "";
    try {
      const told = (share) => {
        this.note.textContent = `GIF ${Math.round(100 * share)} %`;
      };
      download(await this.gif(signal, told), "map.gif");
      this.note.textContent = "GIF saved";
    } catch (error) {
      this.note.textContent = signal.aborted ? "GIF given up" : `No GIF: ${error.message}`;
    } finally {
      this.making = null;
      this.gifButton.textContent = "GIF";
    }
  }
}

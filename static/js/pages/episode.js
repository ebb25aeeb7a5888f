/** The episode page: connects the event stream with the spectator, and the page's links and forms with both. */

import { announce } from "../dom.js";
import { refreshParts } from "../live/outcome.js";
import { paceForm } from "../live/pace.js";
import { LiveClient, wakeWithPage } from "../live/socket.js";
import { Spectator } from "../live/spectator.js";
import { UNDER_WAY } from "../live/story.js";
import { keepMoment } from "../time/address.js";

/** Parts of the page that the server renders again when the episode has ended. */
const PARTS_AT_END = "#outcome, [data-at-end]";

/** The stream of the episode beside this one. */
function watchBeside(beside) {
  const client = new LiveClient(new URL(beside.section.dataset.socket, socketBase()).href, {
    connection: ({ kind, text, count }) => beside.say(kind === "live" || kind === "ended" ? "" : text, count),
    clock: (beat) => beside.beat(beat),
    events: (events) => beside.take(events),
    reset: () => beside.reset(),
    end: (status) => {
      beside.end(status);
      if (UNDER_WAY.has(beside.section.dataset.status)) {
        refreshParts("#beside-facts").catch((error) => beside.say(`Reload the page: ${error.message}`));
      }
    },
  });
  beside.watch(client);
  wakeWithPage(client);
  client.connect();
}

/** Go where a link of the outcome leads: to an event, or to a moment and an agent; whether the log is here already. */
function follow(spectator, { seq, tick, agent }) {
  const isHere = seq ? spectator.list.open(Number(seq)) : spectator.folds.tick >= Number(tick);
  if (isHere && tick) {
    spectator.seek(Number(tick));
  }
  if (isHere && agent) {
    spectator.choose({ agent });
  }
  return isHere;
}

function start(live) {
  const find = (selector) => live.querySelector(selector);
  const underWay = UNDER_WAY.has(live.dataset.status);
  const scene = JSON.parse(document.querySelector("#scene-data").textContent);
  const spectator = new Spectator(live, scene);
  const form = document.querySelector("#pace-form");
  const showPace = form ? paceForm(form, say) : () => {};

  function say(text, kind = "problem", count = "") {
    const place = find("#connection");
    announce(place, text, count);
    place.dataset.state = kind;
  }

  // Links of the outcome to events and moments; without a script, or before the log is here, they lead to the table.
  live.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-seq], a[data-tick]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    if (follow(spectator, link.dataset)) {
      event.preventDefault();
      find(link.dataset.tick ? "#timeline" : "#events").scrollIntoView({ block: "nearest" });
    }
  });

  const client = new LiveClient(new URL(live.dataset.socket, socketBase()).href, {
    connection: ({ kind, text, count }) => say(text, kind, count),
    clock: (beat) => {
      showPace(beat.pace);
      spectator.beat(beat);
    },
    events: (events) => {
      const isFirst = spectator.folds.seq === 0;
      spectator.take(events);
      if (isFirst) {
        requestAnimationFrame(() => requestAnimationFrame(keepPlace));
      }
    },
    reset: () => spectator.reset(),
    end: (status) => {
      spectator.end(status);
      if (underWay) {
        refreshParts(PARTS_AT_END).catch((error) =>
          say(`Ended. Reload the page for the outcome: ${error.message}`),
        );
      }
    },
  });
  live.liveClient = client;
  live.spectator = spectator;
  spectator.watch(client);
  wakeWithPage(client);
  showPace(Number(live.dataset.pace));
  client.connect();
  if (spectator.beside) {
    watchBeside(spectator.beside);
  }
  keepMoment((source) => spectator.address(source.matches("#beside-facts a") ? "beside" : "again"));
}

/** The timeline takes its height once the log says who acts, which moves what the address points to. */
function keepPlace() {
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function socketBase() {
  return location.href.replace(/^http/, "ws");
}

const live = document.querySelector("#live");
if (live) {
  start(live);
}

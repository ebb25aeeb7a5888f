/** The episode page: connects the event stream with the timeline, the table, the event list and the clock. */

import { EventList } from "../events/index.js";
import { Folds } from "../live/folds.js";
import { refreshParts } from "../live/outcome.js";
import { paceForm } from "../live/pace.js";
import { LiveClient, wakeWithPage } from "../live/socket.js";
import { clockText } from "../live/words.js";
import { Timeline } from "../timeline/index.js";
import { Twin } from "../timeline/twin.js";

/** Parts of the page that the server renders again when the episode has ended. */
const PARTS_AT_END = "#outcome, [data-at-end]";
const UNDER_WAY = new Set(["queued", "running"]);

function start(live) {
  const find = (selector) => live.querySelector(selector);
  const maxSteps = Number(live.dataset.maxSteps);
  const underWay = UNDER_WAY.has(live.dataset.status);
  const folds = new Folds();
  const state = { tick: 0, status: live.dataset.status };

  const timeline = new Timeline(find("#timeline"), { folds, maxSteps, picked: (seq) => list.show(seq) });
  const list = new EventList(find("#events"), {
    fromStart: !underWay,
    picked: (event) => timeline.centre(event.world_time, event.seq),
  });
  const twin = new Twin(find("#timeline-twin"), folds);
  const form = document.querySelector("#pace-form");
  const showPace = form ? paceForm(form, say) : () => {};

  // Ten readings a second are for the eye; a screen reader would speak without pause.
  find("#clock").setAttribute("aria-live", "off");

  function say(text, kind = "problem") {
    const place = find("#connection");
    place.textContent = text;
    place.dataset.state = kind;
  }

  function refresh() {
    // The heartbeat's clock may have run ahead of the tick that a cancelled episode ended at.
    const tick = folds.end?.tick ?? Math.max(state.tick, folds.tick);
    find("#clock").textContent = clockText(tick, maxSteps);
    timeline.update(state.tick, state.status === "running" && !folds.end);
    twin.update();
    live.dataset.lastSeq = String(folds.seq);
  }

  // Links of the outcome to events and moments; without a script, or before the log is here, they lead to the table.
  live.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-seq], a[data-tick]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    const { seq, tick } = link.dataset;
    if (seq ? list.open(Number(seq)) : folds.tick >= Number(tick)) {
      event.preventDefault();
      if (tick) {
        timeline.centre(Number(tick));
      }
      find(tick ? "#timeline" : "#events").scrollIntoView({ block: "nearest" });
    }
  });

  const client = new LiveClient(new URL(live.dataset.socket, socketBase()).href, {
    connection: ({ kind, text }) => say(text, kind),
    clock: ({ tick, status, pace }) => {
      state.tick = tick;
      state.status = status;
      live.dataset.status = status;
      showPace(pace);
      refresh();
    },
    events: (events) => {
      events.forEach((event) => {
        folds.apply(event);
      });
      const isFirst = folds.seq === events.length;
      list.add(events);
      refresh();
      if (isFirst) {
        requestAnimationFrame(() => requestAnimationFrame(keepPlace));
      }
    },
    reset: () => {
      folds.clear();
      state.tick = 0;
      timeline.reset();
      list.reset();
      twin.refill();
      refresh();
    },
    end: (status) => {
      state.status = status;
      live.dataset.status = status;
      refresh();
      if (underWay) {
        refreshParts(PARTS_AT_END).catch((error) =>
          say(`Ended. Reload the page for the outcome: ${error.message}`),
        );
      }
    },
  });
  live.liveClient = client;
  wakeWithPage(client);
  showPace(Number(live.dataset.pace));
  client.connect();
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

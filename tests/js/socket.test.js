import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { backOff, LiveClient } from "../../static/js/live/socket.js";
import { FakeSocket, FakeTimers } from "./fakes.js";

let timers;
let sockets;
let seen;
let client;
let online;

const newest = () => sockets.at(-1);
const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const hello = (more = {}) => ({
  kind: "hello",
  episode: 7,
  attempt: 1,
  status: "running",
  last_seq: 0,
  tick: 0,
  pace: 4,
  ...more,
});
const events = (from, to, attempt = 1) => ({
  kind: "events",
  attempt,
  first_seq: from,
  last_seq: to,
  events: numbers(from, to).map((seq) => ({
    seq,
    world_time: seq,
    type: "plan_ended",
    version: 1,
    payload: {},
  })),
});

beforeEach(() => {
  timers = new FakeTimers();
  sockets = [];
  online = true;
  seen = { seqs: [], connection: [], clock: [], resets: 0, end: [] };
  client = new LiveClient(
    "ws://host/ws/episodes/7/",
    {
      events: (list) => seen.seqs.push(...list.map((one) => one.seq)),
      connection: ({ kind, text, count }) => seen.connection.push(`${kind}: ${text} ${count}`.trim()),
      clock: (clock) => seen.clock.push(clock),
      reset: () => {
        seen.resets += 1;
      },
      end: (status) => seen.end.push(status),
    },
    {
      open: (url) => {
        sockets.push(new FakeSocket(url));
        return newest();
      },
      setTimeout: timers.set,
      clearTimeout: timers.clear,
      now: () => timers.now,
      random: () => 0,
      online: () => online,
    },
  );
  client.connect();
});

test("says connecting, then live, and asks for everything at first", () => {
  assert.equal(newest().url, "ws://host/ws/episodes/7/?after=0");
  newest().receive(hello({ tick: 30 }));
  assert.deepEqual(seen.connection, ["connecting: Connecting …", "live: Live"]);
  assert.deepEqual(seen.clock, [{ tick: 30, status: "running", pace: 4 }]);
});

test("applies each event once, however often it is sent", () => {
  newest().receive(hello());
  newest().receive(events(1, 4));
  newest().receive(events(3, 6));
  newest().receive(events(2, 5));
  assert.deepEqual(seen.seqs, [1, 2, 3, 4, 5, 6]);
  assert.equal(client.lastSeq, 6);
  assert.deepEqual(
    client.log.map((one) => one.seq),
    [1, 2, 3, 4, 5, 6],
  );
  assert.deepEqual(newest().sent, []);
});

test("takes world time along with events, after them", () => {
  newest().receive(hello());
  newest().receive({ ...events(1, 2), clock: { kind: "clock", tick: 90, status: "running", pace: 4 } });
  assert.deepEqual(seen.seqs, [1, 2]);
  assert.deepEqual(seen.clock.at(-1), { tick: 90, status: "running", pace: 4 });
});

test("asks for a gap, once until the answer is overdue, and applies nothing behind it before", () => {
  newest().receive(hello());
  newest().receive(events(1, 2));
  newest().receive(events(5, 6));
  newest().receive(events(7, 7));
  assert.deepEqual(seen.seqs, [1, 2]);
  assert.deepEqual(newest().sent, [{ kind: "resend", after: 2 }]);
  timers.pass(2_000);
  assert.deepEqual(newest().sent, [
    { kind: "resend", after: 2 },
    { kind: "resend", after: 2 },
  ]);
  newest().receive(events(3, 7));
  assert.deepEqual(seen.seqs, [1, 2, 3, 4, 5, 6, 7]);
  timers.pass(2_000);
  assert.equal(newest().sent.length, 2);
});

test("takes up a lost connection from the last event, without a gap", () => {
  newest().receive(hello());
  newest().receive(events(1, 3));
  newest().end(1006);
  assert.equal(seen.connection.at(-1), "waiting: Reconnecting in 1 s");
  timers.pass(149);
  assert.equal(sockets.length, 1);
  timers.pass(1);
  assert.equal(sockets.length, 2);
  assert.equal(newest().url, "ws://host/ws/episodes/7/?after=3");
  newest().receive(hello());
  newest().receive(events(4, 5));
  assert.deepEqual(seen.seqs, [1, 2, 3, 4, 5]);
});

test("rests without a connection, and goes on from where it broke off", () => {
  newest().receive(hello());
  newest().receive(events(1, 3));
  client.rest();
  assert.equal(newest().closedWith, 1000);
  newest().end(1000);
  timers.pass(60_000);
  assert.equal(sockets.length, 1);
  client.connect();
  assert.equal(newest().url, "ws://host/ws/episodes/7/?after=3");
});

test("waits twice as long after each failure, up to five seconds, half of it random", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 50].map((failures) => backOff(failures, () => 0)),
    [150, 300, 600, 1_200, 2_400, 2_500, 2_500],
  );
  assert.equal(
    backOff(50, () => 0.5),
    3_750,
  );
});

test("counts the seconds down while it waits", () => {
  for (const delay of [150, 300, 600, 1_200]) {
    newest().end(1006);
    timers.pass(delay);
  }
  seen.connection = [];
  newest().end(1006);
  timers.pass(2_399);
  assert.deepEqual(seen.connection, [
    "waiting: Reconnecting in 3 s",
    "waiting: Reconnecting in 2 s",
    "waiting: Reconnecting in 1 s",
  ]);
  timers.pass(1);
  assert.equal(seen.connection.at(-1), "connecting: Connecting …");
});

test("says so when the machine has no network, and still tries", () => {
  online = false;
  newest().end(1006);
  assert.equal(seen.connection.at(-1), "offline: No network: trying again in 1 s");
  timers.pass(150);
  assert.equal(sockets.length, 2);
});

test("connects at once when woken, and only once", () => {
  newest().end(1006);
  client.wake();
  assert.equal(sockets.length, 2);
  client.wake();
  timers.pass(10_000);
  assert.equal(sockets.length, 2);
});

test("a success makes the next waiting short again", () => {
  newest().end(1006);
  timers.pass(150);
  newest().receive(hello());
  newest().end(1006);
  timers.pass(150);
  assert.equal(sockets.length, 3);
});

test("a dropped connection closes its socket, comes back, and hears nothing from the old socket", () => {
  newest().receive(hello());
  newest().receive(events(1, 2));
  const old = newest();
  client.drop();
  assert.equal(old.closedWith, 4000);
  old.receive(events(3, 3));
  old.end(1006);
  timers.pass(150);
  assert.equal(sockets.length, 2);
  newest().receive(hello());
  newest().receive(events(3, 4));
  assert.deepEqual(seen.seqs, [1, 2, 3, 4]);
});

test("a running episode's silence of a minute counts as a lost connection, a queued one's does not", () => {
  newest().receive(hello({ status: "queued" }));
  timers.pass(180_000);
  assert.equal(sockets.length, 1);
  newest().receive({ kind: "clock", tick: 1, status: "running", pace: 4 });
  timers.pass(59_999);
  assert.equal(newest().closedWith, null);
  timers.pass(1);
  assert.equal(sockets[0].closedWith, 4000);
});

test("says for how long nothing has been heard of a running episode, and is live again with the next sign", () => {
  const sign = { kind: "clock", tick: 0, status: "running", pace: 4 };
  newest().receive(hello());
  timers.pass(4_999);
  newest().receive(sign);
  timers.pass(4_999);
  assert.deepEqual(seen.connection, ["connecting: Connecting …", "live: Live"]);
  timers.pass(2_001);
  newest().receive(sign);
  timers.pass(4_999);
  assert.deepEqual(seen.connection.slice(2), [
    "silent: No news for 5 s",
    "silent: No news for 6 s",
    "silent: No news for 7 s",
    "live: Live",
  ]);
});

test("counts on from how long it was silent before one came, and takes the log for no news", () => {
  newest().receive(hello({ silent_s: 20 }));
  newest().receive(events(1, 3));
  timers.pass(1_000);
  assert.deepEqual(seen.connection.slice(1), [
    "live: Live",
    "silent: No news for 20 s",
    "silent: No news for 21 s",
  ]);
});

test("calls neither a long log nor an episode that waits or has ended silent", () => {
  newest().receive(hello());
  timers.pass(4_000);
  newest().receive(events(1, 3));
  timers.pass(4_000);
  newest().receive({ kind: "clock", tick: 0, status: "queued", pace: 4 });
  timers.pass(30_000);
  newest().receive({ kind: "clock", tick: 0, status: "lost", pace: 4 });
  timers.pass(30_000);
  assert.deepEqual(seen.connection, ["connecting: Connecting …", "live: Live"]);
});

test("a lost connection is not called silence as well", () => {
  newest().receive(hello({ silent_s: 4 }));
  newest().end(1006);
  client.rest();
  timers.pass(30_000);
  assert.deepEqual(seen.connection.slice(2), ["waiting: Reconnecting in 1 s"]);
});

test("a reset forgets everything and starts again at 1", () => {
  newest().receive(hello());
  newest().receive(events(1, 3));
  newest().receive({ kind: "reset", attempt: 2 });
  newest().receive(events(1, 2, 2));
  assert.equal(seen.resets, 1);
  assert.deepEqual(seen.seqs, [1, 2, 3, 1, 2]);
  assert.equal(client.log.length, 2);
});

test("a new attempt found on reconnecting starts over and is asked for from the beginning", () => {
  newest().receive(hello());
  newest().receive(events(1, 3));
  newest().end(1006);
  timers.pass(150);
  newest().receive(hello({ attempt: 2 }));
  assert.equal(seen.resets, 1);
  assert.deepEqual(newest().sent, [{ kind: "resend", after: 0 }]);
  newest().receive(events(3, 4, 1));
  assert.equal(client.lastSeq, 0);
  newest().receive(events(1, 4, 2));
  assert.equal(client.lastSeq, 4);
});

test("ends after the last event: closes, says so, and stays closed", () => {
  newest().receive(hello());
  newest().receive(events(1, 2));
  newest().receive({ kind: "end", status: "finished", last_seq: 2 });
  newest().end(1000);
  timers.pass(100_000);
  client.wake();
  assert.deepEqual(seen.end, ["finished"]);
  assert.equal(seen.connection.at(-1), "ended: Ended");
  assert.equal(newest().closedWith, 1000);
  assert.equal(sockets.length, 1);
});

test("an end that comes before the last events waits for them, over a new connection if need be", () => {
  newest().receive(hello());
  newest().receive(events(1, 2));
  newest().receive({ kind: "end", status: "finished", last_seq: 4 });
  assert.deepEqual(newest().sent, [{ kind: "resend", after: 2 }]);
  newest().end(1000);
  assert.deepEqual(seen.end, []);
  timers.pass(150);
  assert.equal(newest().url, "ws://host/ws/episodes/7/?after=2");
  newest().receive(hello({ status: "finished" }));
  newest().receive(events(3, 4));
  assert.deepEqual(seen.end, ["finished"]);
});

for (const [code, words] of [
  [4403, /may not watch/],
  [4404, /no longer exists/],
]) {
  test(`does not come back after ${code}, and says why`, () => {
    newest().end(code);
    timers.pass(100_000);
    assert.match(seen.connection.at(-1), words);
    assert.equal(sockets.length, 1);
  });
}

test("ignores what is no frame, and frames of kinds that it does not know", () => {
  newest().receive(hello());
  newest().receive("<html>");
  newest().receive("null");
  newest().receive({ kind: "news", text: "hello" });
  newest().receive(events(1, 1));
  assert.deepEqual(seen.seqs, [1]);
});

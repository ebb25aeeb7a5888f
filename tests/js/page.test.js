import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { inkOn, palette } from "../../static/js/colours.js";
import { oncePerFrame } from "../../static/js/dom.js";
import { replaceParts } from "../../static/js/live/outcome.js";

const ROOT = fileURLToPath(new URL("../../static/js/", import.meta.url));
const FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const modules = [
  "colours.js",
  "dom.js",
  ...FOLDERS.flatMap((folder) => readdirSync(ROOT + folder).map((name) => `${folder}/${name}`)),
].map((name) => ({ name, text: readFileSync(ROOT + name, "utf8") }));

test("no module turns text into markup or code", () => {
  const dangerous = /\.(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function/;
  assert.deepEqual(
    modules.filter(({ text }) => dangerous.test(text)).map(({ name }) => name),
    [],
  );
});

test("imports are named, relative, and of files that exist, as the hashing of static files needs them", () => {
  for (const { name, text } of modules) {
    assert.doesNotMatch(text, /^import\s+["']/m, `${name} imports a module only to run it`);
    for (const [statement, path] of text.matchAll(/^import\s[^;]*?from\s+"([^"]+)"(;?)/gm)) {
      assert.match(statement, /;$/, `${name}: ${statement}`);
      assert.match(path, /^\.\.?\//, `${name}: ${path}`);
      assert.ok(existsSync(resolve(ROOT, dirname(name), path)), `${name}: ${path}`);
    }
  }
});

test("modules and style sheets can be read in one sitting", () => {
  const folder = fileURLToPath(new URL("../../static/css/", import.meta.url));
  const styles = readdirSync(folder).map((name) => ({ name, text: readFileSync(folder + name, "utf8") }));
  assert.deepEqual(
    [...modules, ...styles].filter(({ text }) => text.split("\n").length > 400).map(({ name }) => name),
    [],
  );
});

test("colours come from the page, an action without its own has that of all actions", () => {
  const set = { "--planning": " #123456", "--action": "#222222", "--action-wait": "#333333" };
  const colour = palette((name) => set[name] ?? "");
  assert.equal(colour("planning"), "#123456");
  assert.equal(colour("action-wait"), "#333333");
  assert.equal(colour("action-dance"), "#222222");
  assert.equal(colour("bad"), "#b3350b");
});

test("text on a colour is black or white, whichever has more contrast", () => {
  assert.equal(inkOn("#f0e442"), "#000000");
  assert.equal(inkOn("#0072b2"), "#ffffff");
  assert.equal(inkOn("#777777"), "#000000");
  assert.equal(inkOn("#757575"), "#ffffff");
});

test("however often a redraw is asked for, it happens once a frame", () => {
  const frames = [];
  let drawn = 0;
  const ask = oncePerFrame(
    () => {
      drawn += 1;
    },
    (callback) => frames.push(callback),
  );
  ask();
  ask();
  assert.equal(frames.length, 1);
  frames.pop()();
  ask();
  assert.deepEqual([drawn, frames.length], [1, 1]);
});

test("at the end only the parts that the server sent again are replaced", () => {
  const part = (id) => ({
    id,
    replaceWith(other) {
      this.other = other;
    },
  });
  const [outcome, other, nameless] = [part("outcome"), part("gone"), part("")];
  const page = { querySelectorAll: () => [outcome, other, nameless], adoptNode: (node) => node };
  const fresh = { getElementById: (id) => (id === "outcome" ? "new outcome" : null) };
  assert.equal(replaceParts(page, fresh, "[data-at-end]"), 1);
  assert.equal(outcome.other, "new outcome");
  assert.equal(other.other, undefined);
});

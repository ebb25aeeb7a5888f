// Selectors such as `@e[type=zombie,distance=..5,limit=1]`.
const { distance } = require("../../shared/geometry.js");
const { MODES } = require("../modes.js");

const KINDS = "aeprs";
const SHAPING = ["limit", "sort", "x", "y", "z", "dx", "dy", "dz"];

/** Splits `a=b,c=[d,e]` at the commas that are in no brackets. */
function parts(text) {
  const found = [""];
  let depth = 0;
  for (const letter of text) {
    if ("[{".includes(letter)) depth++;
    if ("]}".includes(letter)) depth--;
    if (letter === "," && !depth) found.push("");
    else found[found.length - 1] += letter;
  }
  return found.filter(Boolean);
}

/** A range as `3`, `..5`, `2..` or `2..5`. */
function range(text) {
  const [low, high] = text.includes("..") ? text.split("..") : [text, text];
  const [least, most] = [low === "" ? -Infinity : Number(low), high === "" ? Infinity : Number(high)];
  return (value) => least <= value && value <= most;
}

/** What filters beings one by one, by the option's name; each takes the option's value and where to measure from. */
const FILTERS = {
  tag:
    (text) =>
    ({ tags }) =>
      text ? tags.has(text) : tags.size === 0,
  type: (text) => (being) => being.type === text.replace(/^minecraft:/, ""),
  name: (text) => (being) => being.name === text.replace(/^"(.*)"$/, "$1"),
  gamemode: (text) => (being) => being.kind === "player" && MODES[being.it.player.gameMode] === text,
  distance: (text, origin) => (being) => range(text)(distance(being.at, origin)),
};

function filter(name, value, origin, reader) {
  if (!(name in FILTERS)) throw reader.misread("argument.entity.options.unknown", name);
  const isNot = value.startsWith("!");
  const holds = FILTERS[name](isNot ? value.slice(1) : value, origin);
  return (being) => holds(being) !== isNot;
}

/** Whether a being is in the box that the options dx, dy and dz span from a corner. */
function inBox(options, corner) {
  const spans = ["dx", "dy", "dz"].map((name) => Number(options[name] ?? 0));
  return ({ at }) =>
    at.every((value, axis) => {
      const [low, high] = [Math.min(0, spans[axis]), Math.max(0, spans[axis]) + 1];
      return corner[axis] + low <= value && value <= corner[axis] + high;
    });
}

function read(text, reader) {
  const [, kind, inside = ""] = /^@([a-z])(?:\[(.*)\])?$/.exec(text) ?? [];
  if (!kind || !KINDS.includes(kind)) throw reader.misread("argument.entity.selector.unknown", text);
  const pairs = parts(inside).map((part) => {
    const [, name, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/s.exec(part) ?? [];
    if (!name) throw reader.misread("argument.entity.options.valueless", part);
    return [name, value];
  });
  const isShaping = ([name]) => SHAPING.includes(name);
  const shape = Object.fromEntries(pairs.filter(isShaping));
  return { kind, shape, filters: pairs.filter((pair) => !isShaping(pair)) };
}

/** Those whom a selector means; `pool(kind)` are all who might be. */
function select(text, origin, reader, pool) {
  const { kind, shape, filters } = read(text, reader);
  const corner = ["x", "y", "z"].map((axis, i) => Number(shape[axis] ?? origin[i]));
  const tests = filters.map(([name, value]) => filter(name, value, corner, reader));
  if ("dx" in shape || "dy" in shape || "dz" in shape) tests.push(inBox(shape, corner));
  const found = pool(kind).filter((being) => tests.every((holds) => holds(being)));
  if (shape.sort === "nearest" || kind === "p")
    found.sort((a, b) => distance(a.at, corner) - distance(b.at, corner));
  const limit = Number(shape.limit ?? ("prs".includes(kind) ? 1 : Infinity));
  return { beings: found.slice(0, limit), isOne: limit === 1, hasPlayersOnly: kind !== "e" };
}

module.exports = { select };

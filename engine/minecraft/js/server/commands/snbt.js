// NBT data as commands write it, read into plain values and back. A number's kind is the letter behind it.

/** Reads the text; what it does not understand is an error. */
function read(text) {
  let at = 0;

  const skip = () => {
    while (text[at] === " ") at++;
  };
  const take = (letter) => {
    skip();
    if (text[at] !== letter) throw new Error(`expected ${letter} at ${at} of ${text}`);
    at++;
  };
  const is = (letter) => {
    skip();
    return text[at] === letter;
  };

  function value() {
    if (is("{")) return compound();
    if (is("[")) return list();
    return text[at] === '"' || text[at] === "'" ? quoted() : bare();
  }

  function quoted() {
    const quote = text[at++];
    let found = "";
    while (text[at] !== quote) {
      if (at >= text.length) throw new Error(`no end of the text in ${text}`);
      if (text[at] === "\\") at++;
      found += text[at++];
    }
    at++;
    return found;
  }

  function bare() {
    const [word] = /^[\w.+-]+/.exec(text.slice(at)) ?? [];
    if (!word) throw new Error(`nothing to read at ${at} of ${text}`);
    at += word.length;
    if (word === "true" || word === "false") return word === "true" ? 1 : 0;
    const number = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)[bslfd]?$/i.exec(word);
    return number ? Number(number[1]) : word;
  }

  function compound() {
    const found = {};
    take("{");
    while (!is("}")) {
      const name = text[at] === '"' || text[at] === "'" ? quoted() : bare();
      take(":");
      found[name] = value();
      if (!is("}")) take(",");
    }
    take("}");
    return found;
  }

  function list() {
    const found = [];
    take("[");
    skip();
    if (/^[BIL];/.test(text.slice(at))) at += 2;
    while (!is("]")) {
      found.push(value());
      if (!is("]")) take(",");
    }
    take("]");
    return found;
  }

  const found = compound();
  skip();
  if (at < text.length) throw new Error(`there is more behind the end of ${text}`);
  return found;
}

/** A number as Java writes it. */
const decimal = (value) => (Number.isInteger(value) ? `${value}.0` : String(value));

/** Values as text, each of its kind. */
const write = {
  byte: (value) => `${Number(value)}b`,
  double: (value) => `${decimal(value)}d`,
  float: (value) => `${decimal(Math.fround(value) === value ? value : Number(value.toPrecision(7)))}f`,
  int: String,
  text: (value) => JSON.stringify(value),
  list: (parts) => `[${parts.join(", ")}]`,
  ints: (parts) => `[I; ${parts.join(", ")}]`,
  compound: (fields) =>
    `{${Object.entries(fields)
      .map(([name, text]) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${text}`)
      .join(", ")}}`,
};

module.exports = { decimal, read, write };

// Reads a command from left to right, as Minecraft does, and says where it was not understood.
const PLACE_LETTERS = 10;
const OPENING = "[{(";
const CLOSING = "]})";
const QUOTES = "\"'";

/** What a command is refused with, in Minecraft's own words. */
class Refusal extends Error {}

class Reader {
  at = 0;
  start = 0; // of the word that was read last

  constructor(text, words) {
    Object.assign(this, { text, words });
  }

  get isAtEnd() {
    return this.at >= this.text.length;
  }

  /** Another reader at the same place. */
  fork() {
    return Object.assign(new Reader(this.text, this.words), { at: this.at });
  }

  /** A refusal that shows from where on the command was not understood: from the last word that was read. */
  misread(key, ...values) {
    const dots = this.start > PLACE_LETTERS ? "..." : "";
    const shown = this.text.slice(Math.max(0, this.start - PLACE_LETTERS));
    return new Refusal(
      this.words.say(key, ...values) + dots + shown + this.words.say("command.context.here"),
    );
  }

  /** As `misread`, but from the first word on. */
  misreadAll(key) {
    this.start = 0;
    return this.misread(key);
  }

  /** What comes next, up to a space that is in no brackets or quotes. */
  word() {
    this.start = Math.min(this.at, this.text.length);
    if (this.isAtEnd) throw this.misread("command.unknown.command");
    for (let depth = 0; !this.isAtEnd && (depth > 0 || this.text[this.at] !== " "); this.at++) {
      const letter = this.text[this.at];
      if (QUOTES.includes(letter)) this.skipText(letter);
      else if (OPENING.includes(letter)) depth++;
      else if (CLOSING.includes(letter)) depth--;
    }
    return this.text.slice(this.start, this.at++);
  }

  /** From an opening quote to the closing one. */
  skipText(quote) {
    for (this.at++; !this.isAtEnd && this.text[this.at] !== quote; this.at++) {
      if (this.text[this.at] === "\\") this.at++;
    }
  }

  /** Everything that is left. */
  rest() {
    this.start = Math.min(this.at, this.text.length);
    if (this.isAtEnd) throw this.misread("command.unknown.command");
    const rest = this.text.slice(this.at);
    this.at = this.text.length;
    return rest;
  }

  end() {
    this.start = this.at;
    if (!this.isAtEnd) throw this.misread("command.unknown.argument");
  }

  /** One of the words. */
  oneOf(options) {
    const word = this.word();
    if (options.includes(word)) return word;
    throw this.misread("command.unknown.argument");
  }

  /** A name, its namespace left out. */
  name() {
    return this.word().replace(/^minecraft:/, "");
  }

  number(least = -Infinity, most = Infinity, kind = "double") {
    const word = this.word();
    const value = Number(word);
    if (!/^-?(\d+\.?\d*|\.\d+)$/.test(word) || (kind === "integer" && !Number.isInteger(value)))
      throw this.misread("command.unknown.argument");
    if (value < least) throw this.misread(`argument.${kind}.low`, least, word);
    if (value > most) throw this.misread(`argument.${kind}.big`, most, word);
    return value;
  }

  whole(least, most) {
    return this.number(least, most, "integer");
  }

  /** As `whole`, but the fallback if the command is at its end. */
  optionalWhole(fallback, least, most) {
    return this.isAtEnd ? fallback : this.whole(least, most);
  }

  /** Whether what is left begins so. */
  startsWith(pattern) {
    return pattern.test(this.text.slice(this.at));
  }

  /** Whether the next word is this one; if so it has been read. */
  skip(word) {
    const before = this.at;
    if (!this.isAtEnd && this.word() === word) return true;
    this.at = before;
    return false;
  }

  /** A coordinate, which may be relative to where the command is run. */
  coordinate(origin, isCentred) {
    const word = this.word();
    const found = /^(~?)(-?(?:\d+\.?\d*|\.\d+))?$/.exec(word);
    if (!found || (!found[1] && !found[2])) throw this.misread("argument.pos.missing.double");
    if (found[1]) return origin + Number(found[2] ?? 0);
    return Number(found[2]) + (isCentred && !found[2].includes(".") ? 0.5 : 0);
  }

  /** A position in Minecraft's coordinates; whole numbers of x and z mean the middle of their block. */
  position([x, y, z]) {
    return [this.coordinate(x, true), this.coordinate(y, false), this.coordinate(z, true)];
  }

  /** A cell; whole numbers. */
  cell(origin) {
    return origin.map((base) => Math.floor(this.coordinate(Math.floor(base), false)));
  }
}

module.exports = { Reader, Refusal };

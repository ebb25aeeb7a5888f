// execute, as far as its questions and `as … run` need it.
const STEPS = ["as", "at", "positioned", "if", "unless", "run"];

/** `run(reader, source)` carries out what is left of the command. */
module.exports = (world, { words, beings, blocks }, run) => {
  const execute = (reader, source) => {
    const step = reader.oneOf(STEPS);
    if (step === "run") return run(reader, source);
    if (step === "positioned") return execute(reader, { ...source, at: reader.position(source.at) });
    if (step === "if" || step === "unless") return ask(reader, source, step === "if");
    const found = beings.matches(reader, source);
    const sources = found.map((being) =>
      step === "as" ? { ...source, being } : { ...source, at: being.at },
    );
    return sources.map((one) => execute(reader.fork(), one)).join("");
  };

  function ask(reader, source, isWanted) {
    const answer = test(reader, source);
    if (!reader.isAtEnd) return answer.isTrue === isWanted ? execute(reader, source) : "";
    const isCounted = answer.isTrue && answer.isCounted;
    const verdict = answer.isTrue === isWanted ? "pass" : "fail";
    return isCounted
      ? words.say(`commands.execute.conditional.${verdict}_count`, answer.count)
      : words.say(`commands.execute.conditional.${verdict}`);
  }

  function test(reader, source) {
    if (reader.oneOf(["block", "entity"]) === "entity") {
      const { length } = beings.matches(reader, source);
      return { isTrue: length > 0, isCounted: true, count: length };
    }
    const cell = blocks.place(reader, source);
    return { isTrue: world.grid.block(cell) === blocks.block(reader), isCounted: false };
  }

  return { commands: { execute } };
};

// What servers say, as people read it.

/** The text of a chat component in whichever form the version sends it. */
function wordsOf(reason) {
  let said = reason;
  try {
    if (typeof said === "string") said = JSON.parse(said);
  } catch {
    return reason; // plain text
  }
  const parts = (value) => {
    if (value === null || typeof value !== "object") return [String(value)];
    if ("type" in value && "value" in value) return parts(value.value); // NBT, since 1.20.3
    if (Array.isArray(value)) return value.flatMap(parts);
    const { text = "", translate = "", with: filled = [], extra = [] } = value;
    return [text, translate, filled, extra].flatMap(parts);
  };
  return parts(said).filter(Boolean).join(" ");
}

module.exports = { wordsOf };

// Attributes of entities, as packets and commands have them.

/** An attribute's value with its modifiers: what they add, then what they multiply ("Attribute", Minecraft Wiki). */
function modified({ value, modifiers }) {
  const amounts = (operation) =>
    modifiers.filter((one) => one.operation === operation).map((one) => one.amount);
  const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
  const [base, total] = [
    value + sum(amounts(0)),
    amounts(2).reduce((product, one) => product * (1 + one), 1),
  ];
  return base * (1 + sum(amounts(1))) * total;
}

const WALK_BPS = 4.317; // of a player whose movement speed is the default
const WALK_ATTRIBUTE = 0.1;

/** Blocks a second of a player with this movement speed. */
const paceOf = (attribute) => (attribute / WALK_ATTRIBUTE) * WALK_BPS;

/** The movement speed of a player who goes so many blocks a second. */
const attributeOf = (pace) => (pace / WALK_BPS) * WALK_ATTRIBUTE;

module.exports = { WALK_BPS, attributeOf, modified, paceOf };

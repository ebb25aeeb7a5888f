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

module.exports = { modified };

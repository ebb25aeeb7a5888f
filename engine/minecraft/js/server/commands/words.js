// What a vanilla server says, in English, from the language file that minecraft-data has for the version.
module.exports = (registry) => {
  const language = registry.language;

  /** The text of a key, with values in the places of its `%s`. */
  function say(key, ...values) {
    if (!(key in language)) throw new Error(`Minecraft says nothing for ${key}`);
    let next = 0;
    return language[key].replace(/%(?:(\d+)\$)?[sd]|%%/g, (mark, place) => {
      if (mark === "%%") return "%";
      return String(values[place ? place - 1 : next++]);
    });
  }

  const title = (kind, name) => language[`${kind}.minecraft.${name}`];

  const potion = (name) =>
    language[`item.minecraft.potion.effect.${name.replace(/^(strong|long)_|_potion$/g, "")}`];

  return {
    say,
    /** The text for one of several beings, by name, or for their number; `values` puts that in its place. */
    count: (key, beings, values) =>
      beings.length === 1
        ? say(`${key}.single`, ...values(beings[0].name))
        : say(`${key}.multiple`, ...values(beings.length)),
    effect: (name) => title("effect", name),
    entity: (name) => title("entity", name) ?? name,
    item: (name) => title("item", name) ?? title("block", name) ?? potion(name) ?? name,
    attribute: (name) => language[`attribute.name.${name}`] ?? name,
  };
};

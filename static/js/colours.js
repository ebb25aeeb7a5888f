/** Colours of canvases: read from the page's custom properties, so that one palette serves everything. */

const FALLBACKS = {
  surface: "#ffffff",
  canvas: "#f7f8fa",
  text: "#1f2730",
  "text-muted": "#58636f",
  line: "#dfe3e8",
  "line-strong": "#b9c1ca",
  accent: "#0b62b5",
  good: "#0a7a55",
  bad: "#b3350b",
  warn: "#8a5a00",
  planning: "#cc79a7",
  action: "#0072b2",
  idle: "#d9dee4",
  dead: "#232a33",
};

/**
 * The page's palette as it is now.
 * @param {(name: string) => string} read value of a custom property, empty when it is not set
 * @returns {(name: string) => string} colour by name (without `--`); an action without a colour of its own
 *   has that of `action`
 */
export function palette(read) {
  const known = new Map();
  const colour = (name) => {
    if (!known.has(name)) {
      const fallback = name.startsWith("action-") ? colour("action") : (FALLBACKS[name] ?? FALLBACKS.text);
      known.set(name, read(`--${name}`).trim() || fallback);
    }
    return known.get(name);
  };
  return colour;
}

/**
 * The palette in force on this page.
 * @returns {(name: string) => string}
 */
export function pagePalette() {
  const style = getComputedStyle(document.documentElement);
  return palette((name) => style.getPropertyValue(name));
}

/**
 * Black or white, whichever is easier to read on the colour (WCAG 2 relative luminance).
 * @param {string} colour `#rrggbb`; anything else is taken as dark
 * @returns {"#000000" | "#ffffff"}
 */
export function inkOn(colour) {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  if (!parts) {
    return "#ffffff";
  }
  const [r, g, b] = parts.slice(1).map((part) => {
    const value = Number.parseInt(part, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return (luminance + 0.05) ** 2 > 1.05 * 0.05 ? "#000000" : "#ffffff";
}

/**
 * Call back whenever the page turns dark or light.
 * @param {() => void} changed
 * @returns {() => void} stops watching
 */
export function watchTheme(changed) {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-bs-theme"] });
  return () => observer.disconnect();
}

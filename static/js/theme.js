// Sets the colour theme before the first paint, and keeps the visitor's choice. Loaded as a plain script in <head>.
(() => {
  const KEY = "theme";
  const system = window.matchMedia("(prefers-color-scheme: dark)");

  const stored = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage is switched off: follow the system
    }
  };

  const current = () => stored() ?? (system.matches ? "dark" : "light");

  const apply = () => {
    const theme = current();
    document.documentElement.dataset.bsTheme = theme;
    const button = document.getElementById("theme-toggle");
    if (button) {
      button.hidden = false;
      button.setAttribute("aria-label", `Switch to the ${theme === "dark" ? "light" : "dark"} theme`);
    }
  };

  const toggle = () => {
    const next = current() === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, next);
      apply();
    } catch {
      document.documentElement.dataset.bsTheme = next; // for this page only
    }
  };

  apply();
  system.addEventListener("change", apply);
  document.addEventListener("DOMContentLoaded", () => {
    apply();
    document.getElementById("theme-toggle")?.addEventListener("click", toggle);
  });
})();

// The button that switches between light and dark.

import { byId } from "./dom.js";

const STORED_AS = "uccurve-theme";

// Pages opened from a file or inside a frame may have no storage: the choice then lasts as long as the page.
function storedTheme() {
  try {
    return window.localStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}

function storeTheme(theme) {
  try {
    window.localStorage.setItem(STORED_AS, theme);
  } catch {
    // no storage
  }
}

// The button names the theme that it switches to.
export function wireTheme() {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const currentTheme = () => root.dataset.theme ?? (dark.matches ? "dark" : "light");
  const otherTheme = () => (currentTheme() === "dark" ? "light" : "dark");
  const button = byId("theme");
  const updateButton = () => {
    byId("theme-name").textContent = otherTheme() === "dark" ? "Dark" : "Light";
    button.title = `Switch to ${otherTheme()}`;
  };
  button.addEventListener("click", () => {
    root.dataset.theme = otherTheme();
    storeTheme(root.dataset.theme);
    updateButton();
  });
  dark.addEventListener("change", updateButton);
  if (["light", "dark"].includes(storedTheme())) root.dataset.theme = storedTheme();
  updateButton();
}

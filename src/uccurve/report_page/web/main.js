// Reads the numbers and lets every part of the page follow what the reader chooses.

import { drawChart } from "./chart.js";
import { coverageAt, nearestPlace, readData } from "./data.js";
import { byId, drawForPaper, wireField } from "./dom.js";
import { wireExports } from "./exports.js";
import { drawReliability } from "./reliability.js";
import { drawRows } from "./rows.js";
import { drawSegments } from "./segments.js";
import { addressOf, createStore, initialState, readAddress } from "./state.js";
import { drawStrip } from "./strip.js";
import { drawVerdict } from "./verdict.js";

const STORED_AS = "uccurve-theme";
const data = readData();
const store = createStore(initialState(data));

function wireControls() {
  const buttons = [...document.querySelectorAll("[data-view]")];
  buttons.forEach((button) =>
    button.addEventListener("click", () => store.set({ view: button.dataset.view })),
  );
  store.on(["view"], ({ view }) => {
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.view === view)));
    const show = (name, isShown) => {
      document.querySelector(`.for-${name}`).hidden = !isShown;
    };
    show("ratio", view === "reference" || view === "own");
    show("reference", view === "reference");
    show("axis", view !== "reliability");
  });
  wireField(store, byId("criterion"), "criterion");
  wireField(store, byId("reference"), "reference", Number);
  wireField(store, byId("from"), "from", Number);
  document.querySelectorAll("input.coverage").forEach((field) => {
    field.addEventListener("change", () => {
      if (field.value !== "") store.set({ place: nearestPlace(data, Number(field.value) / 100) });
    });
    store.on(["place"], ({ place }) => {
      field.value = String(Number((100 * coverageAt(data, place)).toFixed(6)));
    });
  });
  byId("back").addEventListener("click", () => store.set({ place: data.chosen }));
  store.on(["place"], ({ place }) => {
    byId("back").style.visibility = place === data.chosen ? "hidden" : "visible";
  });
}

// The address follows when the reader rests, and the page follows the address.
function wireAddress() {
  let timer = null;
  store.on(Object.keys(store.initial), () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const address = addressOf(data, store.get(), store.initial);
      if (address !== window.location.hash) window.history.replaceState(null, "", address || "#");
    }, 300);
  });
  window.addEventListener("hashchange", () => readAddress(data, store));
  readAddress(data, store);
}

// On paper everything is unfolded, and folded again afterwards.
function wirePrint() {
  let opened = [];
  window.addEventListener("beforeprint", () => {
    drawForPaper(true);
    opened = [...document.querySelectorAll("main details:not([open])")];
    opened.forEach((node) => (node.open = true));
  });
  window.addEventListener("afterprint", () => {
    drawForPaper(false);
    opened.forEach((node) => (node.open = false));
  });
}

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
function wireTheme() {
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

document.querySelectorAll("[data-live]").forEach((node) => (node.hidden = false));
wireTheme();
wireControls();
drawVerdict(data, store);
drawChart(data, store);
drawReliability(data, store);
drawStrip(data, store);
drawSegments(data, store);
if (data.rows) drawRows(data, store);
wireExports(data, store);
wirePrint();
wireAddress();
document.body.classList.add("ready");

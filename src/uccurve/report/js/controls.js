// Everything the reader can set.

import { models, optimum, placeOf } from "./data.js";
import { byId, element, fillSelect } from "./dom.js";
import { rate } from "./format.js";
import { swatch } from "./tables.js";

export function initial(data) {
  const [low, high] = data.range.map((end) => placeOf(data, end));
  return {
    x: data.x,
    y: data.y,
    standardized: false,
    place: placeOf(data, data.missRate),
    low: Math.min(low, high - 1),
    high,
    c: telling(data),
    hidden: new Set(),
    constant: true,
    limit: true,
    band: true,
    shown: models(data)[0].place,
    order: -1,
    most: 150,
  };
}

// A weight whose optimum is near the nominal miss rate: costs have units, so that no fixed weight would do.
function telling(data) {
  const miss = (c) => optimum(data, models(data)[0], { c, x: data.x, y: data.y, standardized: false }).point.miss_rate;
  return d3.least(data.weights, (c) => Math.abs(miss(c) - data.missRate));
}

export function wireControls(data, store) {
  const last = data.rates.length - 1;
  chooser("x-axis", (value) => ({ x: value }), "x");
  chooser("y-axis", (value) => ({ y: value }), "y");
  chooser("units", (value) => ({ standardized: value === "standardized" }));
  byId("units").disabled = data.standard === null;
  ["constant", "limit", "band"].forEach((name) => {
    const box = byId(`show-${name}`);
    box.addEventListener("change", () => store.set({ [name]: box.checked }));
    store.on((state) => {
      box.checked = state[name];
    });
  });

  fillSelect(byId("rows-model"), data.curves.map((curve) => [curve.place, curve.name]), store.get().shown);
  chooser("rows-model", (value) => ({ shown: Number(value) }), "shown");
  fillSelect(byId("rows-order"), [[-1, "in order"], ...data.rows.columns.map((c, i) => [i, `against ${c.name}`])], -1);
  chooser("rows-order", (value) => ({ order: Number(value) }), "order");
  const sizes = [50, 150, 400, 1000].filter((size, i, all) => !i || all[i - 1] < data.rows.y.length);
  fillSelect(byId("rows-most"), sizes.map((size) => [size, `${Math.min(size, data.rows.y.length)} rows`]), store.get().most);
  chooser("rows-most", (value) => ({ most: Number(value) }));

  slide("rate", last, "place", (place) => `at most ${rate(data.rates[place])}`);
  slide("low", last - 1, "low", (place) => rate(data.rates[place]), (place, state) => ({
    low: place,
    high: Math.max(state.high, place + 1),
  }));
  slide("high", last, "high", (place) => rate(data.rates[place]), (place, state) => ({
    high: Math.max(1, place),
    low: Math.min(state.low, Math.max(1, place) - 1),
  }));
  const weight = (c) => data.weights.indexOf(c);
  const cost = byId("cost");
  cost.max = data.weights.length - 1;
  cost.addEventListener("input", () => store.set({ c: data.weights[Number(cost.value)] }));
  store.on(({ c, x, y }) => {
    cost.value = weight(c);
    const text = `c = ${c}`;
    byId("cost-value").textContent = text;
    cost.setAttribute("aria-valuetext", text);
    document.querySelectorAll(".cost-x").forEach((node) => node.replaceChildren(x.replace("_", " ")));
    document.querySelectorAll(".cost-y").forEach((node) => node.replaceChildren(y.replace("_", " ")));
  });

  legend();
  wireTheme();

  function chooser(id, change, name = null) {
    const select = byId(id);
    select.addEventListener("change", () => store.set(change(select.value)));
    if (name !== null) {
      store.on((state) => {
        select.value = String(state[name]);
      });
    }
  }

  function slide(id, max, name, text, change = (place) => ({ [name]: place })) {
    const input = byId(id);
    input.max = max;
    input.addEventListener("input", () => store.set(change(Number(input.value), store.get())));
    store.on((state) => {
      input.value = state[name];
      input.setAttribute("aria-valuetext", text(state[name]));
      byId(`${id}-value`).textContent = text(state[name]);
    });
  }

  // One button a model: pressed while it is shown.
  function legend() {
    const buttons = models(data).map((curve) => {
      const button = element("button", { type: "button", class: "model", "data-model": curve.name }, swatch(curve), curve.name);
      button.addEventListener("click", () => {
        const hidden = new Set(store.get().hidden);
        if (!hidden.delete(curve.place)) hidden.add(curve.place);
        if (hidden.size < models(data).length) store.set({ hidden });
      });
      store.on(({ hidden }) => button.setAttribute("aria-pressed", String(!hidden.has(curve.place))));
      return button;
    });
    byId("legend").replaceChildren(...buttons);
  }
}

function wireTheme() {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const button = byId("theme");
  const tell = () => {
    button.setAttribute("aria-pressed", String(isDark()));
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    tell();
  });
  dark.addEventListener("change", tell);
  tell();
}

// Everything the reader can set.

import { advice, models, optimum, placeOf, weightsFor } from "./data.js";
import { byId, element, fillSelect } from "./dom.js";
import { rate } from "./format.js";
import { swatch } from "./tables.js";

export function initial(data) {
  const [low, top] = data.range.map((end) => placeOf(data, end));
  const high = Math.max(1, top);
  const place = placeOf(data, data.missRate);
  const reaching = models(data).find((curve) => Number.isFinite(curve.points.parameter[place])) ?? models(data)[0];
  return {
    x: data.x,
    y: data.y,
    standardized: false,
    place,
    low: Math.min(low, high - 1),
    high,
    weight: telling(data, reaching),
    hidden: new Set(),
    constant: true,
    limit: true,
    band: true,
    shown: reaching.place,
    order: -1,
    most: 150,
  };
}

// A weight whose optimum is near the nominal miss rate: costs have units, so that no fixed weight would do.
function telling(data, curve) {
  const start = { x: data.x, y: data.y, standardized: false };
  const miss = (weight) => optimum(data, curve, { ...start, weight }).point.miss_rate;
  return d3.least(d3.range(weightsFor(data, start).length), (weight) => Math.abs(miss(weight) - data.missRate));
}

export function wireControls(data, store) {
  const last = data.rates.length - 1;
  chooser("x-axis", (value) => ({ x: value }), "x");
  chooser("y-axis", (value) => ({ y: value }), "y");
  chooser("units", (value) => ({ standardized: value === "standardized" }));
  if (data.standard === null) {
    byId("units").disabled = true;
    byId("units").title = "There is no one standard deviation of y here to be the unit.";
  }
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
  const cost = byId("cost");
  cost.max = weightsFor(data, store.get()).length - 1;
  cost.addEventListener("input", () => store.set({ weight: Number(cost.value) }));
  store.on((state) => {
    const { x, y } = state;
    cost.value = state.weight;
    const text = `c = ${weightsFor(data, state)[state.weight]}`;
    byId("cost-value").textContent = text;
    const words = models(data).map(
      (curve) => `${curve.name}: ${advice(data, optimum(data, curve, state).point.parameter, state.standardized)}`,
    );
    cost.setAttribute("aria-valuetext", `${text}. ${words.join("; ")}`);
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

// Only what scrolls needs to be reached by keyboard for scrolling.
export function wireScrolling() {
  document.querySelectorAll(".scroll").forEach((node) => {
    const tell = () => {
      const scrolls = node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight;
      if (scrolls) node.setAttribute("tabindex", "0");
      else node.removeAttribute("tabindex");
    };
    new ResizeObserver(tell).observe(node);
    tell();
  });
}

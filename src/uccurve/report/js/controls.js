// Everything the reader can set.

import { advice, hasBand, hasLimit, models, optimum, placeOf, rowsFor, weightsFor } from "./data.js";
import { byId, element, fillSelect } from "./dom.js";
import { count, rate } from "./format.js";
import { swatch } from "./tables.js";
import { spoken } from "./words.js";

export function initial(data) {
  const [low, top] = data.range.map((end) => placeOf(data, end));
  const high = Math.max(1, top);
  const place = placeOf(data, data.missRate);
  const reaching =
    models(data).find((curve) => Number.isFinite(curve.points.parameter[place])) ?? models(data)[0];
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
    segment: -1,
    inRow: false,
    start: 0,
  };
}

// A weight whose optimum is near the nominal miss rate: costs have units, so that no fixed weight would do.
function telling(data, curve) {
  const start = { x: data.x, y: data.y, standardized: false };
  const miss = (weight) => optimum(data, curve, { ...start, weight }).point.miss_rate;
  return d3.least(d3.range(weightsFor(data, start).length), (weight) =>
    Math.abs(miss(weight) - data.missRate),
  );
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
  const applies = { constant: () => true, limit: hasLimit, band: hasBand };
  const needs = { limit: "the bandwidth across", band: "the miss rate up" };
  Object.entries(applies).forEach(([name, does]) => {
    const box = byId(`show-${name}`);
    box.addEventListener("change", () => store.set({ [name]: box.checked }));
    store.on((state) => {
      box.checked = state[name];
      box.disabled = !does(state);
      box.parentElement.title = box.disabled ? `Needs ${needs[name]}.` : "";
    });
  });

  if (data.rows) wireRows();

  slide("rate", last, "place", (place) => `at most ${rate(data.rates[place])}`);
  slide(
    "low",
    last - 1,
    "low",
    (place) => rate(data.rates[place]),
    (place, state) => ({
      low: place,
      high: Math.max(state.high, place + 1),
    }),
  );
  slide(
    "high",
    last,
    "high",
    (place) => rate(data.rates[place]),
    (place, state) => ({
      high: Math.max(1, place),
      low: Math.min(state.low, Math.max(1, place) - 1),
    }),
  );
  const cost = byId("cost");
  cost.max = weightsFor(data, store.get()).length - 1;
  cost.addEventListener("input", () => store.set({ weight: Number(cost.value) }));
  store.on((state) => {
    const { x, y } = state;
    cost.value = state.weight;
    const text = `c = ${weightsFor(data, state)[state.weight]}`;
    byId("cost-value").textContent = text;
    const words = models(data).map(
      (curve) =>
        `${curve.name}: ${advice(data, optimum(data, curve, state).point.parameter, state.standardized)}`,
    );
    cost.setAttribute("aria-valuetext", `${text}. ${words.join("; ")}`);
    document.querySelectorAll(".cost-x").forEach((node) => node.replaceChildren(spoken(x)));
    document.querySelectorAll(".cost-y").forEach((node) => node.replaceChildren(spoken(y)));
  });

  legend();
  wireTheme();
  writeChoices();

  // Which rows are drawn, and against what.
  function wireRows() {
    fillSelect(
      byId("rows-model"),
      data.curves.map((curve) => [curve.place, curve.name]),
      store.get().shown,
    );
    chooser("rows-model", (value) => ({ shown: Number(value) }), "shown");
    fillSelect(
      byId("rows-order"),
      [[-1, "in order"], ...data.rows.columns.map((c, i) => [i, `against ${c.name}`])],
      -1,
    );
    chooser("rows-order", (value) => ({ order: Number(value) }), "order");
    const drawable = data.rows.spread.filter(Boolean).length;
    const sizes = [50, 150, 400, 1000].filter((size, i, all) => !i || all[i - 1] < drawable);
    fillSelect(
      byId("rows-most"),
      sizes.map((size) => [size, `${Math.min(size, drawable)} rows`]),
      store.get().most,
    );
    chooser("rows-most", (value) => ({ most: Number(value) }));
    chooser("rows-pick", (value) => ({ inRow: value === "row" }));
    if (byId("rows-segment")) {
      fillSelect(
        byId("rows-segment"),
        [[-1, "all"], ...data.rows.segments.map((part, i) => [i, part.name])],
        -1,
      );
      chooser("rows-segment", (value) => ({ segment: Number(value) }), "segment");
    }
    const start = byId("rows-start");
    start.addEventListener("input", () => store.set({ start: Number(start.value) }));
    store.on((state) => {
      const { inRow, first, last: lastStart, begin } = rowsFor(data, state);
      byId("rows-from").hidden = !(inRow && lastStart);
      start.max = lastStart;
      start.value = first;
      const text = inRow ? `row ${count(begin)}` : "";
      start.setAttribute("aria-valuetext", text);
      byId("rows-start-value").textContent = text;
    });
  }

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

  // What is chosen, as text: paper has no boxes to open.
  function writeChoices() {
    const choices = [...document.querySelectorAll(".tools select")].map((select) => {
      const text = element("span", { class: "chosen", "aria-hidden": "true" });
      select.after(text);
      return [select, text];
    });
    store.on(() =>
      choices.forEach(([select, text]) => text.replaceChildren(select.selectedOptions[0]?.textContent ?? "")),
    );
  }

  // One button a model: pressed while it is shown.
  function legend() {
    const buttons = models(data).map((curve) => {
      const button = element(
        "button",
        { type: "button", class: "model", "data-model": curve.name },
        swatch(curve),
        curve.name,
      );
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

const THEME = "uccurve-theme";

// Pages opened from a file or inside a frame may have no storage: the choice then lasts as long as the page.
function remembered() {
  try {
    return window.localStorage.getItem(THEME);
  } catch {
    return null;
  }
}

function remember(theme) {
  try {
    window.localStorage.setItem(THEME, theme);
  } catch {
    // not remembered
  }
}

// The button says what it switches to.
function wireTheme() {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const other = () =>
    (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark" ? "light" : "dark";
  const button = byId("theme");
  const tell = () => {
    byId("theme-name").textContent = other() === "dark" ? "Dark" : "Light";
    button.title = `Switch to ${other()}`;
  };
  button.addEventListener("click", () => {
    root.dataset.theme = other();
    remember(root.dataset.theme);
    tell();
  });
  dark.addEventListener("change", tell);
  if (["light", "dark"].includes(remembered())) root.dataset.theme = remembered();
  tell();
}

// What scrolls can be reached by keyboard, and a shadow at each edge says that there is more behind it.
export function wireScrolling() {
  document.querySelectorAll(".scroll").forEach((node) => {
    const tell = () => {
      const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = node;
      const more = {
        left: scrollLeft > 1,
        right: scrollLeft + clientWidth < scrollWidth - 1,
        up: scrollTop > 1,
        down: scrollTop + clientHeight < scrollHeight - 1,
      };
      Object.entries(more).forEach(([side, is]) => node.classList.toggle(`more-${side}`, is));
      if (Object.values(more).some(Boolean)) node.setAttribute("tabindex", "0");
      else node.removeAttribute("tabindex");
    };
    const observer = new ResizeObserver(tell);
    observer.observe(node);
    observer.observe(node.firstElementChild);
    node.addEventListener("scroll", tell, { passive: true });
    tell();
  });
}

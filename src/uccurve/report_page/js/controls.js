// Everything the reader can set: selects, checkboxes, sliders and the legend.

import { costAdvice, spoken, weightText } from "./captions.js";
import { hasBand, hasLimit, models, weightsFor } from "./curve_data.js";
import { byId, element, fillSelect } from "./dom.js";
import { count, rate } from "./format.js";
import { selectRows } from "./row_data.js";
import { swatch } from "./swatch.js";

const ROW_COUNTS = [50, 150, 400, 1000];

export function wireControls(data, store) {
  wireAxes(data, store);
  wireLayers(store);
  if (data.rows) wireRows(data, store);
  wireRates(data, store);
  wireCost(data, store);
  wireLegend(data, store);
  printChoices(store);
}

// `change` turns the value of a select into a change of the state; the select follows the state's `name`.
function wireSelect(store, id, change, name = null) {
  const select = byId(id);
  select.addEventListener("change", () => store.set(change(select.value)));
  if (name === null) return;
  store.on((state) => {
    select.value = String(state[name]);
  });
}

const wireNumberSelect = (store, id, name) =>
  wireSelect(store, id, (value) => ({ [name]: Number(value) }), name);

function wireAxes(data, store) {
  wireSelect(store, "x-axis", (x) => ({ x }), "x");
  wireSelect(store, "y-axis", (y) => ({ y }), "y");
  wireSelect(store, "units", (value) => ({ standardized: value === "standardized" }));
  if (data.standard === null) {
    byId("units").disabled = true;
    byId("units").title = "There is no single standard deviation of y to serve as the unit.";
  }
}

// What is drawn beside the curves.
function wireLayers(store) {
  const layers = [
    { name: "constant", applies: () => true },
    { name: "limit", applies: hasLimit, needs: "the bandwidth across" },
    { name: "band", applies: hasBand, needs: "the miss rate up" },
  ];
  layers.forEach(({ name, applies, needs }) => {
    const box = byId(`show-${name}`);
    box.addEventListener("change", () => store.set({ [name]: box.checked }));
    store.on((state) => {
      box.checked = state[name];
      box.disabled = !applies(state);
      box.parentElement.title = box.disabled ? `Needs ${needs}.` : "";
    });
  });
}

// Which rows are drawn, and against what.
function wireRows(data, store) {
  const { columns, segments, spread } = data.rows;
  const named = (items, text) => items.map((item, i) => [i, text(item)]);
  const { rowsCurve, most } = store.get();
  fillSelect(
    byId("rows-model"),
    named(data.curves, (curve) => curve.name),
    rowsCurve,
  );
  wireNumberSelect(store, "rows-model", "rowsCurve");
  const against = named(columns, (column) => `against ${column.name}`);
  fillSelect(byId("rows-order"), [[-1, "in order"], ...against], -1);
  wireNumberSelect(store, "rows-order", "column");
  const drawable = spread.filter(Boolean).length;
  const counts = ROW_COUNTS.filter((_, i) => i === 0 || ROW_COUNTS[i - 1] < drawable);
  fillSelect(
    byId("rows-most"),
    counts.map((number) => [number, `${Math.min(number, drawable)} rows`]),
    most,
  );
  wireSelect(store, "rows-most", (value) => ({ most: Number(value) }));
  wireSelect(store, "rows-pick", (value) => ({ consecutive: value === "row" }));
  if (byId("rows-segment")) {
    fillSelect(byId("rows-segment"), [[-1, "all"], ...named(segments, (segment) => segment.name)], -1);
    wireNumberSelect(store, "rows-segment", "segment");
  }
  wireRowsStart(data, store);
}

// Where consecutive rows start.
function wireRowsStart(data, store) {
  const slider = byId("rows-start");
  slider.addEventListener("input", () => store.set({ start: Number(slider.value) }));
  store.on((state) => {
    const { consecutive, start, lastStart, begin } = selectRows(data, state);
    byId("rows-from").hidden = !(consecutive && lastStart);
    slider.max = lastStart;
    showSlider(slider, start, consecutive ? `row ${count(begin)}` : "");
  });
}

function showSlider(slider, value, text, spokenText = text) {
  slider.value = value;
  slider.setAttribute("aria-valuetext", spokenText);
  byId(`${slider.id}-value`).textContent = text;
}

// The operating point and the range of miss rates, whose ends push each other.
function wireRates(data, store) {
  const last = data.rates.length - 1;
  const rateAt = (index) => rate(data.rates[index]);
  const wireSlider = (id, max, name, text, change) => {
    const slider = byId(id);
    slider.max = max;
    slider.addEventListener("input", () => store.set(change(Number(slider.value), store.get())));
    store.on((state) => showSlider(slider, state[name], text(state[name])));
  };
  const atMost = (index) => `at most ${rateAt(index)}`;
  wireSlider("rate", last, "rateIndex", atMost, (rateIndex) => ({ rateIndex }));
  wireSlider("low", last - 1, "low", rateAt, (low, { high }) => ({ low, high: Math.max(high, low + 1) }));
  wireSlider("high", last, "high", rateAt, (index, { low }) => {
    const high = Math.max(1, index);
    return { high, low: Math.min(low, high - 1) };
  });
}

function wireCost(data, store) {
  const slider = byId("cost");
  slider.max = weightsFor(data, store.get()).length - 1;
  slider.addEventListener("input", () => store.set({ weightIndex: Number(slider.value) }));
  store.on((state) => {
    const text = weightText(data, state);
    showSlider(slider, state.weightIndex, text, `${text}. ${costAdvice(data, state).join("; ")}`);
    ["x", "y"].forEach((axis) => {
      const nodes = document.querySelectorAll(`.cost-${axis}`);
      nodes.forEach((node) => node.replaceChildren(spoken(state[axis])));
    });
  });
}

// One button per model, pressed while the model is shown. One model always is.
function wireLegend(data, store) {
  const buttons = models(data).map(({ index, name }) => {
    const attributes = { type: "button", class: "model", "data-model": name };
    const button = element("button", attributes, swatch(data.curves[index]), name);
    button.addEventListener("click", () => {
      const hidden = new Set(store.get().hidden);
      if (!hidden.delete(index)) hidden.add(index);
      if (hidden.size < models(data).length) store.set({ hidden });
    });
    store.on(({ hidden }) => button.setAttribute("aria-pressed", String(!hidden.has(index))));
    return button;
  });
  byId("legend").replaceChildren(...buttons);
}

// Print shows the chosen options as text, instead of selects.
function printChoices(store) {
  const choices = [...document.querySelectorAll(".tools select")].map((select) => {
    const text = element("span", { class: "chosen", "aria-hidden": "true" });
    select.after(text);
    return [select, text];
  });
  store.on(() =>
    choices.forEach(([select, text]) => text.replaceChildren(select.selectedOptions[0]?.textContent ?? "")),
  );
}

// What the reader can set about the curves: the coverage, views, axes, layers, and the models that are shown.

import { wireConstantRows } from "./constant_rows.js";
import { costAdvice, spoken, weightText } from "./captions.js";
import { hasBand, hasLimit, isHidden, models, weightsFor } from "./curve_data.js";
import { byId, element, fillSelect, showSlider, wireSelect } from "./dom.js";
import { coverage } from "./format.js";
import { drawSliderTicks } from "./slider_ticks.js";
import { nameNode } from "./short_names.js";
import { swatch } from "./swatch.js";

const ZOOMS = ["50-100", "80-100", "0-100"];
const zoomName = (zoom) => `${zoom.replace("-", "–")}%`;

export function wireControls(data, store) {
  wireViews(data, store);
  wireAxes(data, store);
  wireZoom(store);
  wireLayers(store);
  wireCoverages(data, store);
  drawSliderTicks(data);
  wireConstantRows(data, store);
  wireCost(data, store);
  wireLegend(data, store);
  wireSegment(data, store);
}

function wireViews(data, store) {
  const isBanded = models(data).some(({ logMargin }) => logMargin?.some(Number.isFinite));
  const buttons = [...document.querySelectorAll("[data-view]")];
  buttons.forEach((button) => {
    button.addEventListener("click", () => store.set({ view: button.dataset.view }));
  });
  store.on(["view", "segment", "y"], ({ view, segment, y }) => {
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.view === view)));
    document.querySelectorAll("[data-panel]").forEach((panel) => {
      panel.hidden = panel.dataset.panel !== view;
    });
    const show = (name, isShown) => {
      document.querySelectorAll(`.for-${name}`).forEach((node) => {
        node.hidden = !isShown;
      });
    };
    show("curve", view === "curve" && segment < 0);
    show("coverage", view === "ratio" || (view === "curve" && (segment >= 0 || y === "miss_rate")));
    show("band", (view === "curve" || (view === "ratio" && isBanded)) && segment < 0);
  });
}

function wireAxes(data, store) {
  wireSelect(store, "x-axis", (x) => ({ x }), "x");
  wireSelect(store, "y-axis", (y) => ({ y }), "y");
  wireSelect(store, "units", (value) => ({ standardized: value === "standardized" }));
  store.on(["standardized"], ({ standardized }) => {
    byId("units").value = standardized ? "standardized" : "raw";
  });
  if (data.standard === null) {
    byId("units").disabled = true;
    byId("units").title = "There is no single standard deviation of y to serve as the unit.";
  }
}

// The coverages in view: some to choose from, and those drawn on a chart.
function wireZoom(store) {
  const first = store.get().zoom;
  const select = byId("zoom");
  const box = byId("stretched");
  select.addEventListener("change", () => store.set({ zoom: select.value }));
  box.addEventListener("change", () => store.set({ stretched: box.checked }));
  byId("zoom-reset").addEventListener("click", () => store.set({ zoom: first }));
  store.on(["zoom", "stretched"], ({ zoom, stretched }) => {
    const listed = [...new Set([...ZOOMS, zoom])];
    fillSelect(
      select,
      listed.map((name) => [name, zoomName(name)]),
      zoom,
    );
    box.checked = stretched;
    byId("zoom-reset").hidden = zoom === first;
  });
}

// What is drawn beside the curves.
function wireLayers(store) {
  const always = () => true;
  const layers = [
    { name: "constant", applies: always },
    { name: "limit", applies: hasLimit, needs: "the bandwidth across" },
    { name: "cost", applies: always },
    { name: "band", applies: (state) => state.view === "ratio" || hasBand(state), needs: "the miss rate up" },
  ];
  layers.forEach(({ name, applies, needs }) => {
    const box = byId(`show-${name}`);
    box.addEventListener("change", () => store.set({ [name]: box.checked }));
    store.on([name, "x", "y", "view"], (state) => {
      box.checked = state[name];
      box.disabled = !applies(state);
      box.parentElement.title = box.disabled ? `Needs ${needs}.` : "";
    });
  });
  store.on(["cost"], ({ cost }) => {
    byId("cost-hint").hidden = !cost;
  });
}

// Sliders run over coverages, and the state holds rate indices: the last one is a coverage of 0. The ends of the
// range push each other.
function wireCoverages(data, store) {
  const last = data.rates.length - 1;
  const wireSlider = (id, max, name, change) => {
    const slider = byId(id);
    slider.max = max;
    slider.addEventListener("input", () => store.set(change(last - Number(slider.value), store.get())));
    store.on([name], (state) => showSlider(slider, last - state[name], coverage(data.rates[state[name]])));
  };
  wireSlider("coverage", last, "rateIndex", (rateIndex) => ({ rateIndex }));
  wireSlider("from", last, "high", (index, { low }) => {
    const high = Math.max(1, index);
    return { high, low: Math.min(low, high - 1) };
  });
  wireSlider("to", last, "low", (index, { high }) => {
    const low = Math.min(index, last - 1);
    return { low, high: Math.max(high, low + 1) };
  });
}

function wireCost(data, store) {
  const slider = byId("cost");
  slider.max = weightsFor(data, store.get()).length - 1;
  slider.addEventListener("input", () => store.set({ weightIndex: Number(slider.value), cost: true }));
  store.on(["weightIndex", "x", "y", "standardized", "hidden"], (state) => {
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
    const attributes = { type: "button", class: "model", "data-model": name, "aria-label": name };
    const button = element("button", attributes, swatch(data.curves[index]), nameNode(name));
    button.addEventListener("click", () => {
      const hidden = new Set(store.get().hidden.split(".").filter(Boolean).map(Number));
      if (!hidden.delete(index)) hidden.add(index);
      if (hidden.size < models(data).length)
        store.set({ hidden: [...hidden].sort((a, b) => a - b).join(".") });
    });
    store.on(["hidden"], (state) => button.setAttribute("aria-pressed", String(!isHidden(state, index))));
    return button;
  });
  byId("legend").replaceChildren(...buttons);
}

// The segment that the charts are filtered by.
function wireSegment(data, store) {
  const note = byId("segment-shown");
  byId("segment-clear").addEventListener("click", () => store.set({ segment: -1 }));
  store.on(["segment"], ({ segment }) => {
    note.hidden = segment < 0;
    if (segment < 0) return;
    const { name, n } = data.segments[segment];
    note.firstElementChild.textContent = `Charts show segment ${name} alone (${n} rows), without bands of confidence.`;
  });
}

// Print shows the chosen options as text, instead of selects.
export function printChoices(store) {
  const choices = [...document.querySelectorAll(".tools select")].map((select) => {
    const text = element("span", { class: "chosen", "aria-hidden": "true" });
    select.after(text);
    return [select, text];
  });
  const names = [
    "x",
    "y",
    "standardized",
    "zoom",
    "rowsCurve",
    "segment",
    "column",
    "most",
    "consecutive",
    "sort",
  ];
  store.on(names, () =>
    choices.forEach(([select, text]) => text.replaceChildren(select.selectedOptions[0]?.textContent ?? "")),
  );
}

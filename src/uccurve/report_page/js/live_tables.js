// The tables that are folded away and follow the reader's choices: operating points, costs, partial gains.

import { costAdvice, savedText, signedParameter } from "./captions.js";
import {
  inUnit,
  isHidden,
  models,
  optimum,
  partialGains,
  pointAt,
  unitFactor,
  unitName,
} from "./curve_data.js";
import { byId, element } from "./dom.js";
import { percent, sig } from "./format.js";
import { columnLabels } from "./stacked_rows.js";
import { swatch } from "./swatch.js";

const valueText = (value) => (Number.isFinite(value) ? String(value) : "");
const cell = (value, text) => element("td", { "data-value": valueText(value) }, text);
const percentCell = (value) => cell(value, percent(value));
const savedCell = (curve, saved) => cell(saved, curve.constant ? "–" : savedText(saved));
const numberCell = (value) => cell(value, sig(value));
const shown = (data, state) => models(data).filter((curve) => !isHidden(state, curve.index));

// Fill a table with one row for each curve: its name beside a piece of its line, and its cells.
function fillTable(id, curves, cellsOf) {
  const labels = columnLabels(byId(id));
  const rows = curves.map((curve) => {
    const heading = element("th", { scope: "row" }, swatch(curve), curve.name);
    const cells = cellsOf(curve);
    cells.forEach((node, i) => node.setAttribute("data-label", labels[i + 1]));
    const kind = curve.constant ? "reference" : null;
    return element("tr", { "data-model": curve.name, class: kind }, heading, ...cells);
  });
  byId(id).tBodies[0].replaceChildren(...rows);
}

function parameterCell(data, state, curve, parameter) {
  const text = Number.isFinite(parameter) ? signedParameter(data, curve, parameter, state) : "–";
  return cell(parameter * unitFactor(data, "parameter", state), text);
}

function updatePoints(data, state) {
  const constants = data.curves.filter((curve) => curve.constant);
  fillTable("points-table", [...shown(data, state), ...constants], (curve) => {
    const point = pointAt(curve, state.rateIndex);
    const constant = pointAt(data.curves[curve.reference], state.rateIndex);
    return [
      parameterCell(data, state, curve, point.parameter),
      percentCell(1 - point.miss_rate),
      ...["bandwidth", "excess", "deficit"].map((name) => numberCell(inUnit(data, state, point, name))),
      savedCell(curve, 1 - point.bandwidth / constant.bandwidth),
    ];
  });
}

function updateCosts(data, state) {
  fillTable("cost-table", shown(data, state), (curve) => {
    const { point, cost, originalCost } = optimum(data, curve, state);
    return [
      parameterCell(data, state, curve, point.parameter),
      percentCell(1 - point.miss_rate),
      numberCell(cost),
      numberCell(originalCost),
    ];
  });
  byId("cost-note").textContent = costAdvice(data, state).join(" · ");
}

function updateGains(data, state) {
  fillTable("range-table", shown(data, state), (curve) => {
    const { strip, mean } = partialGains(data, curve, state);
    return [percentCell(mean), percentCell(strip)];
  });
}

// Headings name the unit of numbers that have one: a cost has one only where both of its terms do.
function updateUnits(data, state) {
  const unit = state.standardized ? "standard deviations" : unitName(data, state);
  const applies = { y: true, moved: data.vary === "shift", cost: state.y === "deficit" };
  document.querySelectorAll("[data-unit]").forEach((node) => {
    node.textContent = applies[node.dataset.unit] ? ` (${unit})` : "";
  });
}

// Tables that nobody sees wait until they are unfolded.
export function drawTables(data, store) {
  const fold = byId("advanced");
  const updates = [
    [["rateIndex", "standardized", "hidden"], updatePoints],
    [["weightIndex", "x", "y", "standardized", "hidden"], updateCosts],
    [["low", "high", "x", "y", "hidden"], updateGains],
  ];
  updates.forEach(([names, update]) =>
    store.on(names, (state) => {
      if (fold.open) update(data, state);
    }),
  );
  fold.addEventListener("toggle", () => {
    if (fold.open) updates.forEach(([, update]) => update(data, store.get()));
  });
  store.on(["standardized", "y"], (state) => updateUnits(data, state));
}

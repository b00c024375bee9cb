// The tables that follow the reader's choices: operating points, costs, partial gains, and coverage by segment.

import { costAdvice, pointsAdvice, signedParameter } from "./captions.js";
import { inUnit, models, optimum, partialGains, pointAt, unitFactor, unitName } from "./curve_data.js";
import { byId, element } from "./dom.js";
import { percent, sig } from "./format.js";
import { swatch } from "./swatch.js";

const SHORTFALL = 0.05; // segments that cover less than chosen by more than this are marked

const valueText = (value) => (Number.isFinite(value) ? String(value) : "");
const cell = (value, text) => element("td", { "data-value": valueText(value) }, text);
const percentCell = (value) => cell(value, percent(value));
const numberCell = (value) => cell(value, sig(value));

// Fill a table with one row for each curve: its name beside a piece of its line, and its cells.
function fillTable(id, curves, cellsOf) {
  const rows = curves.map((curve) => {
    const heading = element("th", { scope: "row" }, swatch(curve), curve.name);
    return element("tr", { "data-model": curve.name }, heading, ...cellsOf(curve));
  });
  byId(id).tBodies[0].replaceChildren(...rows);
}

function parameterCell(data, state, parameter) {
  const text = Number.isFinite(parameter) ? signedParameter(data, parameter, state) : "–";
  return cell(parameter * unitFactor(data, "parameter", state), text);
}

function updatePoints(data, state) {
  const constants = data.curves.filter((curve) => curve.constant);
  fillTable("points-table", [...models(data), ...constants], (curve) => {
    const point = pointAt(curve, state.rateIndex);
    const constant = pointAt(data.curves[curve.reference], state.rateIndex);
    return [
      parameterCell(data, state, point.parameter),
      percentCell(point.miss_rate),
      ...["bandwidth", "excess", "deficit"].map((name) => numberCell(inUnit(data, state, point, name))),
      percentCell(curve.constant ? 0 : 1 - point.bandwidth / constant.bandwidth),
    ];
  });
}

// Screen readers hear of changes only.
function announce(text) {
  const live = byId("live");
  if (live.textContent !== text) live.textContent = text;
}

function updateCosts(data, state) {
  fillTable("cost-table", models(data), (curve) => {
    const { point, cost, originalCost } = optimum(data, curve, state);
    return [
      parameterCell(data, state, point.parameter),
      percentCell(point.miss_rate),
      numberCell(cost),
      numberCell(originalCost),
    ];
  });
  byId("cost-note").textContent = costAdvice(data, state).join(" · ");
}

function updateGains(data, state) {
  fillTable("range-table", models(data), (curve) => {
    const { strip, mean } = partialGains(data, curve, state);
    return [percentCell(mean), percentCell(strip)];
  });
}

function updateSegments(data, state) {
  const chosen = 1 - data.rates[state.rateIndex];
  document.querySelectorAll("[data-live-segment]").forEach((node) => {
    const covered = data.segments[Number(node.dataset.liveSegment)].coverage[state.rateIndex];
    const short = covered < chosen - SHORTFALL;
    node.textContent = `${short ? "▼ " : ""}${percent(covered)}`;
    node.dataset.value = valueText(covered);
    node.classList.toggle("short", short);
  });
  document.querySelectorAll("[data-live-rate]").forEach((node) => {
    node.textContent = percent(chosen);
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

export function drawTables(data, store) {
  store.on((state) => {
    updateUnits(data, state);
    updatePoints(data, state);
    announce(pointsAdvice(data, state));
    updateCosts(data, state);
    updateGains(data, state);
    updateSegments(data, state);
  });
}

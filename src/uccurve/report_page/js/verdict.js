// The verdict and its table, as they stand at the chosen coverage.

import {
  againstConstant,
  chosenCoverage,
  pointsAdvice,
  savedText,
  savedThan,
  signedParameter,
} from "./captions.js";
import { inUnit, isHidden, models, pointAt, savedAt, unitFactor } from "./curve_data.js";
import { byId, element, setText } from "./dom.js";
import { coverage, percent, sig } from "./format.js";
import { atRest, whenSeen } from "./lazy.js";
import { sentenceNodes } from "./short_names.js";
import { columnLabels } from "./stacked_rows.js";
import { swatch } from "./swatch.js";

export function drawVerdict(data, store) {
  const answer = byId("answer");
  const first = [...answer.childNodes];
  const headingCoverage = byId("models-table").querySelector("[data-live-coverage]");
  const rows = tableRows(data);
  const names = data.curves.map(({ name }) => name);
  const announceLater = atRest(() => announce(pointsAdvice(data, store.get())));

  function update() {
    const state = store.get();
    if (isAsCompared(data, state)) answer.replaceChildren(...first);
    else answer.replaceChildren(...sentenceNodes(sentence(data, state).replaceAll(" %", "\u00a0%"), names));
    byId("elsewhere").hidden = !isAsCompared(data, state);
    const kind = byId("interval-kind");
    if (kind) setText(kind, isCompared(data, state) ? "" : ", for all coverages at once");
    setText(headingCoverage, chosenCoverage(data, state));
    rows.forEach((updateTexts) => updateTexts(state));
  }

  update();
  store.on(["rateIndex", "hidden", "standardized"], whenSeen(byId("models-table"), update));
  store.on(["rateIndex", "hidden", "standardized"], announceLater);
}

const isCompared = (data, { rateIndex }) => data.rates[rateIndex] === data.missRate;
const isAsCompared = (data, state) => isCompared(data, state) && state.hidden === "";

// Screen readers hear of changes only.
function announce(text) {
  const live = byId("live");
  if (live.textContent !== text) live.textContent = text;
}

// What can be said away from the coverage of the comparison: the order there, and whether its range is significant.
function sentence(data, state) {
  const at = `${chosenCoverage(data, state)} coverage`;
  const width = (curve) => curve.points.bandwidth[state.rateIndex];
  const ranked = models(data)
    .filter((curve) => !isHidden(state, curve.index) && Number.isFinite(width(curve)))
    .sort((a, b) => width(a) - width(b));
  if (!ranked.length) return `No model reaches ${at}: some bands have no width.`;
  const [best, second] = ranked;
  const { saved } = savedAt(data, best, state.rateIndex);
  const constant = savedThan(saved, "a constant band");
  const subject = saved < 0 ? "a constant band is narrowest" : `${best.name} is narrowest`;
  const lead = second && saved >= 0 ? [savedThan(1 - width(best) / width(second), second.name)] : [];
  const rest =
    saved < 0 ? `the narrowest model, ${best.name}, is ${savedText(saved)}` : [...lead, constant].join(", ");
  return `At ${at} ${subject}: ${rest}. ${significance(data, state)}`;
}

function significance(data, state) {
  if (data.sketched) return "Nothing was tested.";
  const rate = data.rates[state.rateIndex];
  const regime = data.regimes.find(({ low, high }) => low <= rate && rate <= high);
  if (!regime?.significant) return "Whether that is more than chance is not known here.";
  const range = `${coverage(regime.high)} to ${coverage(regime.low)}`;
  return `From ${range} ${data.curves[regime.best].name} is significantly the narrowest.`;
}

// One row for each model and constant band; each is made once, and then only its texts change.
function tableRows(data) {
  const curves = [...models(data), ...data.curves.filter((curve) => curve.constant)];
  const labels = columnLabels(byId("models-table"));
  const made = curves.map((curve) => {
    const cells = labels.slice(1).map((label) => element("td", { "data-label": label }));
    const heading = element("th", { scope: "row" }, swatch(curve), curve.name);
    const row = element(
      "tr",
      { "data-model": curve.name, class: curve.constant ? "reference" : null },
      heading,
      ...cells,
    );
    return { row, update: (state) => updateRow(data, state, curve, row, cells) };
  });
  byId("models-table").tBodies[0].replaceChildren(...made.map(({ row }) => row));
  return made.map(({ update }) => update);
}

const valueText = (value) => (Number.isFinite(value) ? String(value) : "");

function setCell(cell, value, text, ends = []) {
  cell.dataset.value = valueText(value);
  [cell.dataset.low, cell.dataset.high] = [0, 1].map((end) => valueText(ends[end]));
  setText(cell, text);
}

function updateRow(data, state, curve, row, [covered, width, saved, moved]) {
  const point = pointAt(curve, state.rateIndex);
  const claim = Number.isFinite(curve.claimed ?? NaN) ? ` (claims ${percent(curve.claimed, 0)})` : "";
  setCell(covered, curve.original.coverage, `${percent(curve.original.coverage)}${claim}`);
  const bandwidth = inUnit(data, state, point, "bandwidth");
  setCell(width, bandwidth, sig(bandwidth));
  const gain = savedAt(data, curve, state.rateIndex);
  setCell(saved, gain.saved, againstConstant(curve, gain), [gain.low, gain.high]);
  const parameter = point.parameter * unitFactor(data, "parameter", state);
  setCell(
    moved,
    parameter,
    Number.isFinite(parameter) ? signedParameter(data, curve, point.parameter, state) : "–",
  );
  row.hidden = isHidden(state, curve.index);
}

// The verdict and its table, as they stand at the chosen coverage.

import { chosenCoverage, pointsAdvice, savedWithInterval, signedParameter } from "./captions.js";
import { inUnit, isHidden, pointAt, savedAt, unitFactor } from "./curve_data.js";
import { byId, element, setText } from "./dom.js";
import { percent, sig } from "./format.js";
import { atRest, whenSeen } from "./lazy.js";
import { sentenceNodes } from "./short_names.js";
import { columnLabels } from "./stacked_rows.js";
import { swatch } from "./swatch.js";

export function drawVerdict(data, store) {
  const answer = byId("answer");
  const first = [...answer.childNodes];
  const headingCoverages = [...byId("models-table").querySelectorAll("[data-live-coverage]")];
  const rows = tableRows(data);
  const names = data.curves.map(({ name }) => name);
  const announceLater = atRest(() => announce(pointsAdvice(data, store.get())));

  function update() {
    const state = store.get();
    if (isCompared(data, state)) answer.replaceChildren(...first);
    else answer.replaceChildren(...sentenceNodes(answerAt(data, state), names));
    byId("elsewhere").hidden = !isCompared(data, state);
    const kind = byId("interval-kind");
    if (kind) setText(kind, isCompared(data, state) ? "" : ", for all coverages at once");
    headingCoverages.forEach((node) => setText(node, chosenCoverage(data, state)));
    rows.forEach((updateTexts) => updateTexts(state));
  }

  update();
  store.on(["rateIndex", "hidden", "standardized"], whenSeen(byId("models-table"), update));
  store.on(["rateIndex", "hidden", "standardized"], announceLater);
}

const isCompared = (data, { rateIndex }) => data.rates[rateIndex] === data.missRate;

// The sentence that was made with the comparison; at both ends of the slider there is none.
const answerAt = (data, state) =>
  data.answers[state.rateIndex] ||
  `Choose a coverage between 0 and 100%: nothing is compared at ${chosenCoverage(data, state)}.`;

// Screen readers hear of changes only.
function announce(text) {
  const live = byId("live");
  if (live.textContent !== text) live.textContent = text;
}

// One row for each model and constant band; each is made once, and then only its texts change.
function tableRows(data) {
  const curves = data.ranked.map((index) => data.curves[index]);
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

const setNumber = (cell, value) => setCell(cell, value, sig(value));

function updateRow(data, state, curve, row, cells) {
  const [covered, score, width, saved, moved] =
    data.rankBy === "interval_score" ? cells : cells.toSpliced(1, 0, null);
  const point = pointAt(curve, state.rateIndex);
  const claim = Number.isFinite(curve.claimed ?? NaN) ? ` (claims ${percent(curve.claimed, 0)})` : "";
  setCell(covered, curve.original.coverage, `${percent(curve.original.coverage)}${claim}`);
  if (score)
    setNumber(score, (curve.number?.[state.rateIndex] ?? NaN) * unitFactor(data, "bandwidth", state));
  const bandwidth = inUnit(data, state, point, "bandwidth");
  setNumber(width, bandwidth);
  const lead = savedAt(data, curve, state.rateIndex);
  const isReference = curve.index === data.common;
  setCell(saved, lead.saved, isReference ? "–" : savedWithInterval(lead, data.words), [lead.low, lead.high]);
  const parameter = point.parameter * unitFactor(data, "parameter", state);
  setCell(
    moved,
    parameter,
    Number.isFinite(parameter) ? signedParameter(data, curve, point.parameter, state) : "–",
  );
  row.hidden = isHidden(state, curve.index);
}

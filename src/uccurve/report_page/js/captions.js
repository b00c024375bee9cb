// What the page says about what it shows: labels of axes, notes, and captions for print, pictures and screen readers.

import {
  chosenWeight,
  inUnit,
  optimum,
  pointAt,
  reachedIndex,
  savedAt,
  shownModels,
  unitFactor,
  unitName,
} from "./curve_data.js";
import { count, coverage, percent, sig } from "./format.js";
import { populationOf } from "./row_data.js";

const MEANINGS = {
  bandwidth: "mean half-width",
  excess: "mean room inside the bounds",
  deficit: "mean distance outside the bounds",
};

const MEANINGS_OF_LIMIT = {
  bandwidth: "mean distance from the prediction to the limit",
  excess: "mean room inside the limit",
  deficit: "mean distance outside the limit",
};

export const spoken = (name) => name.replaceAll("_", " ");

// Possible labels of an axis, the longest first: the axis shows the first one that fits.
export function axisLabels(data, axis, state) {
  if (!(axis in MEANINGS)) return () => ["miss rate: 100% minus the coverage", "miss rate"];
  const units = [unitName(data, state), ...(state.standardized ? ["standard deviations"] : [])];
  const meaning = (data.side === "both" ? MEANINGS : MEANINGS_OF_LIMIT)[axis];
  return (power) => [
    `${axis}: ${meaning} (${power}${units[0]})`,
    ...units.map((unit) => `${axis} (${power}${unit})`),
    axis,
  ];
}

// The number that models are compared by, and how much better than the reference it is. The chart of the curves shows
// half-widths.
export function comparedText(data, state, curve, rateIndex) {
  const onCurve = state.view === "curve" && state.segment < 0 && data.rankBy === "interval_score";
  if (onCurve) return sig(inUnit(data, state, pointAt(curve, rateIndex), "bandwidth"));
  const saved = state.segment < 0 ? savedAt(data, curve, rateIndex).saved : 1 - curve.ratio[rateIndex];
  const number = (curve.number?.[rateIndex] ?? NaN) * unitFactor(data, "bandwidth", state);
  return Number.isFinite(saved) ? `${sig(number)}, ${savedText(saved, wordsOf(data, state))}` : sig(number);
}

const capitalized = (text) => text[0].toUpperCase() + text.slice(1);
export const chosenCoverage = (data, state) => coverage(data.rates[state.rateIndex]);

const WIDTHS = ["narrower", "wider", "as wide"];

// What models are compared by, and the words for it: of a segment the page carries half-widths only.
export const measureOf = (data, { segment }) => (segment < 0 ? data.measure : "half-width");
export const wordsOf = (data, { segment }) => (segment < 0 ? data.words : WIDTHS);

// A share by which a model is better than another, in words.
export function savedText(saved, [less, more, same] = WIDTHS) {
  if (!Number.isFinite(saved)) return "–";
  if (saved === 0) return same;
  return `${percent(Math.abs(saved))} ${saved >= 0 ? less : more}`;
}

// The same with its interval, where there is one.
export function savedWithInterval({ saved, low, high }, words) {
  const text = savedText(saved, words);
  if (!Number.isFinite(low) || !Number.isFinite(high) || !Number.isFinite(saved)) return text;
  const sign = saved >= 0 ? 1 : -1;
  const ends = [sign * low, sign * high].sort((a, b) => a - b);
  const shown = ends.map((end) => percent(end).replace("%", "").replace("-", "−"));
  return `${text} [${shown.join(", ")}]`;
}

// A scale or a shift with its sign, or the interval of a level: "× 1.2", "− 3", "87% interval".
export function signedParameter(data, curve, parameter, state, space = " ") {
  const value = parameter * unitFactor(data, "parameter", state);
  if (data.vary === "scale") return `×${space}${sig(value)}`;
  if (data.vary === "level") {
    if (!curve.largest) return `×${space}${sig(value)}`;
    return value <= 1 ? `${percent(value * curve.largest)} interval` : `outermost ×${space}${sig(value)}`;
  }
  return `${value < 0 ? "−" : "+"}${space}${sig(Math.abs(value))}`;
}

// What to do to the bands.
export function advice(data, curve, parameter, state) {
  if (!Number.isFinite(parameter)) return "not reachable: some bands are zero";
  if (data.vary === "scale") return `scale by ${sig(parameter)}`;
  if (data.vary === "level") {
    if (curve.largest && parameter <= 1) return `take the ${percent(parameter * curve.largest)} interval`;
    return `scale the outermost pair by ${sig(parameter)}`;
  }
  const amount = `${sig(Math.abs(parameter) * unitFactor(data, "parameter", state))} ${unitName(data, state)}`;
  return parameter < 0 ? `take ${amount} from each band` : `add ${amount} to each band`;
}

const adviceForAll = (data, state, parameterOf) =>
  shownModels(data, { ...state, segment: -1 }).map(
    (curve) => `${curve.name}: ${advice(data, curve, parameterOf(curve), state)}`,
  );

export function pointsAdvice(data, state) {
  const lines = adviceForAll(data, state, (curve) => pointAt(curve, state.rateIndex).parameter);
  return `Coverage ${chosenCoverage(data, state)}. ${lines.join("; ")}.`;
}

export function costAdvice(data, state) {
  return adviceForAll(data, state, (curve) => optimum(data, curve, state).point.parameter);
}

export const weightText = (data, state) => `c = ${chosenWeight(data, state)}`;

export function costFormula(data, state) {
  return `${weightText(data, state)} of c · ${spoken(state.x)} + (1 − c) · ${spoken(state.y)}`;
}

export function curvesCaption(data, state) {
  const points = shownModels(data, state).map((curve) => {
    const { parameter } = pointAt(curve, state.rateIndex);
    const text = Number.isFinite(parameter)
      ? signedParameter(data, curve, parameter, state, "\u00a0")
      : "not reachable";
    return `${curve.name}\u00a0${text}`;
  });
  const axes = `${capitalized(spoken(state.y))} against ${state.x}${segmentName(data, state)}.`;
  return `${axes} Operating points at ${chosenCoverage(data, state)} coverage: ${points.join(", ")}.`;
}

const segmentName = (data, { segment }) => (segment < 0 ? "" : `, segment ${data.segments[segment].name}`);

function savedByAll(data, state) {
  return shownModels(data, state).map((curve) => {
    const saved =
      state.segment < 0 ? savedAt(data, curve, state.rateIndex).saved : 1 - curve.ratio[state.rateIndex];
    return `${curve.name} ${savedText(saved, wordsOf(data, state))}`;
  });
}

export function ratioCaption(data, state) {
  const at = `At ${chosenCoverage(data, state)} coverage: ${savedByAll(data, state).join(", ")}.`;
  const what = `${capitalized(measureOf(data, state))} against ${data.curves[data.common].name}`;
  return `${what}, by coverage${segmentName(data, state)}. ${at}`;
}

// The main chart for screen readers.
export const ratioDescription = ratioCaption;

// The chart of the curves for screen readers.
export function curvesDescription(data, state) {
  const axes = `${spoken(state.y)} against ${spoken(state.x)}`;
  const points = shownModels(data, state).map((curve) => {
    const value = inUnit(data, state, pointAt(curve, state.rateIndex), state.x);
    return `${curve.name}: ${spoken(state.x)} ${sig(value)}`;
  });
  const at = `At ${chosenCoverage(data, state)} coverage: ${points.join("; ")}.`;
  return `${axes} for ${points.length} models and constant width${segmentName(data, state)}. ${at}`;
}

export function rowsCaption(data, state) {
  return `Intervals at ${chosenCoverage(data, state)} coverage.`;
}

// What is drawn and how much of it is missed. Rows are drawn in units of y, whatever unit the curves have.
export function rowsNote(data, state, selection, drawn) {
  const curve = data.curves[state.rowsCurve];
  if (!Number.isFinite(pointAt(curve, state.rateIndex).parameter)) {
    const what = advice(data, curve, NaN, state);
    const reached = coverage(data.rates[reachedIndex(data, curve, state.rateIndex)]);
    return `${curve.name}: ${chosenCoverage(data, state)} coverage is ${what}. Drawn at ${reached}.`;
  }
  const point = pointAt(curve, state.rateIndex);
  const what = advice(data, curve, point.parameter, { standardized: false });
  if (!drawn.length) return `${curve.name}: ${what}. No row has a value there.`;
  const missed = drawn.filter(({ hit }) => !hit).length;
  const counts = `${count(drawn.length)} ${rowsDrawn(data, state, selection, drawn)} ${count(missed)}`;
  const others = rowsNotDrawn(data, state, point, drawn);
  return `${curve.name}: ${what}. Of these ${counts} ${missed === 1 ? "is" : "are"} missed${others}.`;
}

function rowsDrawn(data, state, selection, drawn) {
  const { name, total } = populationOf(data, state, NaN);
  const things = `${data.outputs > 1 ? "values" : "rows"}${name === null ? "" : ` of ${name}`}`;
  if (total <= drawn.length) return things;
  if (!selection.consecutive) return `${things}, spread evenly,`;
  return `${things} in a row (${count(selection.begin)} to ${count(selection.end)})`;
}

function rowsNotDrawn(data, state, point, drawn) {
  const { name, total, missRate } = populationOf(data, state, point.miss_rate);
  if (total <= drawn.length || !Number.isFinite(missRate)) return "";
  return `; of all ${count(total)}${name === null ? "" : " there"}, ${percent(missRate)}`;
}

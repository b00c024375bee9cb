// Answers about the curves: which are shown, their operating points, costs and gains. Nothing here draws.
// A rate index counts the miss rates of data.rates, which are the same for all curves.

import { segmentCurves } from "./segment_curves.js";

const COLUMNS = ["parameter", "miss_rate", "bandwidth", "excess", "deficit"];
const IN_UNITS_OF_Y = ["bandwidth", "excess", "deficit"];

export function models(data) {
  return data.curves.filter((curve) => !curve.constant);
}

export const isHidden = ({ hidden }, index) => hidden.split(".").includes(String(index));

// The curves of all rows, or of the chosen segment.
export function curvesOf(data, { segment }) {
  return segment < 0 ? data.curves : segmentCurves(data, data.segments[segment]);
}

export const shownModels = (data, state) =>
  curvesOf(data, state).filter((curve) => !curve.constant && !isHidden(state, curve.index));

// The models that are not hidden, and the constant bands around their predictions.
export function shownCurves(data, state) {
  const list = shownModels(data, state);
  const constants = state.constant ? [...new Set(list.map((curve) => curve.reference))] : [];
  return [...list, ...constants.sort((a, b) => a - b).map((index) => curvesOf(data, state)[index])];
}

// The axes that are drawn: of a segment the page carries bandwidths and miss rates only.
export const drawnAxes = (state) =>
  state.segment < 0
    ? state
    : { ...state, x: "bandwidth", y: "miss_rate", limit: false, band: false, cost: false };

// Whether the chosen axes have a limit, and a confidence band.
export const hasLimit = ({ x }) => x === "bandwidth";
export const hasBand = ({ y }) => y === "miss_rate";

// One-sided bands need half the bandwidth, so models with such bands have a limit of their own.
export function limitsOf(data, state) {
  if (!state.limit || !hasLimit(state)) return [];
  const limits = shownModels(data, state).map((curve) => ({
    curve: data.curves[curve.reference],
    half: curve.symmetric ? 1 : 0.5,
  }));
  return [...new Map(limits.map((limit) => [`${limit.curve.index} ${limit.half}`, limit])).values()];
}

// The operating point of a curve at a rate index; NaN where the curve does not get so low.
export function pointAt(curve, rateIndex) {
  return Object.fromEntries(COLUMNS.map((name) => [name, curve.points[name][rateIndex]]));
}

export const isReached = (curve, rateIndex) => Number.isFinite(curve.points.parameter[rateIndex]);

// The index itself, or that of the lowest miss rate that the curve reaches.
export function reachedIndex(data, curve, rateIndex) {
  let index = rateIndex;
  while (index < data.rates.length - 1 && !isReached(curve, index)) index += 1;
  return index;
}

export function nearestRateIndex(data, rate) {
  return d3.bisectCenter(data.rates, rate);
}

// How much better than the common reference a model is at a rate index, with its interval: at the coverage of the
// comparison that of the comparison, elsewhere the band for all coverages at once.
export function savedAt(data, curve, rateIndex) {
  if (data.rates[rateIndex] === data.missRate) {
    const [saved, low, high] = curve.lead.map((value) => value ?? NaN);
    return { saved, low, high };
  }
  const ratio = curve.ratio[rateIndex];
  const margin = curve.logMargin?.[rateIndex] ?? NaN;
  return {
    saved: 1 - ratio,
    low: 1 - ratio * Math.exp(margin),
    high: 1 - ratio * Math.exp(-margin),
  };
}

// A number of a column, or a whole column, times its factor is in the unit that the reader chose.
export function unitFactor(data, column, { standardized }) {
  const inUnits = IN_UNITS_OF_Y.includes(column) || (column === "parameter" && data.vary === "shift");
  return standardized && inUnits ? data.standard : 1;
}

export const inUnit = (data, state, point, column) => point[column] * unitFactor(data, column, state);

export function unitName(data, { standardized }) {
  return standardized ? "standard deviations of y" : data.unit || "units of y";
}

// The weights of costs that the slider runs over. They depend on the unit where only one of the axes has it.
export function weightsFor(data, { y, standardized }) {
  if (y === "deficit") return data.weights.deficit;
  return standardized ? data.weights.standardized : data.weights.raw;
}

export const chosenWeight = (data, state) => weightsFor(data, state)[state.weightIndex];

// The cheapest point of a curve for the cost c x + (1 - c) y, in the chosen unit.
export function optimum(data, curve, state) {
  const { x, y } = state;
  const c = chosenWeight(data, state);
  const { cheapest } = curve.pairs[`${x} ${y}`];
  const [xFactor, yFactor] = [x, y].map((axis) => unitFactor(data, axis, state));
  const costOf = (point) => c * point[x] * xFactor + (1 - c) * point[y] * yFactor;
  let best = null;
  for (let i = 0; i < cheapest.parameter.length; i += 1) {
    const point = Object.fromEntries(COLUMNS.map((name) => [name, cheapest[name][i]]));
    const cost = costOf(point);
    if (best === null || cost < best.cost) best = { point, cost };
  }
  return { ...best, originalCost: costOf(curve.original) };
}

// Both partial gains over the miss rates from state.low to state.high.
export function partialGains(data, curve, state) {
  const own = partialAreas(data, curve, state);
  const constant = partialAreas(data, data.curves[curve.reference], state);
  const gain = (kind) => (constant[kind] > 0 ? (constant[kind] - own[kind]) / constant[kind] : NaN);
  return { strip: gain("strip"), mean: gain("mean") };
}

function partialAreas(data, curve, { x, y, low, high }) {
  const sums = curve.pairs[`${x} ${y}`];
  const top = sums.heightBegin ?? data.rates;
  const bottom = sums.heightEnd ?? data.rates;
  return {
    strip: sums.stripEnd[low] - sums.stripBegin[high],
    mean: (sums.meanBegin[high] - (sums.meanEnd ?? sums.meanBegin)[low]) / (top[high] - bottom[low]),
  };
}

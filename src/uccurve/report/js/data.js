// The numbers that the page carries, and what follows from them. Nothing here draws.

import { sig } from "./format.js";

const COSTS = ["parameter", "miss_rate", "bandwidth", "excess", "deficit"];
const IN_UNITS = ["bandwidth", "excess", "deficit"];

export function decode(raw) {
  const flags = (text) => [...text].map((flag) => flag === "1");
  const tinted = raw.curves.filter((curve) => curve.constant).length > 1;
  const owner = (place) => raw.curves.findIndex((curve) => !curve.constant && curve.reference === place);
  return {
    ...raw,
    rates: unpack(raw.rates),
    weights: columns(raw.weights),
    curves: raw.curves.map((curve, place) => ({
      ...curve,
      place,
      owner: curve.constant ? owner(place) : place, // whose colour it has: a constant band, that of the first model it serves
      tinted: !curve.constant || tinted, // one constant band that serves all is grey
      points: columns(curve.points),
      frontier: curve.frontier && columns(curve.frontier),
      pairs: Object.fromEntries(
        Object.entries(curve.pairs).map(([pair, { cheapest, ...sums }]) => [
          pair,
          { ...columns(sums), cheapest: cheapest && columns(cheapest) },
        ]),
      ),
    })),
    rows: raw.rows && {
      ...raw.rows,
      index: unpack(raw.rows.index),
      y: unpack(raw.rows.y),
      spread: flags(raw.rows.spread),
      own: flags(raw.rows.own),
      stretch: flags(raw.rows.stretch),
      columns: raw.rows.columns.map((column) => ({ ...column, values: unpack(column.values) })),
      curves: raw.rows.curves.map(columns),
    },
    segments: raw.segments.map((segment) => ({ ...segment, coverage: unpack(segment.coverage) })),
  };
}

function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Float64Array(bytes.buffer);
}

function columns(packed) {
  return Object.fromEntries(Object.entries(packed).map(([name, text]) => [name, unpack(text)]));
}

export function models(data) {
  return data.curves.filter((curve) => !curve.constant);
}

export const shownModels = (data, { hidden }) => models(data).filter((curve) => !hidden.has(curve.place));

// The models that are not hidden, and the constant bands around their predictions.
export function visibleCurves(data, state) {
  const list = shownModels(data, state);
  const constants = state.constant ? [...new Set(list.map((curve) => curve.reference))] : [];
  return [...list, ...constants.sort((a, b) => a - b).map((place) => data.curves[place])];
}

// What applies to the chosen axes.
export const hasLimit = ({ x }) => x === "bandwidth";
export const hasBand = ({ y }) => y === "miss_rate";

// Bands on one side need half the bandwidth, so that models with such bands have a limit of their own.
export function limitsOf(data, state) {
  if (!state.limit || !hasLimit(state)) return [];
  const limits = shownModels(data, state).map((curve) => ({
    curve: data.curves[curve.reference],
    half: curve.symmetric ? 1 : 0.5,
  }));
  return [...new Map(limits.map((limit) => [`${limit.curve.place} ${limit.half}`, limit])).values()];
}

// The operating point of a curve at a place of the grid; NaN where the curve does not get so low.
export function pointAt(curve, place) {
  return Object.fromEntries(COSTS.map((cost) => [cost, curve.points[cost][place]]));
}

// What a cost is multiplied by to be shown in the chosen unit.
export function factor(data, cost, standardized) {
  const inUnits = IN_UNITS.includes(cost) || (cost === "parameter" && data.vary === "shift");
  return standardized && inUnits ? data.standard : 1;
}

export function unitName(data, standardized) {
  return standardized ? "standard deviations of y" : data.unit || "units of y";
}

// The place of the grid that is nearest to a miss rate.
export function placeOf(data, rate) {
  let best = 0;
  data.rates.forEach((value, place) => {
    if (Math.abs(value - rate) < Math.abs(data.rates[best] - rate)) best = place;
  });
  return best;
}

// The weights of costs that the slider runs over: they depend on the unit where the miss rate has none.
export function weightsFor(data, { y, standardized }) {
  if (y === "deficit") return data.weights.deficit;
  return standardized ? data.weights.standardized : data.weights.raw;
}

// The cheapest point of a curve for the cost c x + (1 - c) y, in the chosen unit.
export function optimum(data, curve, state) {
  const { x, y, standardized } = state;
  const c = weightsFor(data, state)[state.weight];
  const found = curve.pairs[`${x} ${y}`].cheapest;
  const cost = (point) =>
    c * point[x] * factor(data, x, standardized) + (1 - c) * point[y] * factor(data, y, standardized);
  let best = null;
  for (let i = 0; i < found.parameter.length; i += 1) {
    const point = Object.fromEntries(COSTS.map((name) => [name, found[name][i]]));
    const value = cost(point);
    if (best === null || value < best.cost) best = { point, cost: value };
  }
  return { ...best, originalCost: cost(curve.original) };
}

// Both partial gains over the miss rates between two places of the grid.
export function partialGains(data, curve, { x, y, low, high }) {
  const own = areas(data, curve, x, y, low, high);
  const constant = areas(data, data.curves[curve.reference], x, y, low, high);
  const gain = (name) => (constant[name] > 0 ? (constant[name] - own[name]) / constant[name] : NaN);
  return { strip: gain("strip"), mean: gain("mean") };
}

function areas(data, curve, x, y, low, high) {
  const sums = curve.pairs[`${x} ${y}`];
  const top = sums.heightBegin ?? data.rates;
  const bottom = sums.heightEnd ?? data.rates;
  return {
    strip: sums.stripEnd[low] - sums.stripBegin[high],
    mean: (sums.meanBegin[high] - (sums.meanEnd ?? sums.meanBegin)[low]) / (top[high] - bottom[low]),
  };
}

// Bounds of a carried row at a parameter of its curve; hits are told by rank, as the curve counts them.
export function intervalAt(data, place, row, parameter) {
  const curve = data.rows.curves[place];
  const band = (width) => (data.vary === "scale" ? width * parameter : Math.max(width + parameter, 0));
  return {
    lower: curve.pred[row] - band(curve.lower[row]),
    upper: curve.pred[row] + band(curve.upper[row]),
    hit: curve.critical[row] <= parameter,
  };
}

// The carried rows that are asked for: of one segment or of all, spread evenly or one after the other.
export function rowsFor(data, state) {
  const { index, segment, spread, own, stretch, columns: named } = data.rows;
  const where = named[state.order]?.values ?? index;
  const here = d3.range(index.length).filter((row) => state.segment < 0 || segment[row] === state.segment);
  const following = state.inRow ? here.filter((row) => stretch[row]).sort((a, b) => index[a] - index[b]) : [];
  const first = Math.max(0, Math.min(state.start, following.length - state.most));
  const known = (rows) =>
    rows.filter((row) => Number.isFinite(where[row])).sort((a, b) => where[a] - where[b]);
  const at = (row) => ({ row, x: where[row] });
  if (following.length) {
    const rows = following.slice(first, first + state.most);
    return {
      rows: known(rows).map(at),
      inRow: true,
      first,
      last: Math.max(0, following.length - state.most),
      begin: index[rows[0]],
      end: index[rows.at(-1)],
    };
  }
  const rows = known(here.filter((row) => (state.segment < 0 ? spread : own)[row]));
  const step = Math.max(1, rows.length / state.most);
  const thinned = d3.range(Math.min(rows.length, state.most)).map((i) => rows[Math.floor(i * step)]);
  return { rows: thinned.map(at), inRow: false, first: 0, last: 0 };
}

// How many rows there are to choose from: all, or those of a segment; and how many of them a model misses.
export function scopeOf(data, state, missed) {
  const segment = data.rows.segments[state.segment];
  if (!segment) return { name: null, total: data.rows.total, missed };
  const which = models(data).findIndex((curve) => curve.place === state.shown);
  const part = data.segments.filter(({ place }) => place === segment.place)[which];
  return { name: segment.name, total: segment.n, missed: part ? 1 - part.coverage[state.place] : NaN };
}

// What to do to the bands, in words.
export function advice(data, parameter, standardized) {
  if (!Number.isFinite(parameter)) return "not reachable: some bands are zero";
  if (data.vary === "scale") return `multiply the bands by ${sig(parameter)}`;
  const size = sig(Math.abs(parameter) * factor(data, "parameter", standardized));
  const amount = `${size} ${unitName(data, standardized)}`;
  return parameter < 0 ? `take ${amount} from each band` : `add ${amount} to each band`;
}

// Reads the numbers that the page carries.

import { colorIndex } from "./palette.js";
import { ratioTo } from "./segment_curves.js";

export function decode(raw) {
  const curves = raw.curves.map((curve, index) => ({
    ...curve,
    index,
    colorIndex: colorIndex(raw.curves, index),
    points: unpackColumns(curve.points),
    frontier: curve.frontier && unpackColumns(curve.frontier),
    logMargin: curve.logMargin && unpack(curve.logMargin),
    number: curve.number && unpack(curve.number),
    reliability: curve.reliability && unpackColumns(curve.reliability),
    pairs: Object.fromEntries(Object.entries(curve.pairs).map(([axes, sums]) => [axes, decodeSums(sums)])),
  }));
  return {
    ...raw,
    rates: unpack(raw.rates),
    weights: unpackColumns(raw.weights),
    curves: curves.map((curve) => ({ ...curve, ratio: ratioTo(curve, curves[raw.common]) })),
    rows: raw.rows && decodeRows(raw.rows),
    segments: raw.segments.map((segment) => ({ ...segment, curves: segment.curves.map(decodeSegment) })),
  };
}

function decodeSums({ cheapest, ...sums }) {
  return { ...unpackColumns(sums), cheapest: cheapest && unpackColumns(cheapest) };
}

function decodeSegment({ coverage, low, high, bandwidth, ...rest }) {
  return {
    ...rest,
    coverage: unpackShares(coverage, Uint32Array),
    low: low && unpackShares(low, Uint16Array),
    high: high && unpackShares(high, Uint16Array),
    bandwidth: bandwidth && unpack(bandwidth),
  };
}

function decodeRows(rows) {
  return {
    ...rows,
    index: unpack(rows.index),
    y: unpack(rows.y),
    spread: flags(rows.spread),
    own: flags(rows.own),
    stretch: flags(rows.stretch),
    columns: rows.columns.map((column) => ({ ...column, values: unpack(column.values) })),
    curves: rows.curves.map(decodeRowsOfCurve),
  };
}

// The bands of nested quantiles come pair by pair.
function decodeRowsOfCurve({ ladder, ...columns }) {
  const pairs = ladder && {
    knots: ladder.knots,
    lower: ladder.lower.map(unpack),
    upper: ladder.upper.map(unpack),
  };
  return { ...unpackColumns(columns), ladder: pairs };
}

const flags = (text) => [...text].map((flag) => flag === "1");

const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

function unpack(text) {
  return new Float64Array(bytesOf(text).buffer);
}

// Whole numbers that stand for shares between 0 and 1; the largest one for none.
function unpackShares(text, Kind) {
  const top = 2 ** (8 * Kind.BYTES_PER_ELEMENT) - 1;
  const whole = new Kind(bytesOf(text).buffer);
  return Float64Array.from(whole, (value) => (value === top ? NaN : value / (top - 1)));
}

function unpackColumns(packed) {
  return Object.fromEntries(Object.entries(packed).map(([name, text]) => [name, unpack(text)]));
}

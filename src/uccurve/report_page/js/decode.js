// Reads the numbers that the page carries.

import { colorIndex } from "./palette.js";

export function decode(raw) {
  return {
    ...raw,
    rates: unpack(raw.rates),
    weights: unpackColumns(raw.weights),
    curves: raw.curves.map((curve, index) => ({
      ...curve,
      index,
      colorIndex: colorIndex(raw.curves, index),
      points: unpackColumns(curve.points),
      frontier: curve.frontier && unpackColumns(curve.frontier),
      pairs: Object.fromEntries(Object.entries(curve.pairs).map(([axes, sums]) => [axes, decodeSums(sums)])),
    })),
    rows: raw.rows && decodeRows(raw.rows),
    segments: raw.segments.map((segment) => ({ ...segment, coverage: unpack(segment.coverage) })),
  };
}

function decodeSums({ cheapest, ...sums }) {
  return { ...unpackColumns(sums), cheapest: cheapest && unpackColumns(cheapest) };
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
    curves: rows.curves.map(unpackColumns),
  };
}

const flags = (text) => [...text].map((flag) => flag === "1");

function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return new Float64Array(bytes.buffer);
}

function unpackColumns(packed) {
  return Object.fromEntries(Object.entries(packed).map(([name, text]) => [name, unpack(text)]));
}

// The numbers that the page carries, as arrays. Rates are miss rates: those that the slider stops at.

import { bisectCenter } from "d3-array";

const KINDS = { f8: Float64Array, f4: Float32Array };

export function readData() {
  const data = unpack(JSON.parse(document.getElementById("numbers").textContent));
  data.curves.forEach((curve, index) => Object.assign(curve, { index }));
  return data;
}

// Arrays come as the bytes of their numbers in base64.
function unpack(value) {
  if (Array.isArray(value)) return value.map(unpack);
  if (value === null || typeof value !== "object") return value;
  const [kind] = Object.keys(value);
  if (kind in KINDS) {
    const bytes = Uint8Array.from(atob(value[kind]), (character) => character.charCodeAt(0));
    return new KINDS[kind](bytes.buffer);
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]));
}

export const models = ({ curves }) => curves.filter(({ constant }) => !constant);

export const coverageAt = ({ rates }, place) => Number((1 - rates[place]).toFixed(12));

export const nearestPlace = ({ rates }, share) => bisectCenter(rates, 1 - share);

// Half the width of the band around the logarithm of the ratio of two curves, at each rate; none for some pairs.
export function marginOf(data, criterion, a, b) {
  const { bands } = data.criteria[criterion];
  return bands[`${a} ${b}`] ?? bands[`${b} ${a}`] ?? null;
}

export const unitOf = ({ unit }) => unit || "units of y";

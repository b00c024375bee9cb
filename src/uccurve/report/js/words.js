// What the charts show, in words: labels of axes, and captions for print, pictures and screen readers.

import { factor, pointAt, shownModels, unitName, weightsFor } from "./data.js";
import { rate, sig } from "./format.js";

const MEANINGS = {
  bandwidth: "mean half width",
  excess: "mean room inside the bounds",
  deficit: "mean distance outside the bounds",
};

export const spoken = (name) => name.replaceAll("_", " ");

// The label of an axis, the longest first: as much is shown as there is room for.
export function axisLabels(data, axis, standardized) {
  if (!(axis in MEANINGS)) return () => [spoken(axis)];
  const units = standardized ? [unitName(data, true), "standard deviations"] : [unitName(data, false)];
  return (power) => [
    `${axis}: ${MEANINGS[axis]} (${power}${units[0]})`,
    ...units.map((unit) => `${axis} (${power}${unit})`),
    axis,
  ];
}

const upper = (text) => text[0].toUpperCase() + text.slice(1);

// A factor, or an amount, with its sign; it stays on one line.
function moved(data, parameter, standardized) {
  if (!Number.isFinite(parameter)) return "not reachable";
  const value = parameter * factor(data, "parameter", standardized);
  if (data.vary === "scale") return `×\u00a0${sig(value)}`;
  return `${value < 0 ? "−" : "+"}\u00a0${sig(Math.abs(value))}`;
}

export function curvesCaption(data, state) {
  const points = shownModels(data, state).map(
    (curve) => `${curve.name}\u00a0${moved(data, pointAt(curve, state.place).parameter, state.standardized)}`,
  );
  return `${upper(spoken(state.y))} against ${state.x}. Operating points at a miss rate of at most ${rate(data.rates[state.place])}: ${points.join(", ")}.`;
}

export function costWords(data, state) {
  return `c = ${weightsFor(data, state)[state.weight]} of c · ${spoken(state.x)} + (1 − c) · ${spoken(state.y)}`;
}

export function rowsCaption(data, state) {
  return `Intervals at a miss rate of at most ${rate(data.rates[state.place])}.`;
}

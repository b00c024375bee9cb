// How a curve looks wherever it is drawn: its color and its dashes. The colors themselves are in css/palette.css.

const COLORS = 6; // --curve-0 to --curve-5

// Dashes tell curves apart in gray print. After six models the colors start again, with other dashes.
const DASHES = ["", "7 3", "9 2 2 2", "3 2", "12 3", "2 3"];

export const INK = "var(--ink)";
export const SOFT = "var(--soft)";
export const CARD = "var(--card)";
export const MISS = "var(--miss)";
export const GRAY = "var(--constant)";
const UNORDERED = "var(--line)";

// The model whose color a curve takes; null is gray. A constant band takes the color of the first model that it
// serves. One constant band that serves all models is gray.
export function colorIndex(curves, index) {
  if (!curves[index].constant) return index;
  if (curves.filter((curve) => curve.constant).length === 1) return null;
  const owner = curves.findIndex((curve) => !curve.constant && curve.reference === index);
  return owner < 0 ? null : owner;
}

export function curveColor(curve) {
  return curve.colorIndex === null ? GRAY : `var(--curve-${curve.colorIndex % COLORS})`;
}

export function curveDashes({ constant, index }) {
  if (constant) return `${6 + 3 * (index % 3)} 4`;
  return DASHES[(index + Math.floor(index / COLORS)) % DASHES.length];
}

export const limitDashes = ({ half }) => (half === 1 ? "1 4" : "1 7");

// The color of a range of miss rates, by the curve that is clearly the best there; null where none is.
export function regimeColor(curve) {
  if (curve === null) return UNORDERED;
  return curve.constant ? GRAY : curveColor(curve);
}

// The value of a color, for pictures that leave the page.
export function resolvedColor(color) {
  const name = color.match(/^var\((.*)\)$/)[1];
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

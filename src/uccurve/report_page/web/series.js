// The lines of each view of the main chart. Nothing here draws.

import { marginOf, models } from "./data.js";
import { isInColor } from "./look.js";

const TAIL = 0.01; // miss rates below it, where few rows decide, do not stretch the chart
const FARTHEST = 2; // times the reference: lines beyond leave the chart
const GRAY_FARTHEST = 2; // times as far as those in color: one line in gray must not flatten the best
const LEAST_FARTHEST = 0.1;

// What the shown view ranks by: the characteristics curve shows half-widths.
export const criterionOf = ({ view, criterion }) => (view === "curve" ? "bandwidth" : criterion);

// A line is a curve with its value at each rate, the ends of its band, and whether they are known.
export function linesOf(data, state) {
  if (state.view === "curve")
    return data.curves.filter(({ shown }) => shown).map((curve) => ofWidths(data, curve));
  const { criterion } = state;
  if (state.view === "own")
    return models(data)
      .filter(({ own, index }) => own !== index)
      .map((curve) => ofRatio(data, criterion, curve, data.curves[curve.own]));
  return data.curves
    .filter(({ index, shown }) => shown && index !== state.reference)
    .map((curve) => ofRatio(data, criterion, curve, data.curves[state.reference]));
}

// A model over a reference, as a difference: below 0 it is better.
function ofRatio(data, criterion, curve, reference) {
  const [own, other] = [curve, reference].map(({ numbers }) => numbers[criterion]);
  const values = own.map((value, i) => (other[i] > 0 ? value / other[i] - 1 : NaN));
  const margin = marginOf(data, criterion, curve.index, reference.index);
  const end = (sign) =>
    values.map((value, i) => (margin ? (1 + value) * Math.exp(sign * margin[i]) - 1 : NaN));
  return { curve, values, low: end(-1), high: end(1) };
}

// A half-width at each coverage; its band is that of the coverage at each width, for all of them at once.
function ofWidths(data, curve) {
  const values = curve.numbers.bandwidth;
  const at = (rate) => {
    const place = data.rates.findIndex((one) => one >= rate - 1e-9);
    return place < 0 || rate <= 0 ? NaN : values[place];
  };
  const end = (sign) => data.rates.map((rate) => at(rate + sign * curve.margin));
  return { curve, values, low: end(1), high: end(-1) };
}

// The values between which the chart lies: those of lines where their bands are known. Bands may leave it.
export function domainOf(data, state, lines) {
  const isCurve = state.view === "curve";
  const isSure = lines.some(({ high }) => high.some(Number.isFinite));
  const isGray = ({ curve }) => !isCurve && !isInColor(data, { hovered: -1 }, curve);
  const inView = ({ values, high }) =>
    [...values].filter((value, i) => {
      const rate = data.rates[i];
      const isKnown = isSure && !Number.isNaN(high[i]);
      return 1 - rate >= state.from / 100 - 1e-9 && (isKnown || rate >= TAIL) && Number.isFinite(value);
    });
  const found = lines.filter((one) => !isGray(one)).flatMap(inView);
  if (!isCurve) found.push(0);
  const farthest = Math.max(LEAST_FARTHEST, GRAY_FARTHEST * Math.max(...found));
  const gray = lines.filter(isGray).flatMap(inView);
  found.push(...gray.map((value) => Math.min(value, farthest)));
  if (!found.length) return [0, 1];
  const [low, high] = [Math.min(...found), Math.max(...found)];
  return isCurve ? [low, high] : [low, Math.min(high, FARTHEST)];
}

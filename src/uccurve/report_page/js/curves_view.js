// Where the curves lie on their chart: scales, paths, and the point that is nearest to the pointer.

import { tickTexts } from "./chart_frame.js";
import { coverageScale, zoomEnds } from "./coverage_axis.js";
import {
  inUnit,
  isReached,
  nearestRateIndex,
  pointAt,
  shownCurves,
  shownModels,
  unitFactor,
} from "./curve_data.js";
import { percent } from "./format.js";
import { numberScale } from "./number_scale.js";

const TAIL = 0.01; // the axis ends where curves have come down to this miss rate, or share of their start
const MARGIN = 1.04; // room beyond the largest number
const NARROW = 0.5; // zooms above this coverage need not begin at a bandwidth of 0

export function createCurvesView(data, chart) {
  let scales = null;

  // The numbers between which the horizontal axis lies. They do not depend on the operating point.
  function across(state) {
    const { low, high } = zoomEnds(state);
    const [bottom, top] =
      state.y === "miss_rate" ? [Math.max(1 - high, Math.min(TAIL, 1 - low)), 1 - low] : [TAIL, 1];
    const ends = shownCurves(data, state).map((curve) => {
      const xs = curve.points[state.x].map((value) => value * unitFactor(data, state.x, state));
      const at = (rate) => xs.slice(nearestRateIndex(data, rate)).find(Number.isFinite);
      return [at(top), at(bottom)];
    });
    const finite = (place) => ends.map((pair) => pair[place]).filter(Number.isFinite);
    const right = Math.max(0, ...finite(1));
    const left = state.y === "miss_rate" && low > NARROW ? Math.min(right, ...finite(0)) : 0;
    return right > left ? [left, left + (right - left) * MARGIN] : [0, right || 1];
  }

  // The largest deficit.
  function highest(state) {
    const factor = unitFactor(data, state.y, state);
    const values = shownCurves(data, state).flatMap((curve) =>
      [...curve.points[state.y]].filter(Number.isFinite),
    );
    return Math.max(0, ...values) * factor;
  }

  function rescale(state) {
    const domain = [0, highest(state) * MARGIN || 1];
    const rates = state.y === "miss_rate";
    const texts = rates ? ["100%"] : tickTexts(numberScale(domain, [1, 0]));
    const names = shownModels(data, state).map(({ name }) => name);
    const room = chart.reserve(texts, rates ? [] : names);
    scales = {
      x: numberScale(across(state), [0, chart.size.width]),
      y: rates ? coverageScale(state, chart.size.height) : numberScale(domain, [chart.size.height, 0]),
    };
    return room;
  }

  // What the axis of miss rates or deficits needs to be drawn.
  const upAxis = (state) =>
    state.y === "miss_rate"
      ? { ticks: scales.y.ratesUp(), format: (rate) => percent(rate, rate < 0.01 && rate > 0 ? 1 : 0) }
      : {};

  const position = (state, point) => [
    scales.x(inUnit(data, state, point, state.x)),
    scales.y(inUnit(data, state, point, state.y)),
  ];

  // The line through points of a curve; limits of asymmetric bands lie at half the bandwidth.
  function linePath(state, points, { half = 1 } = {}) {
    const factor = (axis) => unitFactor(data, axis, state) * (axis === "bandwidth" ? half : 1);
    const [xFactor, yFactor] = [factor(state.x), factor(state.y)];
    const line = d3
      .line(
        (i) => scales.x(points[state.x][i] * xFactor),
        (i) => scales.y(points[state.y][i] * yFactor),
      )
      .defined((i) => Number.isFinite(points[state.x][i]))
      .curve(state.y === "miss_rate" ? d3.curveStepAfter : d3.curveLinear);
    return line(d3.range(data.rates.length - 1, -1, -1));
  }

  // The confidence band of a curve, on miss rates.
  function bandPath(state, { points, margin }) {
    const xFactor = unitFactor(data, state.x, state);
    const area = d3
      .area()
      .x((i) => scales.x(points[state.x][i] * xFactor))
      .y0((i) => scales.y(Math.max(0, points.miss_rate[i] - margin)))
      .y1((i) => scales.y(Math.min(1, points.miss_rate[i] + margin)))
      .defined((i) => Number.isFinite(points[state.x][i]))
      .curve(d3.curveStepAfter);
    return area(d3.range(data.rates.length - 1, -1, -1));
  }

  // The point of some curves that is nearest to a place on the plot.
  function nearestPoint(state, curves, [px, py]) {
    let best = { distance: Infinity };
    curves.forEach((curve) => {
      data.rates.forEach((_, rateIndex) => {
        if (!isReached(curve, rateIndex)) return;
        const [x, y] = position(state, pointAt(curve, rateIndex));
        const distance = Math.hypot(x - px, y - py);
        if (distance < best.distance) best = { curve, rateIndex, distance };
      });
    });
    return best;
  }

  // The miss rate that a place on the plot stands for: its height, or that of the nearest point.
  function rateAt(state, [x, y]) {
    if (state.y === "miss_rate") return scales.y.invert(y);
    const { rateIndex } = nearestPoint(state, shownModels(data, state), [x, y]);
    return data.rates[rateIndex ?? 0];
  }

  return {
    get scales() {
      return scales;
    },
    rescale,
    upAxis,
    position,
    linePath,
    bandPath,
    nearestPoint,
    rateAt,
  };
}

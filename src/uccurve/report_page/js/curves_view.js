// Where the curves lie on their chart: scales, paths, and the point that is nearest to the pointer.

import {
  inUnit,
  isReached,
  nearestRateIndex,
  optimum,
  pointAt,
  shownCurves,
  shownModels,
  unitFactor,
} from "./curve_data.js";
import { numberScale } from "./number_scale.js";

const TAIL = 0.01; // the axis ends where curves have come down to this share of their start
const MARGIN = 1.04; // room beyond the largest number

export function createCurvesView(data, chart) {
  let scales = null;
  let heldEnd = null; // where the horizontal axis ended when a drag began

  const column = (state, curve, name) =>
    curve.points[name].map((value) => value * unitFactor(data, name, state));

  // The largest numbers that the axes have to show.
  function extent(state) {
    const ends = [0];
    let top = 0;
    shownCurves(data, state).forEach((curve) => {
      const xs = column(state, curve, state.x);
      const ys = column(state, curve, state.y);
      const start = Math.max(...ys.filter(Number.isFinite), 0);
      const tail = ys.findIndex((y, i) => Number.isFinite(xs[i]) && y >= TAIL * start);
      if (tail >= 0) ends.push(xs[tail]);
      if (!curve.constant) {
        const cheapest = inUnit(data, state, optimum(data, curve, state).point, state.x);
        ends.push(...[xs[state.rateIndex], cheapest].filter(Number.isFinite));
      }
      top = Math.max(top, start);
    });
    return { right: Math.max(...ends), top };
  }

  function rescale(state) {
    const { right, top } = extent(state);
    scales = {
      x: numberScale([0, heldEnd ?? (right * MARGIN || 1)], [0, chart.size.width]),
      y: numberScale([0, state.y === "miss_rate" ? 1 : top * MARGIN || 1], [chart.size.height, 0]),
    };
  }

  // The axis rests during a drag: it would run away from the pointer.
  function holdAxis() {
    [, heldEnd] = scales.x.domain();
  }

  function releaseAxis() {
    heldEnd = null;
  }

  const position = (state, point) => [
    scales.x(inUnit(data, state, point, state.x)),
    scales.y(inUnit(data, state, point, state.y)),
  ];

  // The line through points of a curve; limits of asymmetric bands lie at half the bandwidth.
  function linePath(state, points, { low = 0, high = data.rates.length - 1, half = 1 } = {}) {
    const factor = (axis) => unitFactor(data, axis, state) * (axis === "bandwidth" ? half : 1);
    const [xFactor, yFactor] = [factor(state.x), factor(state.y)];
    const line = d3
      .line(
        (i) => scales.x(points[state.x][i] * xFactor),
        (i) => scales.y(points[state.y][i] * yFactor),
      )
      .defined((i) => Number.isFinite(points[state.x][i]))
      .curve(state.y === "miss_rate" ? d3.curveStepAfter : d3.curveLinear);
    return line(d3.range(high, low - 1, -1));
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

  const rateIndexAtHeight = (y) => nearestRateIndex(data, scales.y.invert(y));

  // The miss rate that a place on the plot stands for: its height, or that of the nearest point.
  function rateIndexAt(state, [x, y]) {
    if (state.y === "miss_rate") return rateIndexAtHeight(y);
    return nearestPoint(state, shownModels(data, state), [x, y]).rateIndex;
  }

  return {
    get scales() {
      return scales;
    },
    rescale,
    holdAxis,
    releaseAxis,
    position,
    linePath,
    bandPath,
    nearestPoint,
    rateIndexAt,
    rateIndexAtHeight,
  };
}

// What cannot be moved on the chart of the curves: the curves, their limits and bands, the cheapest points.

import {
  chosenWeight,
  hasBand,
  isReached,
  limitsOf,
  optimum,
  pointAt,
  shownCurves,
  shownModels,
} from "./curve_data.js";
import { drawLabels } from "./direct_labels.js";
import { setAttributes } from "./dom.js";
import { curveColor, curveDashes, limitDashes } from "./palette.js";

const LABELED_FROM = 0.45; // share of the height at which the first name stands; the others follow below it
const LABEL_STEP = 0.09;
const LABEL_GAP = 14; // pixels right of the rightmost curve
const LABEL_ROOM = 150;

export function drawLines({ data, layers, view }, state) {
  const models = shownModels(data, state);
  drawPaths(layers.bands, hasBand(state) && state.band ? models : [], {
    d: (curve) => view.bandPath(state, curve),
    class: "confidence",
    fill: curveColor,
  });
  drawPaths(layers.limits, limitsOf(data, state), {
    d: ({ curve, half }) => view.linePath(state, curve.frontier, { half }),
    class: "limit",
    stroke: ({ curve }) => curveColor(curve),
    "stroke-dasharray": limitDashes,
  });
  drawPaths(layers.curves, shownCurves(data, state), {
    d: (curve) => view.linePath(state, curve.points),
    class: (curve) => (curve.constant ? "curve reference" : "curve"),
    stroke: curveColor,
    "stroke-dasharray": curveDashes,
  });
}

function drawPaths(layer, items, attributes) {
  setAttributes(layer.selectAll("path").data(items).join("path"), attributes);
}

// The height of a curve at its last point inside the plot.
function heightAtEnd({ data, view, width }, state, curve) {
  const heights = d3
    .range(data.rates.length)
    .filter((i) => isReached(curve, i))
    .map((i) => view.position(state, pointAt(curve, i)));
  return (heights.find(([x]) => x <= width + 1) ?? heights.at(-1) ?? [0, 0])[1];
}

// Names right of all curves, each with a thin line to its own; on deficits beside the left ends.
export function drawNames({ data, chart, layers, view }, state, room) {
  const models = shownModels(data, state);
  const { width, height } = chart.size;
  if (!hasBand(state)) {
    layers.leaders.selectAll("line").remove();
    const ends = models.map((curve) => ({ curve, y: heightAtEnd({ data, view, width }, state, curve) }));
    drawLabels(layers.names, ends, { x: width + 8, room, height });
    return;
  }
  const placed = models.map((curve, i) => {
    const y = Math.min(height - 8, height * (LABELED_FROM + LABEL_STEP * i) - 0.2 * height);
    const at = d3.bisectCenter(data.rates, view.scales.y.invert(y));
    const xOf = (other) => view.scales.x(other.points[state.x][at] * 1);
    const reached = shownCurves(data, state).map(xOf).filter(Number.isFinite);
    return {
      curve,
      y,
      from: xOf(curve),
      x: Math.min(width - LABEL_ROOM, Math.max(0, ...reached) + LABEL_GAP),
    };
  });
  const kept = placed.filter(({ from }) => Number.isFinite(from));
  setAttributes(layers.leaders.selectAll("line").data(kept).join("line"), {
    class: "leader",
    x1: ({ from }) => from,
    x2: ({ x }) => x - 4,
    y1: ({ y }) => y,
    y2: ({ y }) => y,
    stroke: ({ curve }) => curveColor(curve),
  });
  drawLabels(layers.names, kept, { x: (label) => label.x, room: LABEL_ROOM, height });
}

// The cheapest point of each model, and the line on which every point costs as much.
export function drawCheapest({ data, layers, view }, state) {
  const models = state.cost ? shownModels(data, state) : [];
  const cheapest = models.map((curve) => ({ curve, ...optimum(data, curve, state) }));
  const { x, y } = view.scales;
  const ends = x.domain();
  const c = chosenWeight(data, state);
  const heightAt = ({ cost }, across) => y((cost - c * across) / (1 - c));
  const path = (best) =>
    d3.line()(
      d3.range(41).map((step) => {
        const across = ends[0] + ((ends[1] - ends[0]) * step) / 40;
        return [x(across), heightAt(best, across)];
      }),
    );
  drawPaths(layers.cost, cheapest, {
    class: "isocost",
    d: path,
    stroke: ({ curve }) => curveColor(curve),
  });
  drawPaths(layers.optima, cheapest, {
    d: d3.symbol(d3.symbolStar, 130),
    class: "optimum",
    fill: ({ curve }) => curveColor(curve),
    transform: ({ point }) => `translate(${view.position(state, point)})`,
  });
}

// The intervals as given; those beyond the plot are hidden.
export function drawOriginals({ data, chart, layers, view }, state) {
  const { width, height } = chart.size;
  const position = (curve) => view.position(state, curve.original);
  const isOutside = ([x, y]) => x > width + 1 || x < -1 || y < -1 || y > height + 1;
  drawPaths(layers.originals, state.segment < 0 ? shownModels(data, state) : [], {
    d: d3.symbol(d3.symbolDiamond, 70),
    class: "original",
    stroke: curveColor,
    transform: (curve) => `translate(${position(curve)})`,
    visibility: (curve) => (isOutside(position(curve)) ? "hidden" : null),
  });
}

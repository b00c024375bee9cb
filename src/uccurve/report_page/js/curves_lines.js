// What cannot be moved on the chart of the curves: the curves, their limits and bands, the cheapest points.

import { chosenWeight, hasBand, limitsOf, optimum, shownCurves, shownModels } from "./curve_data.js";
import { setAttributes } from "./dom.js";
import { curveColor, curveDashes, limitDashes } from "./palette.js";

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
  drawPaths(layers.parts, models, {
    d: (curve) => view.linePath(state, curve.points, { low: state.low, high: state.high }),
    class: "part",
    stroke: curveColor,
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

// The cheapest point of each model, and the line on which every point costs as much.
export function drawCheapest({ data, layers, view }, state) {
  const cheapest = shownModels(data, state).map((curve) => ({ curve, ...optimum(data, curve, state) }));
  const { x, y } = view.scales;
  const right = x.domain()[1];
  const c = chosenWeight(data, state);
  const heightAt = ({ cost }, across) => y((cost - c * across) / (1 - c));
  setAttributes(layers.cost.selectAll("line").data(cheapest).join("line"), {
    class: "isocost",
    stroke: ({ curve }) => curveColor(curve),
    x1: 0,
    y1: (best) => heightAt(best, 0),
    x2: x(right),
    y2: (best) => heightAt(best, right),
  });
  drawPaths(layers.optima, cheapest, {
    d: d3.symbol(d3.symbolStar, 130),
    class: "optimum",
    fill: ({ curve }) => curveColor(curve),
    transform: ({ point }) => `translate(${view.position(state, point)})`,
  });
}

// The intervals as given; those beyond the right end of the plot are hidden.
export function drawOriginals({ data, chart, layers, view }, state) {
  const position = (curve) => view.position(state, curve.original);
  drawPaths(layers.originals, shownModels(data, state), {
    d: d3.symbol(d3.symbolDiamond, 70),
    class: "original",
    stroke: curveColor,
    transform: (curve) => `translate(${position(curve)})`,
    visibility: (curve) => (position(curve)[0] > chart.size.width + 1 ? "hidden" : null),
  });
}

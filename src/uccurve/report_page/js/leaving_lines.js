// Triangles at the edge of a chart, where a line leaves it towards high coverage.

import { hasBand, isReached, pointAt, shownCurves } from "./curve_data.js";
import { byId, setAttributes } from "./dom.js";
import { coverage, differenceText } from "./format.js";
import { curveColor } from "./palette.js";

const SIZE = 9; // pixels

export function drawLeaving(layer, { data, models, scales, size, words }) {
  const marks = models.flatMap((curve) => leavingAt(data, curve, scales, size, words));
  byId("leaving-hint").hidden = !marks.length;
  const paths = setAttributes(layer.selectAll("path").data(marks).join("path"), {
    class: "leaving",
    fill: ({ curve }) => curveColor(curve),
    d: ({ x, isAbove }) => {
      const [edge, inwards] = isAbove ? [0, SIZE] : [size.height, -SIZE];
      return `M${x},${edge}l${-SIZE / 2},${inwards}h${SIZE}Z`;
    },
  });
  paths
    .selectAll("title")
    .data(({ text }) => [text])
    .join("title")
    .text(String);
}

// On the chart of the curves lines leave at the right, where bandwidths are largest.
export function drawLeavingRight({ data, chart, layers, view }, state) {
  const { width } = chart.size;
  const marks = shownCurves(data, state).flatMap((curve) => {
    const places = d3.range(data.rates.length).filter((i) => isReached(curve, i));
    const positions = places.map((i) => view.position(state, pointAt(curve, i)));
    const inside = positions.findIndex(([x]) => x <= width + 1);
    return inside > 0
      ? [{ curve, y: heightAt(width, positions[inside], positions[inside - 1], hasBand(state)) }]
      : [];
  });
  byId("curves-leaving-hint").hidden = !marks.length;
  setAttributes(layers.leaving.selectAll("path").data(marks).join("path"), {
    class: "leaving",
    fill: ({ curve }) => curveColor(curve),
    d: ({ y }) => `M${width},${y}l${-SIZE},${-SIZE / 2}v${SIZE}Z`,
  });
}

// Miss rates fall in steps: a line is as high as at its last place inside. Deficits fall along straight lines.
function heightAt(x, [x0, y0], [x1, y1], isStep) {
  return isStep ? y0 : y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}

// The place behind which the line stays outside, up to the highest coverage in view.
function leavingAt(data, curve, { x, y }, { width, height }, words) {
  const places = d3
    .range(data.rates.length)
    .filter((i) => Number.isFinite(curve.ratio[i]) && x(data.rates[i]) >= 0 && x(data.rates[i]) <= width + 1);
  const isOutside = (i) => y(curve.ratio[i] - 1) < -1 || y(curve.ratio[i] - 1) > height + 1;
  const inside = places.findIndex((i) => !isOutside(i)); // rates rise, coverages fall
  const beyond = inside < 0 ? places : places.slice(0, inside);
  if (!beyond.length) return [];
  const at = beyond.at(-1);
  const isAbove = y(curve.ratio[at] - 1) < 0;
  // Where the piece of the line from a place inside meets the edge.
  const crossing = (from) => {
    const [begin, end] = [from, at].map((i) => y(curve.ratio[i] - 1));
    const share = begin === end ? 1 : ((isAbove ? 0 : height) - begin) / (end - begin);
    return x(data.rates[from]) + share * (x(data.rates[at]) - x(data.rates[from]));
  };
  const farthest = d3.greatest(beyond, (i) => Math.abs(curve.ratio[i] - 1));
  const size = differenceText(Number((curve.ratio[farthest] - 1).toFixed(2)), words);
  return [
    {
      curve,
      x: Math.max(SIZE / 2, Math.min(width - SIZE / 2, crossing(places[inside] ?? at))),
      isAbove,
      text: `${curve.name} leaves the chart: up to ${size} at ${coverage(data.rates[farthest])} coverage`,
    },
  ];
}

// A short piece of a curve's line, shown beside its name.

import { setAttributes } from "./dom.js";
import { curveColor, curveDashes } from "./palette.js";

const WIDTH = 28;
const HEIGHT = 10;

export function swatch(curve) {
  const svg = setAttributes(d3.create("svg"), {
    class: "swatch",
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    "aria-hidden": "true",
  });
  setAttributes(svg.append("line"), {
    x2: WIDTH,
    y1: HEIGHT / 2,
    y2: HEIGHT / 2,
    class: curve.constant ? "reference" : null,
    stroke: curveColor(curve),
    "stroke-dasharray": curveDashes(curve),
  });
  return svg.node();
}

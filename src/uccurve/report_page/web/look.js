// How a curve looks wherever it is drawn. The colors themselves are in palette.css.

import { select } from "d3-selection";
import { byId, element } from "./dom.js";

const COLORS = 6; // --curve-0 to --curve-5
// Dashes tell curves apart in gray print. After six models the colors start again, with other dashes.
const DASHES = ["", "7 3", "9 2 2 2", "3 2", "12 3", "9 2 2 2 2 2"];
// Those of constant widths, which have the color of a model where there are several.
export const DASHES_OF_CONSTANT = "5 7";
const MOST_IN_COLOR = 4;

const colorOf = ({ color }) => (color === null ? "var(--constant)" : `var(--curve-${color % COLORS})`);

export const dashesOf = ({ constant, color }) =>
  constant ? DASHES_OF_CONSTANT : DASHES[(color + Math.floor(color / COLORS)) % DASHES.length];

// Of more than four models the best two have a color, and the one that the pointer is on.
export function isInColor(data, { hovered }, { index, constant }) {
  const count = data.curves.filter((curve) => !curve.constant).length;
  if (constant || count <= MOST_IN_COLOR || index === hovered) return true;
  const best = data.criteria[data.rankBy].order[data.chosen].filter((one) => !data.curves[one].constant);
  return best.slice(0, 2).includes(index);
}

export const strokeOf = (data, state, curve) =>
  isInColor(data, state, curve) ? colorOf(curve) : "var(--line-gray)";

// The color of a range in which a curve is the best: that of a constant width must not look like its model's.
export const fillOf = (curve) => (curve.constant ? "var(--constant)" : colorOf(curve));

// A short piece of a curve's line, shown beside its name.
export function swatch(curve) {
  const svg = select(document.createElementNS("http://www.w3.org/2000/svg", "svg"))
    .attr("class", "swatch")
    .attr("viewBox", "0 0 28 10")
    .attr("aria-hidden", "true");
  svg
    .append("line")
    .attr("x2", 28)
    .attr("y1", 5)
    .attr("y2", 5)
    .attr("stroke", colorOf(curve))
    .attr("stroke-dasharray", dashesOf(curve));
  return svg.node();
}

// Write the names of curves above the chart.
export function writeLegend(curves) {
  const items = curves.map((curve) => element("li", {}, swatch(curve), curve.brief));
  byId("legend").replaceChildren(...items);
}

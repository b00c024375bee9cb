// Names beside their lines, moved apart where they would overlap.

import { lettersIn } from "./chart_frame.js";
import { setAttributes } from "./dom.js";
import { curveColor } from "./palette.js";
import { withoutMiddle } from "./short_names.js";

const HEIGHT = 16; // pixels of a line of text

// Labels are curves with the height at which their lines end.
export function drawLabels(layer, labels, { x, room, height }) {
  const placed = spread(labels, height);
  setAttributes(layer.selectAll("text").data(placed).join("text"), {
    class: "direct",
    x,
    y: ({ y }) => y,
    fill: ({ curve }) => curveColor(curve),
  }).text(({ curve }) => withoutMiddle(curve.name, lettersIn(room)));
}

// From the top down, and back up at the bottom.
function spread(labels, height) {
  const sorted = labels.map((label) => ({ ...label })).sort((a, b) => a.y - b.y);
  let above = -Infinity;
  sorted.forEach((label) => {
    above = Math.max(label.y, above + HEIGHT, HEIGHT / 2);
    Object.assign(label, { y: above });
  });
  let below = height - HEIGHT / 2; // ticks of the axis begin below
  [...sorted].reverse().forEach((label) => {
    Object.assign(label, { y: Math.min(label.y, below) });
    below = label.y - HEIGHT;
  });
  return sorted;
}

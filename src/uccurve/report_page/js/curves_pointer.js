// The pointer on the chart of the curves: hovering, clicking and brushing.

import { inUnit, pointAt, shownCurves } from "./curve_data.js";
import { percent, sig } from "./format.js";
import { hideTip, showTip } from "./tooltip.js";

const NEAR = 40; // pixels within which the pointer finds a curve
const CLICK = 5; // pixels that the pointer may move during a click

export function wirePointer(context) {
  const { chart } = context;
  chart.root
    .on("pointermove", (event) => hover(context, event))
    .on("pointerleave", () => showHovered(context, null));
  wireBackground(context);
}

// Show the nearest operating point of the nearest curve.
function hover(context, event) {
  const { data, store, chart, view } = context;
  const state = store.get();
  const nearest = view.nearestPoint(state, shownCurves(data, state), chart.pointer(event));
  showHovered(context, nearest.distance <= NEAR ? nearest : null, event);
}

function showHovered({ data, store, layers, view }, nearest, event) {
  const state = store.get();
  layers.hover
    .selectAll("circle")
    .data(nearest ? [pointAt(nearest.curve, nearest.rateIndex)] : [])
    .join("circle")
    .attr("class", "hover")
    .attr("r", 4)
    .attr("transform", (point) => `translate(${view.position(state, point)})`);
  if (nearest) showTip(tipLines(data, state, nearest), event);
  else hideTip();
}

function tipLines(data, state, { curve, rateIndex }) {
  const point = pointAt(curve, rateIndex);
  return [
    curve.name,
    `miss rate ${percent(point.miss_rate)}, coverage ${percent(1 - point.miss_rate)}`,
    ...["bandwidth", "excess", "deficit"].map((name) => `${name} ${sig(inUnit(data, state, point, name))}`),
    `${data.vary === "scale" ? "scale" : "shift"} ${sig(point.parameter)}`,
  ];
}

// On the empty plot, a click or a tap chooses an operating point, and a mouse that draws chooses a range.
function wireBackground({ store, chart, layers, view }) {
  let start = null; // where the pointer went down
  const rateIndexOf = (event) => view.rateIndexAt(store.get(), chart.pointer(event));
  layers.background
    .on("pointerdown", function down(event) {
      if (event.button !== 0 || !event.isPrimary) return;
      if (event.pointerType !== "touch") this.setPointerCapture(event.pointerId);
      start = { rateIndex: rateIndexOf(event), at: chart.pointer(event), brushing: false };
    })
    .on("pointermove", (event) => {
      if (start === null || event.pointerType === "touch" || store.get().y !== "miss_rate") return;
      const [x, y] = chart.pointer(event);
      start.brushing ||= Math.hypot(x - start.at[0], y - start.at[1]) > CLICK;
      const end = rateIndexOf(event);
      if (start.brushing && end !== start.rateIndex) {
        store.set({ low: Math.min(start.rateIndex, end), high: Math.max(start.rateIndex, end) });
      }
    })
    .on("pointerup", (event) => {
      if (start !== null && !start.brushing) store.set({ rateIndex: rateIndexOf(event) });
      start = null;
    })
    .on("pointercancel", () => {
      start = null;
    });
}

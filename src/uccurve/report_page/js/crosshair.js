// The pointer on a chart over coverages: hovering lists all models at one coverage, a click or a tap chooses it, a
// mouse that draws zooms.

import { comparedText } from "./captions.js";
import { inUnit, nearestRateIndex, pointAt, shownModels } from "./curve_data.js";
import { coverage } from "./format.js";
import { hideTip, showTip } from "./tooltip.js";

const CLICK = 5; // pixels that the pointer may move during a click
const NARROWEST = 0.002; // coverages of a zoom

const inPercent = (share) => Number((100 * share).toFixed(2));

// `rateAt` reads a miss rate off a place on the plot, `lineAt` draws the line at a miss rate, null for none;
// `zoomAlong` is 0 where a zoom is drawn across and 1 where it is drawn up, null where it is none.
export function wireCrosshair({ data, store, chart, background, zoomBox }, { rateAt, lineAt, zoomAlong }) {
  let start = null; // where the pointer went down
  const rateOf = (event) => rateAt(chart.pointer(event));
  const leave = () => {
    lineAt(null);
    hideTip();
  };

  function hover(event) {
    const [x, y] = chart.pointer(event);
    if (x < 0 || y < 0 || x > chart.size.width || y > chart.size.height) return leave();
    const rateIndex = nearestRateIndex(data, rateOf(event));
    lineAt(rateIndex);
    return showTip(tipLines(data, store.get(), rateIndex), event);
  }

  function drawBox(event) {
    const along = zoomAlong();
    if (start === null || event.pointerType === "touch" || along === null) return;
    const at = chart.pointer(event);
    start.zooming ||= Math.abs(at[along] - start.at[along]) > CLICK;
    if (!start.zooming) return;
    const length = along === 0 ? chart.size.width : chart.size.height;
    const [from, to] = [start.at[along], at[along]].map((place) => Math.min(length, Math.max(0, place)));
    zoomBox
      .attr(along === 0 ? "x" : "y", Math.min(from, to))
      .attr(along === 0 ? "width" : "height", Math.abs(to - from))
      .attr(along === 0 ? "y" : "x", 0)
      .attr(along === 0 ? "height" : "width", along === 0 ? chart.size.height : chart.size.width);
  }

  function release(event) {
    zoomBox.attr("width", 0);
    if (start === null) return;
    const { zooming, rate } = start;
    start = null;
    if (!zooming) {
      store.set({ rateIndex: nearestRateIndex(data, rateOf(event)) });
      return;
    }
    const [low, high] = [1 - rate, 1 - rateOf(event)].sort((a, b) => a - b);
    if (high - low >= NARROWEST) store.set({ zoom: `${inPercent(low)}-${inPercent(high)}` });
  }

  chart.root.on("pointermove", hover).on("pointerleave", leave);
  background
    .on("pointerdown", function down(event) {
      if (event.button !== 0 || !event.isPrimary) return;
      if (event.pointerType !== "touch") this.setPointerCapture(event.pointerId);
      start = { rate: rateOf(event), at: chart.pointer(event), zooming: false };
    })
    .on("pointermove", drawBox)
    .on("pointerup", release)
    .on("pointercancel", () => {
      start = null;
      zoomBox.attr("width", 0);
    });
}

function tipLines(data, state, rateIndex) {
  const lines = shownModels(data, state).map((curve) => {
    const width = inUnit(data, state, pointAt(curve, rateIndex), "bandwidth");
    return `${curve.name}: ${Number.isFinite(width) ? comparedText(data, state, curve, rateIndex) : "not reachable"}`;
  });
  return [`${coverage(data.rates[rateIndex])} coverage`, ...lines];
}

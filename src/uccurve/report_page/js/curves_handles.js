// What can be moved on the chart of the curves, by pointer or by keys: operating points and the range of miss rates.

import { hasBand, inUnit, isReached, pointAt, reachedIndex, shownModels } from "./curve_data.js";
import { setAttributes } from "./dom.js";
import { percent, rate, sig } from "./format.js";
import { curveColor } from "./palette.js";

const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
const GRIP = { width: 10, height: 16, rx: 4 };

// Where a key moves a slider; null for other keys, and with a modifier, which belong to the browser.
function movedByKey({ key, altKey, ctrlKey, metaKey }, index, last) {
  if (altKey || ctrlKey || metaKey) return null;
  if (key === "Home") return 0;
  if (key === "End") return last;
  return key in STEPS ? Math.min(last, Math.max(0, index + STEPS[key])) : null;
}

// Let marks be moved as sliders: `valueAt` reads a rate index off the pointer, `set` takes a new one.
function makeSliders(marks, { data, store, view, redraw }, { get, set, valueAt }) {
  const release = () => {
    view.releaseAxis();
    redraw();
  };
  return setAttributes(marks, { tabindex: 0, role: "slider" })
    .on("touchstart", (event) => event.preventDefault(), { passive: false }) // or the page scrolls
    .on("pointerdown", function down(event) {
      if (event.button !== 0 || !event.isPrimary) return;
      view.holdAxis();
      event.preventDefault();
      event.stopPropagation();
      this.setPointerCapture(event.pointerId);
      this.focus();
    })
    .on("pointermove", function drag(event, mark) {
      if (this.hasPointerCapture(event.pointerId)) set(mark, valueAt(mark, event));
    })
    .on("pointerup", release)
    .on("pointercancel", release)
    .on("keydown", (event, mark) => {
      const next = movedByKey(event, get(store.get(), mark), data.rates.length - 1);
      if (next === null) return;
      set(mark, next);
      event.preventDefault();
    });
}

export function drawHandles(context, state) {
  const { data, store, chart, layers, view } = context;
  const index = state.rateIndex;
  const handles = layers.handles
    .selectAll("circle")
    .data(shownModels(data, state), (curve) => curve.index)
    .join((enter) =>
      makeSliders(enter.append("circle").attr("class", "handle").attr("r", 7), context, {
        get: ({ rateIndex }) => rateIndex,
        set: (_, rateIndex) => store.set({ rateIndex }),
        valueAt: (curve, event) => view.nearestPoint(store.get(), [curve], chart.pointer(event)).rateIndex,
      }),
    )
    .classed("unreached", (curve) => reachedIndex(data, curve, index) !== index);
  setAttributes(handles, {
    fill: curveColor,
    transform: (curve) => {
      const point = pointAt(curve, reachedIndex(data, curve, index));
      return `translate(${view.position(state, point)})`;
    },
    "aria-label": (curve) => `operating point of ${curve.name}`,
    "aria-valuemin": 0,
    "aria-valuemax": 1,
    "aria-valuenow": data.rates[index],
    "aria-valuetext": (curve) => {
      if (!isReached(curve, index)) return `${rate(data.rates[index])} is not reachable`;
      const point = pointAt(curve, index);
      const bandwidth = sig(inUnit(data, state, point, "bandwidth"));
      return `miss rate ${percent(point.miss_rate)}, bandwidth ${bandwidth}`;
    },
  });
}

// The range of miss rates, with a grip at each end. It needs miss rates on the vertical axis.
export function drawRange(context, state) {
  const { data, store, chart, layers, view } = context;
  const { width } = chart.size;
  const rateOf = (end) => data.rates[state[end]];
  const heightOf = (end) => view.scales.y(rateOf(end));
  setAttributes(
    layers.range
      .selectAll("rect")
      .data(hasBand(state) ? ["range"] : [])
      .join("rect"),
    { class: "range", width, y: heightOf("high"), height: heightOf("low") - heightOf("high") },
  );
  const edges = layers.edges
    .selectAll("g")
    .data(hasBand(state) ? ["low", "high"] : [])
    .join((enter) => {
      const edge = enter.append("g").attr("class", "edge");
      edge.append("line");
      setAttributes(edge.append("rect"), { class: "grip", ...GRIP });
      return makeSliders(edge, context, {
        get: (current, end) => current[end],
        set: (end, index) => store.set(movedEnd(store.get(), end, index)),
        valueAt: (_, event) => view.rateIndexAtHeight(chart.pointer(event)[1]),
      });
    });
  setAttributes(edges, {
    transform: (end) => `translate(0,${heightOf(end)})`,
    "aria-label": (end) => `${end === "low" ? "lower" : "upper"} end of the range of miss rates`,
    "aria-orientation": "vertical",
    "aria-valuemin": 0,
    "aria-valuemax": 1,
    "aria-valuenow": rateOf,
    "aria-valuetext": (end) => rate(rateOf(end)),
  });
  edges.select("line").attr("x2", width);
  edges
    .select("rect")
    .attr("x", width - GRIP.width / 2)
    .attr("y", -GRIP.height / 2);
}

// The ends of the range stay apart.
function movedEnd({ low, high }, end, index) {
  return end === "low" ? { low: Math.min(index, high - 1) } : { high: Math.max(index, low + 1) };
}

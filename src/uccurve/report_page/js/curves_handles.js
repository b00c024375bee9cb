// What can be moved on the charts, by pointer or by keys: operating points and the chosen coverage.

import { inUnit, isReached, pointAt, reachedIndex, shownModels } from "./curve_data.js";
import { setAttributes } from "./dom.js";
import { coverage, percent, sig } from "./format.js";
import { curveColor } from "./palette.js";

const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

// Where a key moves a rate index; null for other keys, and with a modifier, which belong to the browser. The
// direction is -1 where keys move the coverage.
function movedByKey({ key, altKey, ctrlKey, metaKey }, index, last, direction) {
  if (altKey || ctrlKey || metaKey) return null;
  if (key === "Home") return direction > 0 ? 0 : last;
  if (key === "End") return direction > 0 ? last : 0;
  return key in STEPS ? Math.min(last, Math.max(0, index + direction * STEPS[key])) : null;
}

// Let marks be moved as sliders: `valueAt` reads a rate index off the pointer, `set` takes a new one.
export function makeSliders(marks, { data, store }, { get, set, valueAt, direction = -1 }) {
  return setAttributes(marks, { tabindex: 0, role: "slider" })
    .on("touchstart", (event) => event.preventDefault(), { passive: false }) // or the page scrolls
    .on("pointerdown", function down(event) {
      if (event.button !== 0 || !event.isPrimary) return;
      event.preventDefault();
      event.stopPropagation();
      this.setPointerCapture(event.pointerId);
      this.focus();
    })
    .on("pointermove", function drag(event, mark) {
      if (this.hasPointerCapture(event.pointerId)) set(mark, valueAt(mark, event));
    })
    .on("keydown", (event, mark) => {
      const next = movedByKey(event, get(store.get(), mark), data.rates.length - 1, direction);
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
      makeSliders(enter.append("circle").attr("class", "handle").attr("r", 8), context, {
        get: ({ rateIndex }) => rateIndex,
        set: (_, rateIndex) => store.set({ rateIndex }),
        valueAt: (curve, event) =>
          view.nearestPoint(context.drawn(), [curve], chart.pointer(event)).rateIndex,
      }),
    )
    .classed("unreached", (curve) => reachedIndex(data, curve, index) !== index);
  const { width, height } = chart.size;
  const within = (value, most) => Math.min(most, Math.max(0, value));
  setAttributes(handles, {
    fill: curveColor,
    // beyond the plot a handle waits at its edge
    transform: (curve) => {
      const [x, y] = view.position(state, pointAt(curve, reachedIndex(data, curve, index)));
      return `translate(${within(x, width)},${within(y, height)})`;
    },
    "aria-label": (curve) => `operating point of ${curve.name}`,
    "aria-valuemin": 0,
    "aria-valuemax": 100,
    "aria-valuenow": Number((100 * (1 - data.rates[index])).toFixed(6)),
    "aria-valuetext": (curve) => {
      if (!isReached(curve, index)) return `${coverage(data.rates[index])} coverage is not reachable`;
      const point = pointAt(curve, index);
      return `coverage ${percent(1 - point.miss_rate)}, bandwidth ${sig(inUnit(data, state, point, "bandwidth"))}`;
    },
  });
}

// What the reader can set about the intervals: which rows are drawn, and against what.

import { byId, fillSelect, showSlider, wireSelect } from "./dom.js";
import { count } from "./format.js";
import { selectRows } from "./row_data.js";

const ROW_COUNTS = [50, 150, 400, 1000];

const wireNumberSelect = (store, id, name) =>
  wireSelect(store, id, (value) => ({ [name]: Number(value) }), name);

export function wireRows(data, store) {
  const { columns, spread } = data.rows;
  const named = (items, text) => items.map((item, i) => [i, text(item)]);
  const { rowsCurve, most } = store.get();
  fillSelect(
    byId("rows-model"),
    named(data.curves, (curve) => curve.name),
    rowsCurve,
  );
  wireNumberSelect(store, "rows-model", "rowsCurve");
  const against = named(columns, (column) => `against ${column.name}`);
  fillSelect(byId("rows-order"), [[-1, "in order"], ...against], -1);
  wireNumberSelect(store, "rows-order", "column");
  const drawable = spread.filter(Boolean).length;
  const counts = ROW_COUNTS.filter((_, i) => i === 0 || ROW_COUNTS[i - 1] < drawable);
  fillSelect(
    byId("rows-most"),
    counts.map((number) => [number, `${Math.min(number, drawable)} rows`]),
    most,
  );
  wireSelect(store, "rows-most", (value) => ({ most: Number(value) }));
  wireSelect(store, "rows-pick", (value) => ({ consecutive: value === "row" }));
  if (byId("rows-segment")) wireSegments(data, store);
  wireRowsStart(data, store);
}

// Where consecutive rows start.
function wireRowsStart(data, store) {
  const slider = byId("rows-start");
  slider.addEventListener("input", () => store.set({ start: Number(slider.value) }));
  store.on(["consecutive", "start", "most", "segment", "column"], (state) => {
    const { consecutive, start, lastStart, begin } = selectRows(data, state);
    byId("rows-from").hidden = !(consecutive && lastStart);
    slider.max = lastStart;
    showSlider(slider, start, consecutive ? `row ${count(begin)}` : "");
  });
}

// Segments with rows on the page, and the one that was chosen elsewhere.
function wireSegments(data, store) {
  const select = byId("rows-segment");
  const held = new Set(data.rows.segments.map(({ place }) => place));
  store.on(["segment"], ({ segment }) => {
    const listed = data.segments
      .map(({ name, place }, i) => [i, name, held.has(place) || i === segment])
      .filter(([, , isListed]) => isListed)
      .map(([i, name]) => [i, name]);
    fillSelect(select, [[-1, "all"], ...listed], segment);
  });
  select.addEventListener("change", () => store.set({ segment: Number(select.value) }));
}

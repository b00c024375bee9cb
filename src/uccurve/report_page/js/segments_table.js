// The table of segments: coverage with its interval, sorted and filtered; a click shows one segment in all charts.

import { chosenCoverage } from "./captions.js";
import { isHidden } from "./curve_data.js";
import { byId, onWidth, setAttributes, setText } from "./dom.js";
import { percent } from "./format.js";
import { drawAtRest, whenSeen } from "./lazy.js";
import { rowsInView } from "./rows_in_view.js";
import { WIDTH, segmentRow } from "./segment_row.js";

const SIDE = 8;

export function drawSegments(data, store) {
  const table = byId("segments-table");
  if (!table) return;
  const rows = [...table.tBodies[0].rows].map((row) => segmentRow(data, store, row));
  const frame = table.parentElement;
  const headingCoverage = table.querySelector("[data-live-coverage]");
  const view = rowsInView(table, frame);
  let x = null;

  const updateInView = (state) => view.inView().forEach((item) => item.update(state, x));

  function measure() {
    view.measure();
    updateInView(store.get());
  }

  function arrange(state, list = view.list) {
    const wanted = state.find.trim().toLowerCase();
    const kept = rows.filter(
      ({ name, curve, isFlagged }) =>
        !isHidden(state, curve.index) &&
        (!wanted || name.toLowerCase().includes(wanted)) &&
        (!state.flagged || isFlagged(state)),
    );
    list(state.sort === "order" ? kept : d3.sort(kept, sortKeys(data, state)[state.sort]));
    const count =
      kept.length === rows.length ? `${rows.length} rows` : `${kept.length} of ${rows.length} rows`;
    setText(byId("segment-count"), count);
  }

  // Bring all rows up to date.
  function draw() {
    const state = store.get();
    x = coverageScale(data, state);
    setText(headingCoverage, chosenCoverage(data, state));
    drawAxis(data, state, x);
    arrange(state);
    rows.forEach((item) => item.update(state, x));
  }

  // While a slider moves, rows in view follow; the others do when it rests.
  function move() {
    const state = store.get();
    x = coverageScale(data, state);
    drawAxis(data, state, x);
    if (state.flagged || ["gap", "coverage"].includes(state.sort)) arrange(state, view.listInView);
    updateInView(state);
  }

  frame.addEventListener("scroll", measure, { passive: true });
  onWidth(frame, measure);
  wireTools(store);
  draw();
  store.on(["find", "sort", "flagged", "hidden"], (state) => {
    arrange(state);
    updateInView(state);
  });
  store.on(["segment"], (state) => rows.forEach((item) => item.mark(state)));
  const moveWhenSeen = whenSeen(frame, move);
  const drawLater = drawAtRest(draw);
  store.on(["rateIndex"], () => {
    moveWhenSeen();
    drawLater();
  });
}

function sortKeys(data, { rateIndex }) {
  const chosen = 1 - data.rates[rateIndex];
  const covered = ({ part }) => part.coverage[rateIndex];
  return {
    gap: (item) => -Math.abs(covered(item) - chosen),
    coverage: covered,
    rows: ({ segment }) => -segment.n,
    gain: ({ gain }) => -gain,
  };
}

function wireTools(store) {
  byId("segment-find").addEventListener("input", ({ target }) => store.set({ find: target.value }));
  byId("segment-sort").addEventListener("change", ({ target }) => store.set({ sort: target.value }));
  byId("segment-flagged").addEventListener("change", ({ target }) => store.set({ flagged: target.checked }));
  store.on(["find", "sort", "flagged"], (state) => {
    if (byId("segment-find").value !== state.find) byId("segment-find").value = state.find;
    byId("segment-sort").value = state.sort;
    byId("segment-flagged").checked = state.flagged;
  });
}

// The ends of all intervals at this coverage, rounded outwards so that the axis seldom moves.
function coverageScale(data, { rateIndex }) {
  let [low, high] = [1, 0];
  data.segments.forEach(({ curves }) =>
    curves.forEach((part) => {
      if (!part.low || Number.isNaN(part.low[rateIndex])) return;
      low = Math.min(low, part.low[rateIndex]);
      high = Math.max(high, part.high[rateIndex]);
    }),
  );
  const ends = low < high ? [Math.floor(low * 10) / 10, Math.ceil(high * 10) / 10] : [0, 1];
  return d3.scaleLinear(ends, [SIDE, WIDTH - SIDE]);
}

function drawAxis(data, state, x) {
  const root = setAttributes(d3.select("#segments-axis"), {
    width: WIDTH,
    height: 18,
    viewBox: `0 0 ${WIDTH} 18`,
  });
  const ticks = [...x.domain(), ...(x.domain()[1] - x.domain()[0] > 0.25 ? [d3.mean(x.domain())] : [])];
  setAttributes(root.selectAll("text").data(ticks).join("text"), {
    x: (tick) => x(tick),
    y: 13,
    "text-anchor": (tick, i) => ["start", "end", "middle"][i],
  }).text((tick) => percent(tick, 0));
}

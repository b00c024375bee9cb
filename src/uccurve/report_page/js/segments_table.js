// The table of segments: coverage with its interval, sorted and filtered; a click shows one segment in all charts.

import { isHidden, models } from "./curve_data.js";
import { byId, setAttributes } from "./dom.js";
import { percent } from "./format.js";
import { curveColor } from "./palette.js";

const WIDTH = 190;
const HEIGHT = 22;
const SIDE = 8;
const AT_REST = 200; // milliseconds after which rows out of view follow, too

export function drawSegments(data, store) {
  const table = byId("segments-table");
  if (!table) return () => {};
  const rows = [...table.tBodies[0].rows].map((row) => segmentRow(data, store, row));
  const body = table.tBodies[0];
  const frame = table.parentElement;
  let x = null;
  let timer = null;
  let listed = rows; // in the order in which they are shown

  // While a slider moves, only rows in view are brought up to date.
  function update(state) {
    const top = frame.scrollTop - 200;
    const bottom = frame.scrollTop + frame.clientHeight + 200;
    const height = listed[0]?.row.offsetHeight || 34;
    const seen = isOnScreen(frame)
      ? listed.slice(Math.max(0, Math.floor(top / height)), Math.ceil(bottom / height) + 1)
      : listed.slice(0, 3);
    seen.forEach((item) => item.update(state, x));
  }

  const updateAll = () => rows.forEach((item) => item.update(store.get(), x));

  function arrange(state) {
    x = coverageScale(data, state);
    drawAxis(data, state, x);
    const wanted = state.find.trim().toLowerCase();
    listed = rows.filter(
      ({ name, curve, isFlagged }) =>
        !isHidden(state, curve.index) &&
        (!wanted || name.toLowerCase().includes(wanted)) &&
        (!state.flagged || isFlagged(state)),
    );
    if (state.sort !== "order") listed = d3.sort(listed, sortKeys(data, state)[state.sort]);
    body.replaceChildren(...listed.map(({ row }) => row));
    const count =
      listed.length === rows.length ? `${rows.length} rows` : `${listed.length} of ${rows.length} rows`;
    byId("segment-count").textContent = count;
    listed.forEach((item) => item.mark(state));
    update(state);
  }

  frame.addEventListener("scroll", () => update(store.get()), { passive: true });
  window.addEventListener("scroll", () => update(store.get()), { passive: true });
  wireTools(store);
  rows.forEach((item) => item.update(store.get(), coverageScale(data, store.get())));
  store.on(["find", "sort", "flagged", "hidden"], arrange);
  store.on(["segment"], (state) => rows.forEach((item) => item.mark(state)));
  store.on(["rateIndex"], (state) => {
    x = coverageScale(data, state);
    if (state.flagged || ["gap", "coverage"].includes(state.sort)) arrange(state);
    else {
      drawAxis(data, state, x);
      update(state);
    }
    clearTimeout(timer);
    timer = setTimeout(updateAll, AT_REST);
  });
  return updateAll;
}

function isOnScreen(node) {
  const { top, bottom } = node.getBoundingClientRect();
  return bottom > -300 && top < window.innerHeight + 300;
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

// A row of the table, with its dot; what the dot needs is made when it is first seen.
function segmentRow(data, store, row) {
  const segmentIndex = Number(row.dataset.segment);
  const segment = data.segments[segmentIndex];
  const curve = models(data)[Number(row.dataset.curve)];
  const part = segment.curves[curve.index];
  const [covered, dots] = [...row.cells].slice(-2);
  const gain = Number([...row.cells].at(-3).dataset.value || NaN);
  const heading = row.cells[0];
  let marks = null;

  heading.replaceChildren(segmentButton(store, segment.name, segmentIndex));

  function makeDot() {
    const root = setAttributes(d3.select(dots).append("svg"), {
      width: WIDTH,
      height: HEIGHT,
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      "aria-hidden": "true",
    });
    marks = {
      target: setAttributes(root.append("line"), { class: "target", y2: HEIGHT }),
      bar: setAttributes(root.append("line"), { class: "bar", y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      dot: setAttributes(root.append("circle"), { r: 4, cy: HEIGHT / 2 }),
    };
    marks.bar.attr("stroke", curveColor(curve));
    marks.dot.attr("fill", curveColor(curve));
  }

  const isFlagged = ({ rateIndex }) => part.flag[rateIndex] === "1";

  function update(state, x) {
    if (!marks) makeDot();
    const { rateIndex } = state;
    const share = part.coverage[rateIndex];
    const [low, high] = [part.low[rateIndex], part.high[rateIndex]];
    const chosen = 1 - data.rates[rateIndex];
    const sign = share < chosen ? "▼ " : "▲ ";
    const text = Number.isNaN(share)
      ? "–"
      : `${isFlagged(state) ? sign : ""}${percent(share)} [${percent(low).replace(" %", "")}, ${percent(high).replace(" %", "")}]`;
    if (covered.textContent !== text) covered.textContent = text;
    covered.dataset.value = Number.isNaN(share) ? "" : String(share);
    covered.dataset.low = Number.isNaN(low) ? "" : String(low);
    covered.dataset.high = Number.isNaN(high) ? "" : String(high);
    covered.classList.toggle("short", isFlagged(state));
    const visibility = Number.isNaN(share) ? "hidden" : "visible";
    setAttributes(marks.target, { x1: x(chosen), x2: x(chosen) });
    setAttributes(marks.bar, {
      x1: x(Number.isNaN(low) ? 0 : low),
      x2: x(Number.isNaN(high) ? 0 : high),
      visibility,
    });
    setAttributes(marks.dot, { cx: x(Number.isNaN(share) ? 0 : share), visibility });
  }

  const mark = (state) => {
    row.classList.toggle("chosen-row", state.segment === segmentIndex);
    heading.firstElementChild.setAttribute("aria-pressed", String(state.segment === segmentIndex));
  };
  return { row, segment, name: segment.name, curve, part, gain, isFlagged, update, mark };
}

function segmentButton(store, name, index) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "segment-button";
  button.textContent = name;
  button.addEventListener("click", () => {
    store.set({ segment: store.get().segment === index ? -1 : index });
  });
  return button;
}

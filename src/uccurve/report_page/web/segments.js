// The table of segments: what each covers at the chosen coverage, for one model, with the others as dots.

import { select } from "d3-selection";
import { coverageAt, models } from "./data.js";
import { byId, drawAll, fillSelect, setAttribute, setText, whenSeen, wireField } from "./dom.js";
import { percent } from "./format.js";
import { fillOf } from "./look.js";

const SIZE = { width: 220, height: 20, side: 8 };

const DOT = "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0";
const BEYOND = "m-5,0l8,-5v10z"; // points to what lies before the axis

export function drawSegments(data, store) {
  const table = byId("segments-table");
  if (!table) return;
  const all = models(data);
  const rows = [...table.tBodies[0].rows].map((row) => segmentRow(data, all, row));

  const startOf = ({ place }) => (coverageAt(data, place) > 0.55 ? 0.5 : 0);
  const scale = (low) => (share) =>
    SIZE.side + ((Math.max(low, share) - low) / (1 - low)) * (SIZE.width - 2 * SIZE.side);

  // What follows the slider: texts and dots.
  function move() {
    const state = store.get();
    const low = startOf(state);
    const x = scale(low);
    rows.forEach((one) => one.update(state, x, low));
    const off = rows.filter((one) => one.isOff(state)).length;
    setText(
      byId("segments-title"),
      `${off} of ${rows.length} segments significantly off for ${data.curves[state.model].brief}`,
    );
    drawAll(byId("segments-axis"), "text", [low, (1 + low) / 2, 1], {
      x: (share) => x(share),
      y: 13,
      "text-anchor": (_, i) => ["start", "middle", "end"][i],
    }).text((share) => percent(share, 0));
    if (state.off) filter(state);
  }

  function filter(state) {
    const wanted = state.find.trim().toLowerCase();
    rows.forEach((one) => {
      one.row.hidden = !one.name.toLowerCase().includes(wanted) || (state.off && !one.isOff(state));
    });
  }

  // The order does not follow the slider, or rows would jump.
  function sort(state) {
    const key = {
      evidence: (one) => -one.evidence(state),
      label: ({ place }) => place,
      rows: ({ segment }) => -segment.n,
      coverage: (one) => one.part(state).coverage[state.place],
    }[state.sort];
    table.tBodies[0].append(...rows.toSorted((a, b) => key(a) - key(b)).map(({ row }) => row));
  }

  fillSelect(
    byId("segments-model"),
    all.map(({ index, brief }) => [index, brief]),
  );
  wireField(store, byId("segments-model"), "model", Number);
  wireField(store, byId("segments-sort"), "sort");
  wireField(store, byId("segments-find"), "find");
  byId("segments-off").addEventListener("change", ({ target }) => store.set({ off: target.checked }));
  const svg = byId("segments-axis");
  Object.entries(frameOf(18)).forEach((one) => setAttribute(svg, ...one));
  store.on(["model"], move);
  store.on(["place"], whenSeen(table, move));
  store.on(["model", "sort"], sort);
  store.on(["find", "off", "model"], filter);
}

const frameOf = (height) => ({ viewBox: `0 0 ${SIZE.width} ${height}`, width: SIZE.width, height });

function segmentRow(data, all, row) {
  const place = Number(row.dataset.segment);
  const segment = data.segments[place];
  const [, , supplied, covered, dots] = row.cells;
  const root = select(dots).append("svg").attr("aria-hidden", "true");
  Object.entries(frameOf(SIZE.height)).forEach((one) => root.attr(...one));
  const [others, bar, mark] = ["g", "g", "g"].map((name) => root.append(name).node());
  const part = (state) => segment.models[all.findIndex(({ index }) => index === state.model)];
  const isOff = (state) => part(state).off[state.place] === "1";
  const middle = SIZE.height / 2;

  function update(state, x, start) {
    const own = part(state);
    const [share, low, high] = ["coverage", "low", "high"].map((name) => own[name][state.place]);
    const isKnown = !Number.isNaN(share);
    setText(supplied, percent(own.supplied));
    setText(
      covered,
      isKnown ? `${percent(share)} [${percent(low).slice(0, -1)}–${percent(high).slice(0, -1)}]` : "–",
    );
    row.classList.toggle("off", isOff(state));
    const target = x(coverageAt(data, state.place));
    const found = all.map((curve, i) => ({ curve, share: segment.models[i].coverage[state.place] }));
    drawAll(
      others,
      "circle",
      found.filter((one) => one.curve.index !== state.model && one.share >= 0),
      {
        r: 2.5,
        cx: (one) => x(one.share),
        cy: 3,
        fill: (one) => fillOf(one.curve),
        "fill-opacity": 0.35,
      },
    );
    const color = fillOf(data.curves[state.model]);
    const lines = isKnown
      ? [
          [x(low), x(high), color, 3],
          [target, target, "var(--ink)", 1],
        ]
      : [];
    drawAll(bar, "line", lines, {
      x1: ([from]) => from,
      x2: ([, to]) => to,
      y1: (_, i) => (i ? 1 : middle),
      y2: (_, i) => (i ? SIZE.height - 1 : middle),
      stroke: ([, , stroke]) => stroke,
      "stroke-width": ([, , , width]) => width,
    });
    const marks = low < start && share >= start ? [share, low] : [share]; // an end before the axis is pointed to
    drawAll(mark, "path", isKnown ? marks : [], {
      d: (at) => `M${x(at)},${middle}${at < start ? BEYOND : DOT}`,
      fill: color,
    });
    setAttribute(dots, "data-label", percent(start, 0)); // where the axis begins, for a phone
  }

  // How far the nearer end of the interval lies beyond the chosen coverage: small segments tell little.
  function evidence(state) {
    const { low, high } = part(state);
    const target = coverageAt(data, state.place);
    const found = Math.max(low[state.place] - target, target - high[state.place]);
    return Number.isNaN(found) ? -Infinity : found;
  }

  return { row, place, segment, name: segment.name, part, isOff, update, evidence };
}

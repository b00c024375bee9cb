// The chart of the intervals themselves, at the chosen coverage.

import { bisectLeft, extent } from "d3-array";
import { scaleLinear, scaleUtc } from "d3-scale";
import { select } from "d3-selection";
import { utcFormat } from "d3-time-format";
import { coverageAt, models, unitOf } from "./data.js";
import {
  byId,
  drawAll,
  fillSelect,
  hideTip,
  onWidth,
  setAttribute,
  setText,
  showTip,
  whenSeen,
  wireField,
} from "./dom.js";
import { count, coverage, number, percent } from "./format.js";
import { fillOf } from "./look.js";
import { upScale, withRoom } from "./scale.js";

const MARGIN = { left: 64, right: 16, top: 8, bottom: 42 };
const HEIGHT = 260;
const MOST = 150; // rows that are drawn at once, unless all are wanted
const ROOM = 4; // pixels that each of them needs
const DOT = "m-2,0a2,2 0 1,0 4,0a2,2 0 1,0 -4,0";
const CROSS = "m-3.5,-3.5l7,7m0,-7l-7,7";

export function drawRows(data, store) {
  const svg = byId("rows");
  if (!svg) return;
  const plot = select(svg).append("g").attr("transform", `translate(${MARGIN.left},${MARGIN.top})`);
  const group = (name) => plot.append("g").attr("class", name).node();
  const [grid, axis] = [group("grid"), group("axis")];
  const shapes = Object.fromEntries(
    ["bounds", "predictions", "hits", "misses"].map((name) => [
      name,
      plot.append("path").attr("class", `rows-${name}`),
    ]),
  );
  let [total, drawn, x] = [0, [], null];

  function draw() {
    const state = store.get();
    const curve = data.curves[state.rowsModel];
    const parameter = curve.parameter[state.place];
    const share = coverage(coverageAt(data, state.place));
    const isReached = Number.isFinite(parameter);
    drawn = isReached
      ? rowsOf(data, state, most()).map((one) => ({
          ...one,
          ...intervalAt(data, state.rowsModel, one.row, parameter),
        }))
      : [];
    const note = noteOf(curve, share, isReached);
    setText(byId("rows-note"), note);
    setAttribute(svg, "aria-label", `Intervals. ${note}`);
    if (total) drawMarks(state, curve);
  }

  const most = () => Math.max(10, Math.min(MOST, Math.floor((total - MARGIN.left - MARGIN.right) / ROOM)));

  function noteOf({ brief }, share, isReached) {
    if (!isReached) return `${brief} does not reach ${share} coverage: some intervals have no width.`;
    if (!drawn.length) return "No row has a value there.";
    const missed = drawn.filter(({ isHit }) => !isHit).length;
    const part = percent(missed / drawn.length);
    return `${brief} moved to ${share}: ${count(missed)} of these ${count(drawn.length)} rows are missed (${part}).`;
  }

  function drawMarks(state, curve) {
    const width = total - MARGIN.left - MARGIN.right;
    const height = HEIGHT + MARGIN.top + MARGIN.bottom;
    Object.entries({ viewBox: `0 0 ${total} ${height}`, width: total, height }).forEach((one) =>
      setAttribute(svg, ...one),
    );
    const column = data.rows.columns[state.column];
    const ends = drawn.flatMap(({ row, lower, upper }) => [lower, upper, data.rows.y[row]]);
    const known = ends.filter(Number.isFinite);
    const y = upScale(known.length ? withRoom(extent(known), 0.04) : [0, 1], HEIGHT);
    const across = extent(drawn, (one) => one.x);
    x = (column?.time ? scaleUtc : scaleLinear)(drawn.length ? withRoom(across.map(Number), 0.02) : [0, 1], [
      0,
      width,
    ]);
    drawAxes(x, y, width, column);
    const reach = Math.max(1, Math.min(4, width / drawn.length / 2.2));
    const at = (one, value) => `M${x(one.x).toFixed(1)},${y(value).toFixed(1)}`;
    const { pred } = data.rows.curves[state.rowsModel];
    const path = (list, mark) => list.map(mark).join("");
    const color = fillOf(curve);
    const marks = {
      bounds: path(drawn, (one) => `${at(one, one.lower)}V${y(one.upper).toFixed(1)}`),
      predictions: path(
        drawn,
        (one) => `M${(x(one.x) - reach).toFixed(1)},${y(pred[one.row]).toFixed(1)}h${2 * reach}`,
      ),
      hits: path(
        drawn.filter(({ isHit }) => isHit),
        (one) => at(one, data.rows.y[one.row]) + DOT,
      ),
      misses: path(
        drawn.filter(({ isHit }) => !isHit),
        (one) => at(one, data.rows.y[one.row]) + CROSS,
      ),
    };
    Object.entries(marks).forEach(([name, d]) => setAttribute(shapes[name].node(), "d", d));
    shapes.bounds.attr("stroke", color).attr("stroke-width", reach > 2 ? 2 : 1);
    shapes.predictions.attr("stroke", color);
  }

  function drawAxes(across, up, width, column) {
    const ticks = across.ticks(Math.max(3, Math.round(width / 110)));
    const shown = across.tickFormat(ticks.length, column ? undefined : ",d");
    const texts = [
      ...up.ticks().map((value) => ({ text: number(value), x: -8, y: up(value) + 4, anchor: "end" })),
      ...ticks.map((value) => ({ text: shown(value), x: across(value), y: HEIGHT + 18, anchor: "middle" })),
      { text: column ? column.name : "row", x: width / 2, y: HEIGHT + 36, anchor: "middle" },
      { text: `y (${unitOf(data)})`, x: -HEIGHT / 2, y: -50, anchor: "middle", turn: "rotate(-90)" },
    ];
    drawAll(axis, "text", texts, {
      x: (one) => one.x,
      y: (one) => one.y,
      "text-anchor": ({ anchor }) => anchor,
      transform: ({ turn }) => turn ?? null,
    }).text(({ text }) => text);
    drawAll(grid, "line", up.ticks(), { x2: width, y1: up, y2: up });
  }

  function hover(event) {
    if (!drawn.length || !x) return;
    const px = event.clientX - svg.getBoundingClientRect().left - MARGIN.left;
    const distance = (one) => Math.abs(x(one.x) - px);
    const one = drawn.reduce((best, other) => (distance(other) < distance(best) ? other : best));
    const state = store.get();
    const column = data.rows.columns[state.column];
    const output = data.outputs > 1 ? `, output ${one.row % data.outputs}` : "";
    const value = column?.time ? utcFormat("%Y-%m-%d %H:%M")(one.x) : number(one.x, 6);
    showTip(
      [
        `row ${count(data.rows.index[one.row])}${output}: ${one.isHit ? "inside" : "missed"}`,
        ...(column ? [`${column.name} ${value}`] : []),
        `observed ${number(data.rows.y[one.row])}`,
        `predicted ${number(data.rows.curves[state.rowsModel].pred[one.row])}`,
        `interval ${number(one.lower)} to ${number(one.upper)}`,
      ],
      event,
    );
  }

  fillSelect(
    byId("rows-model"),
    models(data).map(({ index, brief }) => [index, brief]),
  );
  fillSelect(byId("rows-column"), [
    [-1, "rows in order"],
    ...data.rows.columns.map(({ name }, i) => [i, name]),
  ]);
  if (byId("rows-segment")) {
    fillSelect(byId("rows-segment"), [[-1, "all"], ...data.rows.segments.map(({ name }, i) => [i, name])]);
    wireField(store, byId("rows-segment"), "segment", Number);
  }
  wireField(store, byId("rows-model"), "rowsModel", Number);
  wireField(store, byId("rows-column"), "column", Number);
  wireField(store, byId("rows-pick"), "pick");
  svg.addEventListener("pointermove", hover);
  svg.addEventListener("pointerleave", hideTip);
  onWidth(svg.parentElement, (width) => {
    total = width;
    draw();
  });
  store.on(["place", "rowsModel", "segment", "column", "pick"], whenSeen(svg, draw));
}

// The rows to draw: of one segment or of all, in a row or spread evenly, each with its horizontal value.
function rowsOf(data, { segment, column, pick }, most) {
  const { index, spread, stretch, segments, columns } = data.rows;
  const across = columns[column]?.values ?? index;
  const isThere = (row) => segment < 0 || segments[segment].rows[row] === "1";
  let rows = [...index.keys()].filter((row) => isThere(row) && Number.isFinite(across[row]));
  const isSpread = (row) => segment >= 0 || spread[row] === "1";
  if (pick === "stretch") rows = rows.filter((row) => stretch[row] === "1").slice(0, most);
  if (pick === "spread") {
    rows = rows.filter(isSpread);
    const step = Math.max(1, rows.length / most);
    rows = Array.from({ length: Math.min(rows.length, most) }, (_, i) => rows[Math.floor(i * step)]);
  }
  return rows.map((row) => ({ row, x: across[row] })).sort((a, b) => a.x - b.x);
}

// The interval of a row at a parameter of its curve. Hits are decided by rank, as the curve counts them.
function intervalAt(data, index, row, parameter) {
  const curve = data.rows.curves[index];
  const moved = (side) => movedBand(data, curve, side, row, parameter);
  return {
    lower: curve.pred[row] - (data.side === "upper" ? 0 : moved("lower")), // a limit is drawn from the prediction
    upper: curve.pred[row] + (data.side === "lower" ? 0 : moved("upper")),
    isHit: curve.critical[row] <= parameter,
  };
}

function movedBand(data, curve, side, row, parameter) {
  const band = curve[side][row];
  if (data.vary === "shift") return Math.max(band + parameter, 0);
  if (!curve.ladder || parameter >= 1) return band * parameter;
  const { knots } = curve.ladder;
  const place = bisectLeft(knots, parameter);
  const end = curve.ladder[side][place][row];
  const [begin, from] = place ? [curve.ladder[side][place - 1][row], knots[place - 1]] : [0, 0];
  return begin + ((end - begin) * (parameter - from)) / (knots[place] - from);
}

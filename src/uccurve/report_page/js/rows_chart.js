// The chart of the intervals themselves, at the chosen operating point.

import { rowsCaption, rowsNote } from "./captions.js";
import { createChart, tickTexts } from "./chart_frame.js";
import { nearestRateIndex, pointAt, reachedIndex, unitName } from "./curve_data.js";
import { byId, onWidth, setAttribute, setAttributes, setText } from "./dom.js";
import { count, sig } from "./format.js";
import { whenSeen } from "./lazy.js";
import { numberScale, withRoom } from "./number_scale.js";
import { curveColor } from "./palette.js";
import { intervalAt, selectRows } from "./row_data.js";
import { hideTip, showTip } from "./tooltip.js";

const SHAPES = ["bounds", "predictions", "hits", "misses"];
const SELECTION = ["rowsCurve", "column", "most", "segment", "consecutive", "start"]; // what chooses rows
const DOT = "m-2,0a2,2 0 1,0 4,0a2,2 0 1,0 -4,0";
const CROSS = "m-3.5,-3.5l7,7m0,-7l-7,7";

export function drawRows(data, store) {
  const svg = byId("rows-chart");
  const chart = createChart(svg, { share: 0.34 });
  const shapes = Object.fromEntries(
    SHAPES.map((name) => [name, chart.inside.append("path").attr("class", `rows-${name}`)]),
  );
  const emptyText = chart.over.append("text").attr("class", "label").attr("text-anchor", "middle");
  let selection = null;
  let drawn = []; // the rows, each with its horizontal value and its interval
  let scales = null; // of the selection, once it is drawn

  // Draw other rows, or the same ones with other axes.
  function draw(state) {
    selection = selectRows(data, state);
    scales = null;
    move(state);
  }

  // Draw the same rows at another coverage.
  function move(state) {
    drawn = withIntervals(state, selection.rows);
    const note = rowsNote(data, state, selection, drawn);
    setText(byId("rows-note"), note);
    setText(byId("rows-caption"), rowsCaption(data, state));
    const what = `Intervals of ${data.curves[state.rowsCurve].name} on ${drawn.length} rows`;
    setAttribute(svg, "aria-label", `${what}. ${note}`);
    if (!chart.size.width) return;
    setAttributes(emptyText, { x: chart.size.width / 2, y: chart.size.height / 2 });
    setText(emptyText.node(), drawn.length ? "" : "nothing to draw");
    if (drawn.length) drawMarks(state);
    else Object.values(shapes).forEach((shape) => shape.attr("d", null));
  }

  function withIntervals(state, rows) {
    const curve = data.curves[state.rowsCurve];
    const { parameter } = pointAt(curve, reachedIndex(data, curve, state.rateIndex));
    if (!Number.isFinite(parameter)) return [];
    return rows.map((item) => ({ ...item, ...intervalAt(data, state.rowsCurve, item.row, parameter) }));
  }

  // The axes do not follow the operating point: they hold the observations, and the intervals at the coverage of
  // the comparison, where the model reaches it.
  function rescale(state, column) {
    const given = pointAt(data.curves[state.rowsCurve], nearestRateIndex(data, data.missRate)).parameter;
    const isFixed = Number.isFinite(given);
    if (scales && isFixed) return;
    const held = isFixed
      ? drawn.map(({ row }) => ({ row, ...intervalAt(data, state.rowsCurve, row, given) }))
      : drawn;
    const across = withRoom(
      d3.extent(drawn, ({ x }) => x),
      0.02,
    );
    const ends = held.flatMap(({ row, lower, upper }) => [lower, upper, data.rows.y[row]]);
    const xScale = column?.time ? d3.scaleUtc : numberScale;
    const domain = withRoom(d3.extent(ends.filter(Number.isFinite)), 0.04);
    chart.reserve(tickTexts(numberScale(domain, [1, 0])));
    scales = {
      x: xScale(across, [0, chart.size.width]),
      y: numberScale(domain, [chart.size.height, 0]),
    };
    chart.drawAxes(
      {
        scale: scales.x,
        labels: (power) => [`${column ? column.name : "row"}${power ? ` (${power.trim()})` : ""}`],
        format: column ? undefined : ",d",
      },
      { scale: scales.y, labels: (power) => [`y (${power}${unitName(data, { standardized: false })})`] },
    );
  }

  function drawMarks(state) {
    rescale(state, data.rows.columns[state.column]);
    const { x, y } = scales;
    const { pred } = data.rows.curves[state.rowsCurve];
    const reach = Math.max(1, Math.min(4, chart.size.width / drawn.length / 2.2));
    const moveTo = (across, up) => `M${across.toFixed(1)},${y(up).toFixed(1)}`;
    const bar = (item) => `${moveTo(x(item.x), item.lower)}V${y(item.upper).toFixed(1)}`;
    const dash = (item) => `${moveTo(x(item.x) - reach, pred[item.row])}h${2 * reach}`;
    const dot = (item) => moveTo(x(item.x), data.rows.y[item.row]) + DOT;
    const cross = (item) => moveTo(x(item.x), data.rows.y[item.row]) + CROSS;
    const path = (items, mark) => items.map(mark).join("");
    const color = curveColor(data.curves[state.rowsCurve]);
    const [hits, misses] = [true, false].map((wanted) => drawn.filter(({ hit }) => hit === wanted));
    setAttributes(shapes.bounds, {
      d: path(drawn, bar),
      stroke: color,
      "stroke-width": reach > 2 ? 2 : 1,
    });
    setAttributes(shapes.predictions, { d: path(drawn, dash), stroke: color });
    setAttributes(shapes.hits, { d: path(hits, dot) });
    setAttributes(shapes.misses, { d: path(misses, cross) });
  }

  // Show the row whose horizontal value is nearest to the pointer.
  function hover(event) {
    if (!drawn.length || !scales) {
      hideTip();
      return;
    }
    const [px] = chart.pointer(event);
    const nearest = d3.least(drawn, ({ x }) => Math.abs(scales.x(x) - px));
    showTip(tipLines(store.get(), nearest), event);
  }

  function tipLines(state, { row, x, lower, upper, hit }) {
    const output = data.outputs > 1 ? `, output ${row % data.outputs}` : "";
    const column = data.rows.columns[state.column];
    const value = column?.time ? d3.utcFormat("%Y-%m-%d %H:%M")(x) : sig(x, 6);
    return [
      `row ${count(data.rows.index[row])}${output}: ${hit ? "hit" : "miss"}`,
      ...(column ? [`${column.name} ${value}`] : []),
      `observed ${sig(data.rows.y[row])}`,
      `predicted ${sig(data.rows.curves[state.rowsCurve].pred[row])}`,
      `interval ${sig(lower)} to ${sig(upper)}`,
    ];
  }

  chart.root.on("pointermove", hover).on("pointerleave", hideTip);
  onWidth(svg.parentElement, (width) => {
    chart.resize(width);
    draw(store.get());
  });
  let hasOtherRows = true;
  const follow = whenSeen(svg, () => {
    (hasOtherRows ? draw : move)(store.get());
    hasOtherRows = false;
  });
  draw(store.get());
  store.on(SELECTION, () => {
    hasOtherRows = true;
    follow();
  });
  store.on(["rateIndex"], follow);
}

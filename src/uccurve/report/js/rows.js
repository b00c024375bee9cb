// The intervals themselves, at the operating point that was chosen.

import { createChart } from "./chart.js";
import { advice, intervalAt, pointAt, rowsFor, scopeOf, unitName } from "./data.js";
import { byId, colour, hideTip, onWidth, showTip } from "./dom.js";
import { count, percent, rate, sig } from "./format.js";
import { rowsCaption } from "./words.js";

const NOTHING = "No row has a value there.";

export function drawRows(data, store) {
  const svg = byId("rows-chart");
  const chart = createChart(svg);
  const shapes = Object.fromEntries(
    ["bounds", "predictions", "hits", "misses"].map((name) => [
      name,
      chart.inside.append("path").attr("class", `rows-${name}`),
    ]),
  );
  const empty = chart.over.append("text").attr("class", "label").attr("text-anchor", "middle");
  let drawn = [];
  let scales = null;

  function measure(state, column) {
    const [low, high] = d3.extent(drawn, ({ x }) => x);
    const pad = low === high ? 1 : (high - low) * 0.02;
    const ends = drawn
      .flatMap(({ row, lower, upper }) => [lower, upper, data.rows.y[row]])
      .filter(Number.isFinite);
    const scale = column && column.time ? d3.scaleUtc : d3.scaleLinear;
    const [bottom, top] = d3.extent(ends);
    const room = (top - bottom) * 0.04 || 1;
    return {
      x: scale([low - pad, high + pad], [0, chart.size.width]),
      y: d3.scaleLinear([bottom - room, top + room], [chart.size.height, 0]),
    };
  }

  function update(state) {
    const curve = data.curves[state.shown];
    const point = pointAt(curve, state.place);
    const column = data.rows.columns[state.order];
    const asked = rowsFor(data, state);
    drawn = Number.isFinite(point.parameter)
      ? asked.rows.map((item) => ({ ...item, ...intervalAt(data, state.shown, item.row, point.parameter) }))
      : [];
    byId("rows-note").textContent = note(state, curve, point, asked);
    byId("rows-caption").textContent = rowsCaption(data, state);
    svg.setAttribute(
      "aria-label",
      `Intervals of ${curve.name} on ${drawn.length} rows. ${byId("rows-note").textContent}`,
    );
    if (!chart.size.width) return;
    empty
      .attr("x", chart.size.width / 2)
      .attr("y", chart.size.height / 2)
      .text(drawn.length ? "" : "nothing to draw");
    if (!drawn.length) {
      Object.values(shapes).forEach((shape) => shape.attr("d", null));
      return;
    }
    scales = measure(state, column);
    chart.drawAxes(
      scales.x,
      scales.y,
      (power) => [`${column ? column.name : "row"}${power ? ` (${power.trim()})` : ""}`],
      (power) => [`y (${power}${unitName(data, false)})`],
      { x: column ? undefined : ",d" },
    );
    const pred = data.rows.curves[state.shown].pred;
    const { x, y } = scales;
    const draw = (list, mark) => list.map(mark).join("");
    const reach = Math.max(1, Math.min(4, chart.size.width / drawn.length / 2.2));
    const bar = ({ x: at, lower, upper }) =>
      `M${x(at).toFixed(1)},${y(lower).toFixed(1)}V${y(upper).toFixed(1)}`;
    const dash = ({ x: at, row }) => `M${(x(at) - reach).toFixed(1)},${y(pred[row]).toFixed(1)}h${2 * reach}`;
    const dot = ({ x: at, row }) =>
      `M${(x(at) - 2).toFixed(1)},${y(data.rows.y[row]).toFixed(1)}a2,2 0 1,0 4,0a2,2 0 1,0 -4,0`;
    const cross = ({ x: at, row }) =>
      `M${(x(at) - 3.5).toFixed(1)},${(y(data.rows.y[row]) - 3.5).toFixed(1)}l7,7m0,-7l-7,7`;
    shapes.bounds
      .attr("d", draw(drawn, bar))
      .attr("stroke", colour(curve))
      .attr("stroke-width", reach > 2 ? 2 : 1);
    shapes.predictions.attr("d", draw(drawn, dash)).attr("stroke", colour(curve));
    shapes.hits.attr(
      "d",
      draw(
        drawn.filter(({ hit }) => hit),
        dot,
      ),
    );
    shapes.misses.attr(
      "d",
      draw(
        drawn.filter(({ hit }) => !hit),
        cross,
      ),
    );
  }

  function note(state, curve, point, asked) {
    const what = advice(data, point.parameter, false);
    if (!Number.isFinite(point.parameter))
      return `${curve.name}: a miss rate of ${rate(data.rates[state.place])} is ${what}.`;
    if (!drawn.length) return `${curve.name}: ${what}. ${NOTHING}`;
    const missed = drawn.filter(({ hit }) => !hit).length;
    const scope = scopeOf(data, state, point.miss_rate);
    const some = scope.total > drawn.length;
    const how = asked.inRow ? ` in a row (${count(asked.begin)} to ${count(asked.end)})` : ", spread evenly,";
    const all =
      some && Number.isFinite(scope.missed)
        ? `; of all ${count(scope.total)}${scope.name === null ? "" : " there"}, ${percent(scope.missed)}`
        : "";
    const things = `${data.outputs > 1 ? "values" : "rows"}${scope.name === null ? "" : ` of ${scope.name}`}${some ? how : ""}`;
    return `${curve.name}: ${what}. Of these ${count(drawn.length)} ${things} ${count(missed)} ${missed === 1 ? "is" : "are"} missed${all}.`;
  }

  function hover(event) {
    if (event.type === "pointerleave" || !drawn.length || !scales) {
      hideTip();
      return;
    }
    const [px] = chart.pointer(event);
    const found = d3.least(drawn, ({ x }) => Math.abs(scales.x(x) - px));
    const column = data.rows.columns[store.get().order];
    const where = column
      ? [`${column.name} ${column.time ? d3.utcFormat("%Y-%m-%d %H:%M")(found.x) : sig(found.x, 6)}`]
      : [];
    showTip(
      [
        `row ${count(data.rows.index[found.row])}${data.outputs > 1 ? `, output ${found.row % data.outputs}` : ""}: ${found.hit ? "hit" : "miss"}`,
        ...where,
        `observed ${sig(data.rows.y[found.row])}`,
        `predicted ${sig(data.rows.curves[store.get().shown].pred[found.row])}`,
        `interval ${sig(found.lower)} to ${sig(found.upper)}`,
      ],
      event,
    );
  }

  chart.root.on("pointermove", hover).on("pointerleave", hover);
  onWidth(svg.parentElement, (width) => {
    chart.resize(width);
    update(store.get());
  });
  store.on(update);
}

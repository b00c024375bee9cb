// The curve: every model, the constant band, the limit, and what the reader moves along them.

import { createChart } from "./chart.js";
import {
  factor,
  hasBand,
  limitsOf,
  models,
  optimum,
  placeOf,
  pointAt,
  shownModels,
  visibleCurves,
  weightsFor,
} from "./data.js";
import { byId, colour, dashes, dots, hideTip, onWidth, showTip, stepOf } from "./dom.js";
import { percent, rate, sig } from "./format.js";
import { axisLabels, curvesCaption, spoken } from "./words.js";

const TAIL = 0.01; // the curve is shown down to this share of its start
const NEAR = 40; // pixels within which the pointer finds a curve
const CLICK = 5; // pixels that a hand may move in a click

export function drawCurves(data, store) {
  const svg = byId("ucc-chart");
  const chart = createChart(svg);
  const layers = Object.fromEntries(
    ["range", "bands", "limits", "parts", "curves", "cost"].map((name) => [name, chart.inside.append("g")]),
  );
  const marks = Object.fromEntries(
    ["edges", "originals", "optima", "handles", "hover"].map((name) => [name, chart.over.append("g")]),
  );
  const background = chart.inside.insert("rect", ":first-child").attr("class", "background");
  let scales = null;
  let dragged = null; // where the horizontal axis ended when a drag began

  const visible = (state) => visibleCurves(data, state);
  const shown = (state) => shownModels(data, state);
  const values = (state, curve, axis) =>
    curve.points[axis].map((v) => v * factor(data, axis, state.standardized));
  const place = (state, point) => [
    scales.x(point[state.x] * factor(data, state.x, state.standardized)),
    scales.y(point[state.y] * factor(data, state.y, state.standardized)),
  ];

  function measure(state) {
    const ends = [];
    let top = 0;
    visible(state).forEach((curve) => {
      const xs = values(state, curve, state.x);
      const ys = values(state, curve, state.y);
      const start = Math.max(...ys.filter(Number.isFinite), 0);
      const tail = ys.findIndex((y, i) => Number.isFinite(xs[i]) && y >= TAIL * start);
      ends.push(tail < 0 ? 0 : xs[tail]);
      if (!curve.constant) {
        const selected = xs[state.place];
        const best = optimum(data, curve, state).point[state.x] * factor(data, state.x, state.standardized);
        ends.push(...[selected, best].filter(Number.isFinite));
      }
      top = Math.max(top, start);
    });
    const end = dragged ?? (Math.max(...ends, 0) * 1.04 || 1);
    return {
      x: d3.scaleLinear([0, end], [0, chart.size.width]),
      y: d3.scaleLinear([0, state.y === "miss_rate" ? 1 : top * 1.04 || 1], [chart.size.height, 0]),
    };
  }

  function path(
    state,
    curve,
    { low = 0, high = data.rates.length - 1, points = curve.points, half = 1 } = {},
  ) {
    const unit = (axis) => factor(data, axis, state.standardized) * (axis === "bandwidth" ? half : 1);
    const line = d3
      .line(
        (i) => scales.x(points[state.x][i] * unit(state.x)),
        (i) => scales.y(points[state.y][i] * unit(state.y)),
      )
      .defined((i) => Number.isFinite(points[state.x][i]))
      .curve(state.y === "miss_rate" ? d3.curveStepAfter : d3.curveLinear);
    return line(d3.range(high, low - 1, -1));
  }

  function drawBand(state, curve) {
    const xs = values(state, curve, state.x);
    const area = d3
      .area()
      .x((i) => scales.x(xs[i]))
      .y0((i) => scales.y(Math.max(0, curve.points.miss_rate[i] - curve.margin)))
      .y1((i) => scales.y(Math.min(1, curve.points.miss_rate[i] + curve.margin)))
      .defined((i) => Number.isFinite(xs[i]))
      .curve(d3.curveStepAfter);
    return area(d3.range(data.rates.length - 1, -1, -1));
  }

  function paths(layer, items, d, style) {
    const drawn = layer.selectAll("path").data(items).join("path").attr("d", d);
    Object.entries(style).forEach(([name, value]) => drawn.attr(name, value));
  }

  function update(state) {
    if (!chart.size.width) return;
    scales = measure(state);
    const { width, height } = chart.size;
    const label = (axis) => axisLabels(data, axis, state.standardized);
    chart.drawAxes(scales.x, scales.y, label(state.x), label(state.y), {
      y: state.y === "miss_rate" ? "%" : undefined,
    });
    background.attr("width", width).attr("height", height);
    const list = visible(state);
    const onRates = hasBand(state);
    paths(layers.bands, onRates && state.band ? shown(state) : [], (c) => drawBand(state, c), {
      class: "confidence",
      fill: colour,
    });
    paths(
      layers.limits,
      limitsOf(data, state),
      ({ curve, half }) => path(state, curve, { points: curve.frontier, half }),
      {
        class: "limit",
        stroke: ({ curve }) => colour(curve),
        "stroke-dasharray": dots,
      },
    );
    paths(layers.parts, shown(state), (c) => path(state, c, state), { class: "part", stroke: colour });
    paths(layers.curves, list, (c) => path(state, c), {
      class: (c) => (c.constant ? "curve reference" : "curve"),
      stroke: colour,
      "stroke-dasharray": dashes,
    });
    drawRange(state, onRates);
    drawCost(state);
    drawPoints(state);
    svg.setAttribute("aria-label", description(state));
    byId("ucc-caption").textContent = curvesCaption(data, state);
  }

  function drawRange(state, onRates) {
    const ends = onRates ? ["low", "high"] : [];
    const at = (end) => scales.y(data.rates[state[end]]);
    layers.range
      .selectAll("rect")
      .data(onRates ? [0] : [])
      .join("rect")
      .attr("class", "range")
      .attr("width", chart.size.width)
      .attr("y", () => at("high"))
      .attr("height", () => at("low") - at("high"));
    marks.edges
      .selectAll("g")
      .data(ends)
      .join((enter) => {
        const group = enter.append("g").attr("class", "edge").attr("tabindex", 0).attr("role", "slider");
        group.append("line");
        group.append("rect").attr("class", "grip").attr("width", 10).attr("height", 16).attr("rx", 4);
        return slider(group, {
          move: (end, event) => setEnd(end, placeOf(data, scales.y.invert(chart.pointer(event)[1]))),
          key: (end, event) => {
            const next = stepOf(event, store.get()[end], data.rates.length - 1);
            if (next !== null) setEnd(end, next);
            return next !== null;
          },
        });
      })
      .attr("transform", (end) => `translate(0,${at(end)})`)
      .attr("aria-label", (end) => `${end === "low" ? "lower" : "upper"} end of the range of miss rates`)
      .attr("aria-orientation", "vertical")
      .attr("aria-valuemin", 0)
      .attr("aria-valuemax", 1)
      .attr("aria-valuenow", (end) => data.rates[state[end]])
      .attr("aria-valuetext", (end) => rate(data.rates[state[end]]))
      .call((group) => group.select("line").attr("x2", chart.size.width))
      .call((group) =>
        group
          .select("rect")
          .attr("x", chart.size.width - 5)
          .attr("y", -8),
      );
  }

  function setEnd(end, next) {
    const { low, high } = store.get();
    if (end === "low") store.set({ low: Math.min(next, high - 1) });
    else store.set({ high: Math.max(next, low + 1) });
  }

  // The line on which every point costs as much as the optimum.
  function drawCost(state) {
    const best = shown(state).map((curve) => ({ curve, ...optimum(data, curve, state) }));
    const far = scales.x.domain()[1];
    const c = weightsFor(data, state)[state.weight];
    const at = ({ cost }, x) => scales.y((cost - c * x) / (1 - c));
    layers.cost
      .selectAll("line")
      .data(best)
      .join("line")
      .attr("class", "isocost")
      .attr("stroke", ({ curve }) => colour(curve))
      .attr("x1", 0)
      .attr("y1", (found) => at(found, 0))
      .attr("x2", scales.x(far))
      .attr("y2", (found) => at(found, far));
    marks.optima
      .selectAll("path")
      .data(best)
      .join("path")
      .attr("class", "optimum")
      .attr("d", d3.symbol(d3.symbolStar, 130))
      .attr("fill", ({ curve }) => colour(curve))
      .attr("transform", ({ point }) => `translate(${place(state, point)})`);
  }

  function drawPoints(state) {
    marks.originals
      .selectAll("path")
      .data(shown(state))
      .join("path")
      .attr("class", "original")
      .attr("d", d3.symbol(d3.symbolDiamond, 70))
      .attr("stroke", colour)
      .attr("transform", (curve) => `translate(${place(state, curve.original)})`)
      .attr("visibility", (curve) =>
        place(state, curve.original)[0] > chart.size.width + 1 ? "hidden" : null,
      );
    const last = data.rates.length - 1;
    marks.handles
      .selectAll("circle")
      .data(shown(state), (c) => c.place)
      .join((enter) =>
        slider(
          enter
            .append("circle")
            .attr("class", "handle")
            .attr("r", 7)
            .attr("tabindex", 0)
            .attr("role", "slider"),
          {
            move: (curve, event) =>
              store.set({ place: nearest(store.get(), [curve], chart.pointer(event)).place }),
            key: (_, event) => {
              const next = stepOf(event, store.get().place, last);
              if (next !== null) store.set({ place: next });
              return next !== null;
            },
          },
        ),
      )
      .attr("fill", colour)
      .attr("transform", (curve) => `translate(${place(state, pointAt(curve, reached(curve, state.place)))})`)
      .classed("unreached", (curve) => reached(curve, state.place) !== state.place)
      .attr("aria-label", (curve) => `operating point of ${curve.name}`)
      .attr("aria-valuemin", 0)
      .attr("aria-valuemax", 1)
      .attr("aria-valuenow", data.rates[state.place])
      .attr("aria-valuetext", (curve) => {
        const point = pointAt(curve, state.place);
        if (!Number.isFinite(point.parameter)) return `${rate(data.rates[state.place])} is not reachable`;
        const width = sig(point.bandwidth * factor(data, "bandwidth", state.standardized));
        return `miss rate ${percent(point.miss_rate)}, bandwidth ${width}`;
      });
  }

  // The place itself, or the lowest miss rate that a curve gets to.
  function reached(curve, at) {
    let found = at;
    while (found < data.rates.length - 1 && !Number.isFinite(curve.points.parameter[found])) found += 1;
    return found;
  }

  // Give a mark what a slider needs: pointer capture while dragged, and keys. The axis rests meanwhile.
  function slider(marks_, { move, key }) {
    const release = () => {
      dragged = null;
      update(store.get());
    };
    return marks_
      .on("touchstart", (event) => event.preventDefault(), { passive: false }) // or the page scrolls
      .on("pointerdown", function down(event) {
        if (event.button !== 0 || !event.isPrimary) return;
        [, dragged] = scales.x.domain();
        event.preventDefault();
        event.stopPropagation();
        this.setPointerCapture(event.pointerId);
        this.focus();
      })
      .on("pointermove", function drag(event, datum) {
        if (this.hasPointerCapture(event.pointerId)) move(datum, event);
      })
      .on("pointerup", release)
      .on("pointercancel", release)
      .on("keydown", (event, datum) => {
        if (key(datum, event)) event.preventDefault();
      });
  }

  function nearest(state, list, [px, py]) {
    let best = { distance: Infinity };
    list.forEach((curve) => {
      data.rates.forEach((_, i) => {
        if (!Number.isFinite(curve.points.parameter[i])) return;
        const [x, y] = place(state, pointAt(curve, i));
        const distance = Math.hypot(x - px, y - py);
        if (distance < best.distance) best = { curve, place: i, distance };
      });
    });
    return best;
  }

  function hover(event) {
    const state = store.get();
    const found =
      event.type === "pointerleave"
        ? { distance: Infinity }
        : nearest(state, visible(state), chart.pointer(event));
    const near = found.distance <= NEAR;
    marks.hover
      .selectAll("circle")
      .data(near ? [found] : [])
      .join("circle")
      .attr("class", "hover")
      .attr("r", 4)
      .attr("transform", ({ curve, place: i }) => `translate(${place(state, pointAt(curve, i))})`);
    if (!near) {
      hideTip();
      return;
    }
    const point = pointAt(found.curve, found.place);
    const cost = (name) => `${name} ${sig(point[name] * factor(data, name, state.standardized))}`;
    const moved = data.vary === "scale" ? "scale" : "shift";
    showTip(
      [
        found.curve.name,
        `miss rate ${percent(point.miss_rate)}, coverage ${percent(1 - point.miss_rate)}`,
        cost("bandwidth"),
        cost("excess"),
        cost("deficit"),
        `${moved} ${sig(point.parameter)}`,
      ],
      event,
    );
  }

  function description(state) {
    const list = shown(state).map((curve) => {
      const point = pointAt(curve, state.place);
      return `${curve.name}: ${spoken(state.x)} ${sig(point[state.x] * factor(data, state.x, state.standardized))}`;
    });
    return `${spoken(state.y)} against ${spoken(state.x)} for ${models(data).length} models and the constant band. At a miss rate of ${rate(data.rates[state.place])}: ${list.join("; ")}.`;
  }

  // Drawing over the empty plot with a mouse chooses a range; a click or a tap there, an operating point.
  let start = null;
  const placeAt = (event) => {
    const at = chart.pointer(event);
    const state = store.get();
    return state.y === "miss_rate"
      ? placeOf(data, scales.y.invert(at[1]))
      : nearest(state, shown(state), at).place;
  };
  background
    .on("pointerdown", function down(event) {
      if (event.button !== 0 || !event.isPrimary) return;
      if (event.pointerType !== "touch") this.setPointerCapture(event.pointerId);
      start = { place: placeAt(event), at: chart.pointer(event), brushing: false };
    })
    .on("pointermove", (event) => {
      if (start === null || event.pointerType === "touch" || store.get().y !== "miss_rate") return;
      const [x, y] = chart.pointer(event);
      start.brushing ||= Math.hypot(x - start.at[0], y - start.at[1]) > CLICK;
      const end = placeAt(event);
      if (start.brushing && end !== start.place) {
        store.set({ low: Math.min(start.place, end), high: Math.max(start.place, end) });
      }
    })
    .on("pointerup", (event) => {
      if (start !== null && !start.brushing) store.set({ place: placeAt(event) });
      start = null;
    })
    .on("pointercancel", () => {
      start = null;
    });
  chart.root.on("pointermove", hover).on("pointerleave", hover);
  onWidth(svg.parentElement, (width) => {
    chart.resize(width);
    update(store.get());
  });
  store.on(update);
}

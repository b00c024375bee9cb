// The main chart: each model against one common reference at every coverage, by what models are ranked by.

import { measureOf, ratioCaption, ratioDescription, wordsOf } from "./captions.js";
import { createChart } from "./chart_frame.js";
import { coverageScale, zoomEnds } from "./coverage_axis.js";
import { wireCrosshair } from "./crosshair.js";
import { isReached, shownModels } from "./curve_data.js";
import { makeSliders } from "./curves_handles.js";
import { drawLabels } from "./direct_labels.js";
import { byId, onWidth, setAttributes } from "./dom.js";
import { coverage, differenceText } from "./format.js";
import { whenSeen } from "./lazy.js";
import { numberScale } from "./number_scale.js";
import { drawLeaving } from "./leaving_lines.js";
import { curveColor, curveDashes } from "./palette.js";

const HIGHEST = 3; // ratios above it leave the chart
const TAIL = 0.01; // miss rates below it do not stretch the chart
const ROOM = 0.06; // share of the heights left empty above and below
const GRIP = { width: 16, height: 22, rx: 5 };
const STRUCTURE = ["view", "zoom", "stretched", "hidden", "band", "segment"];

export function drawRatio(data, store) {
  const svg = byId("ratio-chart");
  const chart = createChart(svg, { share: 0.36 });
  const background = chart.inside.append("rect").attr("class", "background");
  const zoomBox = chart.inside.append("rect").attr("class", "zoom-box");
  const layer = (parent) => parent.append("g");
  const layers = { bands: layer(chart.inside), lines: layer(chart.inside), dots: layer(chart.inside) };
  const zero = chart.inside.append("line").attr("class", "zero");
  const hover = chart.inside.append("line").attr("class", "hover-line");
  const leaving = layer(chart.over);
  const labels = layer(chart.over);
  const chosen = chart.over.append("g").attr("class", "chosen-coverage");
  chosen.append("line").attr("class", "chosen-line");
  setAttributes(chosen.append("rect"), { class: "grip", x: -GRIP.width / 2, y: -GRIP.height / 2, ...GRIP });
  let scales = null;

  makeSliders(
    chosen.datum(0).attr("aria-label", "chosen coverage"),
    { data, store },
    {
      get: ({ rateIndex }) => rateIndex,
      set: (_, rateIndex) => store.set({ rateIndex }),
      valueAt: (_, event) => d3.bisectCenter(data.rates, scales.x.invert(chart.pointer(event)[0])),
      direction: -1,
    },
  );

  function draw(state) {
    if (state.view !== "ratio" || !chart.size.width) return;
    const models = shownModels(data, state);
    const domain = ratioEnds(data, state, models);
    const heights = (length) => numberScale(domain, [length, 0]);
    const ticks = heights(1).ticks(6);
    const inWords = (difference) => differenceText(difference, wordsOf(data, state));
    const measure = measureOf(data, state);
    const reference = data.curves[data.common].name;
    const room = chart.reserve(
      ticks.map(inWords),
      models.map(({ name }) => name),
      { canStandInside: true },
    );
    scales = { x: coverageScale(state, chart.size.width), y: heights(chart.size.height) };
    chart.drawAxes(
      { scale: scales.x, ticks: scales.x.ratesAcross(), format: coverage, labels: () => ["coverage"] },
      {
        scale: scales.y,
        ticks,
        format: inWords,
        labels: () => [`${measure} against ${reference}`, `against ${reference}`, measure],
      },
    );
    setAttributes(background, { width: chart.size.width, height: chart.size.height });
    setAttributes(zero, { x2: chart.size.width, y1: scales.y(0), y2: scales.y(0) });
    drawLines(state, models);
    drawLeaving(leaving, { data, models, scales, size: chart.size, words: wordsOf(data, state) });
    drawLabels(labels, labelsOf(models), { x: chart.size.width + 8, room, height: chart.size.height });
    moveChosen(state);
    byId("main-caption").textContent = ratioCaption(data, state);
  }

  function drawLines(state, models) {
    const xs = Array.from(data.rates, scales.x);
    const known = (values) => (i) => Number.isFinite(values[i]);
    const line = ({ ratio }) =>
      d3
        .line(
          (i) => xs[i],
          (i) => scales.y(ratio[i] - 1),
        )
        .defined(known(ratio))(d3.range(xs.length));
    const area = ({ ratio, logMargin }) =>
      d3
        .area()
        .x((i) => xs[i])
        .y0((i) => scales.y(ratio[i] * Math.exp(-logMargin[i]) - 1))
        .y1((i) => scales.y(ratio[i] * Math.exp(logMargin[i]) - 1))
        .defined((i) => known(ratio)(i) && known(logMargin)(i))(d3.range(xs.length));
    const banded = state.band ? models.filter(({ logMargin }) => logMargin) : [];
    setAttributes(layers.bands.selectAll("path").data(banded).join("path"), {
      class: "confidence",
      d: area,
      fill: curveColor,
    });
    setAttributes(layers.lines.selectAll("path").data(models).join("path"), {
      class: "curve",
      d: line,
      stroke: curveColor,
      "stroke-dasharray": curveDashes,
    });
  }

  // Where the line of each model ends, at the highest coverage it has.
  function labelsOf(models) {
    const top = d3.bisectCenter(data.rates, scales.x.domain()[1]);
    return models.flatMap((curve) => {
      const at = d3.range(top, data.rates.length).find((i) => Number.isFinite(curve.ratio[i]));
      return at === undefined ? [] : [{ curve, y: scales.y(curve.ratio[at] - 1) }];
    });
  }

  // What follows the slider: the line at the chosen coverage, and a dot on each curve.
  function moveChosen(state) {
    if (state.view !== "ratio" || !scales) return;
    const index = state.rateIndex;
    const x = scales.x(data.rates[index]);
    const inView = x >= -1 && x <= chart.size.width + 1;
    setAttributes(chosen, {
      transform: `translate(${Math.min(chart.size.width, Math.max(0, x))},0)`,
      class: inView ? "chosen-coverage" : "chosen-coverage outside",
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      "aria-valuenow": Number((100 * (1 - data.rates[index])).toFixed(6)),
      "aria-valuetext": `${coverage(data.rates[index])} coverage`,
    });
    chosen.select("line").attr("y2", chart.size.height);
    const reached = shownModels(data, state).filter(
      (curve) => isReached(curve, index) && Number.isFinite(curve.ratio[index]),
    );
    setAttributes(layers.dots.selectAll("circle").data(reached).join("circle"), {
      class: "dot",
      r: 5,
      cx: x,
      cy: (curve) => scales.y(curve.ratio[index] - 1),
      fill: curveColor,
    });
    svg.setAttribute("aria-label", ratioDescription(data, state));
  }

  wireCrosshair(
    { data, store, chart, background, zoomBox },
    {
      rateAt: ([x]) => scales.x.invert(x),
      lineAt: (index) => {
        const x = index === null ? -9 : scales.x(data.rates[index]);
        setAttributes(hover, { x1: x, x2: x, y2: chart.size.height });
      },
      zoomAlong: () => 0,
    },
  );
  onWidth(svg.parentElement, (width) => {
    chart.resize(width);
    draw(store.get());
  });
  store.on(STRUCTURE, draw);
  store.on(
    ["rateIndex"],
    whenSeen(svg, () => moveChosen(store.get())),
  );
}

// The differences between which the chart lies: those at the coverages in view, their bands, and 0. The highest
// coverages, where few rows decide, may leave the chart.
function ratioEnds(data, state, models) {
  const { low, high } = zoomEnds(state);
  const found = [1];
  const lowest = Math.max(1 - high, Math.min(TAIL, 1 - low));
  models.forEach(({ ratio, logMargin }) => {
    data.rates.forEach((rate, i) => {
      if (rate < lowest - 1e-9 || rate > 1 - low + 1e-9 || rate === 0 || !Number.isFinite(ratio[i])) return;
      const margin = state.band && logMargin && Number.isFinite(logMargin[i]) ? logMargin[i] : 0;
      found.push(ratio[i] * Math.exp(-margin), ratio[i] * Math.exp(margin));
    });
  });
  const least = Math.max(0, Math.min(...found));
  const most = Math.min(HIGHEST, Math.max(...found));
  const room = ROOM * (most - least) || 0.1;
  return [least - room - 1, most + room - 1];
}

// Claimed against observed coverage, for models that claim one.

import { createChart } from "./chart_frame.js";
import { shownModels } from "./curve_data.js";
import { drawLabels } from "./direct_labels.js";
import { byId, onWidth, setAttributes } from "./dom.js";
import { percent } from "./format.js";
import { curveColor, curveDashes } from "./palette.js";
import { hideTip, showTip } from "./tooltip.js";

const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const SAME = 1e-9; // claims apart by less are the same
const whole = (share) => percent(share, 0);

export function drawReliability(data, store) {
  const svg = byId("reliability-chart");
  if (!svg) return;
  const chart = createChart(svg, { share: 0.4 });
  const diagonal = chart.inside.append("line").attr("class", "zero");
  const lines = chart.inside.append("g");
  const marks = chart.inside.append("g");
  const labels = chart.over.append("g");
  let scales = null;
  const claiming = (state) =>
    shownModels(data, { ...state, segment: -1 }).filter((curve) => curve.reliability);

  function draw(state) {
    if (state.view !== "reliability" || !chart.size.width) return;
    const models = claiming(state);
    const room = chart.reserve(
      TICKS.map(whole),
      models.map(({ name }) => name),
    );
    const { width, height } = chart.size;
    scales = { x: d3.scaleLinear([0, 1], [0, width]), y: d3.scaleLinear([0, 1], [height, 0]) };
    const axis = (scale, text) => ({ scale, ticks: TICKS, format: whole, labels: () => [text] });
    chart.drawAxes(axis(scales.x, "claimed coverage"), axis(scales.y, "observed coverage"));
    setAttributes(diagonal, { x1: 0, y1: height, x2: width, y2: 0 });
    const path = ({ reliability: { claimed, observed } }) =>
      d3.line(
        (i) => scales.x(claimed[i]),
        (i) => scales.y(observed[i]),
      )(d3.range(claimed.length));
    setAttributes(lines.selectAll("path").data(models).join("path"), {
      class: "curve",
      d: path,
      stroke: curveColor,
      "stroke-dasharray": curveDashes,
    });
    setAttributes(marks.selectAll("path").data(models).join("path"), {
      class: "original",
      d: d3.symbol(d3.symbolDiamond, 80),
      stroke: curveColor,
      transform: ({ claimed, original }) => `translate(${scales.x(claimed)},${scales.y(original.coverage)})`,
    });
    drawLabels(
      labels,
      models.map((curve) => ({ curve, y: scales.y(curve.reliability.observed.at(-1)) })),
      { x: width + 8, room, height },
    );
    const said = models.map(
      (curve) =>
        `${curve.name} claims ${whole(curve.claimed)} and covers ${percent(curve.original.coverage)}`,
    );
    svg.setAttribute("aria-label", `Observed against claimed coverage. As supplied, ${said.join("; ")}.`);
    byId("main-caption").textContent = `Observed against claimed coverage. As supplied, ${said.join("; ")}.`;
  }

  chart.root
    .on("pointermove", (event) => {
      const share = Math.round(100 * scales.x.invert(chart.pointer(event)[0])) / 100;
      const said = claiming(store.get()).flatMap(({ name, reliability: { claimed, observed } }) => {
        const place = d3.bisectCenter(claimed, share);
        if (Math.abs(claimed[place] - share) > SAME) return []; // quantiles claim no more than their largest level
        return [`${name} covers ${percent(observed[place])}`];
      });
      return said.length ? showTip([`${whole(share)} claimed`, ...said], event) : hideTip();
    })
    .on("pointerleave", hideTip);
  onWidth(svg.parentElement, (width) => {
    chart.resize(width);
    draw(store.get());
  });
  store.on(["view", "hidden"], draw);
}

// The chart of the characteristics curves.

import { axisLabels, curvesCaption, curvesDescription } from "./captions.js";
import { createChart } from "./chart_frame.js";
import { wireCrosshair } from "./crosshair.js";
import { drawnAxes } from "./curve_data.js";
import { drawHandles } from "./curves_handles.js";
import { drawCheapest, drawLines, drawNames, drawOriginals } from "./curves_lines.js";
import { createCurvesView } from "./curves_view.js";
import { byId, onWidth, setAttributes } from "./dom.js";
import { drawLeavingRight } from "./leaving_lines.js";

// Layers from the back to the front: those inside are cut at the edge of the plot, those over it are not.
const INSIDE = ["bands", "limits", "leaders", "curves", "cost"];
const OVER = ["leaving", "names", "originals", "optima", "handles"];
const STRUCTURE = [
  ...["view", "zoom", "stretched", "x", "y", "standardized", "hidden", "constant", "limit", "band", "cost"],
  "segment",
];

export function drawCurves(data, store) {
  const svg = byId("ucc-chart");
  const chart = createChart(svg, { share: 0.42 });
  const context = { data, store, chart, view: createCurvesView(data, chart), layers: createLayers(chart) };
  const { view, layers } = context;
  context.drawn = () => drawnAxes(store.get());
  const isShown = (state) => state.view === "curve" && chart.size.width;

  function draw(chosen) {
    if (!isShown(chosen)) return;
    const state = drawnAxes(chosen);
    const room = view.rescale(state);
    const axis = (name) => ({ scale: view.scales[name], labels: axisLabels(data, state[name], state) });
    chart.drawAxes(axis("x"), { ...axis("y"), ...view.upAxis(state) });
    setAttributes(layers.background, { width: chart.size.width, height: chart.size.height });
    drawLines(context, state);
    drawLeavingRight(context, state);
    drawNames(context, state, room);
    drawOriginals(context, state);
    drawCheapest(context, state);
    move(chosen);
  }

  function move(chosen) {
    if (!isShown(chosen)) return;
    const state = drawnAxes(chosen);
    drawHandles(context, state);
    svg.setAttribute("aria-label", curvesDescription(data, state));
    byId("main-caption").textContent = curvesCaption(data, state);
  }

  wireCrosshair(
    { data, store, chart, background: layers.background, zoomBox: layers.zoomBox },
    {
      rateAt: (place) => view.rateAt(context.drawn(), place),
      lineAt: (index) => {
        const isLevel = index !== null && context.drawn().y === "miss_rate";
        const y = isLevel ? view.scales.y(data.rates[index]) : -9;
        setAttributes(layers.hover, { x2: chart.size.width, y1: y, y2: y });
      },
      zoomAlong: () => (context.drawn().y === "miss_rate" ? 1 : null),
    },
  );
  onWidth(svg.parentElement, (width) => {
    chart.resize(width);
    draw(store.get());
  });
  store.on(STRUCTURE, draw);
  store.on(["rateIndex"], move);
  store.on(["weightIndex"], (state) => {
    if (isShown(state)) drawCheapest(context, drawnAxes(state));
  });
}

function createLayers(chart) {
  const background = chart.inside.append("rect").attr("class", "background");
  const zoomBox = chart.inside.append("rect").attr("class", "zoom-box");
  const groups = (parent, names) => names.map((name) => [name, parent.append("g")]);
  const inside = groups(chart.inside, INSIDE);
  const hover = chart.inside.append("line").attr("class", "hover-line");
  return { background, zoomBox, hover, ...Object.fromEntries([...inside, ...groups(chart.over, OVER)]) };
}

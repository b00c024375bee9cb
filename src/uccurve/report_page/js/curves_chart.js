// The chart of the curves.

import { axisLabels, curvesCaption, curvesDescription } from "./captions.js";
import { createChart } from "./chart_frame.js";
import { drawHandles, drawRange } from "./curves_handles.js";
import { drawCheapest, drawLines, drawOriginals } from "./curves_lines.js";
import { wirePointer } from "./curves_pointer.js";
import { createCurvesView } from "./curves_view.js";
import { byId, onWidth } from "./dom.js";

// Layers from the back to the front: those inside are cut at the edge of the plot, those over it are not.
const INSIDE = ["range", "bands", "limits", "parts", "curves", "cost"];
const OVER = ["edges", "originals", "optima", "handles", "hover"];

export function drawCurves(data, store) {
  const svg = byId("ucc-chart");
  const chart = createChart(svg);
  const context = {
    data,
    store,
    chart,
    view: createCurvesView(data, chart),
    layers: createLayers(chart),
    redraw: () => update(store.get()),
  };

  function update(state) {
    if (!chart.size.width) return;
    const { view, layers } = context;
    view.rescale(state);
    const axis = (name) => ({
      scale: view.scales[name],
      labels: axisLabels(data, state[name], state),
      format: state[name] === "miss_rate" ? "%" : undefined,
    });
    chart.drawAxes(axis("x"), axis("y"));
    layers.background.attr("width", chart.size.width).attr("height", chart.size.height);
    drawLines(context, state);
    drawRange(context, state);
    drawCheapest(context, state);
    drawOriginals(context, state);
    drawHandles(context, state);
    svg.setAttribute("aria-label", curvesDescription(data, state));
    byId("ucc-caption").textContent = curvesCaption(data, state);
  }

  wirePointer(context);
  onWidth(svg.parentElement, (width) => {
    chart.resize(width);
    context.redraw();
  });
  store.on(update);
}

function createLayers(chart) {
  const background = chart.inside.append("rect").attr("class", "background");
  const groups = (parent, names) => names.map((name) => [name, parent.append("g")]);
  return {
    background,
    ...Object.fromEntries([...groups(chart.inside, INSIDE), ...groups(chart.over, OVER)]),
  };
}

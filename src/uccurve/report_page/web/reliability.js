// Claimed and observed coverage, in a square, for models that claim one.

import { line } from "d3-shape";
import { select } from "d3-selection";
import { byId, drawAll, onWidth, setAttribute, setText } from "./dom.js";
import { percent } from "./format.js";
import { DASHES_OF_CONSTANT, dashesOf, isInColor, strokeOf, writeLegend } from "./look.js";
import { NARROW, cutToFit } from "./scale.js";

const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const MARGIN = { left: 62, right: 16, top: 12, bottom: 46 };
const LARGEST = 400;
const LEGEND = { width: 220, gap: 20, sample: 28 }; // the names beside the square, where there is room

export function drawReliability(data, store) {
  const svg = byId("reliability");
  const claiming = data.curves.filter(({ reliability }) => reliability);
  const plot = select(svg).append("g").attr("transform", `translate(${MARGIN.left},${MARGIN.top})`);
  const group = (name) => plot.append("g").attr("class", name).node();
  const layers = Object.fromEntries(
    ["grid", "axis", "zero", "lines", "marks", "samples", "names"].map((name) => [name, group(name)]),
  );
  let total = 0;

  function draw(state) {
    const isShown = state.view === "reliability";
    svg.hidden = !isShown;
    setAttribute(svg, "hidden", isShown ? null : "");
    setAttribute(byId("chart"), "hidden", isShown ? "" : null);
    setAttribute(byId("strip"), "hidden", isShown ? "" : null); // its axis is that of the other views
    if (!isShown || !total) return;
    const hasLegend = total >= NARROW;
    const right = hasLegend ? LEGEND.width : MARGIN.right;
    const side = Math.min(LARGEST, total - MARGIN.left - right);
    const [width, height] = [side + MARGIN.left + right, side + MARGIN.top + MARGIN.bottom];
    Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height }).forEach((one) =>
      setAttribute(svg, ...one),
    );
    const [x, y] = [(share) => share * side, (share) => (1 - share) * side];
    const texts = [
      ...TICKS.map((share) => ({ text: percent(share, 0), x: x(share), y: side + 18, anchor: "middle" })),
      ...TICKS.map((share) => ({ text: percent(share, 0), x: -8, y: y(share) + 4, anchor: "end" })),
      { text: "claimed coverage", x: side / 2, y: side + 38, anchor: "middle" },
      { text: "observed coverage", x: -side / 2, y: -46, anchor: "middle", turn: "rotate(-90)" },
    ];
    drawAll(layers.axis, "text", texts, {
      x: (one) => one.x,
      y: (one) => one.y,
      "text-anchor": ({ anchor }) => anchor,
      transform: ({ turn }) => turn ?? null,
    }).text(({ text }) => text);
    drawAll(layers.grid, "path", TICKS, { d: (share) => `M0,${y(share)}H${side}M${x(share)},0V${side}` });
    drawAll(layers.zero, "line", [0], {
      x1: 0,
      y1: side,
      x2: side,
      y2: 0,
      stroke: "var(--constant)",
      "stroke-dasharray": DASHES_OF_CONSTANT,
    });
    const path = ({ reliability: { claimed, observed } }) =>
      line(
        (i) => x(claimed[i]),
        (i) => y(observed[i]),
      )([...claimed.keys()]);
    const behind = claiming.toSorted((a, b) => isInColor(data, state, a) - isInColor(data, state, b));
    drawAll(layers.lines, "path", behind, {
      class: "curve",
      d: path,
      stroke: (curve) => strokeOf(data, state, curve),
      "stroke-dasharray": dashesOf,
    });
    drawAll(layers.marks, "circle", behind, {
      class: "supplied",
      r: 5,
      cx: ({ claimed }) => x(claimed),
      cy: ({ covered }) => y(covered),
      stroke: (curve) => strokeOf(data, state, curve),
    });
    const named = hasLegend ? claiming : [];
    const left = side + LEGEND.gap;
    drawAll(layers.samples, "line", named, {
      x1: left,
      x2: left + LEGEND.sample,
      y1: (_, i) => LEGEND.gap * (i + 0.5),
      y2: (_, i) => LEGEND.gap * (i + 0.5),
      stroke: (curve) => strokeOf(data, state, curve),
      "stroke-width": 2,
      "stroke-dasharray": dashesOf,
    });
    drawAll(layers.names, "text", named, {
      x: left + LEGEND.sample + 8,
      y: (_, i) => LEGEND.gap * (i + 0.5) + 4,
      fill: "var(--ink)",
    }).text(({ name }) => cutToFit(name, LEGEND.width - LEGEND.gap - LEGEND.sample - 12, "400 12px"));
    writeLegend(hasLegend ? [] : claiming.filter((curve) => isInColor(data, state, curve)));
    setText(byId("chart-title"), data.texts.titles.reliability);
    setText(byId("chart-subtitle"), "Observed coverage by claimed coverage.");
    const shape =
      data.vary === "level"
        ? "Quantiles claim their own levels: no shape of errors is assumed."
        : "The claim as supplied assumes nothing; all other claims follow from it if errors are Gaussian.";
    setText(byId("chart-help"), "");
    setText(
      byId("chart-hint"),
      `○ as supplied. Below the diagonal, intervals cover less than they claim. ${shape}`,
    );
  }

  onWidth(svg.parentElement, (width) => {
    total = width;
    draw(store.get());
  });
  store.on(["view", "hovered"], draw);
}

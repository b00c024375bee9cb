// The map of regimes: which curve needs the least bandwidth at which miss rates.

import { cutToFit } from "./chart_frame.js";
import { byId, onWidth, setAttributes } from "./dom.js";
import { percent, rate } from "./format.js";
import { regimeColor } from "./palette.js";
import { hideTip, showTip } from "./tooltip.js";

const HEIGHT = 74;
const TOP = 18;
const BAR = 30;
const SIDE = 20;
const NARROW = 34; // pixels that a bar needs to show a name
export const UNORDERED = "no order is known";

export function drawRegimes(data) {
  const svg = byId("regimes-chart");
  if (!svg) return;
  const regimes = data.regimes.map((regime) => ({ ...regime, curve: data.curves[regime.best] ?? null }));
  const root = d3.select(svg);
  const axis = root.append("g").attr("class", "axis");
  const bars = root.append("g");
  svg.setAttribute("aria-label", `Least bandwidth by miss rate. ${regimes.map(sentence).join(". ")}.`);

  function update(width) {
    const x = d3.scaleLinear([0, 1], [SIDE, width - SIDE]);
    const widthOf = ({ low, high }) => x(high) - x(low);
    root.attr("viewBox", `0 0 ${width} ${HEIGHT}`).attr("width", width).attr("height", HEIGHT);
    axis
      .attr("transform", `translate(0,${TOP + BAR + 4})`)
      .call(d3.axisBottom(x).ticks(Math.max(3, width / 90), "%"));
    const groups = bars.selectAll("g").data(regimes).join(appendRegime);
    setAttributes(groups.select("rect"), {
      x: ({ low }) => x(low) + 0.5,
      width: (regime) => Math.max(1, widthOf(regime) - 1),
      class: ({ significant }) => (significant ? null : "unsure"),
      fill: ({ curve }) => regimeColor(curve),
    });
    groups
      .select(".regime-name")
      .attr("x", ({ low }) => x(low) + 6)
      .text((regime) => (widthOf(regime) < NARROW ? "" : cutToFit(nameOf(regime), widthOf(regime) - 14)));
    groups
      .select(".regime-star")
      .attr("x", ({ low, high }) => (x(low) + x(high)) / 2)
      .text(({ significant }) => (significant ? "✱" : ""));
    groups
      .on("pointermove", (event, regime) => showTip([sentence(regime)], event))
      .on("pointerleave", hideTip);
  }

  onWidth(svg.parentElement, update);
}

const nameOf = ({ curve }) => (curve === null ? UNORDERED : curve.name);

function sentence(regime) {
  const range = `${rate(regime.low)} to ${rate(regime.high)}`;
  const compared = regime.curve !== null && regime.runner_up !== null;
  const saved = compared ? `, ${percent(regime.saved)} less than ${regime.runner_up}` : "";
  return `${range}: ${nameOf(regime)}${saved}${regime.significant ? ", significant" : ""}`;
}

function appendRegime(enter) {
  const group = enter.append("g").attr("class", "regime");
  setAttributes(group.append("rect"), { y: TOP, height: BAR, rx: 3 });
  setAttributes(group.append("text"), { class: "regime-name", y: TOP + BAR / 2 });
  setAttributes(group.append("text"), { class: "regime-star", y: TOP - 5, "text-anchor": "middle" });
  return group;
}

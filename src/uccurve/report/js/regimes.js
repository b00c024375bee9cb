// Who needs the least bandwidth at which miss rates, as a strip.

import { fitting } from "./chart.js";
import { byId, hideTip, onWidth, showTip } from "./dom.js";
import { percent, rate } from "./format.js";

const HEIGHT = 74;
const TOP = 18;
const BAR = 30;
const SIDE = 20;
const NOBODY = { name: "no order is known", constant: false };

function look(curve) {
  if (curve === NOBODY) return "c-none";
  return curve.constant ? "c-constant" : `c${curve.place % 6}`;
}

export function drawRegimes(data) {
  const svg = byId("regimes-chart");
  if (!svg) return;
  const list = data.regimes.map((regime) => ({
    ...regime,
    curve: data.curves[regime.best] ?? NOBODY,
    second: regime.runner_up,
  }));
  const root = d3.select(svg);
  const axis = root.append("g").attr("class", "axis");
  const bars = root.append("g");
  const sentence = (d) =>
    `${rate(d.low)} to ${rate(d.high)}: ${d.curve.name}${d.second === null || d.curve === NOBODY ? "" : `, ${percent(d.saved)} less than ${d.second}`}${d.significant ? ", significant" : ""}`;
  svg.setAttribute("aria-label", `Least bandwidth by miss rate. ${list.map(sentence).join(". ")}.`);

  function update(width) {
    const x = d3.scaleLinear([0, 1], [SIDE, width - SIDE]);
    root.attr("viewBox", `0 0 ${width} ${HEIGHT}`).attr("width", width).attr("height", HEIGHT);
    axis
      .attr("transform", `translate(0,${TOP + BAR + 4})`)
      .call(d3.axisBottom(x).ticks(Math.max(3, width / 90), "%"));
    const groups = bars
      .selectAll("g")
      .data(list)
      .join((enter) => {
        const group = enter.append("g").attr("class", "regime");
        group.append("rect").attr("y", TOP).attr("height", BAR).attr("rx", 3);
        group
          .append("text")
          .attr("class", "regime-name")
          .attr("y", TOP + BAR / 2);
        group
          .append("text")
          .attr("class", "regime-star")
          .attr("y", TOP - 5)
          .attr("text-anchor", "middle");
        return group;
      });
    groups
      .select("rect")
      .attr("x", (d) => x(d.low) + 0.5)
      .attr("width", (d) => Math.max(1, x(d.high) - x(d.low) - 1))
      .attr("class", (d) => `${look(d.curve)}${d.significant ? "" : " unsure"}`);
    groups
      .select(".regime-name")
      .attr("x", (d) => x(d.low) + 6)
      .text((d) => (x(d.high) - x(d.low) < 34 ? "" : fitting(d.curve.name, x(d.high) - x(d.low) - 14)));
    groups
      .select(".regime-star")
      .attr("x", (d) => (x(d.low) + x(d.high)) / 2)
      .text((d) => (d.significant ? "✱" : ""));
    groups.on("pointermove", (event, d) => showTip([sentence(d)], event)).on("pointerleave", hideTip);
  }

  onWidth(svg.parentElement, update);
}

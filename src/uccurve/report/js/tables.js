// Tables that follow the sliders.

import { advice, factor, models, optimum, partialGains, pointAt, unitName } from "./data.js";
import { byId, colour, dashes, element } from "./dom.js";
import { percent, rate, sig } from "./format.js";

const cell = (value, show) =>
  element("td", { "data-value": Number.isFinite(value) ? String(value) : "" }, show(value));

// A model's name beside a piece of its line.
export function swatch(curve) {
  const svg = d3
    .create("svg")
    .attr("class", "swatch")
    .attr("viewBox", "0 0 28 10")
    .attr("aria-hidden", "true");
  svg
    .append("line")
    .attr("x2", 28)
    .attr("y1", 5)
    .attr("y2", 5)
    .attr("class", curve.constant ? "reference" : null)
    .attr("stroke", colour(curve))
    .attr("stroke-dasharray", dashes(curve));
  return svg.node();
}

function named(curve) {
  return element("th", { scope: "row" }, swatch(curve), curve.name);
}

function fill(id, rows) {
  byId(id).tBodies[0].replaceChildren(...rows);
}

export function drawTables(data, store) {
  const list = models(data);
  const amountSign = (value) => (value < 0 ? "− " : "+ ");
  const sign = (value) => (data.vary === "scale" ? "× " : amountSign(value));
  const moved = (parameter, { standardized }) =>
    cell(parameter * factor(data, "parameter", standardized), (value) =>
      Number.isFinite(value) ? sign(value) + sig(Math.abs(value)) : "–",
    );
  let said = "";

  // Tell a screen reader what changed, and only that.
  function say(text) {
    if (text !== said) byId("live").textContent = text;
    said = text;
  }

  function points(state) {
    const unit = (cost, value) => value * factor(data, cost, state.standardized);
    const rows = [...list, ...data.curves.filter((curve) => curve.constant)].map((curve) => {
      const point = pointAt(curve, state.place);
      const constant = pointAt(data.curves[curve.reference], state.place);
      const saved = 1 - point.bandwidth / constant.bandwidth;
      return element(
        "tr",
        { "data-model": curve.name },
        named(curve),
        moved(point.parameter, state),
        cell(point.miss_rate, percent),
        cell(unit("bandwidth", point.bandwidth), sig),
        cell(unit("excess", point.excess), sig),
        cell(unit("deficit", point.deficit), sig),
        cell(curve.constant ? 0 : saved, percent),
      );
    });
    fill("points-table", rows);
    const lines = list.map(
      (curve) => `${curve.name}: ${advice(data, pointAt(curve, state.place).parameter, state.standardized)}`,
    );
    say(`Miss rate at most ${rate(data.rates[state.place])}. ${lines.join("; ")}.`);
  }

  function costs(state) {
    const rows = list.map((curve) => {
      const { point, cost, originalCost } = optimum(data, curve, state);
      return element(
        "tr",
        { "data-model": curve.name },
        named(curve),
        moved(point.parameter, state),
        cell(point.miss_rate, percent),
        cell(cost, sig),
        cell(originalCost, sig),
      );
    });
    fill("cost-table", rows);
    byId("cost-note").textContent = list
      .map(
        (curve) =>
          `${curve.name}: ${advice(data, optimum(data, curve, state).point.parameter, state.standardized)}`,
      )
      .join(" · ");
  }

  function range(state) {
    const rows = list.map((curve) => {
      const { strip, mean } = partialGains(data, curve, state);
      return element(
        "tr",
        { "data-model": curve.name },
        named(curve),
        cell(mean, percent),
        cell(strip, percent),
      );
    });
    fill("range-table", rows);
  }

  const cells = [...document.querySelectorAll("[data-live-segment]")];
  const heads = [...document.querySelectorAll("[data-live-rate]")];

  function segments(state) {
    cells.forEach((node) => {
      const covered = data.segments[Number(node.dataset.liveSegment)].coverage[state.place];
      const short = covered < 1 - data.rates[state.place] - 0.05;
      node.textContent = `${short ? "▼ " : ""}${percent(covered)}`;
      node.dataset.value = Number.isFinite(covered) ? String(covered) : "";
      node.classList.toggle("short", short);
    });
    heads.forEach((node) => {
      node.textContent = percent(1 - data.rates[state.place]);
    });
  }

  // Headings of numbers in units of y name the unit; those of costs only where both have one.
  const units = [...document.querySelectorAll("[data-unit]")];

  function name(state) {
    const unit = state.standardized ? "standard deviations" : unitName(data, false);
    units.forEach((node) => {
      const has = { y: true, moved: data.vary === "shift", cost: state.y === "deficit" }[node.dataset.unit];
      node.textContent = has ? ` (${unit})` : "";
    });
  }

  store.on((state) => {
    name(state);
    points(state);
    costs(state);
    range(state);
    segments(state);
  });
}

// The strip right under the chart: the best by coverage, and the slider on the same axis.

import { select } from "d3-selection";
import { coverageAt, nearestPlace } from "./data.js";
import { byId, drawAll, hideTip, onWidth, setAttribute, setText, showTip } from "./dom.js";
import { coverage } from "./format.js";
import { fillOf } from "./look.js";
import { coverageScale, cutToFit, layOut, textWidth } from "./scale.js";
import { criterionOf } from "./series.js";

const TOP = 12;
const BAR = 22;
const TRACK = 52; // where the slider lies
const HEIGHT = 90;
const GRIP = { width: 58, height: 24 };
const STEPS = { ArrowRight: -1, ArrowUp: -1, ArrowLeft: 1, ArrowDown: 1, PageUp: -10, PageDown: 10 };
const UNDECIDED = "no clear lead"; // too close to call, or too few rows
const NARROWEST = 4; // pixels of a range, so that one that is a single coverage can be seen
const FONT = "600 12.5px";
const FEWEST_LETTERS = 12; // of a name that is cut

export function drawStrip(data, store) {
  const svg = byId("strip");
  const plot = select(svg).append("g");
  const group = (name) => plot.append("g").attr("class", name).node();
  const layers = { bars: group("ranges"), names: group("range-names"), label: group("axis") };
  const track = plot.append("line").attr("class", "track").attr("y1", TRACK).attr("y2", TRACK).node();
  const ticks = group("axis");
  const chosen = plot.append("line").attr("class", "chosen-line").attr("y2", TRACK).node();
  const grip = plot.append("g").attr("class", "grip").attr("tabindex", 0).attr("role", "slider");
  grip
    .append("rect")
    .attr("x", -GRIP.width / 2)
    .attr("y", -GRIP.height / 2)
    .attr("rx", 12);
  grip.select("rect").attr("width", GRIP.width).attr("height", GRIP.height);
  const value = grip.append("text").attr("y", 5).attr("text-anchor", "middle").node();
  let [total, frame, x] = [0, null, null];

  function draw(state) {
    if (!total) return;
    frame = layOut(total, data.curves);
    x = coverageScale(state.from, frame.width);
    Object.entries({ viewBox: `0 0 ${total} ${HEIGHT}`, width: total, height: HEIGHT }).forEach((one) =>
      setAttribute(svg, ...one),
    );
    plot.attr("transform", `translate(${frame.left},0)`);
    setAttribute(track, "x2", frame.width);
    const { ranges, better } = data.criteria[criterionOf(state)];
    const shown = ranges.filter(({ to }) => to > state.from / 100);
    const begin = ({ from }) => x(Math.max(from, state.from / 100));
    const widthOf = (one) => Math.max(one.best === null ? 1 : NARROWEST, x(one.to) - begin(one) - 1);
    const nameOf = ({ best }) => (best === null ? UNDECIDED : data.curves[best].name);
    drawAll(
      layers.bars,
      "rect",
      shown.toSorted((a, b) => widthOf(b) - widthOf(a)),
      {
        x: begin,
        width: widthOf,
        y: TOP,
        height: BAR,
        rx: 3,
        fill: ({ best }) => (best === null ? "var(--line)" : fillOf(data.curves[best])),
        "fill-opacity": ({ best, clear }) => (best === null || clear ? null : 0.4),
        "data-best": ({ best }) => best,
      },
    )
      .on("pointermove", (event, one) => showTip([`${endsOf(one)} coverage`, nameOf(one)], event))
      .on("pointerleave", hideTip)
      .on("click", (event) => choose(event));
    const needs = (one) =>
      textWidth(one.best === null ? UNDECIDED : nameOf(one).slice(0, FEWEST_LETTERS), FONT);
    const fits = shown.filter((one) => widthOf(one) > needs(one) + 12);
    drawAll(layers.names, "text", fits, {
      x: (one) => begin(one) + 7,
      y: TOP + BAR / 2 + 4,
      class: ({ best, clear }) => (best !== null && clear ? "on-color" : null),
    }).text((one) => cutToFit(nameOf(one), widthOf(one) - 12, FONT));
    const label = better[0] === "better" ? "best" : "narrowest";
    drawAll(layers.label, "text", frame.isNarrow ? [] : [label], {
      x: -8,
      y: TOP + BAR / 2 + 4,
      "text-anchor": "end",
    }).text(String);
    drawAll(ticks, "text", x.ticks(), { x, y: HEIGHT - 8, "text-anchor": "middle" }).text(coverage);
    const said = shown.map((one) => `${endsOf(one)}: ${nameOf(one)}`);
    setAttribute(svg, "aria-label", `${label} by coverage. ${said.join("; ")}`);
    move(state);
  }

  // The first and the last coverage of a range, which is drawn up to the middle between two of them.
  function endsOf({ from, to }) {
    const inside = data.rates
      .map((rate) => 1 - rate)
      .filter((share) => share >= from - 1e-9 && share <= to + 1e-9);
    const [high, low] = [inside[0], inside.at(-1)].map(coverage);
    return low === high ? low : `${low} to ${high}`;
  }

  function move(state) {
    if (!x) return;
    const share = coverageAt(data, state.place);
    const at = Math.max(0, x(Math.max(share, state.from / 100)));
    setAttribute(grip.node(), "transform", `translate(${at},${TRACK})`);
    setAttribute(chosen, "x1", at);
    setAttribute(chosen, "x2", at);
    setText(value, share < state.from / 100 ? `‹ ${coverage(share)}` : coverage(share));
    Object.entries({
      "aria-label": "chosen coverage",
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      "aria-valuenow": Number((100 * share).toFixed(6)),
      "aria-valuetext": `${coverage(share)} coverage`,
    }).forEach((one) => setAttribute(grip.node(), ...one));
  }

  function choose(event) {
    const px = event.clientX - svg.getBoundingClientRect().left - frame.left;
    store.set({ place: nearestPlace(data, x.invert(px)) });
  }

  grip.node().addEventListener("keydown", (event) => {
    const last = data.rates.length - 1;
    const { key, altKey, ctrlKey, metaKey } = event;
    if (altKey || ctrlKey || metaKey) return; // they belong to the browser
    const wanted = { Home: last, End: 0 }[key] ?? store.get().place + (STEPS[key] ?? NaN);
    if (Number.isNaN(wanted)) return;
    event.preventDefault();
    store.set({ place: Math.max(0, Math.min(last, wanted)) });
  });
  svg.addEventListener("pointerdown", (event) => {
    const y = event.clientY - svg.getBoundingClientRect().top;
    if (event.button !== 0 || y < TOP + BAR) return;
    event.preventDefault();
    grip.node().focus();
    svg.setPointerCapture(event.pointerId);
    choose(event);
  });
  svg.addEventListener("pointermove", (event) => {
    if (svg.hasPointerCapture(event.pointerId)) choose(event);
  });
  onWidth(svg.parentElement, (width) => {
    total = width;
    draw(store.get());
  });
  store.on(["criterion", "view", "from"], draw);
  store.on(["place"], move);
}

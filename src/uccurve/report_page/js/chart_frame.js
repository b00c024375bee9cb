// What the charts share: a plot with axes that fits its container.

import { powerName, powerOf } from "./format.js";
import { inPower } from "./number_scale.js";

const MARGIN = { top: 12, right: 18, bottom: 46 };
const LABEL_ROOM = 34; // pixels left of the ticks, for the label of the axis
const TICKS_UP = 6;
const LETTER_WIDTH = 6.8; // pixels, on average
const BOLD_WIDTH = 8;
const NARROW = 480; // pixels of a chart on a phone
const EDGE = 10; // pixels left of a plot with its ticks inside
const GAP = 14; // pixels around the labels at the right

export function createChart(svg, { right = MARGIN.right, share = 0.5 } = {}) {
  const root = d3.select(svg);
  const plot = root.append("g");
  const clip = `${svg.id}-clip`;
  const rect = root.append("clipPath").attr("id", clip).append("rect");
  const axes = {
    grid: plot.append("g").attr("class", "grid"),
    x: plot.append("g").attr("class", "axis"),
    y: plot.append("g").attr("class", "axis"),
    xLabel: plot.append("text").attr("class", "label").attr("text-anchor", "middle"),
    yLabel: plot.append("text").attr("class", "label").attr("text-anchor", "middle"),
  };
  const inside = plot.append("g").attr("clip-path", `url(#${clip})`);
  const over = plot.append("g");
  const size = { width: 0, height: 0 };
  let total = 0;
  let left = 0;
  let rightRoom = right;
  let ticksInside = false;

  function layOut() {
    const height = Math.round(Math.min(460, Math.max(280, total * share)));
    root.attr("viewBox", `0 0 ${total} ${height}`).attr("width", total).attr("height", height);
    size.width = Math.max(40, total - left - rightRoom);
    size.height = height - MARGIN.top - MARGIN.bottom;
    rect.attr("width", size.width).attr("height", size.height);
    plot.attr("transform", `translate(${left},${MARGIN.top})`);
  }

  function resize(width) {
    total = width;
    layOut();
  }

  // Make room for the ticks of the vertical axis, so that its label never touches them, and for labels at the right.
  // Long ticks stand inside a narrow plot, above their lines, and need no label.
  function reserve(ticks, labels = [], { canStandInside = false } = {}) {
    ticksInside = canStandInside && total < NARROW;
    left = ticksInside
      ? EDGE
      : LABEL_ROOM + Math.ceil(Math.max(2, ...ticks.map((text) => text.length)) * LETTER_WIDTH);
    const longest = Math.max(0, ...labels.map((text) => text.length)) * BOLD_WIDTH;
    rightRoom = Math.max(right, Math.min(longest + GAP, total * 0.22));
    layOut();
    return ((rightRoom - GAP) * LETTER_WIDTH) / BOLD_WIDTH;
  }

  // An axis is a scale, a function that lists its possible labels, and perhaps ticks or a format of them.
  function drawAxes(x, y) {
    const bottom = axisOf(d3.axisBottom, x, Math.max(3, Math.round(size.width / 90)));
    const up = axisOf(d3.axisLeft, y, TICKS_UP);
    const xLabels = showPower(bottom, x);
    const yLabels = showPower(up, y);
    axes.x.attr("transform", `translate(0,${size.height})`).call(bottom.tickSizeOuter(0));
    axes.y.call(up.tickSizeOuter(0));
    axes.y.attr("class", ticksInside ? "axis inside" : "axis");
    const texts = axes.y.selectAll("text").attr("text-anchor", ticksInside ? "start" : null);
    if (ticksInside) {
      texts.attr("x", 4).attr("dy", "-0.4em");
      axes.y.raise();
    }
    axes.grid.call(axisOf(d3.axisLeft, y, TICKS_UP).tickSize(-size.width).tickFormat("").tickSizeOuter(0));
    axes.xLabel
      .attr("x", size.width / 2)
      .attr("y", size.height + 38)
      .text(longestFitting(xLabels, size.width));
    axes.yLabel
      .attr("transform", `translate(${14 - left},${size.height / 2}) rotate(-90)`)
      .text(ticksInside ? "" : longestFitting(yLabels, size.height));
  }

  // Where the pointer is, in the coordinates of the plot.
  function pointer(event) {
    const box = svg.getBoundingClientRect();
    const zoom = box.width / svg.viewBox.baseVal.width;
    return [(event.clientX - box.left) / zoom - left, (event.clientY - box.top) / zoom - MARGIN.top];
  }

  return { root, inside, over, size, resize, reserve, drawAxes, pointer };
}

function axisOf(kind, { scale, ticks, format }, number) {
  if (ticks) return kind(scale).tickValues(ticks).tickFormat(format);
  return kind(scale).ticks(number, format);
}

// The texts of the ticks between two numbers, as they will be drawn.
export function tickTexts(scale, format) {
  const power = powerOf(Math.max(...scale.domain().map(Math.abs)));
  const show = power ? (value) => String(inPower(value, power)) : scale.tickFormat(TICKS_UP, format);
  return scale.ticks(TICKS_UP).map(show);
}

// Very large and very small numbers are shown in a power of ten, which the label names.
function showPower(axis, { scale, labels, format, ticks }) {
  const ends = scale.domain();
  const power = ticks || format || ends[0] instanceof Date ? 0 : powerOf(Math.max(...ends.map(Math.abs)));
  if (power) axis.tickFormat((value) => String(inPower(value, power)));
  return labels(powerName(power));
}

// The first text that fits; where none does, the beginning of the last.
function longestFitting(texts, width) {
  return texts.find((text) => text.length * LETTER_WIDTH <= width) ?? cutToFit(texts.at(-1), width);
}

export const lettersIn = (width) => Math.max(1, Math.floor(width / LETTER_WIDTH));

function cutToFit(text, width) {
  const room = lettersIn(width);
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

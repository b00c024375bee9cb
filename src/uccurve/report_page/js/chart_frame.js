// What the charts of curves and of rows share: a plot with axes that fits its container.

import { powerName, powerOf } from "./format.js";
import { inPower } from "./number_scale.js";

const MARGIN = { top: 12, right: 18, bottom: 46, left: 58 };
const TICKS_UP = 6;
const LETTER_WIDTH = 6.8; // pixels, on average

export function createChart(svg) {
  const root = d3.select(svg);
  const plot = root.append("g").attr("transform", `translate(${MARGIN.left},${MARGIN.top})`);
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

  function resize(total) {
    const height = Math.round(Math.min(460, Math.max(280, total * 0.68)));
    root.attr("viewBox", `0 0 ${total} ${height}`).attr("width", total).attr("height", height);
    size.width = total - MARGIN.left - MARGIN.right;
    size.height = height - MARGIN.top - MARGIN.bottom;
    rect.attr("width", size.width).attr("height", size.height);
  }

  // An axis is a scale, a function that lists its possible labels, and perhaps a format of its ticks.
  function drawAxes(x, y) {
    const bottom = d3.axisBottom(x.scale).ticks(Math.max(3, Math.round(size.width / 90)), x.format);
    const left = d3.axisLeft(y.scale).ticks(TICKS_UP, y.format);
    const xLabels = showPower(bottom, x);
    const yLabels = showPower(left, y);
    axes.x.attr("transform", `translate(0,${size.height})`).call(bottom.tickSizeOuter(0));
    axes.y.call(left.tickSizeOuter(0));
    axes.grid.call(
      d3.axisLeft(y.scale).ticks(TICKS_UP).tickSize(-size.width).tickFormat("").tickSizeOuter(0),
    );
    axes.xLabel
      .attr("x", size.width / 2)
      .attr("y", size.height + 38)
      .text(longestFitting(xLabels, size.width));
    axes.yLabel
      .attr("transform", `translate(-44,${size.height / 2}) rotate(-90)`)
      .text(longestFitting(yLabels, size.height));
  }

  // Where the pointer is, in the coordinates of the plot.
  function pointer(event) {
    const box = svg.getBoundingClientRect();
    const zoom = box.width / svg.viewBox.baseVal.width;
    return [(event.clientX - box.left) / zoom - MARGIN.left, (event.clientY - box.top) / zoom - MARGIN.top];
  }

  return { root, inside, over, size, resize, drawAxes, pointer };
}

// Very large and very small numbers are shown in a power of ten, which the label names.
function showPower(axis, { scale, labels, format }) {
  const ends = scale.domain();
  const power = format || ends[0] instanceof Date ? 0 : powerOf(Math.max(...ends.map(Math.abs)));
  if (power) axis.tickFormat((value) => String(inPower(value, power)));
  return labels(powerName(power));
}

// The first text that fits; where none does, the beginning of the last.
function longestFitting(texts, width) {
  return texts.find((text) => text.length * LETTER_WIDTH <= width) ?? cutToFit(texts.at(-1), width);
}

export function cutToFit(text, width) {
  const room = Math.max(1, Math.floor(width / LETTER_WIDTH));
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

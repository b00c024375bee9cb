// What both charts share: a frame with axes that fits its container.

const MARGIN = { top: 12, right: 18, bottom: 46, left: 58 };

import { powerName, powerOf } from "./format.js";

const LETTER = 6.8; // pixels of one, about

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

  // Labels are functions of the power of ten that the axis is shown in; each gives some, the longest first.
  function drawAxes(x, y, xText, yText, formats = {}) {
    const columns = Math.max(3, Math.round(size.width / 90));
    const powers = [x, y].map((scale, i) => {
      const ends = scale.domain();
      if (formats[i ? "y" : "x"] || ends[0] instanceof Date) return 0;
      return powerOf(Math.max(...ends.map(Math.abs)));
    });
    const shown = (power) => (power ? (value) => String(Number((value / 10 ** power).toPrecision(6))) : null);
    const bottom = d3.axisBottom(x).ticks(columns, formats.x).tickSizeOuter(0);
    const left = d3.axisLeft(y).ticks(6, formats.y).tickSizeOuter(0);
    if (powers[0]) bottom.tickFormat(shown(powers[0]));
    if (powers[1]) left.tickFormat(shown(powers[1]));
    const [across, up] = [xText, yText].map((text, i) => text(powerName(powers[i])));
    axes.x.attr("transform", `translate(0,${size.height})`).call(bottom);
    axes.y.call(left);
    axes.grid.call(d3.axisLeft(y).ticks(6).tickSize(-size.width).tickFormat("").tickSizeOuter(0));
    axes.xLabel
      .attr("x", size.width / 2)
      .attr("y", size.height + 38)
      .text(longest(across, size.width));
    axes.yLabel
      .attr("transform", `translate(-44,${size.height / 2}) rotate(-90)`)
      .text(longest(up, size.height));
  }

  // Where the pointer is, in the coordinates of the plot.
  function pointer(event) {
    const box = svg.getBoundingClientRect();
    const zoom = box.width / svg.viewBox.baseVal.width;
    return [(event.clientX - box.left) / zoom - MARGIN.left, (event.clientY - box.top) / zoom - MARGIN.top];
  }

  return { root, inside, over, size, resize, drawAxes, pointer };
}

// The longest of some texts that fits; where none does, as much as fits of the last.
export function longest(texts, width) {
  return texts.find((text) => text.length * LETTER <= width) ?? fitting(texts.at(-1), width);
}

// As much of a text as fits.
export function fitting(text, width) {
  const room = Math.max(1, Math.floor(width / LETTER));
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

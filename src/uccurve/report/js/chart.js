// What both charts share: a frame with axes that fits its container.

const MARGIN = { top: 12, right: 18, bottom: 46, left: 58 };

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

  function drawAxes(x, y, xText, yText, formats = {}) {
    const columns = Math.max(3, Math.round(size.width / 90));
    const bottom = d3.axisBottom(x).ticks(columns, formats.x).tickSizeOuter(0);
    const left = d3.axisLeft(y).ticks(6, formats.y).tickSizeOuter(0);
    axes.x.attr("transform", `translate(0,${size.height})`).call(bottom);
    axes.y.call(left);
    axes.grid.call(d3.axisLeft(y).ticks(6).tickSize(-size.width).tickFormat("").tickSizeOuter(0));
    axes.xLabel.attr("x", size.width / 2).attr("y", size.height + 38).text(xText);
    axes.yLabel.attr("transform", `translate(-44,${size.height / 2}) rotate(-90)`).text(yText);
  }

  // Where the pointer is, in the coordinates of the plot.
  function pointer(event) {
    const box = svg.getBoundingClientRect();
    const zoom = box.width / svg.viewBox.baseVal.width;
    return [(event.clientX - box.left) / zoom - MARGIN.left, (event.clientY - box.top) / zoom - MARGIN.top];
  }

  return { root, inside, over, size, resize, drawAxes, pointer };
}

// Charts as SVG and PNG, tables as CSV.

import { models } from "./data.js";
import { byId, colour, dashes } from "./dom.js";

const LOOKS = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity",
  "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "visibility",
];
const DOTS = 2; // pixels of a PNG for one on the page

// Which lines are whose, below the curves: a chart on its own has no buttons that say so.
function addLegend(svg, copy, curves) {
  const { width, height } = svg.viewBox.baseVal;
  const root = d3.select(copy);
  curves.forEach((curve, row) => {
    const group = root.append("g").attr("transform", `translate(58,${height + 10 + 18 * row})`);
    const [stroke, ink] = [colour(curve), "var(--ink)"].map(resolved);
    group.append("line").attr("x2", 28).attr("stroke", stroke).attr("stroke-width", 2.5).attr("stroke-dasharray", dashes(curve));
    group.append("text").attr("x", 38).attr("y", 4).attr("font-size", 12).attr("font-family", "sans-serif").attr("fill", ink).text(curve.name);
  });
  const whole = height + 18 * curves.length + 8;
  root.attr("viewBox", `0 0 ${width} ${whole}`).attr("height", whole);
}

function resolved(value) {
  const name = value.match(/^var\((.*)\)$/)[1];
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// A copy of a chart that needs no style sheet: what styles it here is written into it.
function standalone(svg, curves) {
  const copy = svg.cloneNode(true);
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, i) => {
    const look = getComputedStyle(originals[i]);
    LOOKS.forEach((name) => node.setAttribute(name, look.getPropertyValue(name)));
    ["class", "tabindex", "role"].forEach((name) => node.removeAttribute(name));
  });
  const paper = getComputedStyle(document.documentElement).getPropertyValue("--card").trim();
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  Object.entries({ width: "100%", height: "100%", fill: paper }).forEach(([k, v]) => ground.setAttribute(k, v));
  copy.prepend(ground);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  addLegend(svg, copy, curves);
  return copy;
}

const written = (copy) => new XMLSerializer().serializeToString(copy);

function save(content, type, name) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function savePng(copy, name) {
  const [, , width, height] = copy.getAttribute("viewBox").split(" ").map(Number);
  const picture = new Image();
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = width * DOTS;
    canvas.height = height * DOTS;
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, "image/png", name));
  };
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(written(copy))}`;
}

// A cell for a spreadsheet. Text that it would take for a formula gets an apostrophe.
function field(text) {
  const plain = text.trim().replace(/\s+/g, " ");
  const safe = /^[=+\-@]/.test(plain) && Number.isNaN(Number(plain)) ? `'${plain}` : plain;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// A table with all digits, and the ends of intervals in columns of their own.
function csv(table) {
  const heads = [...table.tHead.rows[0].cells];
  const split = heads.map((head) => head.dataset.ends !== undefined);
  const line = (cells, texts) => [...cells].flatMap(texts).map(field).join(",");
  const names = (head, i) =>
    split[i] ? [head.textContent, `${head.textContent} low`, `${head.textContent} high`] : [head.textContent];
  const values = (cell, i) => {
    const value = cell.dataset.value ?? cell.textContent;
    return split[i] ? [value, cell.dataset.low ?? "", cell.dataset.high ?? ""] : [value];
  };
  return [line(heads, names), ...[...table.tBodies[0].rows].map((row) => line(row.cells, values))].join("\r\n");
}

export function wireExports(data, store) {
  document.querySelectorAll("[data-export]").forEach((button) => {
    const { target, export: kind } = button.dataset;
    const node = byId(target);
    const name = `${target.replace(/-(chart|table)$/, "")}.${kind}`;
    const shown = () => {
      if (target === "rows-chart") return [data.curves[store.get().shown]];
      if (target !== "ucc-chart") return [];
      const constants = store.get().constant ? data.curves.filter((curve) => curve.constant) : [];
      return [...models(data).filter((curve) => !store.get().hidden.has(curve.place)), ...constants];
    };
    button.addEventListener("click", () => {
      if (kind === "csv") save(csv(node), "text/csv", name);
      else if (kind === "svg") save(written(standalone(node, shown())), "image/svg+xml", name);
      else savePng(standalone(node, shown()), name);
    });
  });
}

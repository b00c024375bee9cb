// Charts as SVG and PNG, tables as CSV.

import { byId } from "./dom.js";

const LOOKS = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity",
  "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "visibility",
];
const DOTS = 2; // pixels of a PNG for one on the page

// A copy of a chart that needs no style sheet: what styles it here is written into it.
export function standalone(svg) {
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
  return new XMLSerializer().serializeToString(copy);
}

function save(content, type, name) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function savePng(svg, name) {
  const { width, height } = svg.viewBox.baseVal;
  const picture = new Image();
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = width * DOTS;
    canvas.height = height * DOTS;
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, "image/png", name));
  };
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;
}

// A cell for a spreadsheet. Text that it would take for a formula gets an apostrophe.
function field(node) {
  if (node.dataset.value !== undefined) return node.dataset.value;
  const text = node.textContent.trim().replace(/\s+/g, " ");
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csv(table) {
  return [...table.rows].map((row) => [...row.cells].map(field).join(",")).join("\r\n");
}

export function wireExports() {
  document.querySelectorAll("[data-export]").forEach((button) => {
    const target = byId(button.dataset.target);
    const name = `${button.dataset.target.replace(/-(chart|table)$/, "")}.${button.dataset.export}`;
    button.addEventListener("click", () => {
      if (button.dataset.export === "svg") save(standalone(target), "image/svg+xml", name);
      if (button.dataset.export === "png") savePng(target, name);
      if (button.dataset.export === "csv") save(csv(target), "text/csv", name);
    });
  });
}

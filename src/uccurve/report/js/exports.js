// Charts as SVG and PNG, tables as CSV.

import { byId } from "./dom.js";
import { composed, figureOf } from "./figure.js";

const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
  "visibility",
];
const CONTROLS = ".grip, .background, .hover"; // for hands, not for paper
const DOTS = 2; // pixels of a PNG for one on the page

// A copy of a chart that needs no style sheet and no page: what styles it here is written into it.
function standalone(svg, title, figure) {
  const copy = svg.cloneNode(true);
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, i) => {
    const look = getComputedStyle(originals[i]);
    LOOKS.forEach((name) => node.setAttribute(name, look.getPropertyValue(name)));
  });
  copy.querySelectorAll(CONTROLS).forEach((node) => node.remove());
  [copy, ...copy.querySelectorAll("*")].forEach((node) => {
    [...node.attributes]
      .filter(({ name }) => /^(class|tabindex|role|aria-.*)$/.test(name))
      .forEach(({ name }) => node.removeAttribute(name));
  });
  const paper = getComputedStyle(document.documentElement).getPropertyValue("--card").trim();
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  Object.entries({ width: "100%", height: "100%", fill: paper }).forEach(([k, v]) =>
    ground.setAttribute(k, v),
  );
  copy.prepend(ground);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("role", "img");
  copy.setAttribute("aria-label", `${title}. ${figure.caption}`);
  return composed(copy, svg.viewBox.baseVal, title, figure);
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
  return [line(heads, names), ...[...table.tBodies[0].rows].map((row) => line(row.cells, values))].join(
    "\r\n",
  );
}

export function wireExports(data, store) {
  document.querySelectorAll("[data-export]").forEach((button) => {
    const { target, export: kind } = button.dataset;
    const node = byId(target);
    const name = `${target.replace(/-(chart|table)$/, "")}.${kind}`;
    button.addEventListener("click", () => {
      if (kind === "csv") {
        save(csv(node), "text/csv", name);
        return;
      }
      const copy = standalone(node, data.title, figureOf(target, data, store.get()));
      if (kind === "svg") save(written(copy), "image/svg+xml", name);
      else savePng(copy, name);
    });
  });
}

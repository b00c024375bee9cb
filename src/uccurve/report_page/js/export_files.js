// The buttons that save charts as SVG and PNG, and tables as CSV.

import { byId } from "./dom.js";
import { standaloneFigure } from "./export_figure.js";
import { explanationOf } from "./export_keys.js";

const PNG_ZOOM = 2; // pixels of a PNG per pixel of the page

export function wireExports(data, store) {
  document.querySelectorAll("[data-export]").forEach((button) => {
    const { target, export: kind } = button.dataset;
    const name = `${target.replace(/-(chart|table)$/, "")}.${kind}`;
    button.addEventListener("click", () => {
      if (kind === "csv") saveFile(csvOf(byId(target)), "text/csv", name);
      else savePicture(kind, figureOf(target), name);
    });
  });

  function figureOf(target) {
    return standaloneFigure(byId(target), data.title, explanationOf(target, data, store.get()));
  }
}

function saveFile(content, type, name) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function savePicture(kind, figure, name) {
  const svg = new XMLSerializer().serializeToString(figure);
  if (kind === "svg") saveFile(svg, "image/svg+xml", name);
  else savePng(svg, figure.getAttribute("width"), figure.getAttribute("height"), name);
}

function savePng(svg, width, height, name) {
  const picture = new Image();
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = width * PNG_ZOOM;
    canvas.height = height * PNG_ZOOM;
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => saveFile(blob, "image/png", name));
  };
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

// A table with all digits, and the ends of intervals in columns of their own.
function csvOf(table) {
  const heads = [...table.tHead.rows[0].cells];
  const hasEnds = heads.map((head) => head.dataset.ends !== undefined);
  const line = (cells, fieldsOf) => [...cells].flatMap(fieldsOf).map(csvField).join(",");
  const names = ({ textContent: name }, i) => (hasEnds[i] ? [name, `${name} low`, `${name} high`] : [name]);
  const values = ({ dataset, textContent }, i) => {
    const value = dataset.value ?? textContent;
    return hasEnds[i] ? [value, dataset.low ?? "", dataset.high ?? ""] : [value];
  };
  const rows = [...table.tBodies[0].rows].map((row) => line(row.cells, values));
  return [line(heads, names), ...rows].join("\r\n");
}

// Text that a spreadsheet would take for a formula gets an apostrophe: at its beginning, and behind a semicolon,
// which separates fields where a comma marks decimals. Tabs, which separate them elsewhere, become spaces.
function csvField(text) {
  const plain = text.trim().replace(/\s+/g, " ");
  const safe = Number.isNaN(Number(plain)) ? plain.replace(/(^|;)(?=[\s"]*[=+\-@＝＋－＠])/g, "$1'") : plain;
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

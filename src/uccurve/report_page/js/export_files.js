// The buttons that save charts as SVG and PNG, and tables as CSV.

import { byId } from "./dom.js";
import { standaloneFigure } from "./export_figure.js";
import { explanationOf } from "./export_keys.js";
import { coverage } from "./format.js";
import { drawWaiting } from "./lazy.js";

const PNG_ZOOM = 2; // pixels of a PNG per pixel of the page

const CHARTS = { ratio: "ratio-chart", curve: "ucc-chart", reliability: "reliability-chart" };

export function wireExports(data, store) {
  document.querySelectorAll("[data-export]").forEach((button) => {
    const { target, export: kind } = button.dataset;
    button.addEventListener("click", () => {
      const chart = target === "main-chart" ? CHARTS[store.get().view] : target;
      const name = `${fileName(data, store.get(), chart)}.${kind}`;
      drawWaiting();
      if (kind === "csv") saveFile(csvOf(byId(target), settings(data, store.get())), "text/csv", name);
      else
        savePicture(
          kind,
          inLight(() => figureOf(chart)),
          name,
        );
    });
  });

  function figureOf(target) {
    return standaloneFigure(byId(target), data.title, explanationOf(target, data, store.get()));
  }
}

// The settings that belong to what is saved, by their names.
function settings(data, state) {
  return {
    "chosen coverage": String(1 - data.rates[state.rateIndex]),
    ...(state.segment < 0 ? {} : { "charts filtered by": data.segments[state.segment].name }),
  };
}

function fileName(data, state, target) {
  const what = target.replace(/-(chart|table)$/, "");
  const parts = [what, `${coverage(data.rates[state.rateIndex]).replace("%", "")}pct`];
  if (target === "ucc-chart") parts.push(state.x, state.y, ...(state.standardized ? ["standardized"] : []));
  if (state.segment >= 0) parts.push(`segment-${data.segments[state.segment].name}`);
  return parts
    .join("_")
    .replace(/[^\w.+-]+/g, "-")
    .slice(0, 100);
}

// Saved charts are light, whatever the screen shows.
function inLight(draw) {
  const root = document.documentElement;
  const { theme } = root.dataset;
  root.dataset.theme = "light";
  const figure = draw();
  if (theme === undefined) delete root.dataset.theme;
  else root.dataset.theme = theme;
  return figure;
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

// A table with all digits, the ends of intervals in columns of their own, and the settings it was saved with.
function csvOf(table, chosen) {
  const kept = (cells) => [...cells].filter((cell) => !cell.classList.contains("dots"));
  const heads = kept(table.tHead.rows[0].cells);
  const hasEnds = heads.map((head) => head.dataset.ends !== undefined);
  const line = (cells, fieldsOf) => [...cells].flatMap(fieldsOf).map(csvField).join(",");
  const names = ({ textContent: name }, i) => (hasEnds[i] ? [name, `${name} low`, `${name} high`] : [name]);
  const values = ({ dataset, textContent }, i) => {
    const value = dataset.value ?? textContent;
    return hasEnds[i] ? [value, dataset.low ?? "", dataset.high ?? ""] : [value];
  };
  const ofSettings = (texts) => texts.map((text) => `,${csvField(text)}`).join("");
  const shown = [...table.tBodies].flatMap(({ rows }) => [...rows]).filter((row) => !row.hidden);
  const lines = shown.map((row) => line(kept(row.cells), values) + ofSettings(Object.values(chosen)));
  return [line(heads, names) + ofSettings(Object.keys(chosen)), ...lines].join("\r\n");
}

// Text that a spreadsheet would take for a formula gets an apostrophe: at its beginning, and behind a semicolon,
// which separates fields where a comma marks decimals. Tabs, which separate them elsewhere, become spaces.
function csvField(text) {
  const plain = text.trim().replace(/\s+/g, " ");
  const safe = Number.isNaN(Number(plain)) ? plain.replace(/(^|;)(?=[\s"]*[=+\-@＝＋－＠])/g, "$1'") : plain;
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

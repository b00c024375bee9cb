// Files that stand on their own: tables and lines as CSV, charts as SVG and PNG with their titles.

import { select } from "d3-selection";
import { coverageAt, unitOf } from "./data.js";
import { atLeastPaper, byId, drawWaiting, element } from "./dom.js";
import { addressOf } from "./state.js";
import { textWidth } from "./scale.js";
import { criterionOf, linesOf } from "./series.js";

const SVG = "http://www.w3.org/2000/svg";
const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "opacity",
];
const FONT = ["font-family", "font-size", "font-weight", "text-anchor"];
// What views are called in names of files.
const VIEWS = { reference: "compared", own: "own-widths", curve: "curve", reliability: "reliability" };
const ZOOM = 2; // pixels of a PNG per pixel of the page
const LINE = 18;
const SIDE = 16;

export function wireExports(data, store) {
  document.querySelectorAll("[data-export]").forEach((button) =>
    button.addEventListener("click", () => {
      const { target, export: kind } = button.dataset;
      const state = store.get();
      const what = target === "chart" ? VIEWS[state.view] : target.replace("-table", "");
      const name = `${fileName(data.title)}-${what}.${kind}`;
      drawWaiting();
      if (kind === "csv") save(new Blob([csv(recordsOf(data, state, target))], { type: "text/csv" }), name);
      else atLeastPaper(() => savePicture(kind, figureOf(data, state, target), name));
    }),
  );
  byId("copy").addEventListener("click", ({ currentTarget: button }) => {
    const link = `${window.location.href.replace(/#.*/, "")}${addressOf(data, store.get(), store.initial)}`;
    const facts = [...byId("facts").children].map((node) => node.textContent).join(" · ");
    const text = [data.title, byId("answer").textContent, facts, link].join("\n");
    copyText(text).then(
      () => (button.textContent = "Copied"),
      () => (button.textContent = "Copying is not allowed here"),
    );
  });
}

// Pages that were not served safely, as from a plain web server, have no clipboard, but can copy what is selected.
async function copyText(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const box = element("textarea");
  box.value = text;
  document.body.append(box);
  box.select();
  const isCopied = document.execCommand("copy");
  box.remove();
  if (!isCopied) throw new Error("not allowed");
}

const fileName = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "report";

// One record for each row of a file, numbers in full.
function recordsOf(data, state, target) {
  const { place } = state;
  const share = coverageAt(data, place);
  const unit = unitOf(data);
  if (target === "chart") return lineRecords(data, state);
  if (target === "models-table") {
    const order = data.criteria[data.rankBy].order[place];
    const best = data.curves[order[0]]?.numbers[data.rankBy][place];
    return order.map((index, rank) => {
      const { name, covered, claimed, numbers, parameter, behind } = data.curves[index];
      return {
        coverage: share,
        rank: rank + 1,
        model: name,
        "claims as supplied": claimed,
        "covers as supplied": covered,
        [`interval score (${unit})`]: numbers.interval_score[place],
        [`${data.width} (${unit})`]: numbers.bandwidth[place],
        "behind the best": 1 - best / numbers[data.rankBy][place],
        "behind the best from": behind.low[place],
        "behind the best to": behind.high[place],
        "behind the best, in words": data.texts.cells[place][index].at(-2),
        ...(data.vary === "level"
          ? { "level to take": data.texts.cells[place][index].at(-1) }
          : { [`moved by (${data.vary})`]: parameter[place] }),
      };
    });
  }
  if (target === "segments-table") {
    const models = data.curves.filter(({ constant }) => !constant);
    return data.segments.flatMap(({ name, n, models: parts }) =>
      parts.map((part, i) => ({
        coverage: share,
        segment: name,
        model: models[i].name,
        rows: n,
        "covers as supplied": part.supplied,
        covers: part.coverage[place],
        from: part.low[place],
        to: part.high[place],
        significant: part.off[place] === "1" ? "yes" : "no",
      })),
    );
  }
  const table = byId(target);
  const heads = [...table.tHead.rows[0].cells];
  return [...table.tBodies[0].rows].map((row) =>
    Object.fromEntries(
      heads.flatMap(({ textContent: name, dataset }, i) => {
        const { value, low = "", high = "" } = row.cells[i].dataset;
        const ends =
          "ends" in dataset
            ? [
                [`${name} from`, low],
                [`${name} to`, high],
              ]
            : [];
        return [[name, value], ...ends];
      }),
    ),
  );
}

function lineRecords(data, state) {
  if (state.view === "reliability")
    return data.curves.flatMap(({ name, reliability }) =>
      [...(reliability?.claimed ?? [])].map((claimed, i) => ({
        model: name,
        claimed,
        observed: reliability.observed[i],
      })),
    );
  const { measure } = data.criteria[criterionOf(state)];
  const against = { reference: data.curves[state.reference].name, own: "own constant width", curve: "" }[
    state.view
  ];
  return linesOf(data, state).flatMap(({ curve, values, low, high }) =>
    [...data.rates.keys()].map((i) => ({
      coverage: coverageAt(data, i),
      model: curve.name,
      [`${measure} (${unitOf(data)})`]: curve.numbers[criterionOf(state)][i],
      ...(against ? { against, difference: values[i] } : {}),
      [`${against ? "difference" : measure} from`]: low[i],
      [`${against ? "difference" : measure} to`]: high[i],
    })),
  );
}

function csv(records) {
  const heads = Object.keys(records[0] ?? {});
  return [heads, ...records.map((record) => heads.map((head) => record[head]))]
    .map((row) => row.map(field).join(","))
    .join("\r\n");
}

// Text that a spreadsheet would take for a formula gets an apostrophe, also behind a semicolon, which separates fields
// where a comma marks decimals.
function field(value) {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const plain = String(value ?? "")
    .trim()
    .replace(/\s+/g, " ");
  const safe = Number.isNaN(Number(plain)) ? plain.replace(/(^|;)(?=[\s"]*[=+\-@＝＋－＠])/g, "$1'") : plain;
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// A chart in light colors, with its title above it and the styles of the page written into it.
function figureOf(data, state, target) {
  const root = document.documentElement;
  const { theme } = root.dataset;
  root.dataset.theme = "light";
  const chart = state.view === "reliability" ? [byId("reliability")] : [byId("chart"), byId("strip")];
  const parts = target === "chart" ? chart : [byId("rows")];
  const texts =
    target === "chart"
      ? ["chart-title", "chart-subtitle", "chart-hint"]
      : ["rows-title", "rows-note", "rows-key"];
  const figure = joined(
    parts,
    texts.map((id) => byId(id).textContent),
  );
  if (theme === undefined) delete root.dataset.theme;
  else root.dataset.theme = theme;
  return figure;
}

function joined(parts, texts) {
  const width = Math.max(...parts.map((svg) => svg.viewBox.baseVal.width)) + 2 * SIDE;
  const lines = texts.flatMap((text, i) => wrap(text, width - 2 * SIDE).map((part) => [part, i ? 400 : 700]));
  let top = SIDE + LINE * lines.length;
  const root = select(document.createElementNS(SVG, "svg")).attr("xmlns", SVG);
  root.append("rect").attr("width", "100%").attr("height", "100%").attr("fill", "#fff");
  lines.forEach(([text, weight], i) =>
    root
      .append("text")
      .attr("x", SIDE)
      .attr("y", SIDE + LINE * (i + 0.6))
      .attr("font-family", "sans-serif")
      .attr("font-size", 13)
      .attr("font-weight", weight)
      .text(text),
  );
  parts.forEach((svg) => {
    const copy = styledCopy(svg);
    copy.setAttribute("x", SIDE);
    copy.setAttribute("y", top);
    root.node().append(copy);
    top += svg.viewBox.baseVal.height;
  });
  root
    .attr("viewBox", `0 0 ${width} ${top + SIDE}`)
    .attr("width", width)
    .attr("height", top + SIDE);
  return root.node();
}

function styledCopy(svg) {
  const copy = svg.cloneNode(true);
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, i) => {
    const style = getComputedStyle(originals[i]);
    const names = node.tagName === "text" ? [...STYLES, ...FONT] : STYLES;
    names.forEach((name) => node.setAttribute(name, style.getPropertyValue(name)));
    ["class", "tabindex", "role"].forEach((name) => node.removeAttribute(name));
  });
  copy.setAttribute("overflow", "visible");
  return copy;
}

// A text in lines of some width.
function wrap(text, room) {
  return text.split(" ").reduce(
    (lines, word) => {
      const longer = `${lines.at(-1)} ${word}`.trim();
      if (textWidth(longer, "700 13px", "sans-serif") <= room) lines[lines.length - 1] = longer;
      else lines.push(word);
      return lines;
    },
    [""],
  );
}

function savePicture(kind, figure, name) {
  const text = new XMLSerializer().serializeToString(figure);
  if (kind === "svg") {
    save(new Blob([text], { type: "image/svg+xml" }), name);
    return;
  }
  const [width, height] = ["width", "height"].map((side) => Number(figure.getAttribute(side)));
  const picture = new Image();
  picture.onload = () => {
    const canvas = Object.assign(document.createElement("canvas"), {
      width: ZOOM * width,
      height: ZOOM * height,
    });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, name));
  };
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

function save(blob, name) {
  const link = Object.assign(document.createElement("a"), {
    href: URL.createObjectURL(blob),
    download: name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

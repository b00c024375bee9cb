// What a chart needs to be understood on its own: a title, a caption, and a key to its lines and marks.

import { hasBand, limitsOf, visibleCurves } from "./data.js";
import { byId, colour, dashes, dots } from "./dom.js";
import { rate } from "./format.js";
import { costWords, curvesCaption, rowsCaption } from "./words.js";

const SIDE = 16;
const LINE = 18; // height of a line of text
const KEY = 28; // width of what a key shows
const GAP = 8;
const FONT = "sans-serif";
const SIZES = { title: 15, text: 12 };
const INK = "var(--ink)";
const SOFT = "var(--soft)";
const GREY = "var(--constant)";

const line = (text, stroke, dash = "", look = {}) => ({
  text,
  draw: (group) =>
    styled(group.append("line").attr("x2", KEY), {
      stroke,
      "stroke-width": 2.2,
      "stroke-dasharray": dash,
      ...look,
    }),
});
const mark = (text, symbol, size, look) => ({
  text,
  draw: (group) =>
    styled(
      group
        .append("path")
        .attr("d", d3.symbol(symbol, size))
        .attr("transform", `translate(${KEY / 2},0)`),
      look,
    ),
});
const box = (text, fill, look = {}) => ({
  text,
  draw: (group) =>
    styled(group.append("rect").attr("width", KEY).attr("y", -6).attr("height", 12).attr("rx", 2), {
      fill,
      ...look,
    }),
});

function styled(node, look) {
  Object.entries(look).forEach(([name, value]) =>
    node.attr(name, String(value).startsWith("var(") ? resolved(value) : value),
  );
}

function resolved(value) {
  const name = value.match(/^var\((.*)\)$/)[1];
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function curvesKeys(data, state) {
  const limits = limitsOf(data, state);
  const kinds = [...new Set(limits.map(({ half }) => half))];
  const limit = (half) => (half === 1 ? "limit, symmetric bands" : "limit, bands on one side");
  const few = new Set(limits.map(({ curve }) => curve.place)).size === 1;
  const point = { fill: SOFT, stroke: "var(--card)" };
  return [
    ...visibleCurves(data, state).map((curve) =>
      line(
        curve.name,
        colour(curve),
        dashes(curve),
        curve.constant ? { "stroke-width": 1.5, "stroke-opacity": 0.75 } : {},
      ),
    ),
    ...kinds.map((half) =>
      line(limit(half), few ? colour(limits[0].curve) : GREY, dots({ half }), {
        "stroke-width": 1.6,
        "stroke-linecap": "round",
      }),
    ),
    mark("operating point", d3.symbolCircle, 120, point),
    mark("as given", d3.symbolDiamond, 70, { fill: "var(--card)", stroke: SOFT, "stroke-width": 2 }),
    mark(`cheapest, ${costWords(data, state)}`, d3.symbolStar, 120, point),
    line("equal cost", SOFT, "", { "stroke-width": 1, "stroke-opacity": 0.7 }),
    ...(hasBand(state) && state.band
      ? [box(`${Number((100 * data.level).toFixed(6))} % band`, GREY, { "fill-opacity": 0.25 })]
      : []),
    ...(hasBand(state)
      ? [
          box(
            `miss rates of ${rate(data.rates[state.low])} to ${rate(data.rates[state.high])}`,
            "var(--shade)",
            { "fill-opacity": 0.1 },
          ),
        ]
      : []),
  ];
}

function rowsKeys(data, state) {
  const stroke = colour(data.curves[state.shown]);
  return [
    mark("captured", d3.symbolCircle, 20, { fill: INK }),
    mark("missed", d3.symbolTimes, 60, { fill: "none", stroke: "var(--miss)", "stroke-width": 1.8 }),
    {
      text: "predicted",
      draw: (group) =>
        styled(group.append("line").attr("x1", 9).attr("x2", 19), { stroke, "stroke-width": 1.4 }),
    },
    {
      text: `interval of ${data.curves[state.shown].name}`,
      draw: (group) =>
        styled(group.append("line").attr("x1", 14).attr("x2", 14).attr("y1", -7).attr("y2", 7), {
          stroke,
          "stroke-width": 2,
          "stroke-opacity": 0.5,
        }),
    },
  ];
}

function regimesKeys(data) {
  const best = [...new Set(data.regimes.map((regime) => regime.best))].filter((place) => place !== null);
  const curves = best.sort((a, b) => a - b).map((place) => data.curves[place]);
  const paler = data.regimes.some(({ best: place, significant }) => place !== null && !significant);
  return [
    ...curves.map((curve) => box(curve.name, curve.constant ? GREY : colour(curve))),
    ...(data.regimes.some((regime) => regime.best === null)
      ? [box("no order is known", GREY, { "fill-opacity": 0.2 })]
      : []),
    ...(data.regimes.some((regime) => regime.significant) ? [{ text: "significant", draw: star }] : []),
    ...(paler ? [box("paler: may be chance", GREY, { "fill-opacity": 0.4 })] : []),
  ];
}

function star(group) {
  styled(
    group
      .append("text")
      .attr("x", KEY / 2)
      .attr("y", 5)
      .attr("text-anchor", "middle")
      .text("✱"),
    { fill: SOFT, "font-size": 12, "font-family": FONT },
  );
}

// Caption and key of a chart, as it stands.
export function figureOf(target, data, state) {
  if (target === "ucc-chart") return { caption: curvesCaption(data, state), keys: curvesKeys(data, state) };
  if (target === "rows-chart") {
    return {
      caption: `${rowsCaption(data, state)} ${byId("rows-note").textContent}`,
      keys: rowsKeys(data, state),
    };
  }
  return { caption: "Who needs the least bandwidth, by miss rate.", keys: regimesKeys(data) };
}

const canvas = document.createElement("canvas").getContext("2d");

function widthOf(text, size, weight = "normal") {
  canvas.font = `${weight} ${size}px ${FONT}`;
  return canvas.measureText(text).width;
}

// A text in lines of some width; a word that is longer than a line is broken.
function wrapped(text, size, room, weight) {
  const lines = [""];
  text.split(" ").forEach((word) => {
    const longer = lines.at(-1) === "" ? word : `${lines.at(-1)} ${word}`;
    if (widthOf(longer, size, weight) <= room) lines[lines.length - 1] = longer;
    else if (lines.at(-1) === "") lines[0] = word;
    else lines.push(word);
    while (widthOf(lines.at(-1), size, weight) > room && lines.at(-1).length > 1) {
      const whole = lines.pop();
      let end = whole.length - 1;
      while (end > 1 && widthOf(whole.slice(0, end), size, weight) > room) end -= 1;
      lines.push(whole.slice(0, end), whole.slice(end));
    }
  });
  return lines;
}

function writeLines(root, lines, x, y, size, look) {
  lines.forEach((text, i) => {
    const node = root
      .append("text")
      .attr("x", x)
      .attr("y", y + LINE * i)
      .attr("font-size", size)
      .attr("font-family", FONT);
    styled(node.text(text), look);
  });
}

// Put title and caption above a copy of a chart and the key below it.
export function composed(copy, size, title, { caption, keys }) {
  const root = d3.select(copy);
  const room = size.width - 2 * SIDE;
  const heading = wrapped(title, SIZES.title, room, "bold");
  const words = wrapped(caption, SIZES.text, room);
  const top = SIDE + LINE * (heading.length + words.length);
  root
    .selectChildren()
    .filter((_, i) => i > 0)
    .each(function move() {
      // all but the ground
      if (this.tagName !== "clipPath")
        this.setAttribute("transform", `translate(0,${top}) ${this.getAttribute("transform") ?? ""}`);
    });
  writeLines(root, heading, SIDE, SIDE + 4, SIZES.title, { fill: INK, "font-weight": "bold" });
  writeLines(root, words, SIDE, SIDE + 4 + LINE * heading.length, SIZES.text, { fill: SOFT });
  let [x, y] = [SIDE, top + size.height + GAP];
  keys.forEach((key) => {
    const lines = wrapped(key.text, SIZES.text, room - KEY - GAP);
    const width = KEY + GAP + Math.max(...lines.map((text) => widthOf(text, SIZES.text)));
    if (x > SIDE && x + width > size.width - SIDE) [x, y] = [SIDE, y + LINE];
    key.draw(root.append("g").attr("transform", `translate(${x},${y})`));
    writeLines(root, lines, x + KEY + GAP, y + 4, SIZES.text, { fill: INK });
    x += width + 2 * GAP;
    y += LINE * (lines.length - 1);
  });
  const whole = Math.ceil(y + LINE);
  root.attr("viewBox", `0 0 ${size.width} ${whole}`).attr("width", size.width).attr("height", whole);
  return copy;
}

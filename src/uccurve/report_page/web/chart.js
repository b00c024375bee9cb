// The main chart: a line for each model by coverage, with the chosen coverage across it.

import { area, line } from "d3-shape";
import { select } from "d3-selection";
import { coverageAt, nearestPlace, unitOf } from "./data.js";
import { byId, drawAll, hideTip, onWidth, setAttribute, setText, showTip, whenSeen } from "./dom.js";
import { alike, coverage, difference, number } from "./format.js";
import { DASHES_OF_CONSTANT, dashesOf, isInColor, strokeOf, writeLegend } from "./look.js";
import { NAME_FONT, coverageScale, cutToFit, layOut, upScale, withRoom } from "./scale.js";
import { criterionOf, domainOf, linesOf } from "./series.js";

const TOP = 8;
const HEIGHT = 290;
const LABEL = 16; // pixels of a name
const isInside = (height) => height >= 0 && height <= HEIGHT;
const STRUCTURE = ["view", "criterion", "reference", "from", "hovered"];

export function drawChart(data, store) {
  const svg = byId("chart");
  const plot = select(svg).append("g");
  const clip = select(svg).append("clipPath").attr("id", "chart-clip").append("rect");
  const group = (name, parent = plot) => parent.append("g").attr("class", name).node();
  const layers = { grid: group("grid") };
  const inside = plot.append("g").attr("clip-path", "url(#chart-clip)");
  const background = inside.append("rect").attr("class", "background").node();
  ["bands", "zero", "faded", "lines", "hover"].forEach((name) => (layers[name] = group(name, inside)));
  layers.ticks = group("axis"); // above the lines: on a phone it stands among them
  ["chosen", "dots", "names"].forEach((name) => (layers[name] = group(name)));
  let [total, drawn] = [0, null]; // the lines with their scales, once they are drawn

  function draw(state) {
    if (!total || state.view === "reliability") return;
    const frame = layOut(total, data.curves);
    const lines = linesOf(data, state);
    const x = coverageScale(state.from, frame.width);
    const y = upScale(withRoom(domainOf(data, state, lines), 0.06), HEIGHT);
    drawn = { frame, lines, x, y };
    const height = TOP + HEIGHT;
    Object.entries({ viewBox: `0 0 ${total} ${height}`, width: total, height }).forEach((one) =>
      setAttribute(svg, ...one),
    );
    plot.attr("transform", `translate(${frame.left},${TOP})`);
    [clip.node(), background].forEach((rect) => {
      setAttribute(rect, "width", frame.width);
      setAttribute(rect, "height", HEIGHT);
    });
    drawAxis(data, state, layers, drawn);
    drawLines(data, state, layers, drawn);
    drawNames(data, state, layers, drawn);
    nameAbove(data, state, drawn);
    writeWords(data, state, drawn);
    move(state);
  }

  // What follows the slider: the line at the chosen coverage, and a dot on each line.
  function move(state) {
    if (!drawn) return;
    const { lines, x, y } = drawn;
    const share = coverageAt(data, state.place);
    const isInView = share >= state.from / 100;
    const at = x(share);
    drawAll(layers.chosen, "line", isInView ? [at] : [], { x1: at, x2: at, y1: 0, y2: HEIGHT });
    const reached = lines.filter(({ values }) => isInView && Number.isFinite(values[state.place]));
    drawAll(layers.dots, "circle", reached, {
      r: 5,
      cx: at,
      cy: ({ values }) => Math.max(0, Math.min(HEIGHT, y(values[state.place]))),
      fill: ({ curve }) => strokeOf(data, state, curve),
      visibility: ({ values }) => (isInside(y(values[state.place])) ? null : "hidden"), // as its line is
      "data-curve": ({ curve }) => curve.index,
      "data-value": ({ values }) => values[state.place],
    });
  }

  function hover(event) {
    if (!drawn) return;
    const { frame, lines, x, y } = drawn;
    const box = svg.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left - frame.left, event.clientY - box.top - TOP];
    if (px < 0 || px > frame.width || py < 0 || py > HEIGHT) {
      leave();
      return;
    }
    const place = nearestPlace(data, x.invert(px));
    const at = x(coverageAt(data, place));
    drawAll(layers.hover, "line", [at], { x1: at, x2: at, y1: 0, y2: HEIGHT });
    const there = lines.filter(({ values }) => Number.isFinite(values[place]));
    const distance = ({ values }) => Math.abs(y(values[place]) - py);
    const nearest = there.toSorted((a, b) => distance(a) - distance(b))[0];
    store.set({ hovered: nearest && distance(nearest) < 24 ? nearest.curve.index : -1 });
    const texts = there.toSorted((a, b) => a.values[place] - b.values[place]).slice(0, 12);
    const said = texts.map((one) => `${one.curve.name}: ${valueText(data, store.get(), one, place)}`);
    showTip([`${coverage(coverageAt(data, place))} coverage`, ...said], event);
  }

  function leave() {
    drawAll(layers.hover, "line", [], {});
    store.set({ hovered: -1 });
    hideTip();
  }

  svg.addEventListener("pointermove", hover);
  svg.addEventListener("pointerleave", leave);
  background.addEventListener("click", (event) => {
    const px = event.clientX - svg.getBoundingClientRect().left - drawn.frame.left;
    store.set({ place: nearestPlace(data, drawn.x.invert(px)) });
  });
  onWidth(svg.parentElement, (width) => {
    total = width;
    draw(store.get());
  });
  store.on(STRUCTURE, draw);
  store.on(
    ["place"],
    whenSeen(svg, () => move(store.get())),
  );
}

// A value with its unit or, of a difference, the words for it, and the number itself.
function valueText(data, state, { curve, values }, place) {
  const criterion = criterionOf(state);
  const text = number(curve.numbers[criterion][place]);
  if (state.view === "curve") return text;
  return `${text}, ${difference(values[place], data.criteria[criterion].better)}`;
}

function drawAxis(data, state, layers, { frame, x, y }) {
  const ticks = y.ticks();
  const { better } = data.criteria[criterionOf(state)];
  const shown = state.view === "curve" ? alike(ticks) : (value) => difference(value, better);
  drawAll(layers.grid, "line", ticks, { x2: frame.width, y1: y, y2: y });
  drawAll(layers.grid, "path", x.ticks(), { d: (share) => `M${x(share)},0V${HEIGHT}` });
  drawAll(layers.ticks, "text", ticks, {
    x: frame.isNarrow ? 2 : -8,
    y: (value) => y(value) + (frame.isNarrow ? -4 : 4),
    "text-anchor": frame.isNarrow ? "start" : "end",
  }).text((value) => shown(value));
  setAttribute(layers.ticks, "class", frame.isNarrow ? "axis inside" : "axis");
}

function drawLines(data, state, layers, { frame, lines, x, y }) {
  const xs = data.rates.map((rate) => x(1 - rate));
  const places = [...data.rates.keys()];
  const hasBand = (one, i) => Number.isFinite(one.low[i]) && Number.isFinite(one.high[i]);
  const isBanded = lines.some((one) => places.some((i) => hasBand(one, i)));
  const path = (one, isDrawn) =>
    line(
      (i) => xs[i],
      (i) => y(one.values[i]),
    ).defined((i) => Number.isFinite(one.values[i]) && isDrawn(i))(places);
  const band = area()
    .x(([, i]) => xs[i])
    .y0(([one, i]) => y(one.low[i]))
    .y1(([one, i]) => y(one.high[i]))
    .defined(([one, i]) => hasBand(one, i));
  const inColor = lines.filter(({ curve }) => !curve.constant && isInColor(data, state, curve));
  const behind = lines.toSorted((a, b) => isInColor(data, state, a.curve) - isInColor(data, state, b.curve));
  const look = {
    class: ({ curve }) => (curve.constant ? "curve reference" : "curve"),
    stroke: ({ curve }) => strokeOf(data, state, curve),
    "stroke-dasharray": ({ curve }) => dashesOf(curve),
  };
  drawAll(layers.bands, "path", inColor, {
    d: (one) => band(places.map((i) => [one, i])),
    fill: ({ curve }) => strokeOf(data, state, curve),
  });
  // Beyond the end of its band a line fades; the two parts share the place where they meet.
  const isSure = (one, i) => !isBanded || hasBand(one, i);
  const meets = (one, i) =>
    !isSure(one, i) ||
    (isSure(one, i) && [i - 1, i + 1].some((j) => places[j] !== undefined && !isSure(one, j)));
  drawAll(layers.lines, "path", behind, { ...look, d: (one) => path(one, (i) => isSure(one, i)) });
  drawAll(layers.faded, "path", behind, { ...look, d: (one) => path(one, (i) => meets(one, i)) });
  const zeros = state.view === "curve" ? [] : [0];
  const reference = data.curves[state.reference];
  const isOne = state.view === "reference";
  drawAll(layers.zero, "line", zeros, {
    x2: frame.width,
    y1: y(0),
    y2: y(0),
    stroke: isOne ? strokeOf(data, state, reference) : "var(--constant)",
    "stroke-dasharray": isOne ? dashesOf(reference) : DASHES_OF_CONSTANT,
  });
}

// Names at the right ends of their lines, moved apart where they would overlap; the reference has its own. Lines that
// leave the chart are named in the order in which they leave it.
function drawNames(data, state, layers, { frame, lines, y }) {
  const ends = frame.isNarrow
    ? []
    : lines
        .filter(({ curve }) => isInColor(data, state, curve) || lines.length <= 12)
        .map(({ curve, values }) => {
          const place = values.findIndex(Number.isFinite);
          const end = place < 0 ? NaN : y(values[place]);
          const leaves = values.findIndex((value) => isInside(y(value)));
          return { curve, y: Math.max(0, Math.min(HEIGHT, end)), order: end > HEIGHT ? leaves : -leaves };
        });
  if (state.view === "reference" && !frame.isNarrow)
    ends.push({ curve: data.curves[state.reference], y: y(0), order: 0 });
  const kept = ends.filter((one) => Number.isFinite(one.y)).sort((a, b) => a.y - b.y || a.order - b.order);
  let above = -Infinity;
  kept.forEach((one) => {
    above = Math.max(one.y, above + LABEL, LABEL / 2);
    Object.assign(one, { y: above });
  });
  let below = HEIGHT - LABEL / 2;
  kept.toReversed().forEach((one) => {
    Object.assign(one, { y: Math.min(one.y, below) });
    below = one.y - LABEL;
  });
  drawAll(layers.names, "text", kept, {
    x: frame.width + 8,
    y: (one) => one.y + 4,
    fill: ({ curve }) => (isInColor(data, state, curve) ? strokeOf(data, state, curve) : "var(--soft)"),
    "font-weight": ({ curve }) => (curve.constant ? 400 : 600),
  }).text(({ curve }) => cutToFit(curve.name, frame.right - 12, NAME_FONT));
}

// On a phone, where names have no room beside their lines, they stand above the chart.
function nameAbove(data, state, { frame, lines }) {
  const named = lines.filter(({ curve }) => isInColor(data, state, curve)).map(({ curve }) => curve);
  if (state.view === "reference") named.push(data.curves[state.reference]);
  writeLegend(frame.isNarrow ? named : []);
}

// The title says what the chart shows, the subtitle what its axes are.
function writeWords(data, state, { lines }) {
  const { titles } = data.texts;
  const { measure } = data.criteria[criterionOf(state)];
  const capital = measure[0].toUpperCase() + measure.slice(1);
  const across = "by coverage, stretched toward 100%";
  const [title, subtitle] = {
    reference: [
      titles[state.criterion],
      `${capital} against ${data.curves[state.reference].brief}, ${across}. Lower is better.`,
    ],
    own: [
      titles.own,
      `${capital} against constant width around the same predictions, ${across}. Compare each line with the dashed one only.`,
    ],
    curve: [titles.curve, `Mean ${data.width} (${unitOf(data)}) ${across}. Lower is better.`],
  }[state.view];
  setText(byId("chart-title"), title);
  setText(byId("chart-subtitle"), subtitle);
  const isBanded = lines.some(({ high }) => high.some(Number.isFinite));
  const isTested =
    criterionOf(state) === data.rankBy && Object.keys(data.criteria[data.rankBy].bands).length > 0;
  const { ranges } = data.criteria[criterionOf(state)];
  const gray = data.curves.filter(({ constant }) => !constant).length > 4;
  const hint = [
    isBanded && `Bands: ${data.level}, for all coverages at once; they end where rows are too few.`,
    isTested && `At ${coverage(coverageAt(data, data.chosen))} a test decides, elsewhere the band.`,
    state.view === "own" && "The strip ranks the models themselves.",
    ranges.some(({ best }) => best === null) && "Faint gray strip: no clear lead.",
    ranges.some(({ best, clear }) => best !== null && !clear) && "Pale strip: leads, not tested.",
    gray && `The best two models by ${data.criteria[data.rankBy].measure} are in color.`,
  ];
  setText(byId("chart-hint"), hint.filter(Boolean).join(" "));
  setText(
    byId("chart-help"),
    `${gray ? "Point at a gray line for its name. " : ""}Click to choose coverage.`,
  );
}

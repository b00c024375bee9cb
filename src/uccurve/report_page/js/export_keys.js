// The keys of saved charts: what their lines and marks mean.

import { costFormula, curvesCaption, ratioCaption, rowsCaption } from "./captions.js";
import { drawnAxes, hasBand, limitsOf, shownCurves, shownModels } from "./curve_data.js";
import { byId, setAttributes } from "./dom.js";
import {
  CARD,
  GRAY,
  INK,
  MISS,
  SOFT,
  curveColor,
  curveDashes,
  limitDashes,
  regimeColor,
  resolvedColor,
} from "./palette.js";
import { UNORDERED } from "./regimes_chart.js";

export const KEY_WIDTH = 28;
export const FONT = "sans-serif";

// Set attributes of a node for a picture that leaves the page: colors are resolved.
export function setLook(node, look) {
  const resolved = Object.entries(look).map(([name, value]) => [
    name,
    String(value).startsWith("var(") ? resolvedColor(value) : value,
  ]);
  setAttributes(node, Object.fromEntries(resolved));
}

// A key is a text and a function that draws what the text explains.
const lineKey = (text, look) => ({
  text,
  draw: (group) => setLook(group.append("line"), { x2: KEY_WIDTH, "stroke-width": 2.2, ...look }),
});

const markKey = (text, symbol, size, look) => ({
  text,
  draw: (group) =>
    setLook(group.append("path"), {
      d: d3.symbol(symbol, size)(),
      transform: `translate(${KEY_WIDTH / 2},0)`,
      ...look,
    }),
});

const boxKey = (text, fill, opacity = 1) => ({
  text,
  draw: (group) =>
    setLook(group.append("rect"), {
      width: KEY_WIDTH,
      y: -6,
      height: 12,
      rx: 2,
      fill,
      "fill-opacity": opacity,
    }),
});

const level = (data) => `${Number((100 * data.level).toFixed(6))}%`;

function curvesKeys(data, state) {
  const point = { fill: SOFT, stroke: CARD };
  return [
    ...shownCurves(data, state).map(curveKey),
    ...limitKeys(limitsOf(data, state)),
    markKey("operating point", d3.symbolCircle, 120, point),
    ...(state.segment < 0
      ? [markKey("as supplied", d3.symbolDiamond, 70, { fill: CARD, stroke: SOFT, "stroke-width": 2 })]
      : []),
    ...(state.cost
      ? [
          markKey(`cheapest, ${costFormula(data, state)}`, d3.symbolStar, 120, point),
          lineKey("equal cost", { stroke: SOFT, "stroke-width": 1, "stroke-opacity": 0.7 }),
        ]
      : []),
    ...(hasBand(state) && state.band ? [boxKey(`${level(data)} band`, GRAY, 0.25)] : []),
  ];
}

function ratioKeys(data, state) {
  const banded = state.band && shownModels(data, state).some(({ logMargin }) => logMargin);
  return [
    ...shownModels(data, state).map(curveKey),
    lineKey(data.curves[data.common].name, { stroke: GRAY, "stroke-dasharray": "6 4" }),
    markKey("chosen coverage", d3.symbolCircle, 70, { fill: SOFT }),
    ...(banded ? [boxKey(`${level(data)} band, for all coverages at once`, GRAY, 0.25)] : []),
  ];
}

function reliabilityKeys(data, state) {
  const claiming = shownModels(data, { ...state, segment: -1 }).filter(({ reliability }) => reliability);
  return [
    ...claiming.map(curveKey),
    markKey("as supplied", d3.symbolDiamond, 70, { fill: CARD, stroke: SOFT, "stroke-width": 2 }),
    lineKey("as claimed", { stroke: GRAY, "stroke-dasharray": "6 4" }),
  ];
}

function curveKey(curve) {
  const reference = curve.constant ? { "stroke-width": 1.5, "stroke-opacity": 0.75 } : {};
  return lineKey(curve.name, {
    stroke: curveColor(curve),
    "stroke-dasharray": curveDashes(curve),
    ...reference,
  });
}

// One key for each kind of bands; it is gray where several limits of a kind have colors of their own.
function limitKeys(limits) {
  const oneColor = new Set(limits.map(({ curve }) => curve.index)).size === 1;
  return [...new Set(limits.map(({ half }) => half))].map((half) =>
    lineKey(half === 1 ? "limit, symmetric bands" : "limit, bands on one side", {
      stroke: oneColor ? curveColor(limits[0].curve) : GRAY,
      "stroke-width": 1.6,
      "stroke-dasharray": limitDashes({ half }),
      "stroke-linecap": "round",
    }),
  );
}

function rowsKeys(data, state) {
  const curve = data.curves[state.rowsCurve];
  const stroke = curveColor(curve);
  return [
    markKey("captured", d3.symbolCircle, 20, { fill: INK }),
    markKey("missed", d3.symbolTimes, 60, { fill: "none", stroke: MISS, "stroke-width": 1.8 }),
    lineKey("predicted", { x1: 9, x2: 19, stroke, "stroke-width": 1.4 }),
    lineKey(`interval of ${curve.name}`, {
      x1: KEY_WIDTH / 2,
      x2: KEY_WIDTH / 2,
      y1: -7,
      y2: 7,
      stroke,
      "stroke-width": 2,
      "stroke-opacity": 0.5,
    }),
  ];
}

function regimesKeys({ regimes, curves }) {
  const best = [...new Set(regimes.map((regime) => regime.best))].filter((index) => index !== null);
  const some = (test) => regimes.some(test);
  const ordered = (regime) => regime.best !== null;
  return [
    ...best.sort((a, b) => a - b).map((index) => boxKey(curves[index].name, regimeColor(curves[index]))),
    ...(some((regime) => !ordered(regime)) ? [boxKey(UNORDERED, GRAY, 0.2)] : []),
    ...(some((regime) => ordered(regime) && !regime.clear) ? [boxKey("paler: not tested", GRAY, 0.4)] : []),
  ];
}

// Caption and keys of a chart, as it stands.
export function explanationOf(target, data, state) {
  switch (target) {
    case "ucc-chart":
      return { caption: curvesCaption(data, drawnAxes(state)), keys: curvesKeys(data, drawnAxes(state)) };
    case "ratio-chart":
      return { caption: ratioCaption(data, state), keys: ratioKeys(data, state) };
    case "reliability-chart":
      return { caption: byId("main-caption").textContent, keys: reliabilityKeys(data, state) };
    case "rows-chart":
      return {
        caption: `${rowsCaption(data, state)} ${byId("rows-note").textContent}`,
        keys: rowsKeys(data, state),
      };
    default:
      return {
        caption: `${data.rankBy === "interval_score" ? "Best" : "Narrowest"} by coverage.`,
        keys: regimesKeys(data),
      };
  }
}

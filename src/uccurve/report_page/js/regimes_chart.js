// The strip of regimes: which curve is the best at which coverage.

import { byId, onWidth, setAttributes } from "./dom.js";
import { coverage, percent } from "./format.js";
import { regimeColor } from "./palette.js";
import { withoutMiddle } from "./short_names.js";
import { hideTip, showTip } from "./tooltip.js";

const TOP = 6;
const LINE = 17; // pixels of a line of names above the bars
const BAR = 30;
const AXIS = 30;
const SIDE = 20;
const INSET = 8;
const LETTER = 7.4; // pixels
const LONGEST = 24; // letters of a name
export const UNORDERED = "too close to call";

export function drawRegimes(data) {
  const svg = byId("regimes-chart");
  // Ranges are drawn up to the middle between two steps, so that they leave no gaps.
  const middle = (a, b) => (a && b ? (a.high + b.low) / 2 : (a?.high ?? b.low));
  const regimes = data.regimes.map((regime, i) => ({
    ...regime,
    from: 1 - middle(regime, data.regimes[i + 1]), // coverages
    to: 1 - middle(data.regimes[i - 1], regime),
    curve: data.curves[regime.best] ?? null,
  }));
  const root = d3.select(svg);
  const axis = root.append("g").attr("class", "axis");
  const bars = root.append("g");
  svg.setAttribute("aria-label", `The best by coverage. ${regimes.map(sentence).join(". ")}.`);

  function update(width) {
    const x = d3.scaleLinear([0, 1], [SIDE, width - SIDE]);
    const widthOf = ({ from, to }) => x(to) - x(from);
    const fits = (regime) => widthOf(regime) >= labelWidth(regime) + INSET;
    const above = placedAbove(nameless(regimes, fits, widthOf), x, width);
    const top = TOP + LINE * d3.max([0, ...[...above.values()].map(({ line }) => line + 1)]);
    const height = top + BAR + AXIS;
    setAttributes(root, { viewBox: `0 0 ${width} ${height}`, width, height });
    axis.attr("transform", `translate(0,${top + BAR + 4})`).call(
      d3
        .axisBottom(x)
        .ticks(Math.max(3, Math.min(10, width / 90)))
        .tickFormat((share) => percent(share, 0)),
    );
    const groups = bars.selectAll("g").data(regimes).join(appendRegime);
    setAttributes(groups.select("rect"), {
      x: ({ from }) => x(from) + 0.5,
      y: top,
      width: (regime) => Math.max(1, widthOf(regime) - 1),
      class: ({ clear }) => (clear ? null : "unsure"),
      fill: ({ curve }) => regimeColor(curve),
    });
    // A name that fits nowhere stands above its widest range, in ink.
    setAttributes(groups.select("text"), {
      class: (regime) => (above.has(regime) ? "regime-name above" : "regime-name"),
      x: (regime) => above.get(regime)?.x ?? x(regime.from) + INSET,
      "text-anchor": (regime) => above.get(regime)?.anchor ?? null,
      y: (regime) => (above.has(regime) ? top - LINE / 2 - LINE * above.get(regime).line : top + BAR / 2),
    }).text((regime) => (above.has(regime) || fits(regime) ? labelOf(regime) : ""));
    groups
      .on("pointermove", (event, regime) => showTip([sentence(regime)], event))
      .on("pointerleave", hideTip);
  }

  onWidth(svg.parentElement, update);
}

// The widest range of each model whose name fits into none of its ranges.
function nameless(regimes, fits, widthOf) {
  const ranges = d3.groups(
    regimes.filter(({ curve }) => curve !== null),
    ({ curve }) => curve,
  );
  return ranges
    .filter(([, own]) => !own.some(fits))
    .map(([, own]) => d3.greatest(own, (regime) => widthOf(regime)));
}

// Where names begin, on as many lines as keep them apart.
function placedAbove(narrow, x, width) {
  const ends = []; // of the names on each line
  return new Map(
    d3
      .sort(narrow, ({ from }) => from)
      .map((regime) => {
        const isLast = x(regime.from) > width - labelWidth(regime); // it ends at the edge
        const start = isLast ? Math.max(0, width - labelWidth(regime)) : x(regime.from);
        const free = ends.findIndex((end) => end <= start);
        const line = free < 0 ? ends.length : free;
        ends[line] = start + labelWidth(regime);
        return [regime, isLast ? { x: width, line, anchor: "end" } : { x: start, line, anchor: null }];
      }),
  );
}

const nameOf = ({ curve }) => (curve === null ? UNORDERED : curve.name);

const labelOf = (regime) => withoutMiddle(nameOf(regime), LONGEST);

const labelWidth = (regime) => labelOf(regime).length * LETTER + INSET;

function sentence(regime) {
  const range = `${coverage(regime.high)} to ${coverage(regime.low)}`;
  const compared = regime.curve !== null && regime.runner_up !== null;
  const saved = compared ? `, ${percent(regime.saved)} ahead of ${regime.runner_up} or more` : "";
  return `${range}: ${nameOf(regime)}${saved}${regime.clear ? ", clear" : ""}`;
}

function appendRegime(enter) {
  const group = enter.append("g").attr("class", "regime");
  setAttributes(group.append("rect"), { height: BAR, rx: 3 });
  group.append("text");
  return group;
}

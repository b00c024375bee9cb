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
  const regimes = data.regimes.map((regime) => ({
    ...regime,
    from: 1 - regime.high, // coverages
    to: 1 - regime.low,
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
    const above = placedAbove(
      regimes.filter((regime) => !fits(regime)),
      x,
      width,
    );
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
    // A name that does not fit stands above its range, in ink.
    setAttributes(groups.select("text"), {
      class: (regime) => (fits(regime) ? "regime-name" : "regime-name above"),
      x: (regime) => (fits(regime) ? x(regime.from) + INSET : above.get(regime).x),
      "text-anchor": (regime) => (fits(regime) ? null : above.get(regime).anchor),
      y: (regime) => (fits(regime) ? top + BAR / 2 : top - LINE / 2 - LINE * above.get(regime).line),
    }).text(labelOf);
    groups
      .on("pointermove", (event, regime) => showTip([sentence(regime)], event))
      .on("pointerleave", hideTip);
  }

  onWidth(svg.parentElement, update);
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
  const saved = compared ? `, at least ${percent(regime.saved)} ahead of ${regime.runner_up}` : "";
  return `${range}: ${nameOf(regime)}${saved}${regime.clear ? ", clear" : ""}`;
}

function appendRegime(enter) {
  const group = enter.append("g").attr("class", "regime");
  setAttributes(group.append("rect"), { height: BAR, rx: 3 });
  group.append("text");
  return group;
}

// One row of the table of segments: its coverage in numbers, and as a dot with its interval.

import { models } from "./curve_data.js";
import { element, setAttribute, setAttributes } from "./dom.js";
import { percent } from "./format.js";
import { curveColor } from "./palette.js";

export const WIDTH = 190; // of the plot in a row
const HEIGHT = 22;

// A row of the table, with its dot; what the dot needs is made when it is first seen.
export function segmentRow(data, store, row) {
  const segmentIndex = Number(row.dataset.segment);
  const segment = data.segments[segmentIndex];
  const curve = models(data)[Number(row.dataset.curve)];
  const part = segment.curves[curve.index];
  const [covered, dots] = [...row.cells].slice(-2);
  const gain = Number([...row.cells].at(-3).dataset.value || NaN);
  const heading = row.cells[0];
  const words = document.createTextNode(covered.textContent);
  const box = element("div", { class: "cell-box" }, words);
  let marks = null;

  covered.replaceChildren(box);

  heading.replaceChildren(segmentButton(store, segment.name, segmentIndex));

  function makeDot() {
    const root = setAttributes(d3.select(dots).append("svg"), {
      width: WIDTH,
      height: HEIGHT,
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      "aria-hidden": "true",
    });
    marks = {
      target: setAttributes(root.append("line"), { class: "target", y2: HEIGHT }),
      bar: setAttributes(root.append("line"), { class: "bar", y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      dot: setAttributes(root.append("circle"), { r: 4, cy: HEIGHT / 2 }),
    };
    marks.bar.attr("stroke", curveColor(curve));
    marks.dot.attr("fill", curveColor(curve));
  }

  const isFlagged = ({ rateIndex }) => part.flag[rateIndex] === "1";

  function update(state, x) {
    if (!marks) makeDot();
    const { rateIndex } = state;
    const share = part.coverage[rateIndex];
    const [low, high] = [part.low[rateIndex], part.high[rateIndex]];
    const chosen = 1 - data.rates[rateIndex];
    const sign = share < chosen ? "▼ " : "▲ ";
    const shown = Number.isNaN(share)
      ? "–"
      : `${isFlagged(state) ? sign : ""}${percent(share)} [${percent(low).replace("%", "")}, ${percent(high).replace("%", "")}]`;
    if (words.data !== shown) words.data = shown;
    covered.dataset.value = Number.isNaN(share) ? "" : String(share);
    covered.dataset.low = Number.isNaN(low) ? "" : String(low);
    covered.dataset.high = Number.isNaN(high) ? "" : String(high);
    covered.classList.toggle("short", isFlagged(state));
    const visibility = Number.isNaN(share) ? "hidden" : "visible";
    setAttributes(marks.target, { x1: x(chosen), x2: x(chosen) });
    setAttributes(marks.bar, {
      x1: x(Number.isNaN(low) ? 0 : low),
      x2: x(Number.isNaN(high) ? 0 : high),
      visibility,
    });
    setAttributes(marks.dot, { cx: x(Number.isNaN(share) ? 0 : share), visibility });
  }

  const mark = (state) => {
    row.classList.toggle("chosen-row", state.segment === segmentIndex);
    setAttribute(heading.firstElementChild, "aria-pressed", state.segment === segmentIndex);
  };
  const setLive = (isLive) => box.classList.toggle("live", isLive);
  return { row, segment, name: segment.name, curve, part, gain, isFlagged, update, mark, setLive };
}

function segmentButton(store, name, index) {
  const button = element("button", { type: "button", class: "segment-button" }, name);
  button.addEventListener("click", () => {
    store.set({ segment: store.get().segment === index ? -1 : index });
  });
  return button;
}

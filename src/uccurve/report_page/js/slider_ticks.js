// Marks below the slider of the coverage: round coverages, each where the slider stands at it.

import { nearestRateIndex } from "./curve_data.js";
import { byId, element } from "./dom.js";

const TICKS = [0, 0.5, 0.9, 0.95, 0.99];

export function drawSliderTicks(data) {
  const last = data.rates.length - 1;
  const nodes = TICKS.map((share) => {
    const node = element("span", {}, `${100 * share}%`);
    node.style.setProperty("--at", String(1 - nearestRateIndex(data, 1 - share) / last));
    return node;
  });
  byId("coverage-ticks").replaceChildren(...nodes);
}

// The widths of all models at the chosen coverage, beside the slider.

import { savedAt, shownModels, inUnit, pointAt } from "./curve_data.js";
import { byId, element } from "./dom.js";
import { sig, signedPercent } from "./format.js";
import { swatch } from "./swatch.js";

export function drawReadout(data, store) {
  const box = byId("readout");
  let texts = [];
  const all = (state) => ({ ...state, segment: -1 });

  function build(state) {
    texts = shownModels(data, all(state)).map((curve) => ({ curve, node: element("b") }));
    box.replaceChildren(
      ...texts.map(({ curve, node }) => element("span", {}, swatch(curve), `${curve.name} `, node)),
    );
    update(state);
  }

  function update(state) {
    texts.forEach(({ curve, node }) => {
      const width = inUnit(data, state, pointAt(curve, state.rateIndex), "bandwidth");
      const { saved } = savedAt(data, curve, state.rateIndex);
      const against = Number.isFinite(saved) ? ` (${signedPercent(Number((-saved).toFixed(3)))})` : "";
      node.textContent = `${sig(width)}${against}`;
    });
  }

  store.on(["hidden"], build);
  store.on(["rateIndex", "standardized"], update);
}

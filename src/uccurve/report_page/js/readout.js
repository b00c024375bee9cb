// The numbers of all models at the chosen coverage, beside the slider.

import { savedText } from "./captions.js";
import { savedAt, shownModels, unitFactor } from "./curve_data.js";
import { byId, element, setText } from "./dom.js";
import { sig } from "./format.js";
import { nameNode } from "./short_names.js";
import { swatch } from "./swatch.js";

export function drawReadout(data, store) {
  const box = byId("readout");
  let texts = [];

  function build(state) {
    texts = shownModels(data, { ...state, segment: -1 }).map((curve) => ({
      curve,
      number: element("b"),
      against: document.createTextNode(""),
    }));
    box.replaceChildren(
      ...texts.map(({ curve, number, against }) =>
        element("span", {}, swatch(curve), nameNode(curve.name), " ", number, against),
      ),
    );
    update(state);
  }

  function update(state) {
    texts.forEach(({ curve, number, against }) => {
      const { saved } = savedAt(data, curve, state.rateIndex);
      const value = curve.number?.[state.rateIndex] ?? NaN;
      setText(number, sig(value * unitFactor(data, "bandwidth", state)));
      const words = Number.isFinite(saved) && !curve.flat ? `, ${savedText(saved, data.words)}` : "";
      if (against.data !== words) against.data = words;
    });
  }

  store.on(["hidden"], build);
  store.on(["rateIndex", "standardized"], update);
}

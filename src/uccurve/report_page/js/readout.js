// The widths of all models at the chosen coverage, beside the slider.

import { savedText, wordsOf } from "./captions.js";
import { savedAt, shownModels, inUnit, pointAt } from "./curve_data.js";
import { byId, element, setText } from "./dom.js";
import { sig } from "./format.js";
import { nameNode } from "./short_names.js";
import { swatch } from "./swatch.js";

export function drawReadout(data, store) {
  const box = byId("readout");
  let texts = [];
  const all = (state) => ({ ...state, segment: -1 });

  function build(state) {
    texts = shownModels(data, all(state)).map((curve) => ({
      curve,
      width: element("b"),
      against: document.createTextNode(""),
    }));
    box.replaceChildren(
      ...texts.map(({ curve, width, against }) =>
        element("span", {}, swatch(curve), nameNode(curve.name), " ", width, against),
      ),
    );
    update(state);
  }

  function update(state) {
    texts.forEach(({ curve, width, against }) => {
      const { saved } = savedAt(data, curve, state.rateIndex);
      setText(width, sig(inUnit(data, state, pointAt(curve, state.rateIndex), "bandwidth")));
      const words =
        Number.isFinite(saved) && !curve.flat ? `, ${savedText(saved, wordsOf(data, all(state)))}` : "";
      if (against.data !== words) against.data = words;
    });
  }

  store.on(["hidden"], build);
  store.on(["rateIndex", "standardized"], update);
}

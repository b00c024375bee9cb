// Several constant bands, one for each way of predicting, are folded away in the tables: one line stands for them.

import { inUnit, pointAt } from "./curve_data.js";
import { byId, setText } from "./dom.js";
import { sig } from "./format.js";
import { whenSeen } from "./lazy.js";

export function wireConstantRows(data, store) {
  const button = byId("constant-rows");
  const constants = data.curves.filter((curve) => curve.constant);
  const isFolding = constants.length > 1;
  button.hidden = !isFolding;
  if (!isFolding) return;
  button.addEventListener("click", () => store.set({ constantRows: !store.get().constantRows }));
  const update = () => {
    const state = store.get();
    const widths = constants.map((curve) =>
      inUnit(data, state, pointAt(curve, state.rateIndex), "bandwidth"),
    );
    const ends = d3.extent(widths.filter(Number.isFinite)).map((width) => sig(width));
    const measure = data.side === "both" ? "half-width" : "distance";
    const range = `${measure} ${[...new Set(ends)].join(" to ")}`;
    const text = `${state.constantRows ? "Hide" : "Show"} ${constants.length} rows of constant width, ${range}`;
    setText(button, text);
    button.setAttribute("aria-pressed", String(state.constantRows));
    document.body.classList.toggle("fold-constants", !state.constantRows);
  };
  update();
  store.on(["constantRows", "rateIndex", "standardized"], whenSeen(button, update));
}

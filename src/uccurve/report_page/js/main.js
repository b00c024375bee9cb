// Reads the numbers and lets every part of the page follow what the reader chooses.

import { printChoices, wireControls } from "./controls.js";
import { drawCurves } from "./curves_chart.js";
import { decode } from "./decode.js";
import { byId } from "./dom.js";
import { wireExports } from "./export_files.js";
import { readHash, wireHash } from "./hash_state.js";
import { drawTables } from "./live_tables.js";
import { wirePrint } from "./print_view.js";
import { drawRatio } from "./ratio_chart.js";
import { drawReadout } from "./readout.js";
import { drawRegimes } from "./regimes_chart.js";
import { drawReliability } from "./reliability_chart.js";
import { drawRows } from "./rows_chart.js";
import { wireRows } from "./rows_controls.js";
import { wireScrolling } from "./scrolling.js";
import { drawSegments } from "./segments_table.js";
import { wireSteadyBoxes } from "./steady_boxes.js";
import { createStore, initialState } from "./state.js";
import { wireTheme } from "./theme.js";
import { drawVerdict } from "./verdict.js";

const data = decode(JSON.parse(byId("numbers").textContent));
const first = initialState(data);
const store = createStore(first);

document.querySelectorAll("[data-live]").forEach((node) => {
  node.hidden = false;
});
document.querySelectorAll(".static-plot").forEach((node) => node.remove());
wireTheme();
wireControls(data, store);
if (data.rows) wireRows(data, store);
printChoices(store);
drawVerdict(data, store);
drawReadout(data, store);
drawTables(data, store);
drawRatio(data, store);
drawCurves(data, store);
drawReliability(data, store);
if (data.rows) drawRows(data, store);
drawRegimes(data);
drawSegments(data, store);
wireExports(data, store);
wireScrolling();
wireSteadyBoxes();
wirePrint();
wireHash(data, store, first);
store.set(readHash(data, window.location.hash));
document.body.classList.add("ready");

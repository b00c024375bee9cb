// Reads the numbers and lets every part of the page follow what the reader chooses.

import { wireControls } from "./controls.js";
import { drawCurves } from "./curves_chart.js";
import { decode } from "./decode.js";
import { byId } from "./dom.js";
import { wireExports } from "./export_files.js";
import { drawTables } from "./live_tables.js";
import { drawRegimes } from "./regimes_chart.js";
import { drawRows } from "./rows_chart.js";
import { wireScrolling } from "./scrolling.js";
import { createStore, initialState } from "./state.js";
import { wireTheme } from "./theme.js";

const data = decode(JSON.parse(byId("numbers").textContent));
const store = createStore(initialState(data));

wireTheme();
wireControls(data, store);
drawTables(data, store);
drawCurves(data, store);
if (data.rows) drawRows(data, store);
drawRegimes(data);
wireExports(data, store);
wireScrolling();
document.body.classList.add("ready");

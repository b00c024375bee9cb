// Reads the numbers, then lets every part of the page follow what the reader chooses.

import { decode } from "./data.js";
import { byId } from "./dom.js";
import { createStore } from "./store.js";
import { initial, wireControls, wireScrolling } from "./controls.js";
import { wireExports } from "./exports.js";
import { drawRegimes } from "./regimes.js";
import { drawRows } from "./rows.js";
import { drawTables } from "./tables.js";
import { drawCurves } from "./ucc.js";

const data = decode(JSON.parse(byId("numbers").textContent));
const store = createStore(initial(data));

wireControls(data, store);
drawTables(data, store);
drawCurves(data, store);
if (data.rows) drawRows(data, store);
drawRegimes(data);
wireExports(data, store);
wireScrolling();
document.body.classList.add("ready");

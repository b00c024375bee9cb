// The page to explore: which method is best at the chosen coverage, on one data set and on all.

import { byId, element } from "../../src/uccurve/report_page/web/dom.js";
import { count, coverage, number, percent } from "../../src/uccurve/report_page/web/format.js";

const { grid, chosen, baseline, methods, data } = JSON.parse(byId("numbers").textContent);
// For each criterion: where its numbers are, its name, and what less of it is.
const WORDS = {
  interval_score: ["score", "interval score", "better"],
  bandwidth: ["half_width", "half-width", "narrower"],
};
const STRONGEST = 0.6; // a ratio this far from 1 has the full color
const state = { data: Object.keys(data)[0], criterion: "interval_score", place: chosen };

const join = (names) => `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
const quantity = (value) => (Math.abs(value) >= 1000 ? count(value) : number(value));
const signed = (share, digits) => percent(share, digits).replace("-", "−");

// The number of a method on a data set by the criterion, and in relation to constant width.
const valueOf = (one, method) => one.methods[method][WORDS[state.criterion][0]][state.place];
const ratioOf = (one, method) => valueOf(one, method) / valueOf(one, baseline);
const leadersOf = (one) => one.standing[state.criterion][state.place];

// Methods by a number, the smallest first.
function rank(size) {
  return Object.keys(methods).sort((a, b) => size(a) - size(b));
}

function answer(name, one, order) {
  const { best, close } = leadersOf(one);
  const [first, second] = order;
  const [, measure, better] = WORDS[state.criterion];
  const where = `On ${name} at ${coverage(grid[state.place])} coverage`;
  if (best === first) {
    const lead = percent(1 - valueOf(one, first) / valueOf(one, second), 1);
    return `${where}, ${first} is clearly best: its ${measure} is ${lead} ${better} than that of ${second}.`;
  }
  const names = order.filter((method) => close.includes(method));
  if (names.length > 1) return `${where}, ${join(names)} are too close to call.`;
  const constant = "constant width around other predictions";
  return names.length
    ? `${where}, ${names[0]} and ${constant} are too close to call.`
    : `${where}, ${constant} is ahead of all methods; ${first} is next.`;
}

function drawRanking(one, order) {
  const { best, close } = leadersOf(one);
  const rows = order.map((method) => {
    const behind = valueOf(one, method) / valueOf(one, order[0]) - 1;
    let status = percent(behind, 1);
    if (method === best) status = "clearly best";
    else if (close.includes(method)) status = behind ? `${status}, too close to call` : "too close to call";
    const { score, half_width, covered } = one.methods[method];
    const cells = [
      quantity(score[state.place]),
      quantity(half_width[state.place]),
      signed(ratioOf(one, method) - 1, 1),
      status,
      percent(covered, 1),
    ];
    return element(
      "tr",
      { class: method === best ? "leads" : null },
      element("th", { scope: "row" }, method),
      ...cells.map((cell) => element("td", { class: "number" }, cell)),
    );
  });
  byId("ranking").tBodies[0].replaceChildren(...rows);
}

// Blue where a method is better than constant width, orange where it is worse.
function tint(share) {
  const strength = Math.min(1, Math.abs(share) / STRONGEST);
  const color = share < 0 ? "var(--curve-0)" : "var(--curve-1)";
  return `background: color-mix(in srgb, ${color} ${Math.round(42 * strength)}%, var(--card))`;
}

function drawMap() {
  const head = Object.keys(data).map((name) => {
    const choose = element("button", { type: "button", "aria-pressed": String(name === state.data) }, name);
    choose.addEventListener("click", () => set({ data: name }));
    return element("th", { scope: "col" }, choose);
  });
  const all = Object.values(data);
  const order = rank((method) => all.reduce((sum, one) => sum + Math.log(ratioOf(one, method)), 0));
  const rows = order.map((method) => {
    const cells = all.map((one) => {
      const share = ratioOf(one, method) - 1;
      const { best, close } = leadersOf(one);
      let mark = "";
      if (method === best) mark = "● ";
      else if (close.includes(method)) mark = "○ ";
      const cell = element("td", {}, `${mark}${signed(share, 0).replace("%", "")}`);
      cell.style = tint(share);
      return cell;
    });
    return element("tr", {}, element("th", { scope: "row" }, method), ...cells);
  });
  byId("map").tHead.replaceChildren(element("tr", {}, element("td", {}, ""), ...head));
  byId("map").tBodies[0].replaceChildren(...rows);
  const [, measure] = WORDS[state.criterion];
  byId("map-note").textContent =
    `${measure[0].toUpperCase()}${measure.slice(1)} at ${coverage(grid[state.place])} coverage against constant width, in %.`;
}

function set(change) {
  Object.assign(state, change);
  const one = data[state.data];
  const order = rank((method) => valueOf(one, method));
  byId("data").value = state.data;
  byId("criterion").value = state.criterion;
  byId("coverage").value = String(state.place);
  byId("coverage").setAttribute("aria-valuetext", coverage(grid[state.place]));
  byId("chosen").textContent = coverage(grid[state.place]);
  byId("answer").textContent = answer(state.data, one, order);
  byId("about").textContent =
    `${count(one.rows)} rows of ${one.item} (${one.package}); predicted is ${one.target}, in ${one.unit}.`;
  drawRanking(one, order);
  drawMap();
}

byId("data").addEventListener("input", ({ target }) => set({ data: target.value }));
byId("criterion").addEventListener("input", ({ target }) => set({ criterion: target.value }));
byId("coverage").addEventListener("input", ({ target }) => set({ place: Number(target.value) }));

// The button names the other theme.
function setTheme(isDark) {
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  byId("theme").textContent = isDark ? "Light" : "Dark";
}

byId("theme").addEventListener("click", ({ target }) => setTheme(target.textContent === "Dark"));
setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches);
byId("methods").append(
  ...Object.entries(methods).flatMap(([name, about]) => [
    element("dt", {}, name),
    element("dd", {}, `${about}.`),
  ]),
);
set({});

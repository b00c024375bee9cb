// The answer, its facts and its table, as they stand at the chosen coverage. All texts come with the page.

import { coverageAt } from "./data.js";
import { byId, element, onWidth, setText } from "./dom.js";
import { coverage } from "./format.js";
import { swatch } from "./look.js";
import { cutToFit } from "./scale.js";

const WIDE = 700; // pixels of a page with a wide table
const FOLDED = 6; // rows of the table that are shown at once
const AT_REST = 400; // milliseconds until screen readers hear of a change

// A share stands in a box of its own, so that shares line up in front of what follows them.
function setCell(cell, text) {
  const [share] = cell.matches(".words") ? (text.match(/^[\d.]+%/) ?? []) : [];
  if (!share) setText(cell, text);
  else if (cell.textContent !== text || !cell.children.length)
    cell.replaceChildren(element("span", { class: "share" }, share), text.slice(share.length));
}

export function drawVerdict(data, store) {
  const [answer, facts, beside] = ["answer", "facts", "beside"].map(byId);
  const { answers, facts: allFacts, cells } = data.texts;
  const body = byId("models-table").tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, index: Number(row.dataset.curve) }));
  const coverages = document.querySelectorAll("[data-coverage]");
  let timer = null;
  rows.forEach(({ row, index }) => {
    row.cells[0].prepend(swatch(data.curves[index]));
    row.addEventListener("pointerenter", () => store.set({ hovered: index }));
    row.addEventListener("pointerleave", () => store.set({ hovered: -1 }));
  });

  const unfold = byId("unfold");
  unfold?.addEventListener("click", () => {
    byId("models-table").classList.remove("folded");
    unfold.hidden = true;
  });

  function showAnswer(place) {
    const [before, name, after] = answers[place];
    answer.replaceChildren(before, ...(name ? [element("strong", {}, name), after] : []));
    const best = data.criteria[data.rankBy].best[place];
    answer.dataset.best = best ?? "";
  }

  function showFacts(place) {
    const texts = allFacts[place];
    while (facts.children.length > texts.length) facts.lastChild.remove();
    while (facts.children.length < texts.length) facts.append(element("li"));
    texts.forEach((text, i) => setText(facts.children[i], text));
  }

  function update({ place }) {
    showAnswer(place);
    showFacts(place);
    if (beside) beside.hidden = place !== data.chosen;
    const shown = coverage(coverageAt(data, place));
    coverages.forEach((node) => setText(node, shown));
    const { order, best } = data.criteria[data.rankBy];
    const rank = (index) => (order[place].includes(index) ? order[place].indexOf(index) : Infinity);
    const wanted = rows.toSorted((a, b) => rank(a.index) - rank(b.index));
    if (wanted.some(({ row }, i) => body.rows[i] !== row)) body.append(...wanted.map(({ row }) => row));
    // A constant width that the answer names has a row there, in place of the last one that it does not name.
    const named = order[place].slice(0, best[place] === null ? 1 : 2);
    const isNamed = ({ index }) => named.includes(index);
    const there = wanted.filter((one) => data.curves[one.index].shown || isNamed(one));
    const surplus = there.length - data.curves.filter((curve) => curve.shown).length;
    const spare = there.filter((one) => data.curves[one.index].constant && !isNamed(one));
    const kept = there.filter((one) => surplus === 0 || !spare.slice(-surplus).includes(one));
    kept.forEach(({ row }, i) => row.classList.toggle("more", i >= FOLDED));
    rows.forEach(({ row, index }) => {
      row.hidden = !kept.some((one) => one.row === row);
      row.toggleAttribute("data-best", best[place] === index);
      cells[place][index].forEach((text, i) => setCell(row.cells[i + 2], text));
    });
    clearTimeout(timer);
    timer = setTimeout(
      () => place === data.chosen || setText(byId("live"), answers[place].join("")),
      AT_REST,
    );
  }

  // Keep room for the longest answer and facts, so that nothing below them jumps.
  function reserve(width) {
    const room = byId("models-table").rows[0].cells[0].clientWidth - 52; // less padding and swatch
    rows.forEach(({ row, index }) => {
      const { brief, constant } = data.curves[index];
      setText(
        row.cells[0].lastChild,
        width > WIDE ? cutToFit(brief, room, constant ? "500 14px" : "700 14px") : brief,
      );
    });
    const box = byId("verdict");
    const longest = (texts) =>
      texts.reduce((most, { length }, i) => (length > texts[most].length ? i : most), 0);
    const heightOf = (answerPlace, factsPlace, isBeside) => {
      showAnswer(answerPlace);
      showFacts(factsPlace);
      if (beside) beside.hidden = !isBeside;
      return box.offsetHeight;
    };
    box.style.removeProperty("min-height");
    const most = [longest(answers.map((parts) => parts.join(""))), longest(allFacts.map(String))];
    const height = Math.max(heightOf(data.chosen, data.chosen, true), heightOf(...most, false));
    box.style.setProperty("min-height", `${height}px`);
    update(store.get());
  }

  onWidth(answer.parentElement, reserve);
  store.on(["place"], update);
}

// Small helpers for elements. Text from the data only ever becomes text nodes.

import { select } from "d3-selection";

export const byId = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => setAttribute(node, key, value));
  node.append(...children);
  return node;
}

// Set an attribute that changed: browsers redraw what is set, even to the value that it has. Null removes it.
export function setAttribute(node, name, value) {
  if (value === null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

// Set a text that changed; its node stays.
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Draw one node for each item into a group, with attributes that are values or functions of the item.
export function drawAll(group, tag, items, attributes) {
  const nodes = select(group).selectChildren(tag).data(items).join(tag);
  Object.entries(attributes).forEach(([name, value]) =>
    nodes.each(function set(item, place) {
      setAttribute(this, name, typeof value === "function" ? value(item, place) : value);
    }),
  );
  return nodes;
}

export function fillSelect(node, options) {
  node.replaceChildren(...options.map(([value, label]) => element("option", { value }, label)));
}

// The value of a select or a field changes the state, and follows it.
export function wireField(store, node, name, read = (value) => value) {
  node.addEventListener("input", () => store.set({ [name]: read(node.value) }));
  store.on([name], (state) => {
    node.value = String(state[name]);
  });
}

const PAPER = 660; // pixels between the margins of a page of paper
const sized = [];

// Call back with the width of a node, now and whenever it changes.
export function onWidth(node, callback) {
  const one = { callback, known: 0 };
  sized.push(one);
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width > 0 && width !== one.known) callback((one.known = width));
  }).observe(node);
}

// Draw charts for paper, where their letters keep their size, or for the screen again.
export function drawForPaper(isPaper) {
  drawWaiting();
  sized.filter(({ known }) => known).forEach(({ callback, known }) => callback(isPaper ? PAPER : known));
}

// Call back while charts are as wide as on paper at least: names then stand beside their lines, also on a phone.
export function atLeastPaper(callback) {
  const isNarrow = byId("chart").parentElement.clientWidth < PAPER;
  if (isNarrow) drawForPaper(true);
  callback();
  if (isNarrow) drawForPaper(false);
}

const waiting = new Set();

// Draw at once while a node is near the window, else when it comes near.
export function whenSeen(node, draw) {
  let isSeen = true;
  new IntersectionObserver(
    ([entry]) => {
      isSeen = entry.isIntersecting;
      if (isSeen && waiting.delete(draw)) draw();
    },
    { rootMargin: "200px" },
  ).observe(node);
  return () => {
    if (isSeen) draw();
    else waiting.add(draw);
  };
}

// Draw all that waits: before it is saved or printed.
export function drawWaiting() {
  [...waiting].forEach((draw) => waiting.delete(draw) && draw());
}

// The box beside the pointer; the first line is the heading.
export function showTip(lines, event) {
  const box = byId("tip");
  box.replaceChildren(...lines.map((line, i) => element(i ? "div" : "strong", {}, line)));
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const fitsRight = event.clientX + 16 + width <= window.innerWidth;
  const left = fitsRight ? event.clientX + 16 : event.clientX - width - 12;
  box.style.left = `${Math.max(4, left)}px`;
  box.style.top = `${Math.max(4, Math.min(event.clientY + 14, window.innerHeight - height - 4))}px`;
}

export function hideTip() {
  byId("tip").hidden = true;
}

// Small helpers for elements. Text from the data only ever becomes text nodes.

export const byId = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(key, value === true ? "" : value);
  });
  node.append(...children);
  return node;
}

export function fillSelect(select, options, chosen) {
  select.replaceChildren(
    ...options.map(([value, label]) =>
      element("option", { value, selected: String(value) === String(chosen) }, label),
    ),
  );
}

// Keys of a slider: arrows by one, pages by ten, home and end to the ends. Others are not its business.
export function stepOf({ key, altKey, ctrlKey, metaKey }, value, last) {
  if (altKey || ctrlKey || metaKey) return null;
  const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[key];
  if (key === "Home") return 0;
  if (key === "End") return last;
  return step === undefined ? null : Math.min(last, Math.max(0, value + step));
}

// A dashed stroke for each curve beside its colour, so that grey print tells them apart.
// After six models the colours begin again, with other dashes.
const DASHES = ["", "7 3", "9 2 2 2", "3 2", "12 3", "2 3"];

export const colour = (curve) =>
  curve.tinted && curve.owner >= 0 ? `var(--c${curve.owner % 6})` : "var(--constant)";
export const dots = ({ half }) => (half === 1 ? "1 4" : "1 7");
export const dashes = (curve) =>
  curve.constant ? `${6 + 3 * (curve.place % 3)} 4` : DASHES[(curve.place + Math.floor(curve.place / 6)) % 6];

const tip = () => byId("tip");

export function showTip(lines, event) {
  const box = tip();
  box.replaceChildren(...lines.map((line, i) => element(i ? "div" : "strong", {}, line)));
  box.hidden = false;
  const { innerWidth: width, innerHeight: height } = window;
  const { width: w, height: h } = box.getBoundingClientRect();
  const left = event.clientX + 16 + w > width ? event.clientX - w - 12 : event.clientX + 16;
  box.style.left = `${Math.max(4, left)}px`;
  box.style.top = `${Math.max(4, Math.min(event.clientY + 14, height - h - 4))}px`;
}

export function hideTip() {
  tip().hidden = true;
}

// Tells the container's width now and whenever it changes.
export function onWidth(node, tell) {
  const observer = new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width > 0) tell(width);
  });
  observer.observe(node);
}

// The box beside the pointer.

import { byId, element } from "./dom.js";

const GAP = 4; // pixels between the box and the edge of the window

// The first line is the heading.
export function showTip(lines, event) {
  const box = byId("tip");
  box.replaceChildren(...lines.map((line, i) => element(i ? "div" : "strong", {}, line)));
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const fitsRight = event.clientX + 16 + width <= window.innerWidth;
  const left = fitsRight ? event.clientX + 16 : event.clientX - width - 12;
  const top = Math.min(event.clientY + 14, window.innerHeight - height - GAP);
  box.style.left = `${Math.max(GAP, left)}px`;
  box.style.top = `${Math.max(GAP, top)}px`;
}

export function hideTip() {
  byId("tip").hidden = true;
}

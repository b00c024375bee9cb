// On paper everything is unfolded, and folded again afterwards. The findings stay folded: they would push the main
// chart from the first page.

import { drawWaiting } from "./lazy.js";

export function wirePrint() {
  let opened = [];
  const unfold = () => {
    drawWaiting();
    opened = [...opened, ...document.querySelectorAll("main details:not([open], .verdict details)")];
    opened.forEach((node) => {
      node.open = true;
    });
  };
  const fold = () => {
    opened.forEach((node) => {
      node.open = false;
    });
    opened = [];
  };
  window.addEventListener("beforeprint", unfold);
  window.addEventListener("afterprint", fold);
  window.matchMedia("print").addEventListener("change", ({ matches }) => (matches ? unfold() : fold()));
}

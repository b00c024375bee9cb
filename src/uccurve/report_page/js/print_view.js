// On paper everything is unfolded, and folded again afterwards.

export function wirePrint() {
  let opened = [];
  const unfold = () => {
    opened = [...opened, ...document.querySelectorAll("main details:not([open])")];
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

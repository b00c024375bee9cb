// Boxes whose contents change while a slider moves. A browser lays out whatever may depend on the height of what changed,
// unless it is told this height: then it lays out the contents alone.

export function wireSteadyBoxes() {
  const observer = new ResizeObserver((entries) =>
    entries.forEach(({ target, borderBoxSize: [{ blockSize }] }) => {
      const box = target.parentElement;
      box.style.setProperty("--content-height", `${blockSize}px`);
      box.classList.add("steady");
    }),
  );
  document.querySelectorAll("[data-steady]").forEach((contents) => observer.observe(contents));
}

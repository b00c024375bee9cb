// Wide and tall tables scroll in a frame of their own: shadows show where there is more, and keys reach it.

export function wireScrolling() {
  document.querySelectorAll(".scroll").forEach((node) => {
    const update = () => markHiddenParts(node);
    const observer = new ResizeObserver(update);
    observer.observe(node);
    observer.observe(node.firstElementChild);
    node.addEventListener("scroll", update, { passive: true });
    update();
  });
}

function markHiddenParts(node) {
  const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = node;
  const hidden = {
    left: scrollLeft > 1,
    right: scrollLeft + clientWidth < scrollWidth - 1,
    up: scrollTop > 1,
    down: scrollTop + clientHeight < scrollHeight - 1,
  };
  Object.entries(hidden).forEach(([side, isHidden]) => node.classList.toggle(`more-${side}`, isHidden));
  node.classList.toggle("sideways", hidden.left || hidden.right);
  if (Object.values(hidden).some(Boolean)) node.setAttribute("tabindex", "0");
  else node.removeAttribute("tabindex");
}

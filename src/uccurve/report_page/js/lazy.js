// Work that can wait: what is out of view follows when it is seen, or when the reader rests.

const AT_REST = 200; // milliseconds
const NEAR = "0px"; // around the window

// Call back once after the last of several calls.
export function atRest(callback) {
  let timer = null;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(callback, AT_REST);
  };
}

// Draw at once while a node is near the window, else later.
export function whenSeen(node, draw) {
  let isSeen = false;
  let isWaiting = false;
  const run = () => {
    isWaiting = false;
    draw();
  };
  const later = atRest(() => {
    if (isWaiting) run();
  });
  const observer = new IntersectionObserver(
    ([entry]) => {
      isSeen = entry.isIntersecting;
      if (isSeen && isWaiting) run();
    },
    { rootMargin: NEAR },
  );
  observer.observe(node);
  return () => {
    isWaiting = true;
    if (isSeen) run();
    else later();
  };
}

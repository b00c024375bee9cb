// Work that can wait: what is out of view follows when it is seen, when the reader rests, or before it is saved or printed.

const AT_REST = 200; // milliseconds
const NEAR = "0px"; // around the window
const waiting = new Set(); // what is still to be drawn

// Call back once after the last of several calls.
export function atRest(callback) {
  let timer = null;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(callback, AT_REST);
  };
}

function drawIfWaiting(draw) {
  if (waiting.delete(draw)) draw();
}

// Draw all that waits.
export function drawWaiting() {
  [...waiting].forEach(drawIfWaiting);
}

// Draw once after the last of several calls.
export function drawAtRest(draw) {
  const later = atRest(() => drawIfWaiting(draw));
  return () => {
    waiting.add(draw);
    later();
  };
}

// Draw at once while a node is near the window, else later.
export function whenSeen(node, draw) {
  let isSeen = false;
  const later = drawAtRest(draw);
  const observer = new IntersectionObserver(
    ([entry]) => {
      isSeen = entry.isIntersecting;
      if (isSeen) drawIfWaiting(draw);
    },
    { rootMargin: NEAR },
  );
  observer.observe(node);
  return () => {
    if (isSeen) draw();
    else later();
  };
}

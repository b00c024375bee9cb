// The rows of a table that its frame shows. A table of hundreds of rows is dear to lay out and to paint, so rows in view
// can change without the others: their boxes are laid out alone, and rows are painted in groups.

const SPARE = 4; // rows beyond those in view
const GROUP = 20; // rows that are painted together
const bottomOf = ({ row }) => row.getBoundingClientRect().bottom;
const topOf = ({ row }) => row.getBoundingClientRect().top;

// Items are rows with `setLive`, which says whether a row is in view or near to it.
export function rowsInView(table, frame) {
  let listed = [];
  let live = [];
  let seen = [0, 0]; // the first row in view, and the first one below
  let near = [-1, -1]; // the same when rows were last set live

  function enliven() {
    near = seen;
    const next = listed.slice(Math.max(0, near[0] - SPARE), near[1] + SPARE);
    const kept = new Set(next);
    live.filter((item) => !kept.has(item)).forEach((item) => item.setLive(false));
    next.forEach((item) => item.setLive(true));
    live = next;
  }

  // Show these rows, in this order. Nothing is measured here: the browser would lay the page out twice.
  function list(items) {
    const isSame = items.length === listed.length && items.every((item, i) => item === listed[i]);
    if (isSame) return;
    listed = items;
    const groups = Math.max(1, Math.ceil(items.length / GROUP));
    while (table.tBodies.length < groups) table.createTBody();
    while (table.tBodies.length > groups) table.tBodies[groups].remove();
    [...table.tBodies].forEach((body, i) =>
      body.replaceChildren(...items.slice(i * GROUP, (i + 1) * GROUP).map(({ row }) => row)),
    );
    enliven();
  }

  // Find the rows in view. They follow each other downwards.
  function measure() {
    const { top, bottom } = frame.getBoundingClientRect();
    seen = [d3.bisector(bottomOf).left(listed, top), d3.bisector(topOf).left(listed, bottom)];
    if (seen.some((place, i) => Math.abs(place - near[i]) > SPARE)) enliven();
  }

  return { list, measure, inView: () => listed.slice(...seen) };
}

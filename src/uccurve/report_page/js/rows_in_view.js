// The rows of a table that its frame shows. A table of hundreds of rows is dear to lay out and to paint, so rows in view
// can change without the others: their boxes are laid out alone, and rows are painted in groups.

const SPARE = 4; // rows beyond those in view
const GROUP = 20; // rows that are painted together
const bottomOf = ({ row }) => row.getBoundingClientRect().bottom;
const topOf = ({ row }) => row.getBoundingClientRect().top;

// Items are rows with `setLive`, which says whether a row is in view or near to it.
export function rowsInView(table, frame) {
  let placed = []; // items in the order of their rows
  let live = [];
  let seen = [0, 0]; // the first row in view, and the first one below
  let near = [-1, -1]; // the same when rows were last set live

  function enliven() {
    near = seen;
    const next = placed.slice(Math.max(0, near[0] - SPARE), near[1] + SPARE);
    const kept = new Set(next);
    live.filter((item) => !kept.has(item)).forEach((item) => item.setLive(false));
    next.forEach((item) => item.setLive(true));
    live = next;
  }

  // Show these items, in this order. Nothing is measured here: the browser would lay the page out twice.
  function list(items) {
    if (items.length === placed.length && items.every((item, i) => item === placed[i])) return;
    const groups = Math.max(1, Math.ceil(items.length / GROUP));
    while (table.tBodies.length < groups) table.createTBody();
    while (table.tBodies.length > groups) table.tBodies[groups].remove();
    [...table.tBodies].forEach((body, i) =>
      body.replaceChildren(...items.slice(i * GROUP, (i + 1) * GROUP).map(({ row }) => row)),
    );
    placed = items;
    enliven();
  }

  // Show in view what a list in this order would show there. Rows out of view take the places that become free.
  function listInView(items) {
    if (items.length !== placed.length) return list(items);
    const next = [...placed];
    const placeOf = new Map(next.map((item, place) => [item, place]));
    if (!items.every((item) => placeOf.has(item))) return list(items);
    for (let place = seen[0]; place < Math.min(seen[1], next.length); place += 1) {
      const [wanted, other] = [items[place], next[place]];
      const from = placeOf.get(wanted);
      if (from !== place) {
        exchange(wanted.row, other.row);
        [next[place], next[from]] = [wanted, other];
        placeOf.set(wanted, place).set(other, from);
      }
    }
    placed = next;
    return enliven();
  }

  // Find the rows in view. They follow each other downwards.
  function measure() {
    const { top, bottom } = frame.getBoundingClientRect();
    seen = [d3.bisector(bottomOf).left(placed, top), d3.bisector(topOf).left(placed, bottom)];
    if (seen.some((place, i) => Math.abs(place - near[i]) > SPARE)) enliven();
  }

  return { list, listInView, measure, inView: () => placed.slice(...seen) };
}

function exchange(one, other) {
  const gap = document.createComment("");
  one.replaceWith(gap);
  other.replaceWith(one);
  gap.replaceWith(other);
}

// Answers about the rows that the page carries: which are drawn, and their intervals. Nothing here draws.

// The interval of a row at a parameter of its curve. Hits are decided by rank, as the curve counts them.
export function intervalAt(data, curveIndex, row, parameter) {
  const curve = data.rows.curves[curveIndex];
  const moved = (side) => movedBand(data, curve, side, row, parameter);
  // A one-sided limit is drawn from the prediction to the limit.
  return {
    lower: curve.pred[row] - (data.side === "upper" ? 0 : moved("lower")),
    upper: curve.pred[row] + (data.side === "lower" ? 0 : moved("upper")),
    hit: curve.critical[row] <= parameter,
  };
}

function movedBand(data, curve, side, row, parameter) {
  const band = curve[side][row];
  if (data.vary === "shift") return Math.max(band + parameter, 0);
  if (!curve.ladder || parameter >= 1) return band * parameter;
  const { knots } = curve.ladder;
  const place = d3.bisectLeft(knots, parameter);
  const end = curve.ladder[side][place][row];
  const [begin, from] = place ? [curve.ladder[side][place - 1][row], knots[place - 1]] : [0, 0];
  return begin + ((end - begin) * (parameter - from)) / (knots[place] - from);
}

// The rows to draw: of one segment or of all, consecutive or spread evenly. Each comes with its horizontal value.
export function selectRows(data, state) {
  const { index, segment, columns } = data.rows;
  const code = segmentCode(data, state);
  const across = columns[state.column]?.values ?? index;
  const inSegment = d3.range(index.length).filter((row) => code === null || segment[row] === code);
  const selection = selectConsecutive(data, state, inSegment) ?? selectSpread(data, state, inSegment, across);
  return { ...selection, rows: sortedBy(across, selection.rows).map((row) => ({ row, x: across[row] })) };
}

// How rows name the chosen segment: null for all, -1 where the page carries no rows of it.
function segmentCode(data, { segment }) {
  if (segment < 0) return null;
  return data.rows.segments.findIndex(({ place }) => place === data.segments[segment].place);
}

// Rows without a value are left out.
function sortedBy(across, rows) {
  return rows.filter((row) => Number.isFinite(across[row])).sort((a, b) => across[a] - across[b]);
}

function selectConsecutive(data, state, inSegment) {
  if (!state.consecutive) return null;
  const { index, stretch } = data.rows;
  const stretched = inSegment.filter((row) => stretch[row]).sort((a, b) => index[a] - index[b]);
  if (!stretched.length) return null;
  const lastStart = Math.max(0, stretched.length - state.most);
  const start = Math.min(state.start, lastStart);
  const rows = stretched.slice(start, start + state.most);
  return { rows, consecutive: true, start, lastStart, begin: index[rows[0]], end: index[rows.at(-1)] };
}

function selectSpread(data, state, inSegment, across) {
  const { spread, own } = data.rows;
  const rows = sortedBy(
    across,
    inSegment.filter((row) => (state.segment < 0 ? spread : own)[row]),
  );
  const step = Math.max(1, rows.length / state.most);
  const thinned = d3.range(Math.min(rows.length, state.most)).map((i) => rows[Math.floor(i * step)]);
  return { rows: thinned, consecutive: false, start: 0, lastStart: 0 };
}

// What the drawn rows are taken from, all rows or a segment: its name, how many rows it has, and its miss rate.
export function populationOf(data, state, missRate) {
  if (state.segment < 0) return { name: null, total: data.rows.total, missRate };
  const { name, n, curves } = data.segments[state.segment];
  const covered = curves[state.rowsCurve].coverage[state.rateIndex];
  return { name, total: n * data.outputs, missRate: 1 - covered };
}

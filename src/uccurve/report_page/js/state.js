// What the reader chose, at first and later. Everything that is drawn follows from it.

import { isReached, models, nearestRateIndex, optimum, weightsFor } from "./curve_data.js";

const LOWEST_COVERAGE = 0.5; // charts begin here, unless a lower coverage was chosen

// The first change in a frame shows at once, further ones together in the next frame.
export function createStore(initial) {
  let state = initial;
  let changed = new Set();
  let waiting = false;
  const listeners = [];

  function flush() {
    const names = changed;
    changed = new Set();
    listeners
      .filter((listener) => listener.names.some((name) => names.has(name)))
      .forEach(({ call }) => call(state));
  }

  return {
    get: () => state,
    set(change) {
      const names = Object.keys(change).filter((name) => change[name] !== state[name]);
      if (!names.length) return;
      state = { ...state, ...change };
      names.forEach((name) => changed.add(name));
      if (waiting) return;
      waiting = true;
      window.requestAnimationFrame(() => {
        waiting = false;
        if (changed.size) flush();
      });
      flush();
    },
    // Call a listener now, and whenever one of these names changed.
    on(names, call) {
      listeners.push({ names, call });
      call(state);
    },
  };
}

export function initialState(data) {
  const [low, top] = data.range.map((end) => nearestRateIndex(data, end));
  const high = Math.max(1, top);
  const rateIndex = nearestRateIndex(data, data.missRate);
  const reaching = models(data).filter((curve) => isReached(curve, rateIndex));
  const first = reaching[0] ?? models(data)[0];
  const best =
    data.ranked.map((index) => data.curves[index]).find((curve) => reaching.includes(curve)) ?? first;
  return {
    // the curves
    view: "ratio",
    zoom: 1 - data.missRate > LOWEST_COVERAGE ? "50-100" : "0-100", // coverages, in per cent
    stretched: true, // more room for high coverage
    x: data.x,
    y: data.y,
    standardized: false,
    hidden: "", // indices of models, joined by dots
    constant: true,
    constantRows: false, // of several constant bands, in the tables
    limit: true,
    band: true,
    cost: false,
    segment: -1, // among data.segments; -1 is all rows
    // what the sliders stand at
    rateIndex,
    low: Math.min(low, high - 1), // rate indices of the range of miss rates
    high,
    weightIndex: initialWeightIndex(data, first),
    // the rows
    rowsCurve: best.index,
    column: -1, // the column that rows are drawn against; -1 is their order
    most: 150,
    consecutive: false,
    start: 0, // of consecutive rows
    // the table of segments
    find: "",
    sort: "order",
    flagged: false,
  };
}

// The weight whose optimum is nearest to the nominal miss rate: costs have units, so no fixed weight would do.
function initialWeightIndex(data, curve) {
  const axes = { x: data.x, y: data.y, standardized: false };
  const missRate = (weightIndex) => optimum(data, curve, { ...axes, weightIndex }).point.miss_rate;
  return d3.least(d3.range(weightsFor(data, axes).length), (weightIndex) =>
    Math.abs(missRate(weightIndex) - data.missRate),
  );
}

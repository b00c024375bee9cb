// What the reader chose, at first and later. Everything that is drawn follows from it.

import { isReached, models, nearestRateIndex, optimum, weightsFor } from "./curve_data.js";

export function createStore(initial) {
  let state = initial;
  const listeners = [];
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      listeners.forEach((listener) => listener(state));
    },
    // Call a listener now and after every change.
    on(listener) {
      listeners.push(listener);
      listener(state);
    },
  };
}

export function initialState(data) {
  const [low, top] = data.range.map((end) => nearestRateIndex(data, end));
  const high = Math.max(1, top);
  const rateIndex = nearestRateIndex(data, data.missRate);
  const reaching = models(data).find((curve) => isReached(curve, rateIndex)) ?? models(data)[0];
  return {
    // the curves
    x: data.x,
    y: data.y,
    standardized: false,
    hidden: new Set(), // models, by their index
    constant: true,
    limit: true,
    band: true,
    // what the sliders stand at
    rateIndex,
    low: Math.min(low, high - 1), // rate indices of the range of miss rates
    high,
    weightIndex: initialWeightIndex(data, reaching),
    // the rows
    rowsCurve: reaching.index,
    column: -1, // the column that rows are drawn against; -1 is their order
    most: 150,
    segment: -1, // -1 is all of them
    consecutive: false,
    start: 0, // of consecutive rows
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

// The axis of coverage, or of miss rates: even, or with more room for high coverage (the root of the miss rate).

const TICKS = [1, 0, 0.5, 0.9, 0.8, 0.95, 0.99, 0.7, 0.6, 0.2, 0.4, 0.98, 0.85, 0.75, 0.3, 0.1, 0.995, 0.999]; // those to keep first
const ROOM_ACROSS = 54; // pixels of a tick
const ROOM_UP = 24;
const FARTHEST = 1e6; // pixels: browsers refuse coordinates that are too large

// The coverages that a zoom such as "80-100" lies between.
export function zoomEnds({ zoom }) {
  const [low, high] = zoom.split("-").map((end) => Number(end) / 100);
  return { low, high };
}

// A scale of miss rates along a length; the highest coverage lies at the end of it.
export function coverageScale(state, length) {
  const { low, high } = zoomEnds(state);
  const bent = (rate) => (state.stretched ? Math.sqrt(Math.max(0, rate)) : rate);
  const straight = (value) => (state.stretched ? Math.max(0, value) ** 2 : value);
  const [start, end] = [bent(1 - low), bent(1 - high)];
  const within = (place) => Math.max(-FARTHEST, Math.min(FARTHEST, place));
  const scale = (rate) => within(((start - bent(rate)) / (start - end)) * length);
  const invert = (place) => Math.min(1, Math.max(0, straight(start - (place / length) * (start - end))));
  return Object.assign(scale, {
    domain: () => [1 - low, 1 - high],
    range: () => [0, length],
    copy: () => scale,
    invert,
    ratesAcross: () => tickRates(scale, low, high, ROOM_ACROSS),
    ratesUp: () => tickRates(scale, low, high, ROOM_UP),
  });
}

// Miss rates to mark: round coverages, as many as have room.
function tickRates(scale, low, high, room) {
  const kept = [];
  [...TICKS, ...d3.ticks(low, high, 8)]
    .filter((coverage) => coverage >= low - 1e-9 && coverage <= high + 1e-9)
    .forEach((coverage) => {
      const place = scale(1 - coverage);
      if (kept.every((other) => Math.abs(scale(other) - place) >= room)) kept.push(1 - coverage);
    });
  return kept.sort((a, b) => b - a);
}

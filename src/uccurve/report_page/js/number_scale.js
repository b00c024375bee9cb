// Scales of numbers of any size: d3 cannot count in steps near the ends of what numbers can be.

const SMALL = 1e-280;
const LARGE = 1e280;
const POWER = 300; // of ten, that very small and very large numbers are moved by
const FARTHEST = 1e6; // pixels: browsers refuse coordinates that are too large

// Thousands are told apart as in the text of the page.
d3.formatDefaultLocale({ decimal: ".", thousands: "\u202f", grouping: [3], currency: ["", ""], minus: "−" });

function powerToMove(largest) {
  if (largest > LARGE) return -POWER;
  return largest > 0 && largest < SMALL ? POWER : 0;
}

// A linear scale as axes need it; places far beyond the plot are cut.
export function numberScale(ends, range) {
  const domain = ends.map(withinNumbers);
  const power = powerToMove(Math.max(...domain.map(Math.abs)));
  const moved = (value) => value * 10 ** power;
  const movedBack = (value) => value * 10 ** -power;
  const inner = d3.scaleLinear(domain.map(moved), range);
  const scale = (value) => Math.max(-FARTHEST, Math.min(FARTHEST, inner(moved(value))));
  return Object.assign(scale, {
    domain: () => domain,
    range: () => range,
    copy: () => scale,
    ticks: (count) => inner.ticks(count).map(movedBack),
    tickFormat: (count, format) => inner.tickFormat(count, format),
    invert: (place) => movedBack(inner.invert(place)),
  });
}

// The ends of an axis with room for all values: a share of their distance on either side.
export function withRoom([low, high], share) {
  const room = high * share - low * share || 1; // the distance itself may be too large for a number
  return [low - room, high + room];
}

// A number in a power of ten, however small that is.
export function inPower(value, power) {
  const [first, digits] = power < -POWER ? [-POWER, 3] : [0, 6];
  return Number(((value * 10 ** -first) / 10 ** (power - first)).toPrecision(digits));
}

function withinNumbers(value) {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}

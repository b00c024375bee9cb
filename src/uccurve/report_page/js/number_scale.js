// Scales of numbers.

const FARTHEST = 1e6; // pixels: browsers refuse coordinates that are too large

// Thousands are told apart as in the text of the page.
d3.formatDefaultLocale({ decimal: ".", thousands: "\u202f", grouping: [3], currency: ["", ""], minus: "−" });

// A linear scale as axes need it; places far beyond the plot are cut.
export function numberScale(domain, range) {
  const inner = d3.scaleLinear(domain, range);
  const scale = (value) => Math.max(-FARTHEST, Math.min(FARTHEST, inner(value)));
  return Object.assign(scale, {
    domain: () => domain,
    range: () => range,
    copy: () => scale,
    ticks: inner.ticks,
    tickFormat: inner.tickFormat,
    invert: inner.invert,
  });
}

// The ends of an axis with room for all values: a share of their distance on either side.
export function withRoom([low, high], share) {
  const room = (high - low) * share || 1;
  return [low - room, high + room];
}

// A number in a power of ten.
export const inPower = (value, power) => Number((value / 10 ** power).toPrecision(6));

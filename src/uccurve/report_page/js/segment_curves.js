// The curves of one segment, from what it covers at the operating points of all rows.

const made = new Map(); // by segment

export function segmentCurves(data, segment) {
  if (!made.has(segment)) {
    const curves = data.curves.map((curve, i) => onSegment(data, curve, segment.curves[i]));
    made.set(
      segment,
      curves.map((curve) => ({ ...curve, ratio: ratioTo(curve, curves[data.common]) })),
    );
  }
  return made.get(segment);
}

// The curve between the points that the page carries: what misses no more of the segment, on the way to the next one.
function onSegment(data, curve, { coverage, width, bandwidth }) {
  const missed = coverage.map((share) => 1 - share);
  const { parameter } = curve.points;
  const bandwidths = bandwidth ?? parameter.map((value) => value * width);
  const last = data.rates.length - 1;
  const place = Array.from(data.rates, (rate) => {
    let j = last;
    while (j >= 0 && !(missed[j] <= rate + 1e-9)) j -= 1;
    return j;
  });
  const at = (values) =>
    Float64Array.from(place, (j, i) => {
      if (j < 0) return NaN;
      if (j === last) return values[j];
      return (
        values[j] + ((values[j + 1] - values[j]) * (data.rates[i] - missed[j])) / (missed[j + 1] - missed[j])
      );
    });
  const none = Float64Array.from(place, () => NaN);
  const points = {
    parameter: at(parameter),
    miss_rate: Float64Array.from(place, (j, i) => (j < 0 ? NaN : data.rates[i])),
    bandwidth: at(bandwidths),
    excess: none,
    deficit: none,
  };
  return { ...curve, points, number: points.bandwidth, logMargin: null, original: null };
}

// The number that models are ranked by over that of another curve, at each rate; of a segment its half-width.
export function ratioTo({ number }, other) {
  if (!number || !other.number) return Float64Array.from(number ?? [], () => NaN);
  return number.map((value, i) => (other.number[i] > 0 ? value / other.number[i] : NaN));
}

// The curves of one segment, from what it covers at the operating points of all rows.

const made = new Map(); // by segment

export function segmentCurves(data, segment) {
  if (!made.has(segment)) {
    const curves = data.curves.map((curve, i) => onSegment(data, curve, segment.curves[i]));
    made.set(
      segment,
      curves.map((curve) => ({ ...curve, ratio: ratioTo(curve, curves[curve.reference]) })),
    );
  }
  return made.get(segment);
}

// At each rate the point with the smallest parameter that misses no more of the segment.
function onSegment(data, curve, { coverage, width, bandwidth }) {
  const missed = coverage.map((share) => 1 - share);
  const { parameter } = curve.points;
  const last = data.rates.length - 1;
  const place = Array.from(data.rates, (rate) => {
    let j = last;
    while (j >= 0 && !(missed[j] <= rate + 1e-9)) j -= 1;
    return j;
  });
  const take = (valueAt) => Float64Array.from(place, (j) => (j < 0 ? NaN : valueAt(j)));
  const points = {
    parameter: take((j) => parameter[j]),
    miss_rate: take((j) => missed[j]),
    bandwidth: take((j) => (bandwidth ? bandwidth[j] : parameter[j] * width)),
    excess: take(() => NaN),
    deficit: take(() => NaN),
  };
  return { ...curve, points, logMargin: null, original: null };
}

// The bandwidth of a curve over that of another, at each rate.
export function ratioTo(curve, other) {
  return curve.points.bandwidth.map((width, i) =>
    other.points.bandwidth[i] > 0 ? width / other.points.bandwidth[i] : NaN,
  );
}

"""The definitions, transcribed naively in exact rational arithmetic. Slow on purpose.

Nothing here is shared with the library: intervals are built at each parameter, observations are
compared with their bounds, and integrals are added up segment by segment.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction as F


@dataclass(frozen=True)
class Row:
    y: F
    p: F
    lower_band: F
    upper_band: F
    weight: F
    output: F = F(0)

    @property
    def size(self):
        return abs(self.y - self.p)

    @property
    def active(self):
        return self.upper_band if self.y >= self.p else self.lower_band

    @property
    def passive(self):
        return self.lower_band if self.y >= self.p else self.upper_band


@dataclass(frozen=True)
class Oracle:
    """Costs, areas and operating points of rows under one family."""

    rows: tuple[Row, ...]
    vary: str

    @classmethod
    def of(cls, y, p, lower_band, upper_band, weight=None, vary="scale", output=None):
        weight = [1] * len(y) if weight is None else weight
        output = [0] * len(y) if output is None else output
        columns = (y, p, lower_band, upper_band, weight, output)
        exact = [Row(*map(F, row)) for row in zip(*columns, strict=True)]
        return cls(tuple(row for row in exact if row.weight > 0), vary)

    @property
    def total(self):
        return sum(row.weight for row in self.rows)

    def mean(self, values):
        return sum(row.weight * value for row, value in zip(self.rows, values, strict=True)) / self.total

    def move(self, band, t):
        return band * t if self.vary == "scale" else max(band + t, F(0))

    def bounds(self, row, t):
        return row.p - self.move(row.lower_band, t), row.p + self.move(row.upper_band, t)

    def costs(self, t):
        """Miss rate, bandwidth, excess and deficit at parameter t, by their definitions."""
        missed, width, excess, deficit = [], [], [], []
        for row in self.rows:
            low, high = self.bounds(row, t)
            hit = low <= row.y <= high
            missed.append(F(not hit))
            width.append((high - low) / 2)
            excess.append(min(row.y - low, high - row.y) if hit else F(0))
            deficit.append(F(0) if hit else max(low - row.y, row.y - high))
        names = ("miss_rate", "bandwidth", "excess", "deficit")
        found = dict(zip(names, map(self.mean, (missed, width, excess, deficit)), strict=True))
        return {**found, "coverage": 1 - found["miss_rate"], "parameter": t}

    @property
    def start(self):
        if self.vary == "scale":
            return F(0)
        return -max(max(row.lower_band, row.upper_band) for row in self.rows)

    def critical(self, row):
        if row.size == 0:
            return self.start
        if self.vary == "shift":
            return row.size - row.active
        return row.size / row.active if row.active else None

    @property
    def points(self):
        found = {self.critical(row) for row in self.rows} - {None}
        return sorted(found | {self.start})

    @property
    def knots(self):
        """All parameters at which any cost may bend or jump."""
        knots = set(self.points)
        for row in self.rows:
            if self.vary == "shift":
                knots |= {-row.lower_band, -row.upper_band, 2 * row.size - row.active}
            elif row.active > row.passive:
                knots.add(2 * row.size / (row.active - row.passive))
        return sorted(knot for knot in knots if knot >= self.start)

    def segments(self):
        """(t0, t1, costs at t0, costs at t1) between neighbouring knots; the miss rate is that at t0."""
        knots = self.knots
        at = [self.costs(t) for t in knots]
        return list(zip(knots[:-1], knots[1:], at[:-1], at[1:], strict=True))

    def area(self, x, y, axis=None, low=None, high=None):
        """Integrate y dx over the part of the curve whose axis value lies in [low, high]."""
        area = F(0)
        for _t0, _t1, a, b in self.segments():
            begin, end = self._inside(axis, low, high, a, b)
            if begin >= end:
                continue
            x0, x1 = (a[x] + share * (b[x] - a[x]) for share in (begin, end))
            if y == "miss_rate":
                area += a[y] * (x1 - x0)
            else:
                y0, y1 = (a[y] + share * (b[y] - a[y]) for share in (begin, end))
                area += (x1 - x0) * (y0 + y1) / 2
        return area

    def _inside(self, axis, low, high, a, b):
        """Shares of a segment between which the axis value lies in [low, high]."""
        if axis is None:
            return F(0), F(1)
        v0, v1 = a[axis], b[axis]
        if axis in ("miss_rate", "coverage") or v0 == v1:
            return (F(0), F(1)) if low <= v0 <= high else (F(0), F(0))
        shares = sorted([(low - v0) / (v1 - v0), (high - v0) / (v1 - v0)])
        return max(shares[0], F(0)), min(shares[1], F(1))

    def mean_over_miss_rates(self, x, low, high):
        """Mean x over miss rates: the x needed at r is that of the first point that misses at most r."""
        at = [self.costs(t) for t in self.points]
        levels = sorted({low, high} | {c["miss_rate"] for c in at if low < c["miss_rate"] < high})
        total = F(0)
        for r0, r1 in itertools.pairwise(levels):
            needed = next(c[x] for c in at if c["miss_rate"] <= (r0 + r1) / 2)
            total += needed * (r1 - r0)
        return total / (high - low)

    def constant(self, *, sides=False):
        """The null reference: the mean half width of an output as the band of its rows, or one per side."""
        bands = {}
        for output in {row.output for row in self.rows}:
            mine = Oracle(tuple(row for row in self.rows if row.output == output), self.vary)
            lower, upper = (
                mine.mean([getattr(r, side) for r in mine.rows]) for side in ("lower_band", "upper_band")
            )
            bands[output] = (lower, upper) if sides else ((lower + upper) / 2,) * 2
        rows = (Row(r.y, r.p, *bands[r.output], r.weight, r.output) for r in self.rows)
        return Oracle(tuple(rows), self.vary)

    def cheapest(self, c, x, y):
        """The least cost over all knots, and the first knot that has it."""
        costs = [(c * at[x] + (1 - c) * at[y], at["parameter"]) for at in map(self.costs, self.knots)]
        return min(costs)

    def needed(self, x, level, y="miss_rate"):
        """Least x at which y is down to a level, at any parameter (not only at knots)."""
        for _t0, _t1, a, b in self.segments():
            if a[y] <= level:
                return a[x]
            if y == "deficit" and b[y] <= level:
                share = (a[y] - level) / (a[y] - b[y])
                return a[x] + share * (b[x] - a[x])
        return self.costs(self.knots[-1])[x]

    def score_at(self, rate):
        """Mean interval score of the intervals moved to the first point that misses at most a rate, or None."""
        for t in self.points:
            if self.costs(t)["miss_rate"] <= rate:
                bounds = [(row.y, *self.bounds(row, t)) for row in self.rows]
                return self.mean([interval_score(*row, rate) for row in bounds])
        return None


@dataclass(frozen=True)
class LimitOracle(Oracle):
    """The same of a one-sided limit: the band on the open side is not looked at."""

    side: str = "upper"

    def score_at(self, rate):
        """Mean distance to the limit plus the priced mean distance of misses beyond it."""
        for t in self.points:
            if self.costs(t)["miss_rate"] <= rate:
                return self.costs(t)["bandwidth"] + self.costs(t)["deficit"] / rate
        return None

    def costs(self, t):
        """Miss rate, mean distance to the limit, excess and deficit at parameter t, by their definitions."""
        missed, width, excess, deficit = [], [], [], []
        for row in self.rows:
            band = row.upper_band if self.side == "upper" else row.lower_band
            sign = 1 if self.side == "upper" else -1
            limit = row.p + sign * self.move(band, t)
            room = sign * (limit - row.y)
            missed.append(F(room < 0))
            width.append(abs(limit - row.p))
            excess.append(min(room, abs(limit - row.p)) if room >= 0 else F(0))
            deficit.append(-room if room < 0 else F(0))
        names = ("miss_rate", "bandwidth", "excess", "deficit")
        found = dict(zip(names, map(self.mean, (missed, width, excess, deficit)), strict=True))
        return {**found, "coverage": 1 - found["miss_rate"], "parameter": t}

    def band(self, row):
        return row.upper_band if self.side == "upper" else row.lower_band

    def toward(self, row):
        """How far the observation lies from the prediction, in the direction of the limit."""
        return max((row.y - row.p) * (1 if self.side == "upper" else -1), F(0))

    @property
    def start(self):
        return F(0) if self.vary == "scale" else -max(map(self.band, self.rows))

    def critical(self, row):
        toward, band = self.toward(row), self.band(row)
        if toward == 0:
            return self.start
        if self.vary == "shift":
            return toward - band
        return toward / band if band else None

    @property
    def knots(self):
        opened = {-self.band(row) for row in self.rows} if self.vary == "shift" else set()
        return sorted(set(self.points) | opened)

    def constant(self, *, sides=False):
        """The mean band as the band of all rows."""
        del sides
        mean = self.mean(map(self.band, self.rows))
        rows = (Row(r.y, r.p, mean, mean, r.weight, r.output) for r in self.rows)
        return LimitOracle(tuple(rows), self.vary, self.side)


def interval_score(y, low, high, miss_rate):
    """Width, plus the distance of a miss from the nearer bound at 2 / miss_rate (Winkler 1972)."""
    return high - low + 2 / miss_rate * max(low - y, y - high, F(0))


def pinball(y, quantile, level):
    """What an observation costs at one level: the level above the quantile, 1 - level below it."""
    return level * (y - quantile) if y >= quantile else (1 - level) * (quantile - y)


def wis_parts(y, quantiles):
    """Width, underprediction and overprediction; ``quantiles`` by level, in symmetric pairs."""
    parts, pairs = [F(0), F(0), F(0)], 0
    for level, low in quantiles.items():
        if level < F(1, 2):
            high, miss_rate = quantiles[1 - level], 2 * level
            pairs += 1
            penalties = (2 / miss_rate * max(y - high, F(0)), 2 / miss_rate * max(low - y, F(0)))
            for number, part in enumerate((high - low, *penalties)):
                parts[number] += miss_rate / 2 * part
    count = F(pairs)
    if F(1, 2) in quantiles:
        count += F(1, 2)
        off = y - quantiles[F(1, 2)]
        parts[1 if off > 0 else 2] += abs(off) / 2
    return [part / count for part in parts]


def crps(y, draws, *, fair=False):
    """E|X - y| - E|X - X'| / 2 over all draws, and all pairs of draws."""
    m = len(draws)
    apart = sum(abs(a - b) for a in draws for b in draws)
    return sum(abs(x - y) for x in draws) / m - F(apart) / (2 * (m * (m - 1) if fair else m * m))


def crps_by_integral(y, draws):
    """The integral of (F(x) - 1{y <= x})² for the empirical distribution function F of the draws."""
    total = F(0)
    for begin, end in itertools.pairwise(sorted([y, *draws])):
        share = F(sum(x <= begin for x in draws), len(draws))
        total += (share - (y <= begin)) ** 2 * (end - begin)
    return total

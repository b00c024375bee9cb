"""Curves of nested quantiles from their definitions, in exact rational arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise


@dataclass(frozen=True)
class Row:
    """An observation with its center, and the distances of bounds from it at each level."""

    y: Fraction
    center: Fraction
    lower: tuple[Fraction, ...]
    upper: tuple[Fraction, ...]
    weight: Fraction


@dataclass(frozen=True)
class LevelOracle:
    """Rows whose pairs have the given nominal coverages, rising."""

    rows: tuple[Row, ...]
    levels: tuple[Fraction, ...]
    tails: bool = True

    @property
    def knots(self):
        """Shares of the largest level, from 0 on."""
        return (Fraction(0), *(level / self.levels[-1] for level in self.levels))

    def band(self, bands, t):
        """One band at a parameter."""
        if t > 1:
            return bands[-1] * (t if self.tails else 1)
        steps = zip(pairwise(self.knots), pairwise((Fraction(0), *bands)), strict=True)
        for (begin, end), (low, high) in steps:
            if t <= end:
                return low + (high - low) * (t - begin) / (end - begin)
        raise AssertionError(t)

    def critical(self, row):
        """The smallest parameter that captures a row; None without one."""
        error = row.y - row.center
        bands = row.upper if error >= 0 else row.lower
        error = abs(error)
        if error == 0:
            return Fraction(0)
        if error > bands[-1]:
            return error / bands[-1] if self.tails and bands[-1] > 0 else None
        steps = zip(pairwise(self.knots), pairwise((Fraction(0), *bands)), strict=True)
        for (begin, end), (low, high) in steps:
            if error <= high:
                return begin + (end - begin) * (error - low) / (high - low)
        raise AssertionError(row)

    def costs(self, t):
        """Miss rate, bandwidth, excess and deficit at a parameter."""
        sums = dict.fromkeys(("miss_rate", "bandwidth", "excess", "deficit"), Fraction(0))
        for row in self.rows:
            low, high = row.center - self.band(row.lower, t), row.center + self.band(row.upper, t)
            room = min(row.y - low, high - row.y)
            sums["miss_rate"] += row.weight * (room < 0)
            sums["bandwidth"] += row.weight * (high - low) / 2
            sums["excess"] += row.weight * max(room, Fraction(0))
            sums["deficit"] += row.weight * max(-room, Fraction(0))
        total = sum(row.weight for row in self.rows)
        return {name: number / total for name, number in sums.items()}

    def score_at(self, rate):
        """Interval score at the first parameter that misses at most a rate; None without one."""
        critical = {self.critical(row) for row in self.rows} - {None}
        for t in sorted({Fraction(0), *critical}):
            costs = self.costs(t)
            if costs["miss_rate"] <= rate:
                return 2 * (costs["bandwidth"] + costs["deficit"] / rate)
        return None

    def bends(self):
        """All parameters at which some cost may bend, rising."""
        found = set(self.knots)
        for row in self.rows:
            critical = self.critical(row)
            if critical is not None:
                found.add(critical)
            error = row.y - row.center
            active, passive = (row.upper, row.lower) if error >= 0 else (row.lower, row.upper)
            gap = [-2 * abs(error), *(a - p - 2 * abs(error) for a, p in zip(active, passive, strict=True))]
            for (begin, end), (g0, g1) in zip(pairwise(self.knots), pairwise(gap), strict=True):
                if g0 * g1 < 0:
                    found.add(begin + (end - begin) * g0 / (g0 - g1))
            if self.tails and gap[-1] < 0 < active[-1] - passive[-1]:
                found.add(2 * abs(error) / (active[-1] - passive[-1]))
        return sorted(found)

    def area(self, x, y):
        """The integral of y over x along the whole curve."""
        if y == "miss_rate":
            total = sum(row.weight for row in self.rows)
            return sum(row.weight * self.costs(self.critical(row))[x] for row in self.rows) / total
        points = [self.costs(t) for t in self.bends()]
        return sum((p[y] + q[y]) / 2 * (q[x] - p[x]) for p, q in pairwise(points))

    def constant_area(self, x, y):
        """The same of a symmetric constant band around the centers."""
        width = self.costs(Fraction(1))["bandwidth"]
        rows = tuple(Row(row.y, row.center, (width,), (width,), row.weight) for row in self.rows)
        return LevelOracle(rows, (Fraction(1),)).area(x, y)

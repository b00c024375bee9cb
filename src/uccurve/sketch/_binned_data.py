"""The data of a sketched curve: exact at the last breakpoint of every bin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arrays import frozen, namespace
from uccurve.curve import OperatingPoint
from uccurve.formulas.areas import ClosedSums
from uccurve.formulas.bands import SCALE
from uccurve.formulas.bins import NEVER, ZERO, BinTable
from uccurve.formulas.lines import Lines
from uccurve.formulas.steps import Steps
from uccurve.intervals import ALMOST_SYMMETRIC, Summary
from uccurve.sketch._state import OUTPUT_NAMES, Output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Array, Namespace, Y
    from uccurve.formulas.bands import Scale as Family
    from uccurve.sketch._state import State


_ROUNDING = 1e-9
"""Bands this much alike may be the same: a sketch does not know how large the numbers were that gave them."""


_EPSILON = 2.0**-50


@dataclass(frozen=True, eq=False)
class BinnedData:
    """Operating points and costs of a sketch, under ``scale``: what `ExactData` is for rows.

    A point is the largest breakpoint of a bin. All rows of that bin and those before it are captured
    there, all others are missed, so that the sums give every cost exactly.
    """

    state: State
    family: Family = SCALE
    start: float = 0.0

    @property
    def xp(self) -> Namespace:
        """The array namespace."""
        return namespace(self.state.scale.largest)

    @cached_property
    def summary(self) -> Summary:
        """Numbers about all rows."""
        totals, outputs = self.state.totals, self.outputs
        weight, size = (float(column.sum()) for column in self.state.error.sums)
        means = [_mean_width(output) for output in outputs]
        width = sum(means) / len(means)
        return Summary(
            weight=weight,
            width=width,
            error=size / weight,
            narrowest=totals.narrowest,
            widest=totals.widest,
            zero_weights=False,
            equal_weights=totals.lightest == totals.heaviest,
            symmetric=totals.asymmetry <= max(_ROUNDING * totals.widest, ALMOST_SYMMETRIC * width),
            constant=all(o.widest - o.narrowest <= _ROUNDING * o.widest for o in outputs),
            band_means=tuple((mean, mean) for mean in means),
        )

    @cached_property
    def outputs(self) -> tuple[Output, ...]:
        """Each output."""
        totals = self.state.totals
        whole = Output(self.state.error, *(getattr(totals, name) for name in OUTPUT_NAMES))
        return self.state.outputs or (whole,)

    @cached_property
    def _points(self) -> dict[str, np.ndarray]:
        """Sums over the captured rows at each point, and over the missed ones."""
        scales, switches = self.state.scale, self.state.switch
        inner = (scales.bins != ZERO) & (scales.bins != NEVER)
        bins = np.union1d(scales.bins[inner], switches.bins[switches.bins != ZERO])
        largest = np.full(bins.size, -np.inf)
        for table in (scales, switches):
            known = np.isin(table.bins, bins)
            np.maximum.at(largest, np.searchsorted(bins, table.bins[known]), table.largest[known])
        captured, missed, switched = (
            _running(scales, bins),
            _remaining(scales, bins),
            _running(switches, bins),
        )
        return {
            "parameter": np.concatenate([[0.0], largest]),
            "weight": captured[0],
            "left": missed[0],
            "active": captured[1],
            "error": captured[2],
            "missed_active": missed[1],
            "missed_error": missed[2],
            "drop": switched[0],
            "dropped_error": switched[1],
            "mean": np.concatenate([[0.0], _mean_scale(scales, bins, largest)]),
        }

    @cached_property
    def parameter(self) -> Array:
        """The stored operating points."""
        return frozen(self._points["parameter"])

    @cached_property
    def miss_rate(self) -> Array:
        """Share of the weight missed at each."""
        return frozen(self._share(self._points["left"]))

    @cached_property
    def coverage(self) -> Array:
        """Share of the weight captured at each."""
        return frozen(self._share(self._points["weight"]))

    def _share(self, weight: np.ndarray) -> np.ndarray:
        """Return shares of the weight; of rows, where all weigh the same."""
        if not self.summary.equal_weights:
            return weight / self.summary.weight
        one = self.state.totals.heaviest
        return np.asarray(np.round(weight / one) / np.round(self.summary.weight / one))

    @cached_property
    def bandwidth(self) -> Array:
        """Bandwidth at each."""
        return frozen(self.parameter * self.summary.width)

    @cached_property
    def excess(self) -> Array:
        """Excess at each."""
        sums, k = self._points, self.parameter
        first = _difference(k * sums["active"], sums["error"])
        second = _difference(k * sums["drop"], sums["dropped_error"])
        return frozen(np.maximum(first - second, 0.0) / self.summary.weight)

    @cached_property
    def deficit(self) -> Array:
        """Deficit at each."""
        sums = self._points
        left = _difference(sums["missed_error"], self.parameter * sums["missed_active"])
        return frozen(left / self.summary.weight)

    @property
    def effective_rows(self) -> float:
        """How many rows of equal weight know as much; outputs of a row count once."""
        totals = self.state.totals
        weight = self.summary.weight / self.state.n_outputs
        return weight**2 / totals.weight_squares

    @cached_property
    def steps(self) -> Steps:
        """The stored operating points."""
        return Steps(self.parameter, self.miss_rate)

    def jumps(self, x: str) -> tuple[Array, Array]:
        """Return where on x the miss rate changes, and to what.

        All rows of a bin are counted at their mean scale, which keeps every area between stored points
        on the bandwidth axis exact.
        """
        return np.interp(self._points["mean"], self.parameter, getattr(self, x)), self.miss_rate

    @cached_property
    def lines(self) -> Lines:
        """The costs at the stored points, between which they are taken as lines."""
        weight = self.summary.weight
        slope = (self._points["active"][-1] - self._points["drop"][-1]) / weight
        return Lines(self.parameter, None, self.excess, self.deficit, float(slope), self.summary.width)

    def at(self, parameter: float) -> OperatingPoint:
        """Read the costs at a parameter: exact at stored points and as given, between points a line."""
        if parameter == 1.0 and not math.isnan(self.state.totals.touching):
            return self._as_given()
        place = int(np.searchsorted(self.parameter, parameter, side="right")) - 1
        rate, last = float(self.miss_rate[place]), float(self.parameter[-1])
        excess, deficit = (
            float(np.interp(parameter, self.parameter, column)) for column in (self.excess, self.deficit)
        )
        if parameter > last:
            excess += (parameter - last) * self.lines.excess_slope
        return OperatingPoint(
            parameter=parameter,
            miss_rate=rate,
            coverage=float(self.coverage[place]),
            bandwidth=self.summary.width * parameter,
            excess=excess,
            deficit=deficit,
        )

    def _as_given(self) -> OperatingPoint:
        """Return the operating point of the intervals as given, exactly: there a bin ends."""
        scales, switches, weight = self.state.scale, self.state.switch, self.summary.weight
        inside = scales.bins < 0  # a scale of 1 begins the bin 0, where nothing but touching rows is captured
        rows, active, error, _ = scales.sums
        turned = switches.sums[:, switches.bins < 0]
        missed = float(rows[~inside].sum()) - self.state.totals.touching
        excess = float((active - error)[inside].sum() - (turned[0] - turned[1]).sum())
        return OperatingPoint(
            parameter=1.0,
            miss_rate=missed / weight,
            coverage=(weight - missed) / weight,
            bandwidth=self.summary.width,
            excess=max(0.0, excess) / weight,
            deficit=max(0.0, float((error - active)[~inside].sum())) / weight,
        )

    def closed_sums(self, y: Y) -> ClosedSums:
        """Return the sums behind the closed forms on bandwidth and y, as scales."""
        scales, totals, widths = self.state.scale, self.state.totals, self.summary.widths
        deficit = y == "deficit"
        if scales.bins.size and scales.bins[-1] == NEVER:
            return ClosedSums(math.inf, math.nan, totals.square if deficit else math.inf)
        own = totals.moment if deficit else float(scales.sums[3].sum())
        needed = [o.square if deficit else float(o.error.sums[1].sum()) for o in self.outputs]
        constant = _per_width(needed, widths)
        return ClosedSums(own, constant - own, constant)


def _per_width(sums: Sequence[float], widths: Sequence[float]) -> float:
    """Add up sums of outputs, each divided by its constant band: what the constant bands need, as a scale.

    An output without width has errors of 0, or critical values that are infinite.
    """
    return sum(number / width for number, width in zip(sums, widths, strict=True) if width > 0)


def _mean_width(output: Output) -> float:
    """Return the mean half width; the mean of a constant is exactly that constant."""
    mean = output.width / float(output.error.sums[0].sum())
    return min(max(mean, output.narrowest), output.widest)


def _difference(large: np.ndarray, small: np.ndarray) -> np.ndarray:
    """Subtract sums of which the first is the larger one; what may be rounding is 0."""
    left = large - small
    return np.where(left <= _EPSILON * (large + small), 0.0, left)


def _running(table: BinTable, bins: np.ndarray) -> np.ndarray:
    """Return sums over all bins up to each of the given ones, with the bin of 0 in front."""
    sums = np.concatenate([np.zeros((table.sums.shape[0], 1)), np.cumsum(table.sums, axis=1)], axis=1)
    place = np.searchsorted(table.bins, np.concatenate([[ZERO], bins]), side="right")
    return np.asarray(sums[:, place])


def _remaining(table: BinTable, bins: np.ndarray) -> np.ndarray:
    """Return sums over all bins behind each of the given ones, added from the end."""
    tail = np.cumsum(table.sums[:, ::-1], axis=1)[:, ::-1]
    sums = np.concatenate([tail, np.zeros((table.sums.shape[0], 1))], axis=1)
    place = np.searchsorted(table.bins, np.concatenate([[ZERO], bins]), side="right")
    return np.asarray(sums[:, place])


def _mean_scale(scales: BinTable, bins: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """Return the mean critical scale of the rows in each bin; the point itself where there are none."""
    place = np.searchsorted(scales.bins, bins)
    inside = np.minimum(place, max(scales.bins.size - 1, 0))
    found = (place < scales.bins.size) & (scales.bins[inside] == bins)
    mean = largest.copy()
    mean[found] = (scales.sums[3, place[found]] / scales.sums[0, place[found]]).clip(max=largest[found])
    return mean

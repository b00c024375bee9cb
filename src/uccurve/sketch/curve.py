"""The curve of a sketch: exact at the last breakpoint of every bin."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arrays import frozen, namespace
from uccurve.curve import (
    Curve,
    CurveData,
    Frontier,
    OperatingPoint,
    check_axes,
    span,
)
from uccurve.exceptions import EmptyInputError
from uccurve.formulas import bins
from uccurve.formulas.areas import ClosedSums
from uccurve.formulas.bands import SCALE, OutputErrors
from uccurve.formulas.bins import NEVER, PER_OCTAVE, ZERO, BinTable
from uccurve.formulas.lines import Lines
from uccurve.formulas.steps import Steps
from uccurve.intervals import ALMOST_SYMMETRIC, Summary
from uccurve.sketch.state import TABLES, State, are_same_tables, pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Array, Namespace, Partial, Side, X, Y
    from uccurve.sketch.sketch import UCCSketch

_BIN = 1 / PER_OCTAVE
"""Width of a bin, as a share of the numbers in it."""
_ALIKE = 1e-9
"""Bands this much alike may be the same: a sketch does not know how large the numbers were that gave them."""
_ROUNDING = 1e-12
"""Relative difference between the mean of equal numbers and these numbers."""
_EPSILON = 2.0**-50
"""Relative difference between sums that may be equal."""
_FIRST = 1 << 32
"""The first of bins that are mere numbers, beyond those of any table."""


@dataclass(frozen=True, eq=False, repr=False)
class SketchedUCC(Curve):
    """The curve of a sketch. It answers what a `UCC` answers, from the points that the sketch keeps.

    ``at(miss_rate=...)`` returns a point of the exact curve with at most that miss rate; its scale is
    at most 0.4% larger than the smallest such scale.
    """

    sketch: UCCSketch
    _off: float = field(default=0.0, kw_only=True)
    """Share of its scale by which a stored point may be off."""
    vary = SCALE.name
    source = None

    def __post_init__(self) -> None:
        if not self.sketch.state.error.bins.size:
            raise EmptyInputError("the sketch must have rows with weight, got none")

    @cached_property
    def data(self) -> BinnedData:
        """What the answers are computed from: sums over bins."""
        return BinnedData(self.sketch.outputs)

    @property
    def side(self) -> Side:
        """Where the intervals have a bound: "both" sides, or "upper" or "lower" for a one-sided limit."""
        return self.sketch.side

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.sketch.rows

    @property
    def nominal(self) -> float | None:
        """The coverage that the intervals claim."""
        return self.sketch.nominal

    def has_same_constant(self, other: Curve) -> bool:
        """Compare what is left of the residuals."""
        if not isinstance(other, SketchedUCC) or self.side != other.side:
            return False
        both = (self.data, other.data)
        mine, theirs = ([output.error for output in data.outputs] for data in both)
        return (
            len(mine) == len(theirs)
            and all(map(are_same_tables, mine, theirs))
            and SCALE.same_division(*(_scalable(data.summary.widths) for data in both))
        )

    def __repr__(self) -> str:
        return f"{self.sketch!r}.curve()"

    @cached_property
    def reference(self) -> SketchedUCC:
        """The curve of the null reference: a constant band around the same predictions.

        Of several outputs, each has its own constant. Their points are then within 1/256 of the scale.
        """
        outputs, summary = self.data.outputs, self.data.summary
        if summary.constant and summary.narrowest > 0:
            return self
        constant = replace(self.sketch, outputs=_constant_bands(outputs, summary.widths), nominal=None)
        return SketchedUCC(constant, _off=_BIN if len(outputs) > 1 else 0.0)

    @cached_property
    def frontier(self) -> Frontier:
        """The limit line that no symmetric intervals around these predictions can pass, where bins end."""
        (weight, error), total = self.data.state.error.sums, self.data.summary.weight

        def left(column: np.ndarray) -> np.ndarray:
            return np.concatenate([np.cumsum(column[::-1])[::-1], [0.0]]) / total

        covered = np.concatenate([[0.0], np.cumsum(error)]) / total
        return Frontier(
            miss_rate=frozen(left(weight)), bandwidth=frozen(covered), deficit=frozen(left(error))
        )

    def error_bound(
        self,
        *,
        x: X = "bandwidth",
        y: Y = "miss_rate",
        partial: Partial = "mean",
        miss_rate: tuple[float, float] | None = None,
        coverage: tuple[float, float] | None = None,
        bandwidth: tuple[float, float] | None = None,
        excess: tuple[float, float] | None = None,
        deficit: tuple[float, float] | None = None,
        parameter: tuple[float, float] | None = None,
    ) -> float:
        """Return how far `area` of the same arguments can be from that of the rows, in its unit.

        Parameters
        ----------
        x, y, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter
            As in `area`.
        """
        range_ = check_axes(x, y, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter)
        axis = next(iter(range_), None)
        if axis is None and x == "bandwidth":
            return 0.0
        data = self.data
        part = span(data, axis, range_)
        k, xs, ys = data.steps.parameter, getattr(self, x), getattr(self, y)
        # Within a bin the curve runs between two corners; where a range ends in it, all of it is in doubt.
        first = max(int(np.searchsorted(k, part.first)) - 1, 0)
        last = min(int(np.searchsorted(k, part.last)) + 1, k.size - 1)
        wide, high = np.diff(xs[first : last + 1]), -np.diff(ys[first : last + 1])
        shifted = 4 * self._off * float(self.bandwidth[last])  # of x, with points that are off
        within = float(wide @ high) + shifted * float(ys[first])
        if axis is None or not wide.size:
            return within
        if partial == "strip":
            return within + float(ys[first] * wide[0] + ys[max(last - 1, first)] * wide[-1])
        if part.miss_rates is not None and y == "miss_rate":
            return within / (part.miss_rates[1] - part.miss_rates[0])
        return float(xs[last] - xs[first]) + shifted  # a mean of x over the part, wherever its ends are


class BinnedData(CurveData):
    """Operating points and costs of a sketch under ``scale``: the `CurveData` of a `SketchedUCC`.

    A point is the largest breakpoint of a bin. All rows of that bin and those before it are captured
    there, all others are missed, so that the sums give every cost exactly.
    """

    family = SCALE

    def __init__(self, outputs: Sequence[State]) -> None:
        self.outputs, self.state = outputs, pool(outputs)
        self.summary = _summary(outputs, self.state)
        scales, switches, total = self.state.scale, self.state.switch, self.summary.weight
        points = bins.merge(table._replace(sums=table.sums[:0]) for table in (scales, switches))
        inner = np.abs(points.bins) != NEVER  # nor that of 0, where the first point is
        ends, largest = np.append(ZERO, points.bins[inner]), np.append(0.0, points.largest[inner])
        (weight, active, error, _), (left, missed_active, missed_error, _) = _split(scales, ends)
        (drop, dropped_error), _ = _split(switches, ends)
        excess = _difference(largest * active, error) - _difference(largest * drop, dropped_error)
        self.steps = Steps(frozen(largest), frozen(self._share(left)), coverage=frozen(self._share(weight)))
        deficit = _difference(missed_error, largest * missed_active)
        slope = float((active[-1] - drop[-1]) / total)
        self.lines = Lines(
            self.steps.parameter,
            None,
            frozen(np.maximum(excess, 0.0) / total),
            frozen(deficit / total),
            slope,
        )
        self._mean = _mean_scales(scales, ends, largest)

    def _share(self, weight: np.ndarray) -> np.ndarray:
        """Return shares of the weight; of rows, where all weigh the same."""
        if not self.summary.equal_weights:
            return weight / self.summary.weight
        one = self.state.totals.heaviest
        return np.asarray(np.round(weight / one) / np.round(self.summary.weight / one))

    @property
    def xp(self) -> Namespace:
        """The array namespace."""
        return namespace(self.steps.parameter)

    @property
    def effective_rows(self) -> float:
        """How many rows of equal weight know as much; outputs of a row count once."""
        weight = self.summary.weight / len(self.outputs)
        return weight**2 / self.state.totals.weight_squares

    def jumps(self, x: str) -> tuple[Array, Array]:
        """Return where on x the miss rate changes, and to what.

        All rows of a bin are counted at their mean scale, which keeps every area between stored points
        on the bandwidth axis exact.
        """
        return np.interp(self._mean, self.steps.parameter, self.at_points(x)), self.steps.miss_rate

    def at(self, parameter: float) -> OperatingPoint:
        """Read the costs at a parameter: exact at stored points and as supplied, between points a line."""
        if parameter == 1.0 and not math.isnan(self.state.totals.touching):
            return self._as_supplied()
        known = self.steps.parameter
        place = int(np.searchsorted(known, parameter, side="right")) - 1
        excess, deficit = (
            float(np.interp(parameter, known, column)) for column in (self.lines.excess, self.lines.deficit)
        )
        beyond = max(0.0, parameter - float(known[-1]))
        return OperatingPoint(
            parameter=parameter,
            miss_rate=float(self.steps.miss_rate[place]),
            coverage=float(self.coverages()[place]),
            bandwidth=self.summary.width * parameter,
            excess=excess + beyond * self.lines.excess_slope,
            deficit=deficit,
        )

    def _as_supplied(self) -> OperatingPoint:
        """Return the operating point of the intervals as supplied, exactly: there a bin ends."""
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

    def output_errors(self) -> list[OutputErrors]:
        """Return the means that ceilings need, of each output."""
        return list(map(_mean_errors, self.outputs, self.summary.widths))

    def closed_sums(self, y: Y) -> ClosedSums:
        """Return the sums behind the closed forms on bandwidth and y, as scales."""
        scales, totals, deficit = self.state.scale, self.state.totals, y == "deficit"
        if NEVER in scales.bins[-1:]:  # no scale captures all rows
            return ClosedSums(math.inf, math.nan, math.inf)
        own = totals.moment if deficit else float(scales.sums[3].sum())
        needed = (o.totals.square if deficit else float(o.error.sums[1].sum()) for o in self.outputs)
        # An output without width has errors of 0, or critical values that are infinite.
        constant = sum(part / width for part, width in zip(needed, self.summary.widths, strict=True) if width)
        return ClosedSums(own, constant - own, constant)


def _summary(outputs: Sequence[State], whole: State) -> Summary:
    """Return the numbers about all rows that a curve needs."""
    totals, all_totals = whole.totals, [output.totals for output in outputs]
    weight, error = (float(column.sum()) for column in whole.error.sums)
    means = [_mean_width(output) for output in outputs]
    width = sum(means) / len(means)
    return Summary(
        weight=weight,
        width=width,
        error=error / weight,
        narrowest=totals.narrowest,
        widest=totals.widest,
        zero_weights=False,
        equal_weights=totals.lightest == totals.heaviest,
        symmetric=totals.asymmetry <= max(_ALIKE * totals.widest, ALMOST_SYMMETRIC * width),
        constant=all(each.widest - each.narrowest <= _ALIKE * each.widest for each in all_totals),
        band_means=tuple((mean, mean) for mean in means),
    )


def _mean_width(output: State) -> float:
    """Return the mean half-width; the mean of a constant is exactly that constant."""
    mean = output.totals.width / _weight(output)
    return min(max(mean, output.totals.narrowest), output.totals.widest)


def _mean_errors(output: State, width: float) -> OutputErrors:
    """Return the means that the ceiling needs."""
    weight, table = _weight(output), output.error
    return OutputErrors(
        width=width,
        error=float(table.sums[1].sum()) / weight,
        root=output.totals.root / weight,
        square=output.totals.square / weight,
        exact=float(table.sums[0, table.bins == ZERO].sum()) / weight,
    )


def _weight(output: State) -> float:
    return float(output.error.sums[0].sum())


def _split(table: BinTable, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return sums over the bins up to each end, and over those behind it, added from the last one."""
    nothing = np.zeros((table.sums.shape[0], 1))
    up_to = np.concatenate([nothing, np.cumsum(table.sums, axis=1)], axis=1)
    behind = np.concatenate([np.cumsum(table.sums[:, ::-1], axis=1)[:, ::-1], nothing], axis=1)
    place = np.searchsorted(table.bins, ends, side="right")
    return up_to[:, place], behind[:, place]


def _difference(large: np.ndarray, small: np.ndarray) -> np.ndarray:
    """Subtract sums of which the first is the larger one; what may be rounding is 0."""
    left = large - small
    return np.where(left <= _EPSILON * (large + small), 0.0, left)


def _mean_scales(scales: BinTable, ends: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """Return the mean critical scale of the rows in each bin; the point itself where there are none."""
    mean, with_rows, known = largest.copy(), np.isin(ends, scales.bins), np.isin(scales.bins, ends)
    weight, *_, scale = scales.sums[:, known]
    mean[with_rows] = np.minimum(scale / weight, largest[with_rows])
    return mean


def _constant_bands(outputs: Sequence[State], widths: Sequence[float]) -> tuple[State, ...]:
    """Return the states of a constant band for each output.

    The bins of one output's residuals stay bins: each ends at a point of the curve. Bins of several outputs
    overlap, as they are divided by different widths. All rows of a bin are then captured at their mean
    scale, which is within `_BIN` of their own. Where all numbers of a bin are the same, it is exact.
    """
    widths = _scalable(widths)
    tables = [_constant_scales(output.error, width) for output, width in zip(outputs, widths, strict=True)]
    if len(tables) > 1:
        tables = _in_common_bins(tables)
    return tuple(
        output._replace(
            scale=table,
            switch=bins.empty(len(TABLES["switch"])),
            totals=replace(
                output.totals,
                width=width * _weight(output),
                moment=output.totals.square / width if width > 0 else 0.0,
                touching=math.nan,  # no bin ends at a scale of 1
                narrowest=width,
                widest=width,
                asymmetry=0.0,
            ),
        )
        for output, table, width in zip(outputs, tables, widths, strict=True)
    )


def _scalable(widths: Sequence[float]) -> Sequence[float]:
    """Return the widths of constant bands, or ones where all are zero, which cannot be scaled."""
    return widths if any(widths) else [1.0] * len(widths)


def _constant_scales(error: BinTable, width: float) -> BinTable:
    """Return the table of critical scales of a constant band, bin by bin of the residuals."""
    weight, size = error.sums
    if width == 0:  # captured where there is nothing to capture, or never
        zero = np.zeros_like(weight)
        never = np.where(error.largest == 0, 0.0, math.inf)
        return BinTable(error.bins, never, np.stack([weight, zero, size, zero]))
    return BinTable(error.bins, error.largest / width, np.stack([weight, weight * width, size, size / width]))


def _in_common_bins(tables: Sequence[BinTable]) -> list[BinTable]:
    """Give the bins of all outputs numbers by their mean scales; those with the same scale are one bin."""
    scales = []
    for _, largest, (weight, *_, scale) in tables:
        mean = np.where(np.isinf(largest), largest, scale / weight)
        scales.append(np.where(mean >= largest * (1 - _ROUNDING), largest, mean))
    distinct, place = np.unique(np.concatenate(scales), return_inverse=True)
    numbers = _FIRST + np.arange(distinct.size)
    numbers = np.where(distinct == 0, ZERO, np.where(np.isinf(distinct), NEVER, numbers))
    places = np.split(place, np.cumsum([table.bins.size for table in tables])[:-1])
    return [
        bins.merge([BinTable(numbers[place], scale, table.sums)])
        for table, scale, place in zip(tables, scales, places, strict=True)
    ]

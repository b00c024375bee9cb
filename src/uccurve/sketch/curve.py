"""The curve of a sketch: exact at the last breakpoint of every bin."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base.arrays import frozen
from uccurve.curve import Curve, CurveData, Frontier, OperatingPoint, ranges
from uccurve.exceptions import EmptyInputError
from uccurve.formulas import bins
from uccurve.formulas.areas import ClosedSums
from uccurve.formulas.bands import SCALE, OutputErrors
from uccurve.formulas.bins import NEVER, PER_OCTAVE, ZERO, BinTable
from uccurve.formulas.lines import Lines
from uccurve.formulas.steps import Steps
from uccurve.formulas.tolerances import ALMOST_SYMMETRIC, LAST_PLACES, ROUNDING, SAME_SUM
from uccurve.intervals import Summary
from uccurve.sketch.state import EMPTY, State, are_same_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Array, Partial, Side, X, Y
    from uccurve.sketch.sketch import UCCSketch

# Width of a bin, as a share of the numbers in it.
_BIN = 1 / PER_OCTAVE


@dataclass(frozen=True, eq=False, repr=False)
class SketchedUCC(Curve):
    """The curve of a sketch, with the methods of `UCC`, on the points that the sketch keeps.

    ``at(miss_rate=...)`` returns a point of the exact curve with at most that miss rate; its scale is
    at most 0.4% larger than the smallest such scale.

    Raises
    ------
    EmptyInputError
        If the sketch has no rows with weight.

    See Also
    --------
    UCC : The exact curve of rows.
    UCCSketch.curve : Returns it.

    Examples
    --------
    >>> import uccurve as uc
    >>> sketch = uc.Intervals.from_bands([1, 2, 3, 4], [0, 0, 0, 0], [1, 1, 2, 4]).sketch()
    >>> sketch.curve().area()
    2.75
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
        return BinnedData(self.sketch)

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
        """Compare what is left of the residuals.

        Parameters
        ----------
        other : Curve
            Another curve.

        Returns
        -------
        bool
            Whether residuals agree.
        """
        if not isinstance(other, SketchedUCC) or self.side != other.side:
            return False
        pair = (self.data, other.data)
        errors = [[output.error for output in data.outputs] for data in pair]
        widths = [_scalable(data.summary.widths) for data in pair]
        same_number = len(widths[0]) == len(widths[1])
        return same_number and all(map(are_same_tables, *errors)) and SCALE.same_division(*widths)

    def __repr__(self) -> str:
        return f"{self.sketch!r}.curve()"

    @cached_property
    def reference(self) -> SketchedUCC:
        """The curve of the null reference: constant width around the same predictions.

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
        table, total = self.data.state.error, self.data.summary.weight
        (_, covered), (missed, error) = _split(table, np.append(ZERO - 1, table.bins))
        return Frontier(
            miss_rate=frozen(missed / total), bandwidth=frozen(covered / total), deficit=frozen(error / total)
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

        Returns
        -------
        float
            0 where the area is exact.

        Raises
        ------
        UnreachableError, ArgumentError
            As in `area`.
        """
        range_ = ranges.check_axes(x, y, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter)
        axis = next(iter(range_), None)
        if axis is None and x == "bandwidth":
            return 0.0
        data = self.data
        part = ranges.span(data, range_)
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

    def __init__(self, sketch: UCCSketch) -> None:
        self.outputs, self.state = sketch.outputs, sketch.state
        self.summary = _summary(self.outputs, self.state)
        scales, switches = self.state.scale, self.state.switch
        points = bins.merge(table._replace(sums=table.sums[:0]) for table in (scales, switches))
        inner = np.abs(points.bins) != NEVER  # nor that of 0, where the first point is
        ends, largest = np.append(ZERO, points.bins[inner]), np.append(0.0, points.largest[inner])
        self.steps, self.lines = self._points(ends, largest)
        self._mean = _mean_scales(scales, ends, largest)

    def _points(self, ends: np.ndarray, scales: np.ndarray, touching: float = 0.0) -> tuple[Steps, Lines]:
        """Return the points of the curve at scales where bins end; ``touching`` rows behind are captured."""
        (weight, active, error, _), (left, missed_active, missed_error, _) = _split(self.state.scale, ends)
        (drop, dropped_error), _ = _split(self.state.switch, ends)
        excess = _difference(scales * active, error) - _difference(scales * drop, dropped_error)
        deficit, total = _difference(missed_error, scales * missed_active), self.summary.weight
        captured, missed = weight + touching, left - touching
        shares, slope = [captured / total, missed / total], float((active[-1] - drop[-1]) / total)
        if self.summary.equal_weights:  # then they are shares of rows
            one = self.state.totals.heaviest
            shares = [np.round(column / one) / np.round(total / one) for column in (captured, missed)]
        coverage, miss_rate = map(frozen, shares)
        parameter, excess, deficit = map(frozen, (scales, np.maximum(excess, 0.0) / total, deficit / total))
        return Steps(parameter, miss_rate, coverage=coverage), Lines(parameter, None, excess, deficit, slope)

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
        touching = self.state.totals.touching
        if parameter != 1.0 or math.isnan(touching):
            return super().at(parameter)
        steps, lines = self._points(np.array([-1]), np.ones(1), touching)  # a scale of 1 begins the bin 0
        return OperatingPoint(
            parameter=parameter,
            miss_rate=float(steps.miss_rate[0]),
            coverage=float(np.asarray(steps.coverage)[0]),
            bandwidth=self.summary.width,
            excess=float(lines.excess[0]),
            deficit=float(lines.deficit[0]),
        )

    def output_errors(self) -> list[OutputErrors]:
        """Return the means that ceilings need, of each output."""
        return [
            OutputErrors(
                width=width,
                error=float(output.error.sums[1].sum()) / output.weight,
                root=output.totals.root / output.weight,
                square=output.totals.square / output.weight,
                exact=float(output.error.sums[0, output.error.bins == ZERO].sum()) / output.weight,
            )
            for output, width in zip(self.outputs, self.summary.widths, strict=True)
        ]

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
    means = [output.mean_width for output in outputs]
    width = sum(means) / len(means)
    return Summary(
        weight=weight,
        width=width,
        error=error / weight,
        narrowest=totals.narrowest,
        widest=totals.widest,
        zero_weights=False,
        equal_weights=totals.lightest == totals.heaviest,
        symmetric=totals.asymmetry <= max(SAME_SUM * totals.widest, ALMOST_SYMMETRIC * width),
        constant=all(each.widest - each.narrowest <= SAME_SUM * each.widest for each in all_totals),
        band_means=tuple((mean, mean) for mean in means),
    )


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
    return np.where(left <= LAST_PLACES * (large + small), 0.0, left)


def _mean_scales(scales: BinTable, ends: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """Return the mean critical scale of the rows in each bin; the point itself where there are none."""
    mean, with_rows, known = largest.copy(), np.isin(ends, scales.bins), np.isin(scales.bins, ends)
    weight, *_, scale = scales.sums[:, known]
    mean[with_rows] = np.minimum(scale / weight, largest[with_rows])
    return mean


def _scalable(widths: Sequence[float]) -> Sequence[float]:
    """Return the widths of constant bands, or ones where all are zero, which cannot be scaled."""
    return widths if any(widths) else [1.0] * len(widths)


def _constant_bands(outputs: Sequence[State], widths: Sequence[float]) -> tuple[State, ...]:
    """Return the states of a constant band for each output.

    The bins of one output's residuals stay bins: each ends at a point of the curve. Bins of several outputs
    overlap, as they are divided by different widths. All rows of a bin are then captured at their mean
    scale, which is within `_BIN` of their own. Where all numbers of a bin are the same, it is exact.
    """
    widths = _scalable(widths)
    scales = [
        _constant_scales(output.error, width, mean=len(outputs) > 1)
        for output, width in zip(outputs, widths, strict=True)
    ]
    distinct, places = np.unique(np.concatenate(scales), return_inverse=True)
    numbers = np.arange(distinct.size)
    numbers[distinct == 0], numbers[np.isinf(distinct)] = ZERO, NEVER
    states = []
    for output, width, scale in zip(outputs, widths, scales, strict=True):
        place, places = places[: scale.size], places[scale.size :]
        weight, size = output.error.sums
        by_width = size / width if width > 0 else np.zeros_like(size)
        totals = output.totals._replace(
            width=width * output.weight,
            moment=output.totals.square / width if width > 0 else 0.0,
            touching=math.nan,  # no bin ends at a scale of 1
            narrowest=width,
            widest=width,
            asymmetry=0.0,
        )
        table = bins.add_up(numbers[place], scale, [weight, weight * width, size, by_width])
        states.append(output._replace(scale=table, switch=EMPTY.switch, totals=totals))
    return tuple(states)


def _constant_scales(error: BinTable, width: float, *, mean: bool) -> np.ndarray:
    """Return the scale at which a constant band captures the rows of each bin: the largest, or their mean."""
    if width == 0:  # captured where there is nothing to capture, or never
        return np.where(error.largest == 0, 0.0, math.inf)
    largest = error.largest / width
    if not mean:
        return largest
    weight, size = error.sums
    scale = size / width / weight
    return np.where(scale >= largest * (1 - ROUNDING), largest, scale)

"""A summary of intervals that adds: one pass, constant memory, and almost everything a curve answers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import frozen
from uccurve._kernels.bins import NEVER, PER_OCTAVE, ZERO, BinTable
from uccurve.curve import _limits
from uccurve.curve._curve import Curve
from uccurve.curve._ranges import one_of, span
from uccurve.curve._results import Drift, Frontier
from uccurve.exceptions import ArgumentError, EmptyInputError
from uccurve.intervals import Intervals
from uccurve.sketch import _bytes, _state
from uccurve.sketch._binned_data import BinnedData
from uccurve.sketch._state import State

if TYPE_CHECKING:
    from typing import Unpack

    from uccurve._base.type_aliases import Partial, Range, X, Y
    from uccurve.curve._exact_data import ExactData

_CLOSE = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class UCCSketch:
    """What remains of intervals for their curve: sums over 256 bins for each octave of the critical scale.

    Sketches add: of chunks, files, days, machines. Whatever the order, the sum is the sketch of all
    rows, up to the rounding of sums. A thousand million rows take no more memory than a million.

    Each bin keeps its largest breakpoint, so that every bin is an exact point of the curve. The full
    areas of bandwidth against miss rate and deficit, their gains and ceilings, and the point as given
    are exact as well. Between the points, at most 0.4 % of the scale apart,
    `SketchedUCC.error_bound` says how far an area can be off.

    Examples
    --------
    >>> import uccurve as uc
    >>> from uccurve.datasets import make_heteroscedastic
    >>> data = make_heteroscedastic(10_000, rng=0)
    >>> rows = uc.Intervals.from_std(data.y_true, data.y_pred, data.std)
    >>> sketch = sum((uc.UCCSketch.of(part) for part in rows.by(data.x > 0.5).values()), uc.UCCSketch())
    >>> sketch
    UCCSketch(rows=10000, bandwidth=1.197, bins=3752)
    >>> sketch == uc.UCCSketch.of(rows)
    True
    >>> round(sketch.curve().gain(y="deficit") - rows.ucc().gain(y="deficit"), 12)
    0.0
    """

    _state: State = field(default_factory=_state.nothing)

    @classmethod
    def of(cls, intervals: Intervals) -> UCCSketch:
        """Summarise intervals, in one pass and without a sort."""
        arguments.instance("intervals", intervals, Intervals)
        return cls(_state.of(intervals))

    @property
    def rows(self) -> int:
        """Number of rows, those without weight included."""
        return int(self._state.totals.rows)

    @property
    def bins(self) -> int:
        """Number of bins that are filled."""
        return sum(getattr(self._state, name).bins.size for name in _state.TABLES)

    @property
    def overflow(self) -> dict[str, float]:
        r"""Weight of the rows outside the range of the bins.

        ``below`` and ``above``: with a critical scale beyond :math:`2^{\pm 40}`, in one bin each;
        ``never``: with a band of zero and a residual that is not, which no scale captures.
        """
        table, edge = self._state.scale, _state.SCALE_OCTAVES * PER_OCTAVE
        places = {"below": -edge - 1, "above": edge, "never": NEVER}
        return {name: float(table.sums[0, table.bins == place].sum()) for name, place in places.items()}

    def __add__(self, other: object) -> UCCSketch:
        if not isinstance(other, UCCSketch):
            return NotImplemented
        return UCCSketch(_state.merged([self._state, other._state]))

    def __radd__(self, other: object) -> UCCSketch:
        return self if other == 0 else NotImplemented  # what sum() begins with

    def __eq__(self, other: object) -> bool:
        """Whether two sketches are of the same rows, up to the order in which sums were added."""
        if not isinstance(other, UCCSketch):
            return NotImplemented
        mine, theirs = self._state, other._state
        return all(_same(getattr(mine, name), getattr(theirs, name)) for name in _state.TABLES) and all(
            math.isclose(getattr(mine.totals, name), getattr(theirs.totals, name), rel_tol=_CLOSE)
            for name in _state.NAMES
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if not self._state.error.bins.size:
            return f"UCCSketch(rows={self.rows}, without weight)" if self.rows else "UCCSketch()"
        width = BinnedData(self._state).summary.width
        return f"UCCSketch(rows={self.rows}, bandwidth={width:.4g}, bins={self.bins})"

    def to_bytes(self) -> bytes:
        """Write the sketch as bytes that any machine and any later version can read."""
        return _bytes.write(self._state)

    @classmethod
    def from_bytes(cls, blob: bytes) -> UCCSketch:
        """Read a sketch from bytes.

        Raises
        ------
        SketchFormatError
            If the bytes are not a sketch, cut short or damaged, or of a version that is not known.
        """
        return cls(_bytes.read(bytes(blob)))

    def curve(self) -> SketchedUCC:
        """Return the curve, to ask it what one asks a `UCC`."""
        return SketchedUCC(self)

    def drift(self, other: UCCSketch) -> Drift:
        r"""Measure how far the curve has moved: the largest gap in coverage at the same scale.

        The p-value bounds how often sketches of independent rows from one source would lie as far
        apart somewhere: :math:`\exp(1 - 2 g^2 n m / (n + m))` at a gap of :math:`g`, the
        Dvoretzky-Kiefer-Wolfowitz inequality for two samples with the constant of Wei and Dudley
        (2012), which holds for small samples too. The gap is looked at where bins end.

        Parameters
        ----------
        other : UCCSketch
            The sketch to compare with, such as yesterday's.
        """
        arguments.instance("other", other, UCCSketch)
        for sketch in (self, other):
            sketch._check_filled()
        return _drift(self, other)

    def _check_filled(self) -> None:
        if not self._state.error.bins.size:
            raise EmptyInputError("the sketch must have rows with weight, got none.")


@dataclass(frozen=True, eq=False, repr=False)
class SketchedUCC(Curve):
    """The curve of a sketch. It answers what a `UCC` answers, from the points that the sketch keeps.

    ``at(miss_rate=...)`` returns a point of the exact curve with at most that miss rate; its scale is
    at most 0.4 % larger than the smallest such scale.
    """

    sketch: UCCSketch
    vary = "scale"

    def __post_init__(self) -> None:
        self.sketch._check_filled()

    @cached_property
    def _data(self) -> ExactData:
        return BinnedData(self.sketch._state)  # type: ignore[return-value]

    @property
    def symmetric(self) -> bool:
        """Whether both bands of every row are alike."""
        return self._data.summary.symmetric

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.sketch.rows

    def _same_predictions(self, other: Curve) -> bool:
        """Compare what is left of the residuals."""
        return isinstance(other, SketchedUCC) and _same(self.sketch._state.error, other.sketch._state.error)

    def __repr__(self) -> str:
        return f"{self.sketch!r}.curve()"

    def ceiling(self, x: X = "bandwidth", y: Y = "miss_rate", *, one_sided: bool = False) -> float:
        """Return the largest full gain that bands around these predictions could have in hindsight."""
        self._check_axes(x, y)
        summary, totals = self._data.summary, self.sketch._state.totals
        if summary.error == 0:
            return math.nan
        root = totals.root / summary.weight / math.sqrt(summary.error)
        square = totals.square / summary.weight / summary.error**2
        exact = _weight_of(self.sketch._state.error, ZERO) / summary.weight
        return _limits.ceiling_of(root, square, exact, self.vary, x, y, one_sided=one_sided)

    @cached_property
    def reference(self) -> SketchedUCC:
        """The curve of the null reference: a constant band around the same predictions."""
        state, summary = self.sketch._state, self._data.summary
        if summary.constant and summary.narrowest > 0:
            return self
        width = summary.width or 1.0
        weight, error = state.error.sums
        table = BinTable(
            state.error.bins,
            state.error.largest / width,
            np.stack([weight, weight * width, error, error / width]),
        )
        totals = _state.Totals(
            **{
                **{name: getattr(state.totals, name) for name in _state.NAMES},
                "width": width * summary.weight,
                "moment": state.totals.square / width,
                "narrowest": width,
                "widest": width,
                "asymmetry": 0.0,
                "touching": math.nan,  # its bins do not end at a scale of 1
            }
        )
        empty = _state.nothing().switch
        return SketchedUCC(UCCSketch(State(table, empty, state.error, totals)))

    @cached_property
    def frontier(self) -> Frontier:
        """The limit line that no symmetric intervals around these predictions can pass, where bins end."""
        weight, error = self.sketch._state.error.sums
        total = self._data.summary.weight

        def left(column: np.ndarray) -> np.ndarray:
            return np.concatenate([np.cumsum(column[::-1])[::-1], [0.0]]) / total

        covered = np.concatenate([[0.0], np.cumsum(error)]) / total
        return Frontier(
            miss_rate=frozen(left(weight)), bandwidth=frozen(covered), deficit=frozen(left(error))
        )

    def error_bound(
        self, x: X = "bandwidth", y: Y = "miss_rate", *, partial: Partial = "strip", **range_: Unpack[Range]
    ) -> float:
        """Return how far `area` of the same arguments can be from that of the rows, in its unit.

        Parameters
        ----------
        x, y, partial, **range_
            As in `area`.
        """
        self._check_axes(x, y)
        axis = one_of("a range", range_, required=False)
        if axis is None and x == "bandwidth":
            return 0.0
        data = self._data
        part = span(data, axis, range_)
        k, xs, ys = data.parameter, getattr(data, x), getattr(data, y)
        # Within a bin the curve runs between two corners; where a range ends in it, all of it is in doubt.
        first = max(int(np.searchsorted(k, part.first)) - 1, 0)
        last = min(int(np.searchsorted(k, part.last)) + 1, k.size - 1)
        wide, high = np.diff(xs[first : last + 1]), -np.diff(ys[first : last + 1])
        within = float(wide @ high)
        if axis is None or not wide.size:
            return within
        if partial == "strip":
            return within + float(ys[first] * wide[0] + ys[max(last - 1, first)] * wide[-1])
        if part.miss_rates is not None and y == "miss_rate":
            return within / (part.miss_rates[1] - part.miss_rates[0])
        return float(xs[last] - xs[first])  # a mean of x over the part, wherever its ends are

    def _in_unit(self, factor: float) -> SketchedUCC:
        raise ArgumentError(
            f"y must be in a unit in which residuals are between 1e-120 and 1e120: a sketch cannot be "
            f"rescaled (by {factor:g})."
        )


def _same(mine: BinTable, theirs: BinTable) -> bool:
    return (
        np.array_equal(mine.bins, theirs.bins)
        and np.array_equal(mine.largest, theirs.largest)
        and bool(np.allclose(mine.sums, theirs.sums, rtol=_CLOSE, atol=0))
    )


def _weight_of(table: BinTable, bin_: int) -> float:
    return float(table.sums[0, table.bins == bin_].sum())


def _drift(a: UCCSketch, b: UCCSketch) -> Drift:
    tables = [sketch._state.scale for sketch in (a, b)]
    bins = np.union1d(tables[0].bins, tables[1].bins)
    shares = []
    for table in tables:
        weight = np.zeros(bins.size)
        weight[np.searchsorted(bins, table.bins)] = table.sums[0]
        shares.append(np.cumsum(weight) / weight.sum())
    gaps = shares[0] - shares[1]
    place = int(np.argmax(np.abs(gaps)))
    gap = float(gaps[place])
    n, m = (BinnedData(sketch._state).effective_rows for sketch in (a, b))
    largest = [table.largest[table.bins <= bins[place]].max(initial=0.0) for table in tables]
    p_value = min(1.0, math.exp(1 - 2 * gap**2 * n * m / (n + m)))
    return Drift(gap=gap, parameter=float(max(largest)), p_value=p_value)

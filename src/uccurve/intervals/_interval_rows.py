"""Checked rows: what `Intervals` holds, some of its rows, and views for the rest of the library."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import from_numpy, namespace, to_numpy
from uccurve._base.owned_arrays import read_only
from uccurve.exceptions import ArgumentError, ArgumentTypeError
from uccurve.intervals._checked_rows import summarize
from uccurve.intervals._chosen_rows import chosen_rows
from uccurve.intervals._labels import grouped
from uccurve.intervals._nested_pairs import NestedPairs, centered
from uccurve.intervals._row_arrays import RowArrays, Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping

    from uccurve._base.type_aliases import Array, ArrayLike, Side
    from uccurve.intervals._checked_rows import Summary


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class IntervalRows:
    """The columns of intervals with a summary, some of the rows, views in blocks, copies with changes."""

    rows: Rows
    """The checked columns, their summary, and views of them for formulas."""
    _kept: Array | None = None
    """The numbers of the rows that were kept; None if none were dropped."""
    _library: str | None = None
    """The frame library that the rows come from."""
    _nominal: float | None = None
    """The coverage that the intervals claim."""
    _detected: dict[str, Any] | None = None
    """The columns of a frame that were detected, by argument; None if none were."""

    def __post_init__(self) -> None:
        if not isinstance(self.rows, Rows):
            raise ArgumentTypeError(
                "Intervals are made by from_bounds, from_bands, from_std, from_quantiles, from_samples, "
                "from_distribution or from_frame, as in Intervals.from_bounds(y_true, lower, upper)"
            )
        # Sums are kept, so that rows must not change. Views leave the flags of other people's arrays alone.
        object.__setattr__(self, "rows", Rows(self.rows.columns.map(read_only), self.rows.summary))
        if self._kept is not None:
            object.__setattr__(self, "_kept", read_only(self._kept))

    def __len__(self) -> int:
        return self.n

    __iter__: ClassVar[None] = None
    """Rows are taken together, not one by one."""

    def __getitem__(self, rows: slice | ArrayLike) -> Self:
        """Take some of the rows.

        Parameters
        ----------
        rows : slice, array of bool of shape (n,), or array of int
            A slice, a mask, or row numbers, in any order; negative ones count from the end.

        Examples
        --------
        >>> import uccurve as uc
        >>> intervals = uc.Intervals.from_std([1, 2, 3], [0, 0, 4], [1, 1, 2])
        >>> len(intervals[:2]), intervals[intervals.y_pred > 0].y_true, intervals[[2, 0]].y_true
        (2, array([3.]), array([3., 1.]))
        """
        chosen = chosen_rows(rows, self.n)
        if isinstance(chosen, slice):
            return self._of(self.rows.columns.sliced(chosen), "the chosen rows")
        return self._of(self.rows.columns.take(from_numpy(chosen, self.y_true)), "the chosen rows")

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.y_true.shape[0])

    @property
    def n_outputs(self) -> int:
        """Number of output dimensions."""
        return 1 if self.y_true.ndim == 1 else int(self.y_true.shape[1])

    @property
    def bandwidth(self) -> float:
        """The mean half-width as supplied, weighted, over all outputs; of a limit, its mean distance."""
        return self.rows.summary.width

    @property
    def symmetric(self) -> bool:
        """Whether the two bands of each row differ by less than 1% of the mean band; true of a limit."""
        return self.rows.summary.symmetric

    @property
    def side(self) -> Side:
        """Where the intervals have a bound: "both" sides, or "upper" or "lower" for a one-sided limit."""
        return self.rows.columns.side

    @property
    def y_true(self) -> Array:
        """The observations, of shape (n,) or (n, outputs)."""
        return self.rows.columns.y_true

    @property
    def y_pred(self) -> Array:
        """The predictions, in the shape of the observations."""
        return self.rows.columns.y_pred

    @property
    def lower_band(self) -> Array:
        """Distance, 0 or more, from the prediction down to the lower bound; infinite without one."""
        return self._unlimited(math.inf) if self.side == "upper" else self.rows.columns.lower_band

    @property
    def upper_band(self) -> Array:
        """Distance, 0 or more, from the prediction up to the upper bound; infinite without one."""
        if self.side == "lower":
            return self._unlimited(math.inf)
        return self.rows.columns.lower_band if self.rows.one_band else self.rows.columns.upper_band

    @property
    def lower(self) -> Array:
        """The lower bounds, minus infinity where there is an upper limit only."""
        if self.side == "upper":
            return self._unlimited(-math.inf)
        return self.y_pred - self.lower_band if self.rows.columns.lower is None else self.rows.columns.lower

    @property
    def upper(self) -> Array:
        """The upper bounds, infinity where there is a lower limit only."""
        if self.side == "lower":
            return self._unlimited(math.inf)
        return self.y_pred + self.upper_band if self.rows.columns.upper is None else self.rows.columns.upper

    @property
    def kept(self) -> Any:
        """The numbers of the rows that ``invalid="drop"`` kept, or None where none were dropped."""
        return self._kept

    @property
    def residual(self) -> Array:
        """Observation minus prediction."""
        return self.y_true - self.y_pred

    @property
    def sample_weight(self) -> Any:
        """The weight of each row, an array of shape (n,), or None where none were given."""
        return self.rows.columns.weight

    @property
    def nominal(self) -> float | None:
        """The coverage that the intervals claim, between 0 and 1; None where they claim none."""
        return self._nominal

    @property
    def detected(self) -> dict[str, Any]:
        """The columns that ``from_frame`` detected, as its arguments; empty where all were named.

        ``Intervals.from_frame(frame, **intervals.detected)`` names the same columns.
        """
        return dict(self._detected or {})

    def _unlimited(self, value: float) -> Array:
        """Return bounds or bands on the side without a bound."""
        return namespace(self.y_true).full_like(self.y_true, value)

    def _centered(self) -> Self:
        """Return the same pairs of quantiles around their own center."""
        return self._of(centered(self.rows.columns))

    def _at_level(self, parameter: float, *, tails: bool = True) -> Self:
        """Return the intervals of another nominal coverage, given as a share of the largest one."""
        columns = centered(self.rows.columns)
        nested = columns.nested
        assert nested is not None  # noqa: S101 - otherwise it is refused
        lower, upper = nested.bands_at(namespace(self.y_true), parameter, tails=tails)
        values = {"y_true": columns.y_true, "y_pred": nested.center, "lower_band": lower, "upper_band": upper}
        return self._with_values(values, parameter * nested.levels[-1] if parameter <= 1 else None)

    def _as_one_pair(self, level: float) -> Self:
        """Say that the bounds are a pair of quantiles, with their center in the prediction."""
        pair = NestedPairs((level,), self.y_pred, (self.lower,), (self.upper,))
        return self._of(self.rows.columns._replace(nested=pair))

    def _changed(self, change: Callable[[Array], Array]) -> Self:
        """Change both bands by a function, and nothing else."""
        lower_band, upper_band = self.rows.columns.lower_band, self.rows.columns.upper_band
        with np.errstate(over="ignore"):
            return self._with_bands(change(lower_band), None if upper_band is None else change(upper_band))

    def _with_bands(
        self, lower_band: Array, upper_band: Array | None, *, nominal: float | None = None
    ) -> Self:
        """Give the rows other bands, which make another claim; without an upper one they are symmetric.

        A one-sided limit keeps its side, and takes its band as the lower one.
        """
        bands = {"lower_band": lower_band, "upper_band": upper_band}
        columns = {"y_true": self.rows.columns.y_true, "y_pred": self.rows.columns.y_pred, **bands}
        return self._with_values(columns, nominal)

    def _with_values(
        self, columns: Mapping[str, Array | None], nominal: float | None, nested: NestedPairs | None = None
    ) -> Self:
        """Give the rows other values."""
        rows = RowArrays(
            **columns, weight=self.rows.columns.weight, lower=None, upper=None, side=self.side, nested=nested
        )
        return type(self)(Rows(rows, _finite_summary(rows)), self._kept, self._library, nominal)

    def _rows_by_label(self, labels: ArrayLike, name: str = "labels") -> dict[Hashable, np.ndarray]:
        """Return the numbers of the rows of each label; labels of dropped rows are cut off."""
        kept = None if self._kept is None else to_numpy(self._kept)
        return grouped(labels, self.n, name, kept)

    def _segments(self, labels: ArrayLike) -> Iterator[tuple[Hashable, Self]]:
        """Yield each label, in sorted order, with its rows."""
        for label, rows in self._rows_by_label(labels).items():
            columns = self.rows.columns.take(from_numpy(rows, self.rows.columns.y_true))
            yield label, self._of(columns, f"the label {label!r}")

    def _of(self, columns: RowArrays, called: str = "these rows") -> Self:
        """Make intervals of some of these rows; only weights of 0 can be wrong."""
        weight = columns.weight
        if weight is not None and not bool(namespace(weight).any(weight > 0)):
            raise ArgumentError(argument="sample_weight", rule=f"be positive for some row of {called}")
        summary = _finite_summary(columns)
        return type(self)(Rows(columns, summary), None, self._library, self._nominal, self._detected)


def _finite_summary(rows: RowArrays) -> Summary:
    """Summarize rows that follow from checked ones; a factor may have made them infinite."""
    summary = summarize(rows)
    if summary is None:
        raise arguments.overflow()
    return summary

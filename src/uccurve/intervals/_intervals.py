"""Prediction intervals, checked once, in the form that every other part of the library works on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.arrays import namespace
from uccurve._kernels import rows as kernel
from uccurve.intervals._checked_rows import check_rows
from uccurve.intervals._draws import draw_columns
from uccurve.intervals._frame_columns import frame_columns
from uccurve.intervals._interval_rows import IntervalRows
from uccurve.intervals._quantiles import quantile_columns
from uccurve.intervals._standardized import standardized_columns

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, Invalid, Vary
    from uccurve.curve import UCC
    from uccurve.sketch import UCCSketch


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Intervals(IntervalRows):
    """Observations, predictions and the bands around the predictions.

    Made by one of the constructors ``from_bounds``, ``from_bands``, ``from_std``,
    ``from_quantiles``, ``from_samples`` or ``from_frame``, which check the rows once. Arrays keep
    their kind and are used in float64. They are never modified, and copied only where needed.

    Examples
    --------
    >>> import uccurve as uc
    >>> intervals = uc.Intervals.from_bounds([1, 2, 3], [0, 0, 2], [2, 3, 5], y_pred=[1, 1, 4])
    >>> intervals.upper_band
    array([1., 2., 1.])
    >>> intervals.critical()
    array([0. , 0.5, 0.5])
    >>> intervals.ucc().original.miss_rate
    0.0
    """

    @classmethod
    def from_bounds(
        cls,
        y_true: ArrayLike,
        lower: ArrayLike,
        upper: ArrayLike,
        *,
        y_pred: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        invalid: Invalid = "raise",
    ) -> Intervals:
        """Make intervals from their bounds.

        Parameters
        ----------
        y_true, lower, upper : array of shape (n,) or (n, outputs)
            Observations and bounds.
        y_pred : array, same shape, optional
            Predictions inside the bounds; they default to the midpoints.
        sample_weight : array of shape (n,), optional
            Weights, 0 or more.
        invalid : {"raise", "drop"}
            Rows with values that are NaN or infinite, crossed bounds, predictions outside their
            bounds or negative weights: raise an error, or drop them with a warning that counts them.
        """
        columns = {"y_true": y_true, "y_pred": y_pred, "lower": lower, "upper": upper}
        return cls(*check_rows(columns, sample_weight, invalid))

    @classmethod
    def from_bands(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        lower_band: ArrayLike,
        upper_band: ArrayLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        invalid: Invalid = "raise",
    ) -> Intervals:
        """Make intervals from distances to the prediction, 0 or more; one band makes them symmetric.

        A single number as a band is the same band for every row.
        """
        bands = {"lower_band": lower_band, "upper_band": upper_band}
        return cls(*check_rows({"y_true": y_true, "y_pred": y_pred, **bands}, sample_weight, invalid))

    @classmethod
    def from_std(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        std: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        invalid: Invalid = "raise",
    ) -> Intervals:
        """Make symmetric intervals of one standard deviation (not the variance) to either side."""
        return cls(*check_rows({"y_true": y_true, "y_pred": y_pred, "std": std}, sample_weight, invalid))

    @classmethod
    def from_quantiles(
        cls,
        y_true: ArrayLike,
        quantiles: ArrayLike,
        levels: Sequence[float],
        *,
        y_pred: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        invalid: Invalid = "raise",
    ) -> Intervals:
        """Make intervals from predicted quantiles: the outermost pair gives the bounds.

        Parameters
        ----------
        y_true : array of shape (n,) or (n, outputs)
            Observations.
        quantiles : array of shape (n, levels) or (n, outputs, levels)
            Predicted quantiles, the last axis in the order of ``levels``.
        levels : sequence of float
            Two or more different levels between 0 and 1, in any order.
        y_pred : array like ``y_true``, optional
            Predictions. They default to the quantile of level 0.5 if there is one, else to the midpoints.
        """
        columns, names = quantile_columns(y_true, quantiles, levels, y_pred)
        library = frames.library(y_true, quantiles)
        return cls(*check_rows(columns, sample_weight, invalid, names=names, library=library))

    @classmethod
    def from_samples(
        cls,
        y_true: ArrayLike,
        samples: ArrayLike,
        *,
        levels: tuple[float, float] | None = None,
        y_pred: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        invalid: Invalid = "raise",
    ) -> Intervals:
        """Make intervals from draws of the predictive distribution.

        Parameters
        ----------
        y_true : array of shape (n,) or (n, outputs)
            Observations.
        samples : array of shape (draws, n) or (draws, n, outputs)
            At least two draws of each prediction.
        levels : pair of float, optional
            Levels of the two sample quantiles (linearly interpolated) that become the bounds.
            Without it the band is the standard deviation of the draws (the root of their mean squared
            deviation, not corrected for their number), to either side.
        y_pred : array like ``y_true``, optional
            Predictions; the mean of the draws if not given.
        """
        columns, names = draw_columns(y_true, samples, levels, y_pred)
        library = frames.library(y_true, samples)
        return cls(*check_rows(columns, sample_weight, invalid, names=names, library=library))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str | Sequence[str],
        y_pred: str | Sequence[str] | None = None,
        lower: str | Sequence[str] | None = None,
        upper: str | Sequence[str] | None = None,
        std: str | Sequence[str] | None = None,
        sample_weight: str | None = None,
        invalid: Invalid = "raise",
    ) -> Intervals:
        """Make intervals from named columns of an eager frame (pandas, Polars, PyArrow, …).

        Give ``lower`` and ``upper``, with or without ``y_pred``, or ``y_pred`` and ``std``. A list
        of names makes one output of each column.
        """
        names = {"y_true": y_true, "y_pred": y_pred, "lower": lower, "upper": upper, "std": std}
        columns = frame_columns(frame, {**names, "sample_weight": sample_weight})
        weight = columns.pop("sample_weight")
        return cls(*check_rows(columns, weight, invalid, library=frames.library(frame)))

    def __repr__(self) -> str:
        shape = f"n={self.n}" + (f", outputs={self.n_outputs}" if self.n_outputs > 1 else "")
        kind = "symmetric" if self.symmetric else "asymmetric"
        weighted = ", weighted" if self.sample_weight is not None else ""
        return f"Intervals({shape}, bandwidth={self._summary.width:.4g}, {kind}{weighted})"

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.y_true.shape[0])

    @property
    def n_outputs(self) -> int:
        """Number of output dimensions."""
        return 1 if self.y_true.ndim == 1 else int(self.y_true.shape[1])

    @property
    def symmetric(self) -> bool:
        """Whether both bands of every row are alike, up to the rounding of bounds."""
        return self._summary.symmetric

    @property
    def y_true(self) -> Array:
        """The observations, of shape (n,) or (n, outputs)."""
        return self._columns.y_true

    @property
    def y_pred(self) -> Array:
        """The predictions, in the shape of the observations."""
        return self._columns.y_pred

    @property
    def lower_band(self) -> Array:
        """Distance, 0 or more, from the prediction down to the lower bound."""
        return self._columns.lower_band

    @property
    def upper_band(self) -> Array:
        """Distance, 0 or more, from the prediction up to the upper bound."""
        return self._columns.lower_band if self._one_band else self._columns.upper_band

    @property
    def lower(self) -> Array:
        """The lower bounds."""
        with np.errstate(over="ignore"):
            return self.y_pred - self.lower_band if self._columns.lower is None else self._columns.lower

    @property
    def upper(self) -> Array:
        """The upper bounds."""
        with np.errstate(over="ignore"):
            return self.y_pred + self.upper_band if self._columns.upper is None else self._columns.upper

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
        return self._columns.weight

    def constant(self) -> Intervals:
        """Return the constant band: one band for every row and both sides, as wide as these on average."""
        return self._with_bands(self._summary.width, None)

    def scaled(self, k: float) -> Intervals:
        """Multiply both bands by ``k``, 0 or more.

        A row right at its critical value may fall to either side of the new bound by rounding. The
        curve counts rows by rank, so that this cannot happen there.
        """
        k = arguments.number("k", k, low=0)
        return self._changed(lambda band: band * k)

    def shifted(self, s: float) -> Intervals:
        """Add ``s`` to both bands, cutting at zero."""
        s, xp = arguments.number("s", s), namespace(self.y_true)
        return self._changed(lambda band: xp.clip(band + s, min=0.0))

    def floored(self, band: float) -> Intervals:
        """Widen every band to at least ``band``: one way to deal with bands of zero."""
        floor, xp = arguments.number("band", band, low=0), namespace(self.y_true)
        return self._changed(lambda band: xp.clip(band, min=floor))

    def standardized(self) -> Intervals:
        """Use the standard deviation of the observations as the unit, each output its own.

        Observations then have (weighted) mean 0 and variance 1, so that bandwidths and areas
        compare across data sets. Gains, miss rates and scales of each output do not change.
        """
        return Intervals(*check_rows(standardized_columns(self._columns), self.sample_weight, "raise"))

    def outputs(self) -> tuple[Intervals, ...]:
        """Return the intervals of each output dimension on its own."""
        if self.y_true.ndim == 1:
            return (self,)
        return tuple(self._of(self._columns.output(number)) for number in range(self.n_outputs))

    def by(self, labels: ArrayLike) -> dict[Hashable, Intervals]:
        """Split the rows by label.

        Parameters
        ----------
        labels : array of shape (n,)
            One label per row: numbers, strings, dates, or any hashable values that can be sorted. Where
            invalid rows were dropped, the labels of all rows are accepted as well.

        Returns
        -------
        dict
            Intervals for each distinct label, in sorted order.
        """
        return dict(self._segments(labels))

    def critical(self, *, vary: Vary = "scale") -> Array:
        """Return the critical value of each row: the smallest parameter that captures it.

        Parameters
        ----------
        vary : {"scale", "shift"}
            Whether the parameter multiplies the bands or is added to them.

        Returns
        -------
        array, in the shape and order of ``y_true``
            Infinite where no parameter captures the row: under "scale", a zero band with a residual. A
            residual of 0 is captured from the start of the curve on: 0 under "scale", minus the widest band
            of all rows with weight under "shift". Rows without weight have critical values as well.

        Examples
        --------
        >>> import uccurve as uc
        >>> intervals = uc.Intervals.from_bands([3, 1, 2], [1, 1, 0], [1, 2, 0])
        >>> intervals.critical()
        array([ 2.,  0., inf])
        >>> intervals.critical(vary="shift")
        array([ 1., -2.,  2.])
        """
        from uccurve.curve.families import family_of  # noqa: PLC0415 - the folder below

        xp, family = namespace(self.y_true), family_of(vary)
        return family.critical(xp, kernel.make(xp, *self._columns[:5]), family.start(self._summary.widest))

    def ucc(self, *, vary: Vary = "scale") -> UCC:
        """Return the exact Uncertainty Characteristics Curve of these intervals."""
        from uccurve.curve import UCC  # noqa: PLC0415 - the folder below

        return UCC(self, vary=vary)

    def sketch(self) -> UCCSketch:
        """Return a summary that adds to those of other rows, for curves of any number of rows."""
        from uccurve.sketch import UCCSketch  # noqa: PLC0415 - the folder below

        return UCCSketch.of(self)

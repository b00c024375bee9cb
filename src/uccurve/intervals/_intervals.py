"""Prediction intervals, checked once, in the form that every other part of the library works on."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import Signature
from typing import TYPE_CHECKING, Any, ClassVar

from uccurve._base import frames
from uccurve._base.arrays import namespace
from uccurve._base.row_labels import refuse_other_labels
from uccurve.exceptions import ArgumentError
from uccurve.intervals._checked_rows import check_columns, check_rows
from uccurve.intervals._distribution_intervals import DistributionIntervals
from uccurve.intervals._draws import draw_columns
from uccurve.intervals._nominal_coverage import ONE_DEVIATION, checked_nominal
from uccurve.intervals._quantiles import quantile_columns
from uccurve.intervals.frames import columns_of_frame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, Crossed, Invalid, Vary
    from uccurve.curve import UCC
    from uccurve.sketch import UCCSketch


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Intervals(DistributionIntervals):
    """Observations, predictions and the bands around the predictions.

    Made by one of the constructors ``from_bounds``, ``from_bands``, ``from_std``, ``from_quantiles``,
    ``from_samples``, ``from_distribution`` or ``from_frame``, which check the rows once. `coverage` and
    `bandwidth` describe them as supplied: the share of observations inside, and the mean half-width (the mean
    distance of a one-sided limit), weighted and over all outputs.

    Values and weights must be 0 or between 1e-100 and 1e100 in size. Arrays keep their kind and are used in
    float64; where it has none, as JAX without x64, they become NumPy arrays.

    Intervals never modify arrays, and own their rows: arrays that could change later are copied, and those of
    NumPy are handed out read-only. A read-only array is not copied: ``y.flags.writeable = False`` saves the
    memory of a copy, if no other array that can be written to shares its data.

    Examples
    --------
    >>> import uccurve as uc
    >>> intervals = uc.Intervals.from_bounds([1, 2, 3], [0, 0, 2], [2, 3, 5], y_pred=[1, 1, 4])
    >>> intervals.coverage, intervals.bandwidth
    (1.0, 1.3333333333333333)
    >>> intervals.upper_band
    array([1., 2., 1.])
    >>> intervals.critical()
    array([0. , 0.5, 0.5])
    >>> intervals.ucc().original.miss_rate
    0.0
    """

    __signature__: ClassVar[Signature] = Signature()
    """What help and completion show: no field is an argument of users."""

    @classmethod
    def from_bounds(
        cls,
        y_true: ArrayLike,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        *,
        y_pred: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        nominal: float | None = None,
        invalid: Invalid = "raise",
    ) -> Intervals:
        """Make intervals from their bounds, or a one-sided limit from one bound.

        Parameters
        ----------
        y_true, lower, upper : array of shape (n,) or (n, outputs)
            Observations and bounds. Without a lower bound, ``upper`` is an upper limit, and the mirror. A
            bound that is infinite in every row is as good as none; in some rows it is an error.
        y_pred : array, same shape, optional
            Predictions inside the bounds; they default to the midpoints. A one-sided limit needs them.
        sample_weight : array of shape (n,), optional
            Weights, 0 or more.
        nominal : float, optional
            The coverage that the intervals claim, such as 0.9; 0.5 or more, as less looks like a miss rate.
        invalid : {"raise", "drop"}
            Rows with values that are NaN, infinite, tiny or huge, crossed bounds, predictions outside their
            bounds or negative weights: raise an error, or drop them with a warning that counts them.

        Examples
        --------
        >>> import uccurve as uc
        >>> uc.Intervals.from_bounds([9, 14], upper=[12, 13], y_pred=[10, 10])
        Intervals(n=2, bandwidth=2.5, upper limit)
        """
        columns = {"y_true": y_true, "y_pred": y_pred, "lower": lower, "upper": upper}
        return cls(*check_rows(columns, sample_weight, invalid, nominal=checked_nominal(nominal), own=True))

    @classmethod
    def from_bands(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        band: ArrayLike | None = None,
        upper_band: ArrayLike | None = None,
        *,
        lower_band: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        nominal: float | None = None,
        invalid: Invalid = "raise",
    ) -> Intervals:
        """Make intervals from distances to the prediction.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,) or (n, outputs)
            Observations and predictions.
        band : array, same shape, or float, optional
            Distances from the prediction to both bounds, 0 or more; with ``upper_band``, to the lower bound.
            A single number is the same band for every row.
        lower_band, upper_band : array, same shape, or float, optional
            Distances to the lower and to the upper bound. Only one of them, by keyword, makes a one-sided
            limit. An infinite band in every row stands for no bound on its side.
        sample_weight, nominal, invalid
            As in `from_bounds`.

        Examples
        --------
        >>> import uccurve as uc
        >>> uc.Intervals.from_bands([9, 14], [10, 10], [2, 3])
        Intervals(n=2, bandwidth=2.5, symmetric)
        >>> uc.Intervals.from_bands([9, 14], [10, 10], [2, 3], [4, 5])
        Intervals(n=2, bandwidth=3.5, asymmetric)
        >>> uc.Intervals.from_bands([9, 14], [10, 10], upper_band=[4, 5])
        Intervals(n=2, bandwidth=4.5, upper limit)
        """
        if band is not None and lower_band is not None:
            raise ArgumentError(
                argument="band",
                rule="not be passed beside `lower_band`: beside `upper_band` they are the same",
            )
        if band is None and lower_band is None and upper_band is None:
            raise ArgumentError(
                argument="band", rule="be passed, or `lower_band`, `upper_band` or both", got="none of them"
            )
        below = lower_band if band is None else band
        columns = {"y_true": y_true, "y_pred": y_pred, "lower_band": below, "upper_band": upper_band}
        return cls(
            *check_rows(
                columns,
                sample_weight,
                invalid,
                names={} if band is None else {"lower_band": "band"},
                nominal=checked_nominal(nominal),
                side="lower" if lower_band is not None and upper_band is None else None,
                own=True,
            )
        )

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
        """Make symmetric intervals of one standard deviation to either side; they claim 0.6827.

        A one-sided limit is a bound: ``from_bounds(y_true, upper=y_pred + 1.645 * std, y_pred=y_pred)``.

        Parameters
        ----------
        y_true, y_pred : array of shape (n,) or (n, outputs)
            Observations and predictions.
        std : array, same shape, or float
            Standard deviations (not variances), 0 or more.
        sample_weight, invalid
            As in `from_bounds`.
        """
        columns = {"y_true": y_true, "y_pred": y_pred, "std": std}
        return cls(*check_rows(columns, sample_weight, invalid, nominal=ONE_DEVIATION, own=True))

    @classmethod
    def from_quantiles(
        cls,
        y_true: ArrayLike,
        quantiles: ArrayLike,
        levels: Sequence[float],
        *,
        y_pred: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        crossed: Crossed = "raise",
        invalid: Invalid = "raise",
    ) -> Intervals:
        """Make intervals from predicted quantiles: the outermost pair gives the bounds and the claim.

        All pairs, such as 0.1 and 0.9, are kept for ``vary="level"``, with the median or, without it, the
        midpoints of the innermost pair as their center.

        Parameters
        ----------
        y_true : array of shape (n,) or (n, outputs)
            Observations.
        quantiles : array of shape (n, levels) or (n, outputs, levels)
            Predicted quantiles, the last axis in the order of ``levels``.
        levels : sequence of float
            Different levels between 0 and 1, in any order. If all are above 0.5 and ``y_pred`` is given, the
            highest is an upper limit, which claims its level; if all are below 0.5, the lowest a lower one.
        y_pred : array like ``y_true``, optional
            Predictions. They default to the quantile of level 0.5 if there is one, else to the midpoints.
            One level alone makes a one-sided limit, which needs them.
        crossed : {"raise", "sort"}
            Rows in which any two neighboring quantiles are not in order: treat them as ``invalid`` says, or
            sort the quantiles of each such row, with a warning that counts them.
        sample_weight, invalid
            As in `from_bounds`.
        """
        refuse_other_labels(
            {"y_true": y_true, "quantiles": quantiles, "y_pred": y_pred, "sample_weight": sample_weight}
        )
        columns = quantile_columns(y_true, quantiles, levels, y_pred, crossed)
        return cls(
            *check_columns(columns, sample_weight, invalid, frames.library(y_true, quantiles), own=True)
        )

    @classmethod
    def from_samples(
        cls,
        y_true: ArrayLike,
        samples: ArrayLike,
        *,
        axis: int | None = None,
        levels: Sequence[float] | None = None,
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
        axis : int, optional
            The axis of the draws, 0 by default; 1 for samples of shape (n, draws) or (n, draws, outputs). It
            must be given where the shape fits more than one, such as (n, n).
        levels : sequence of float, optional
            One level makes a one-sided limit: ``(0.95,)`` an upper one, ``(0.05,)`` a lower one. Of several,
            the outermost two become the bounds; all pairs are kept for ``vary="level"``, with the median as
            their center. The j-th of m draws has the level j / (m + 1): 90% intervals of 19 draws that come
            from the truth then cover 90%, those of the usual linear quantiles 82%. Levels below 1 / (m + 1)
            or above m / (m + 1) are left out, with a warning, or are an error if no bounds are left.
            Without levels the band is the standard deviation of the draws (the root of their mean squared
            deviation, not corrected for their number), to either side, which claims 0.6827.
        y_pred : array like ``y_true``, optional
            Predictions; the mean of the draws if not given.
        sample_weight, invalid
            As in `from_bounds`.
        """
        refuse_other_labels({"y_true": y_true, "y_pred": y_pred, "sample_weight": sample_weight})
        columns = draw_columns(y_true, samples, axis, levels, y_pred)
        return cls(*check_columns(columns, sample_weight, invalid, frames.library(y_true, samples), own=True))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str | Sequence[str] | None = None,
        y_pred: str | Sequence[str] | None = None,
        lower: str | Sequence[str] | None = None,
        upper: str | Sequence[str] | None = None,
        std: str | Sequence[str] | None = None,
        quantiles: Mapping[float, str | Sequence[str]] | None = None,
        model: str | None = None,
        sample_weight: str | None = None,
        nominal: float | None = None,
        crossed: Crossed = "raise",
        invalid: Invalid = "raise",
    ) -> Intervals:
        """Make intervals from columns of an eager frame: those that are named, or common names.

        Without ``y_true`` or without any bounds, columns are detected as by the command line: ``y``,
        ``yhat``, ``lower`` and the like, ``q05`` and ``q95``, ``Model-lo-90``. `detected` says what was
        found. Where names could mean several things, the error lists them.

        Parameters
        ----------
        frame : frame of pandas, Polars, PyArrow, …
            The table.
        y_true : str or sequence of str, optional
            Observations. Several names, here and below, make one output of each column.
        y_pred, lower, upper, std : str or sequence of str, optional
            ``lower`` and ``upper``, with or without ``y_pred``, or ``y_pred`` and one of the other three.
        quantiles : mapping of float to str or sequence of str, optional
            Columns by their level, in place of bounds, as in `from_quantiles`:
            ``{0.1: "A-lo-80", 0.25: "A-lo-50", 0.75: "A-hi-50", 0.9: "A-hi-80"}``.
        model : str, optional
            Which of several detected models, such as ``"A"`` for ``A-lo-90``.
        sample_weight : str, optional
            Weights, 0 or more.
        nominal : float, optional
            The coverage that the bounds claim, such as 0.9. A standard deviation claims 0.6827. Where
            detected names tell several, the widest to use.
        crossed : {"raise", "sort"}
            Crossed bounds: treat the row as ``invalid`` says, or swap the two, with a warning. Quantiles are
            sorted, as in `from_quantiles`.
        invalid : {"raise", "drop"}
            As in `from_bounds`.

        Examples
        --------
        >>> import polars as pl
        >>> import uccurve as uc
        >>> frame = pl.DataFrame({"y": [1.0, 2.0], "q05": [0.0, 1.5], "q50": [0.5, 2.0], "q95": [2.0, 3.0]})
        >>> uc.Intervals.from_frame(frame).detected
        {'y_true': 'y', 'quantiles': {0.05: 'q05', 0.5: 'q50', 0.95: 'q95'}}
        """
        names = {"y_true": y_true, "y_pred": y_pred, "lower": lower, "upper": upper, "std": std}
        names["sample_weight"] = sample_weight
        columns, detected = columns_of_frame(frame, names, quantiles, model, nominal, crossed)
        weight = columns.values.pop("sample_weight")
        checked = check_columns(columns, weight, invalid, frames.library(frame), own=True)
        return cls(*checked, _detected=detected)

    def __repr__(self) -> str:
        shape = f"n={self.n}" + (f", outputs={self.n_outputs}" if self.n_outputs > 1 else "")
        kind = "symmetric" if self.symmetric else "asymmetric"
        if self.side != "both":
            kind = f"{self.side} limit"
        weighted = ", weighted" if self.sample_weight is not None else ""
        nested = self.rows.columns.nested
        levels = f", levels={len(nested.levels)}" if nested is not None and len(nested.levels) > 1 else ""
        found = f", detected={self.detected}" if self.detected else ""
        return f"Intervals({shape}, bandwidth={self.rows.summary.width:.4g}, {kind}{levels}{weighted}{found})"

    @property
    def coverage(self) -> float:
        """The share of observations inside their bounds as supplied, weighted, over all outputs."""
        return self.ucc().original.coverage

    def critical(self, *, vary: Vary = "scale") -> Array:
        """Return the critical value of each row: the smallest parameter that captures it.

        Parameters
        ----------
        vary : {"scale", "shift", "level"}
            Whether the parameter multiplies the bands, is added to them, or is a share of the largest nominal
            coverage of nested quantiles.

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
        rows = self._centered() if family.nested else self
        columns = rows.rows.columns.as_kernel_rows(xp, nested=family.nested)
        return family.critical(xp, columns, family.start(rows.rows.summary.widest))

    def ucc(self, *, vary: Vary = "scale") -> UCC:
        """Return the exact Uncertainty Characteristics Curve of these intervals."""
        from uccurve.curve import UCC  # noqa: PLC0415 - the folder below

        return UCC(self, vary=vary)

    def sketch(self) -> UCCSketch:
        """Return a summary that adds to those of other rows, for curves of any number of rows."""
        from uccurve.sketch import UCCSketch  # noqa: PLC0415 - the folder below

        return UCCSketch.of(self)

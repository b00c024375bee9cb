"""Prediction intervals, checked once, in the form that every other part of the library works on."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from inspect import Signature
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.arrays import from_numpy, namespace, read_only, to_numpy, widened
from uccurve.exceptions import ArgumentError, ArgumentTypeError
from uccurve.intervals.checks import ONE_DEVIATION, NamedColumns, check_nominal, check_rows
from uccurve.intervals.frames import columns_of_frame
from uccurve.intervals.labels import choose_rows, group_rows
from uccurve.intervals.quantiles import NestedPairs, quantile_columns
from uccurve.intervals.rows import Rows
from uccurve.intervals.samples import distribution_columns, draw_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, Crossed, Invalid, Side, Vary
    from uccurve.curve import UCC
    from uccurve.intervals.rows import RowArrays
    from uccurve.sketch import UCCSketch


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Intervals:
    """Observations, predictions and the bands around the predictions.

    Made by one of the constructors ``from_bounds``, ``from_bands``, ``from_std``, ``from_quantiles``,
    ``from_samples``, ``from_distribution`` or ``from_frame``, which check the rows once. `coverage` and
    `bandwidth` describe them as supplied: the share of observations inside, and the mean half-width (the mean
    distance of a one-sided limit), weighted and over all outputs.

    Values and weights must be 0 or between 1e-100 and 1e100 in magnitude. Arrays keep their kind and are used
    in float64; kinds without it, such as JAX without x64, become NumPy arrays.

    Intervals never modify arrays, and own their rows: arrays that could change later are copied, and those of
    NumPy are handed out read-only. A read-only array is not copied: ``y.flags.writeable = False`` saves the
    memory of a copy, if no other array that can be written to shares its data.

    Attributes
    ----------
    rows : Rows
        The checked columns, blocks of them as formulas take them, and their summary.
    kept : array or None
        The numbers of the rows that ``invalid="drop"`` kept, or None where none were dropped.
    library : str or None
        The frame library that the rows come from, in which tables of results are made.
    nominal : float or None
        The coverage that the intervals claim, between 0 and 1; None where they claim none.
    detected : dict
        The columns that ``from_frame`` detected, as its arguments; empty where all were named.
        ``Intervals.from_frame(frame, **intervals.detected)`` names the same columns.

    See Also
    --------
    Models.from_frame : All models of a frame or a file.
    UCC : The curve.

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

    rows: Rows = None  # type: ignore[assignment]  # refused below, by a sentence
    kept: Any = None
    library: str | None = None
    nominal: float | None = None
    detected: dict[str, Any] = field(default_factory=dict)

    __signature__: ClassVar[Signature] = Signature()
    """What help and completion show: no field is an argument of users."""
    __iter__: ClassVar[None] = None
    """Rows are taken together, not one by one."""

    def __post_init__(self) -> None:
        if not isinstance(self.rows, Rows):
            raise ArgumentTypeError(
                "Intervals are made by from_bounds, from_bands, from_std, from_quantiles, from_samples, "
                "from_distribution or from_frame, as in Intervals.from_bounds(y_true, lower, upper)"
            )
        # Sums are kept, so that rows must not change. Views leave the flags of other people's arrays alone.
        columns = self.rows.columns.map(read_only)
        object.__setattr__(self, "rows", Rows(columns, self.rows.summary))

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
            Observations and bounds. Without a lower bound, ``upper`` is an upper limit, and vice versa. A
            bound that is infinite in every row counts as none; in some rows it is an error.
        y_pred : array, same shape, optional
            Predictions inside the bounds; they default to the midpoints. A one-sided limit needs them.
        sample_weight : array of shape (n,), optional
            Weights, 0 or more.
        nominal : float, optional
            The coverage that the intervals claim, such as 0.9; 0.5 or more, as less looks like a miss rate.
        invalid : {"raise", "drop"}
            Rows with values that are NaN, infinite, tiny or huge, crossed bounds, predictions outside their
            bounds or negative weights: raise an error, or drop them with a warning that counts them.

        Returns
        -------
        Intervals
            The rows, checked.

        Raises
        ------
        InvalidRowsError
            If rows are invalid: not finite, bounds crossed, prediction outside them, negative weights.
        ShapeError, EmptyInputError
            If shapes differ, there are no rows, or ``invalid="drop"`` leaves none.
        NotNumericError
            If an argument holds text, dates or booleans.
        ArgumentError
            If no bound is passed, or only one without ``y_pred``; or if ``nominal`` is not from 0.5 to below
            1.
        IndexMismatchError
            If columns of pandas name their rows differently.

        Examples
        --------
        >>> import uccurve as uc
        >>> uc.Intervals.from_bounds([9, 14], upper=[12, 13], y_pred=[10, 10])
        Intervals(n=2, bandwidth=2.5, upper limit)
        """
        values = {"y_true": y_true, "y_pred": y_pred, "lower": lower, "upper": upper}
        columns = NamedColumns(values, {}, check_nominal(nominal), {})
        return cls(*check_rows(columns, sample_weight, invalid))

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
            limit. A band that is infinite in every row means no bound on its side.
        sample_weight, nominal, invalid
            As in `from_bounds`.

        Returns
        -------
        Intervals
            The rows, checked.

        Raises
        ------
        InvalidRowsError
            If rows are invalid: not finite, negative bands or weights.
        ArgumentError
            If no band is passed, or ``band`` beside ``lower_band``; or if ``nominal`` is not from 0.5 to
            below 1.
        ShapeError, EmptyInputError, NotNumericError, IndexMismatchError
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
            rule = "not be passed beside `lower_band`: beside `upper_band` they are the same"
            raise ArgumentError(argument="band", rule=rule)
        below, names = (band, {"lower_band": "band"}) if lower_band is None else (lower_band, {})
        values = {"y_true": y_true, "y_pred": y_pred, "lower_band": below, "upper_band": upper_band}
        is_symmetric = band is not None and upper_band is None
        columns = NamedColumns(values, names, check_nominal(nominal), {})
        return cls(*check_rows(columns, sample_weight, invalid, side="both" if is_symmetric else None))

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

        Returns
        -------
        Intervals
            The rows, checked.

        Raises
        ------
        InvalidRowsError
            If rows are invalid: not finite, negative standard deviations or weights.
        ShapeError, EmptyInputError, NotNumericError, IndexMismatchError
            As in `from_bounds`.
        """
        columns = NamedColumns({"y_true": y_true, "y_pred": y_pred, "std": std}, {}, ONE_DEVIATION, {})
        return cls(*check_rows(columns, sample_weight, invalid))

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
            Different levels between 0 and 1, in any order. If all are above 0.5, the highest is an upper
            limit, which claims its level; if all are below 0.5, the lowest is a lower one.
        y_pred : array like ``y_true``, optional
            Predictions. They default to the quantile of level 0.5 if there is one, else to the midpoints.
            A one-sided limit needs them.
        crossed : {"raise", "sort"}
            Rows in which any two neighboring quantiles are not in order: treat them as ``invalid`` says, or
            sort the quantiles of each such row, with a warning that counts them.
        sample_weight, invalid
            As in `from_bounds`.

        Returns
        -------
        Intervals
            The rows, checked.

        Raises
        ------
        InvalidRowsError
            If rows are invalid: not finite, quantiles crossed, prediction outside the bounds, negative
            weights.
        ShapeError
            If ``quantiles`` do not have a column for each level, or shapes differ.
        ArgumentError
            If levels are not different numbers between 0 and 1, or all lie on one side of 0.5 without
            ``y_pred``.
        EmptyInputError, NotNumericError, IndexMismatchError
            As in `from_bounds`.
        """
        given = {"y_true": y_true, "quantiles": quantiles, "y_pred": y_pred, "sample_weight": sample_weight}
        frames.check_same_index(given)
        columns = quantile_columns(y_true, quantiles, levels, y_pred, crossed)
        return cls(*check_rows(columns, sample_weight, invalid, library=frames.library(y_true, quantiles)))

    @classmethod
    def from_samples(
        cls,
        y_true: ArrayLike,
        samples: ArrayLike,
        *,
        axis: int = 0,
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
        axis : int
            The axis of the draws: 1 for samples of shape (n, draws) or (n, draws, outputs).
        levels : sequence of float, optional
            One level makes a one-sided limit, ``(0.95,)`` an upper one, ``(0.05,)`` a lower one; so do
            several on one side of 0.5. Of others, the outermost two become the bounds; all pairs are kept for
            ``vary="level"``, with the median as their center. The j-th of m draws has the level j / (m + 1):
            90% intervals of 19 draws that come from the truth then cover 90%, those of the usual linear
            quantiles 82%. Levels below 1 / (m + 1) or above m / (m + 1) are left out, with a warning, or are
            an error if no bounds are left.
            Without levels the band is the standard deviation of the draws (the root of their mean squared
            deviation, not corrected for their number), to either side, which claims 0.6827.
        y_pred : array like ``y_true``, optional
            Predictions; the mean of the draws if not given.
        sample_weight, invalid
            As in `from_bounds`.

        Returns
        -------
        Intervals
            The rows, checked.

        Raises
        ------
        ShapeError
            If ``samples`` do not fit ``y_true``, or hold fewer than two draws.
        InvalidRowsError
            If rows are invalid: not finite, prediction outside the bounds, negative weights.
        ArgumentError
            If the draws are too few for bounds at the ``levels``, or these are not different numbers between
            0 and 1.
        EmptyInputError, NotNumericError, IndexMismatchError
            As in `from_bounds`.
        """
        by_row = {} if arguments.whole("axis", axis, -3, 2) in (0, -2) else {"samples": samples}
        given = {"y_true": y_true, **by_row, "y_pred": y_pred, "sample_weight": sample_weight}
        frames.check_same_index(given)
        columns = draw_columns(y_true, samples, axis, levels, y_pred)
        return cls(*check_rows(columns, sample_weight, invalid, library=frames.library(y_true, samples)))

    @classmethod
    def from_distribution(
        cls,
        y_true: ArrayLike,
        distribution: Any,
        *,
        levels: Sequence[float] | None = None,
        y_pred: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        invalid: Invalid = "raise",
    ) -> Intervals:
        """Make intervals from predictive distributions, read at a few levels.

        Parameters
        ----------
        y_true : array of shape (n,) or (n, outputs)
            Observations.
        distribution : object with a method ``ppf`` or ``icdf``
            The distributions of all rows: frozen ones of SciPy with arrays as parameters, ``pred_dist`` of
            NGBoost, distributions of skpro, of ``torch.distributions`` or of NumPyro. The method takes a
            level, and returns the quantile of each row in the shape of ``y_true``.
        levels : sequence of float, optional
            As in `from_quantiles`. By default those of intervals that claim 10, 20, …, 80, 85, 90, 93, 95,
            97, 98 and 99%, which lie closer together where quantiles bend, and the median.
        y_pred : array like ``y_true``, optional
            Predictions; the median if not given.
        sample_weight, invalid
            As in `from_bounds`.

        Returns
        -------
        Intervals
            The rows, checked.

        Raises
        ------
        ArgumentTypeError
            If ``distribution`` has neither ``ppf`` nor ``icdf``.
        ArgumentError
            If its method fails, or levels are not different numbers between 0 and 1.
        ShapeError
            If its quantiles do not have the shape of ``y_true``.
        InvalidRowsError
            If rows are invalid: observations or quantiles not finite, prediction outside the bounds, negative
            weights.
        EmptyInputError, NotNumericError, IndexMismatchError
            As in `from_bounds`.

        Notes
        -----
        Bounds at the levels are exact; under ``vary="level"`` they are interpolated in between, and scaled
        beyond the outermost. At the default levels, held against 199 levels of skewed distributions, areas
        were at most 0.6% too large, bandwidths at a coverage 1%, and bandwidths at a nominal coverage 2%
        (3.5% for a log-normal with σ = 1.5). For symmetric distributions that differ by center and spread
        only, areas and bandwidths at a coverage do not depend on the levels.

        Examples
        --------
        >>> from scipy.stats import gamma
        >>> import uccurve as uc
        >>> intervals = uc.Intervals.from_distribution([3.0, 1.0, 9.0], gamma([2.0, 1.0, 4.0], scale=2))
        >>> round(intervals.ucc(vary="level").at(nominal=0.8).bandwidth, 3)
        3.497
        """
        frames.check_same_index({"y_true": y_true, "y_pred": y_pred, "sample_weight": sample_weight})
        columns = distribution_columns(y_true, distribution, levels, y_pred)
        return cls(*check_rows(columns, sample_weight, invalid, library=frames.library(y_true)))

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

        Returns
        -------
        Intervals
            The rows, checked.

        Raises
        ------
        MissingColumnError
            If a named column is absent, or the columns' names do not tell which to use.
        InvalidRowsError
            If rows are invalid: not finite, bounds or quantiles crossed, prediction outside them, negative
            weights.
        NotNumericError, EmptyInputError
            If a column holds no numbers, or there are no rows.
        ArgumentError
            If arguments exclude each other, such as ``quantiles`` beside ``std``, or have values outside
            their rules.
        ArgumentTypeError
            If ``frame`` is not an eager frame.

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
        checked = check_rows(columns, weight, invalid, library=frames.library(frame))
        return cls(*checked, detected or {})

    def __repr__(self) -> str:
        outputs = f", outputs={self.n_outputs}" if self.n_outputs > 1 else ""
        kind = "symmetric" if self.symmetric else "asymmetric"
        kind = kind if self.side == "both" else f"{self.side} limit"
        nested = self.rows.columns.nested
        levels = f", levels={len(nested.levels)}" if nested is not None and len(nested.levels) > 1 else ""
        weighted = ", weighted" if self.sample_weight is not None else ""
        found = f", detected={self.detected}" if self.detected else ""
        return (
            f"Intervals(n={self.n}{outputs}, bandwidth={self.bandwidth:.4g}, {kind}{levels}{weighted}{found})"
        )

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, rows: slice | ArrayLike) -> Intervals:
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
        chosen = choose_rows(rows, self.n)
        if not isinstance(chosen, slice):
            chosen = from_numpy(chosen, self.y_true)
        return self.with_rows(self.rows.columns.select(chosen), "the chosen rows")

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
    def coverage(self) -> float:
        """The share of observations inside their bounds as supplied, weighted, over all outputs."""
        return self.ucc().original.coverage

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
    def residual(self) -> Array:
        """Observation minus prediction."""
        return self.y_true - self.y_pred

    @property
    def sample_weight(self) -> Any:
        """The weight of each row, an array of shape (n,), or None where none were given."""
        return self.rows.columns.weight

    @property
    def lower_band(self) -> Array:
        """Distance, 0 or more, from the prediction down to the lower bound; infinite without one."""
        return self._filled(math.inf) if self.side == "upper" else self.rows.columns.lower_band

    @property
    def upper_band(self) -> Array:
        """Distance, 0 or more, from the prediction up to the upper bound; infinite without one."""
        return self._filled(math.inf) if self.side == "lower" else self.rows.columns.bands[-1]

    @property
    def lower(self) -> Array:
        """The lower bounds, minus infinity where there is an upper limit only."""
        if self.side == "upper":
            return self._filled(-math.inf)
        return self.y_pred - self.lower_band if self.rows.columns.lower is None else self.rows.columns.lower

    @property
    def upper(self) -> Array:
        """The upper bounds, infinity where there is a lower limit only."""
        if self.side == "lower":
            return self._filled(math.inf)
        return self.y_pred + self.upper_band if self.rows.columns.upper is None else self.rows.columns.upper

    def _filled(self, value: float) -> Array:
        """Return bounds or bands on the side without a bound."""
        return namespace(self.y_true).full_like(self.y_true, value)

    def constant(self, *, sides: bool = False) -> Intervals:
        """Return intervals of constant width: the same in every row, as wide as these are on average.

        Each output has its own constant.

        Parameters
        ----------
        sides : bool
            Whether each side has its own constant, the mean lower and the mean upper band; by default both
            sides have the same. A one-sided limit has one side.

        Returns
        -------
        Intervals
            The same rows, all equally wide.
        """
        xp, y_true, summary = namespace(self.y_true), self.y_true, self.rows.summary

        def over_rows(bands: Sequence[float]) -> Array:
            row = xp.asarray(bands, dtype=y_true.dtype, device=y_true.device)
            return xp.zeros_like(y_true) + (row if y_true.ndim > 1 else row[0])

        if not sides or self.side != "both":
            return self.with_bands(over_rows(summary.widths))
        lower, upper = zip(*summary.band_means, strict=True)
        return self.with_bands(over_rows(lower), over_rows(upper))

    def scaled(self, k: float) -> Intervals:
        """Multiply both bands by ``k``, 0 or more.

        A row right at its critical value may fall to either side of the new bound by rounding. The
        curve counts rows by rank, so that this cannot happen there.

        Parameters
        ----------
        k : float
            The factor, 0 or more.

        Returns
        -------
        Intervals
            The same rows with other bands.

        Raises
        ------
        ArgumentError
            If ``k`` is negative or not finite.
        MagnitudeError
            If the bands become too large for float64.
        """
        k = arguments.number("k", k, low=0)
        return self._changed(lambda band: band * k)

    def shifted(self, s: float) -> Intervals:
        """Add ``s`` to both bands, cutting at zero.

        Parameters
        ----------
        s : float
            The amount, in units of y.

        Returns
        -------
        Intervals
            The same rows with other bands.

        Raises
        ------
        ArgumentError
            If ``s`` is not finite.
        MagnitudeError
            If the bands become too large for float64.
        """
        s, xp = arguments.number("s", s), namespace(self.y_true)
        return self._changed(lambda band: xp.clip(band + s, min=0.0))

    def floored(self, band: float) -> Intervals:
        """Widen every band to at least ``band``: one way to deal with bands of zero.

        Parameters
        ----------
        band : float
            The least band, in units of y.

        Returns
        -------
        Intervals
            The same rows with wider bands.

        Raises
        ------
        ArgumentError
            If ``band`` is negative or not finite.
        MagnitudeError
            If the bands become too large for float64.
        """
        floor, xp = arguments.number("band", band, low=0), namespace(self.y_true)
        return self._changed(lambda band: xp.clip(band, min=floor))

    def _changed(self, change: Callable[[Array], Array]) -> Intervals:
        """Change both bands by a function, and nothing else."""
        with np.errstate(over="ignore"):
            return self.with_bands(*map(change, self.rows.columns.bands))

    def standardized(self) -> Intervals:
        """Use the standard deviation of the observations as the unit, each output its own.

        Observations then have (weighted) mean 0 and variance 1, so that bandwidths and areas
        compare across data sets. Gains, miss rates and scales of each output do not change.

        Returns
        -------
        Intervals
            The same rows in standard deviations.

        Raises
        ------
        ArgumentError
            If all observations of an output are equal.
        """
        columns = self.rows.columns.map(widened)
        xp, y_true, weight = namespace(columns.y_true), columns.y_true, columns.weight
        if weight is None:
            weight = xp.ones((self.n,), dtype=y_true.dtype, device=y_true.device)
        counted = xp.take(y_true, xp.nonzero(weight > 0)[0], axis=0)
        if not bool(xp.all(xp.max(counted, axis=0) > xp.min(counted, axis=0))):
            raise ArgumentError(
                argument="y_true", rule="not be constant", hint="It has no standard deviation."
            )
        share = xp.reshape(weight / xp.sum(weight), (-1, *[1] * (y_true.ndim - 1)))
        center = xp.sum(share * y_true, axis=0)
        unit = xp.sqrt(xp.sum(share * (y_true - center) ** 2, axis=0))
        moved = columns._replace(
            y_true=(y_true - center) / unit,
            y_pred=(columns.y_pred - center) / unit,
            lower_band=columns.lower_band / unit,
            upper_band=None if columns.upper_band is None else columns.upper_band / unit,
            lower=None,
            upper=None,
            nested=columns.nested and columns.nested.map(lambda column: (column - center) / unit),
        )
        return replace(self, rows=Rows.of(moved))

    def outputs(self) -> tuple[Intervals, ...]:
        """Return the intervals of each output dimension on its own.

        Returns
        -------
        tuple of Intervals
            One for each output.
        """
        if self.y_true.ndim == 1:
            return (self,)
        return tuple(self.with_rows(self.rows.columns.output(number)) for number in range(self.n_outputs))

    def by(self, labels: ArrayLike) -> dict[Hashable, Intervals]:
        """Split the rows by label.

        Parameters
        ----------
        labels : array of shape (n,)
            One label per row: numbers, strings, dates, or any hashable values that can be sorted. Where
            invalid rows were dropped, the labels of all rows are accepted as well. Here, as with ``by`` and
            ``blocks`` elsewhere, rows are matched by position: intervals keep no index of pandas.

        Returns
        -------
        dict
            Intervals for each distinct label, in sorted order.

        Raises
        ------
        ShapeError
            If there is not one label per row.
        ArgumentError
            If labels are missing, cannot be sorted, or have no row with weight.
        """
        columns = self.rows.columns
        return {
            label: self.with_rows(columns.select(from_numpy(rows, columns.y_true)), f"the label {label!r}")
            for label, rows in self.rows_by_label(labels).items()
        }

    def rows_by_label(self, labels: ArrayLike, name: str = "labels") -> dict[Hashable, np.ndarray]:
        """Return the numbers of the rows of each label, in sorted order; ``name`` is used in errors.

        Labels of dropped rows are cut off.

        Parameters
        ----------
        labels : array of shape (n,)
            One label per row.
        name : str
            What errors call the labels.

        Returns
        -------
        dict
            Numbers of rows by label, in sorted order.

        Raises
        ------
        ShapeError
            If there is not one label per row.
        ArgumentError
            If labels are missing, or cannot be sorted.
        """
        kept = None if self.kept is None else to_numpy(self.kept)
        return group_rows(labels, self.n, name, kept)

    def centered(self) -> Intervals:
        """Return the outermost pair of quantiles as bounds around the center of all pairs.

        Returns
        -------
        Intervals
            The outermost pair.

        Raises
        ------
        ArgumentError
            If there are no pairs of quantiles.
        """
        nested = self._pairs()
        lower, upper = nested.lower[-1], nested.upper[-1]
        columns = self.rows.columns._replace(
            y_pred=nested.center,
            lower_band=nested.center - lower,
            upper_band=upper - nested.center,
            lower=lower,
            upper=upper,
            nested=nested._replace(unpaired=()),  # named once
        )
        return self.with_rows(columns)

    def _pairs(self) -> NestedPairs:
        """Return all pairs of quantiles, and warn of levels without a partner."""
        nested = self.rows.columns.nested
        if nested is None:
            hint = "Make them by from_quantiles, from_samples with `levels`, from_distribution or from_frame."
            raise ArgumentError(
                'vary="level" needs intervals with pairs of quantiles, such as 0.05 and 0.95', hint=hint
            )
        nested.warn_unpaired()
        return nested

    def at_level(self, parameter: float, *, tails: bool = True) -> Intervals:
        """Return the intervals of another nominal coverage, given as a share of the largest one.

        Beyond the largest one, ``tails`` multiplies the outermost pair; otherwise it stays.

        Parameters
        ----------
        parameter : float
            The nominal coverage divided by the largest one.
        tails : bool
            Multiply the outermost pair beyond the largest one; otherwise it stays.

        Returns
        -------
        Intervals
            Around the center of all pairs.

        Raises
        ------
        ArgumentError
            If there are no pairs of quantiles, or ``parameter`` is negative or not finite.
        """
        nested, parameter = self._pairs(), arguments.number("parameter", parameter, 0)
        bands = nested.bands_at(namespace(self.y_true), parameter, tails=tails)
        claim = parameter * nested.levels[-1] if parameter <= 1 else None
        return self.with_bands(*bands, y_pred=nested.center, nominal=claim)

    def as_one_pair(self, nominal: float) -> Intervals:
        """Say that the bounds are a pair of quantiles that claims a coverage, around the predictions.

        Parameters
        ----------
        nominal : float
            The coverage that the pair claims.

        Returns
        -------
        Intervals
            The same bounds, for ``vary="level"``.

        Raises
        ------
        ArgumentError
            If ``nominal`` is not from 0 to 1.
        """
        nominal = arguments.number("nominal", nominal, 0, 1)
        pair = NestedPairs((nominal,), self.y_pred, (self.lower,), (self.upper,))
        return self.with_rows(self.rows.columns._replace(nested=pair))

    def with_bands(
        self,
        lower_band: Array,
        upper_band: Array | None = None,
        *,
        y_pred: Array | None = None,
        nominal: float | None = None,
    ) -> Intervals:
        """Give the same rows other bands, which make another claim; without an upper one they are symmetric.

        A one-sided limit keeps its side, and takes its band as the lower one. Nothing is checked again.

        Parameters
        ----------
        lower_band, upper_band : array in the shape of the observations
            The bands.
        y_pred : array in the shape of the observations, optional
            Other predictions, which the bands are around.
        nominal : float, optional
            The coverage that the new bands claim.

        Returns
        -------
        Intervals
            The same observations.

        Raises
        ------
        MagnitudeError
            If the sum of the bands is not finite.
        """
        columns = self.rows.columns._replace(
            y_pred=self.y_pred if y_pred is None else y_pred,
            lower_band=lower_band,
            upper_band=upper_band,
            lower=None,
            upper=None,
            nested=None,
        )
        return Intervals(Rows.of(columns), self.kept, self.library, nominal)

    def with_rows(self, columns: RowArrays, called: str = "these rows") -> Intervals:
        """Make intervals with the same claim of other rows that follow from these; only weights can be wrong.

        ``called`` is what an error calls the rows.

        Parameters
        ----------
        columns : RowArrays
            The other rows.
        called : str
            What errors call them.

        Returns
        -------
        Intervals
            Intervals of those rows.

        Raises
        ------
        ArgumentError
            If no row has weight.
        """
        weight = columns.weight
        if weight is not None and not bool(namespace(weight).any(weight > 0)):
            raise ArgumentError(argument="sample_weight", rule=f"be positive for some row of {called}")
        return replace(self, rows=Rows.of(columns), kept=None)

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

        Raises
        ------
        ArgumentError
            If ``vary`` is unknown, or is "level" where there are no pairs of quantiles.

        Examples
        --------
        >>> import uccurve as uc
        >>> intervals = uc.Intervals.from_bands([3, 1, 2], [1, 1, 0], [1, 2, 0])
        >>> intervals.critical()
        array([ 2.,  0., inf])
        >>> intervals.critical(vary="shift")
        array([ 1., -2.,  2.])
        """
        from uccurve.curve import family_of  # noqa: PLC0415 - the folder below

        xp, family = namespace(self.y_true), family_of(vary)
        rows = self.centered() if family.nested else self
        columns = rows.rows.columns.as_kernel_rows(nested=family.nested)
        return family.critical(xp, columns, family.start(rows.rows.summary.widest))

    def ucc(self, *, vary: Vary = "scale") -> UCC:
        """Return the exact Uncertainty Characteristics Curve of these intervals.

        Parameters
        ----------
        vary : {"scale", "shift", "level"}
            What moves all intervals: a factor, an amount, or the nominal coverage.

        Returns
        -------
        UCC
            The curve.

        Raises
        ------
        ArgumentError
            If ``vary`` is unknown, or is "level" where there are no pairs of quantiles.
        """
        from uccurve.curve import UCC  # noqa: PLC0415 - the folder below

        return UCC(self, vary=vary)

    def sketch(self) -> UCCSketch:
        """Return a summary that adds to those of other rows, for curves of any number of rows.

        Returns
        -------
        UCCSketch
            The sums of these rows.
        """
        from uccurve.sketch import UCCSketch  # noqa: PLC0415 - the folder below

        return UCCSketch.of(self)

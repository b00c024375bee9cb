"""Prediction intervals, checked once, in the form every other part of the library works on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments, frames
from uccurve._base.arrays import as_arrays, from_numpy, namespace, to_numpy
from uccurve._kernels import rows as kernel
from uccurve.exceptions import ArgumentError, ShapeError
from uccurve.intervals import _checked_rows
from uccurve.intervals._labels import grouped
from uccurve.intervals._quantiles import quantile_pair, ranked_levels

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, Invalid, Vary
    from uccurve._kernels.rows import Rows
    from uccurve.curve import UCC
    from uccurve.intervals._checked_rows import RowArrays, Summary
    from uccurve.sketch import UCCSketch


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Intervals:
    """Observations, predictions and the bands around the predictions.

    Made by one of the constructors ``from_bounds``, ``from_bands``, ``from_std``,
    ``from_quantiles``, ``from_samples`` or ``from_frame``, which check the rows once. Arrays keep
    their kind and are used in float64; nothing is modified, and copied only where needed.

    Examples
    --------
    >>> import uccurve as uc
    >>> intervals = uc.Intervals.from_bounds([1, 2, 3], [1, 1, 4], lower=[0, 0, 2], upper=[2, 3, 5])
    >>> intervals.upper_band
    array([1., 2., 1.])
    >>> intervals.ucc().original.miss_rate
    0.0
    """

    _columns: RowArrays
    _summary: Summary
    _kept: Array | None = None
    _library: str | None = None

    # -- constructors -----------------------------------------------------------------------

    @classmethod
    def from_bounds(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike | None,
        lower: ArrayLike,
        upper: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        invalid: Invalid = "raise",
    ) -> Intervals:
        """Make intervals from their bounds.

        Parameters
        ----------
        y_true, lower, upper : array of shape (n,) or (n, outputs)
            Observations and bounds.
        y_pred : array, same shape, or None
            Predictions inside the bounds; None takes the midpoints.
        sample_weight : array of shape (n,), optional
            Weights, 0 or more.
        invalid : {"raise", "drop"}
            Rows with values that are NaN or infinite, crossed bounds, predictions outside their
            bounds or negative weights: raise an error, or drop them with a warning that counts them.
        """
        arrays = arguments.load(
            optional=("y_pred",),
            y_true=y_true,
            y_pred=y_pred,
            lower=lower,
            upper=upper,
            sample_weight=sample_weight,
        )
        return cls(*_checked_rows.from_bounds(arrays, invalid), frames.library(y_true, y_pred, lower, upper))

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
        arrays = arguments.load(
            scalars=("lower_band", "upper_band"),
            optional=("upper_band",),
            y_true=y_true,
            y_pred=y_pred,
            lower_band=lower_band,
            upper_band=upper_band,
            sample_weight=sample_weight,
        )
        return cls(*_checked_rows.from_bands(arrays, invalid), frames.library(y_true, y_pred, lower_band))

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
        arrays = arguments.load(
            scalars=("std",), y_true=y_true, y_pred=y_pred, std=std, sample_weight=sample_weight
        )
        return cls(
            *_checked_rows.from_bands(arrays, invalid, lower="std"), frames.library(y_true, y_pred, std)
        )

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
            Predictions. Without them: the quantile of level 0.5 if there is one, else the midpoints.
        """
        ranked = ranked_levels(levels)
        values = as_arrays(y_true=y_true, quantiles=quantiles, y_pred=y_pred)
        table = values["quantiles"]
        if table is None or table.ndim not in (2, 3) or table.shape[-1] != len(ranked):
            shape = None if table is None else tuple(table.shape)
            wanted = f"(n, {len(ranked)}) or (n, outputs, {len(ranked)})"
            raise ShapeError(f"`quantiles` must have the shape {wanted}, one column a level, got {shape}.")
        (low, first), (high, last) = ranked[0], ranked[-1]
        prediction, name = values["y_pred"], "y_pred"
        if prediction is None and 0.5 in dict(ranked):  # noqa: PLR2004
            prediction, name = table[..., dict(ranked)[0.5]], "quantile 0.5"
        lower, upper = f"quantile {low!r}", f"quantile {high!r}"
        named = {
            "y_true": values["y_true"],
            name: prediction,
            lower: table[..., first],
            upper: table[..., last],
            "sample_weight": sample_weight,
        }
        checked = _checked_rows.from_bounds(
            arguments.load(optional=(name,), **named), invalid, name=name, lower=lower, upper=upper
        )
        return cls(*checked, frames.library(y_true, quantiles))

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
            Without it the band is the standard deviation of the draws (their mean square, not
            corrected for their number), to either side.
        y_pred : array like ``y_true``, optional
            Predictions; the mean of the draws if not given.
        """
        values: dict[str, Any] = as_arrays(y_true=y_true, samples=samples, y_pred=y_pred)
        draws = values["samples"]
        if draws is None or draws.ndim not in (2, 3) or draws.shape[0] < 2:  # noqa: PLR2004
            shape = None if draws is None else tuple(draws.shape)
            wanted = "(draws, n) or (draws, n, outputs)"
            raise ShapeError(f"`samples` must have the shape {wanted} with 2 draws or more, got {shape}.")
        if tuple(draws.shape[1:]) != tuple(values["y_true"].shape):
            wanted = ", ".join(["draws", *map(str, values["y_true"].shape)])
            raise ShapeError(
                f"`samples` must have the shape ({wanted}), as `y_true` implies, got {tuple(draws.shape)}."
            )
        xp = namespace(draws)
        prediction, name = values["y_pred"], "y_pred"
        with np.errstate(over="ignore", invalid="ignore"):
            low, high = xp.min(draws, axis=0), xp.max(draws, axis=0)
            if prediction is None:  # held between the extremes, which rounding may leave
                prediction, name = xp.clip(xp.mean(draws, axis=0), low, high), "mean of samples"
            if levels is None:
                std = xp.std(draws, axis=0)
                bands = {"std of samples": xp.where(low == high, xp.zeros_like(std), std)}
            else:
                bands = quantile_pair(xp, draws, levels)
        named = {"y_true": values["y_true"], name: prediction, **bands, "sample_weight": sample_weight}
        lower, *upper = bands
        if upper:
            checked = _checked_rows.from_bounds(
                arguments.load(**named), invalid, name=name, lower=lower, upper=upper[0]
            )
        else:
            checked = _checked_rows.from_bands(arguments.load(**named), invalid, name=name, lower=lower)
        return cls(*checked, frames.library(y_true, samples))

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
        given = {"lower": lower, "upper": upper, "std": std}
        names = tuple(name for name, column in given.items() if column is not None)
        if names not in {("lower", "upper"), ("std",)} or (std is not None and y_pred is None):
            got = ", ".join(f"`{name}`" for name in names) or "none of them"
            raise ArgumentError(f"give `lower` and `upper`, or `y_pred` and `std`; got {got}.")
        columns = {"y_true": y_true, "y_pred": y_pred, **given, "sample_weight": sample_weight}
        read = frames.columns(frame, columns)
        if std is None:
            del read["std"]
            checked = _checked_rows.from_bounds(arguments.load(optional=("y_pred",), **read), invalid)
        else:
            del read["lower"], read["upper"]
            checked = _checked_rows.from_bands(arguments.load(**read), invalid, lower="std")
        return cls(*checked, frames.library(frame))

    # -- what is inside ---------------------------------------------------------------------

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
    def _one_band(self) -> bool:
        """Whether one array holds both bands."""
        return self._columns.upper_band is None

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

    # -- other intervals around the same predictions ------------------------------------------

    def constant(self) -> Intervals:
        """Return the null reference: one band for every row and both sides, as wide as these on average."""
        return self._with_bands(self._summary.width, None)

    def scaled(self, k: float) -> Intervals:
        """Multiply both bands by ``k``, 0 or more.

        A row right at its critical value may fall to either side of the new bound by rounding; the
        curve counts such rows by rank and does not.
        """
        k = arguments.number("k", k, low=0)
        with np.errstate(over="ignore"):
            lower, upper = (band * k for band in (self.lower_band, self.upper_band))
        return self._with_bands(lower, None if self._one_band else upper)

    def shifted(self, s: float) -> Intervals:
        """Add ``s`` to both bands, cutting at zero."""
        s = arguments.number("s", s)
        xp = namespace(self.y_true)
        with np.errstate(over="ignore"):
            lower, upper = (xp.clip(band + s, min=0.0) for band in (self.lower_band, self.upper_band))
        return self._with_bands(lower, None if self._one_band else upper)

    def floored(self, band: float) -> Intervals:
        """Widen every band to at least ``band``: one way to deal with bands of zero."""
        band = arguments.number("band", band, low=0)
        xp = namespace(self.y_true)
        lower, upper = (xp.clip(z, min=band) for z in (self.lower_band, self.upper_band))
        return self._with_bands(lower, None if self._one_band else upper)

    def standardized(self) -> Intervals:
        """Use the standard deviation of the observations as the unit, each output its own.

        Observations then have (weighted) mean 0 and variance 1, so that bandwidths and areas
        compare across data sets. Gains, miss rates and scales of each output do not change.
        """
        xp = namespace(self.y_true)
        weight = self.sample_weight
        if weight is not None and self.y_true.ndim > 1:
            weight = xp.expand_dims(weight, axis=1)

        def mean(values: Array) -> Array:
            if weight is None:
                return xp.mean(values, axis=0)
            return xp.sum(values * weight, axis=0) / xp.sum(weight)

        centred = self.y_true - mean(self.y_true)
        counted = self.y_true
        if self._summary.zero_weights:
            counted = xp.take(counted, xp.nonzero(self.sample_weight > 0)[0], axis=0)
        largest = xp.max(xp.abs(centred), axis=0)
        unit = largest * xp.sqrt(mean((centred / xp.where(largest > 0, largest, xp.ones_like(largest))) ** 2))
        if not bool(xp.all(xp.max(counted, axis=0) > xp.min(counted, axis=0))):
            raise ArgumentError(
                "`y_true` must not be constant: it has no standard deviation to use as a unit."
            )
        return Intervals.from_bands(
            centred / unit,
            (self.y_pred - mean(self.y_true)) / unit,
            self.lower_band / unit,
            None if self._one_band else self.upper_band / unit,
            sample_weight=self.sample_weight,
        )

    def outputs(self) -> tuple[Intervals, ...]:
        """Return the intervals of each output dimension on its own."""
        if self.y_true.ndim == 1:
            return (self,)
        values = self._columns._replace(weight=None)
        parts = [values.map(lambda x, j=j: x[:, j]) for j in range(self.n_outputs)]  # type: ignore[misc]
        return tuple(self._of(part._replace(weight=self.sample_weight)) for part in parts)

    def by(self, labels: ArrayLike) -> dict[Hashable, Intervals]:
        """Split the rows by label.

        Parameters
        ----------
        labels : array of shape (n,)
            One label a row: numbers, strings, dates, or any hashable values that can be sorted. Where
            invalid rows were dropped, labels of all rows will do as well.

        Returns
        -------
        dict
            Intervals for each distinct label, in sorted order.
        """
        xp = namespace(self.y_true)
        groups: dict[Hashable, Intervals] = {}
        for label, rows in grouped(
            labels, self.n, kept=None if self._kept is None else to_numpy(self._kept)
        ).items():
            index = from_numpy(rows, self.y_true)
            if self.sample_weight is not None and not bool(xp.any(xp.take(self.sample_weight, index) > 0)):
                raise ArgumentError(f"`sample_weight` must be positive for some row of the label {label!r}.")
            groups[label] = self._of(self._columns.map(lambda x, i=index: xp.take(x, i, axis=0)))  # type: ignore[misc]
        return groups

    # -- the curve ----------------------------------------------------------------------------

    def ucc(self, vary: Vary = "scale") -> UCC:
        """Return the exact Uncertainty Characteristics Curve of these intervals."""
        from uccurve.curve import UCC  # noqa: PLC0415 - the layer above, opened on request

        return UCC(self, vary=vary)

    def sketch(self) -> UCCSketch:
        """Return a summary that adds to those of other rows, for curves of any number of rows."""
        from uccurve.sketch import UCCSketch  # noqa: PLC0415 - the layer above, opened on request

        return UCCSketch.of(self)

    # -- for the rest of the library ------------------------------------------------------------

    def _with_bands(self, lower_band: Array, upper_band: Array | None) -> Intervals:
        arrays = arguments.load(
            scalars=("lower_band",),
            optional=("upper_band",),
            y_true=self.y_true,
            y_pred=self.y_pred,
            lower_band=lower_band,
            upper_band=upper_band,
            sample_weight=self.sample_weight,
        )
        return Intervals(*_checked_rows.from_bands(arrays, "raise")[:2], self._kept, self._library)

    def _in_unit(self, factor: float) -> Intervals:
        """Express the rows in another unit of y."""
        columns = self._columns._replace(weight=None).map(lambda column: column * factor)
        return self._of(columns._replace(weight=self.sample_weight))

    def _of(self, columns: RowArrays) -> Intervals:
        """Make intervals of some of these rows, which can break no rule but that of the unit."""
        summary = _checked_rows.summarize(columns)
        if summary is None:
            raise arguments.overflow()
        return Intervals(columns, summary, None, self._library)

    def _bands_and_weights(self) -> tuple[Array, Any]:
        """Return the lower bands and the weights, laid out like the rows of `_blocks`."""
        columns = self._columns._replace(weight=None) if self._summary.equal_weights else self._columns
        (flat,) = columns.blocks(whole=True)
        if not self._summary.zero_weights:
            return flat.lower_band, flat.weight
        counted = flat.weight > 0
        return flat.lower_band[counted], flat.weight[counted]

    def _blocks(self, *, whole: bool = False) -> Iterator[Rows]:
        """Yield the rows as the formulas see them, leaving out those without weight."""
        xp = namespace(self.y_true)
        columns = self._columns._replace(weight=None) if self._summary.equal_weights else self._columns
        for block in columns.blocks(whole=whole):
            rows = kernel.make(xp, *block[:5])
            yield kernel.select(rows, rows.weight > 0) if self._summary.zero_weights else rows

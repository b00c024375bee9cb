"""Conformal scaling: choose the parameter on calibration rows, with a guarantee for new rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import from_numpy, namespace, to_numpy
from uccurve.curve.families import family_of
from uccurve.exceptions import ArgumentError, NotFittedError, ShapeError
from uccurve.intervals import Intervals
from uccurve.intervals._array_rules import enforce
from uccurve.intervals._labels import as_labels, grouped
from uccurve.intervals._named_arrays import load
from uccurve.intervals._row_rules import FINITE, ORDER

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from uccurve._base.type_aliases import Array, ArrayLike, Vary


@dataclass(slots=True)
class ConformalScaler:
    r"""Scale or shift intervals so that new rows are missed at most at a given rate.

    On n calibration rows the parameter is the :math:`\lceil (n + 1)(1 - \alpha) \rceil`-th smallest
    critical value. If calibration rows and new rows are exchangeable, a new row is captured with
    a probability of at least :math:`1 - \alpha`, and without ties at most :math:`1/(n + 1)` more.
    Where n is too small for that, the parameter and the new bounds are infinite. A plain
    empirical quantile of the critical values captures too few.

    Parameters
    ----------
    miss_rate : float
        The rate :math:`\alpha`, between 0 and 1.
    vary : {"scale", "shift"}
        Multiply the bands, or add to them.

    References
    ----------
    V. Vovk, A. Gammerman, G. Shafer, "Algorithmic Learning in a Random World", Springer 2005.

    Examples
    --------
    >>> import uccurve as uc
    >>> calibration = uc.Intervals.from_bands(list(range(1, 10)), [0] * 9, [1] * 9)
    >>> scaler = uc.ConformalScaler(miss_rate=0.2).fit(calibration)
    >>> scaler.parameter
    8.0
    >>> lower, upper = scaler.transform([5.0], [4.0], [7.0])
    >>> lower, upper
    (array([-3.]), array([21.]))
    """

    miss_rate: float = 0.1
    vary: Vary = "scale"
    _pooled: float | None = field(default=None, init=False, repr=False)
    _grouped: dict[Hashable, float] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        arguments.number("miss_rate", self.miss_rate, 0, 1, open_=True)
        family_of(self.vary)

    def fit(self, intervals: Intervals, *, groups: ArrayLike | None = None) -> ConformalScaler:
        """Choose the parameter on calibration rows; with ``groups``, one for each label.

        With groups the guarantee holds within each group. It needs rows without weights, and one
        output at a time (`Intervals.outputs`).
        """
        arguments.instance("intervals", intervals, Intervals)
        if intervals.n_outputs > 1:
            got = intervals.n_outputs
            raise ArgumentError(
                f"`intervals` must have one output, got {got}: fit a scaler to each of outputs()."
            )
        if intervals.sample_weight is not None:
            raise ArgumentError(
                "`intervals` must not be weighted: the guarantee holds for exchangeable rows."
            )
        critical = intervals.critical(vary=self.vary)
        critical = namespace(critical).reshape(critical, (-1,))
        if groups is None:
            self._pooled, self._grouped = self._parameter(critical), None
        else:
            rows, values = grouped(groups, intervals.n, "groups"), to_numpy(critical)
            self._pooled = None
            self._grouped = {label: self._parameter(values[index]) for label, index in rows.items()}
        return self

    def transform(
        self, y_pred: ArrayLike, lower: ArrayLike, upper: ArrayLike, *, groups: ArrayLike | None = None
    ) -> tuple[Array, Array]:
        """Return new lower and upper bounds for predictions with bounds; observations are not needed."""
        arrays = load({"y_pred": y_pred, "lower": lower, "upper": upper})
        if arrays["y_pred"].ndim > 1 and arrays["y_pred"].shape[1] > 1:
            shape = tuple(arrays["y_pred"].shape)
            raise ShapeError(f"`y_pred` must have one output, as the calibration rows had, got {shape}.")
        enforce(arrays, rules=(*FINITE, *ORDER))
        y_pred, lower, upper = (arrays[name] for name in ("y_pred", "lower", "upper"))
        xp = namespace(y_pred)
        parameter = self._parameters_of_rows(groups, y_pred)
        unbounded = xp.isinf(parameter)
        finite = xp.where(unbounded, xp.zeros_like(parameter), parameter)
        bands = family_of(self.vary).bands
        infinite = xp.full_like(y_pred, math.inf)
        with np.errstate(over="ignore"):  # a bound beyond float64 is infinite
            new_lower = xp.where(unbounded, -infinite, y_pred - bands(xp, y_pred - lower, finite))
            new_upper = xp.where(unbounded, infinite, y_pred + bands(xp, upper - y_pred, finite))
        return new_lower, new_upper

    @property
    def parameter(self) -> float:
        """The fitted scale or shift, infinite where the calibration rows are too few."""
        if self._pooled is None:
            reason = (
                "fitted for groups: see parameters" if self._grouped else "not fitted yet: call fit first"
            )
            raise NotFittedError(f"this ConformalScaler is {reason}.")
        return self._pooled

    @property
    def parameters(self) -> Mapping[Hashable, float]:
        """The fitted scale or shift of each group."""
        if self._grouped is None:
            raise NotFittedError("this ConformalScaler is not fitted for groups: call fit with groups first.")
        return dict(self._grouped)

    def _parameter(self, critical: Array) -> float:
        n = critical.shape[0]
        rank = conformal_rank(n, self.miss_rate)
        return float(namespace(critical).sort(critical, stable=False)[rank - 1]) if rank <= n else math.inf

    def _parameters_of_rows(self, groups: ArrayLike | None, like: Array) -> Array:
        xp = namespace(like)
        if self._grouped is None or groups is None:
            if self._grouped is not None:
                raise ArgumentError("`groups` must be given: this ConformalScaler was fitted for groups.")
            if groups is not None and self._pooled is not None:
                raise ArgumentError("`groups` must not be given: this ConformalScaler was fitted without.")
            return xp.full_like(like, self.parameter)
        labels = as_labels(groups, like.shape[0], "groups").tolist()
        unknown = [row for row, label in enumerate(labels) if label not in self._grouped]
        if unknown:
            how_many = arguments.rows_that(len(unknown), len(labels), "is not", "are not")
            first = f"row {unknown[0]}: {labels[unknown[0]]!r}"
            raise ArgumentError(f"`groups` must be fitted labels, but {how_many}; first at {first}.")
        fitted = from_numpy(np.array([self._grouped[label] for label in labels]), like)
        return xp.reshape(fitted, like.shape)


def conformal_rank(n: int, miss_rate: float) -> int:
    """Return the rank of the critical value to take: the ceiling of (n + 1)(1 - miss_rate).

    The miss rate is taken as the decimal that it prints as, so that 0.55 of 100 is exactly 55.
    """
    return n + 1 - math.floor((n + 1) * Fraction(repr(float(miss_rate))))

"""Conformal scaling: choose the parameter on calibration rows, with a guarantee for new rows."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, field, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, Self, overload

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import from_numpy, namespace, to_numpy
from uccurve.curve.families import family_of
from uccurve.exceptions import ArgumentError, NotFittedError, ShapeError
from uccurve.intervals import Intervals
from uccurve.intervals._array_rules import enforce
from uccurve.intervals._labels import as_labels
from uccurve.intervals._named_arrays import load

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from uccurve._base.type_aliases import Array, ArrayLike, Vary
    from uccurve.curve.families._family import Family

_DEFAULT_COVERAGE = 0.9
_COMPLEMENTARY = 1e-12
_POOLED = None
"""In place of a label, where all rows were fitted together; no label is None."""


class _Fitted(NamedTuple):
    family: Family
    coverage: Fraction
    parameters: dict[Hashable, float]
    """By label, or that of `_POOLED`."""
    rows: dict[Hashable, int]
    """Numbers of calibration rows, by the same labels."""

    @property
    def pooled(self) -> bool:
        return _POOLED in self.parameters


@dataclass(eq=False, repr=False)
class ConformalScaler:
    r"""Scale or shift intervals so that new rows are captured at least at a given rate.

    On n calibration rows the parameter is the :math:`\lceil (n + 1) c \rceil`-th smallest critical
    value. If calibration rows and new rows are exchangeable, a new row is captured with a probability
    of at least the coverage :math:`c`, and without ties at most :math:`1/(n + 1)` more. Where n is too
    small for that, the parameter and the new bounds are infinite. A plain empirical quantile of the
    critical values captures too few.

    Like an estimator of scikit-learn, it stores arguments as they are, checks them in `fit`, and can be
    cloned.

    Parameters
    ----------
    coverage : float
        The rate :math:`c` of new rows to capture, between 0 and 1.
    miss_rate : float, optional
        One minus the coverage, in place of a coverage other than 0.9.
    vary : {"scale", "shift"}
        Multiply the bands, or add to them.

    References
    ----------
    V. Vovk, A. Gammerman, G. Shafer, "Algorithmic Learning in a Random World", Springer 2005.

    Examples
    --------
    >>> import uccurve as uc
    >>> calibration = uc.Intervals.from_bands(list(range(1, 10)), [0] * 9, [1] * 9)
    >>> scaler = uc.ConformalScaler(coverage=0.8).fit(calibration)
    >>> scaler.parameter_
    8.0
    >>> lower, upper = scaler.transform(lower=[4.0], upper=[7.0], y_pred=[5.0])
    >>> lower, upper
    (array([-3.]), array([21.]))
    >>> scaler.transform(uc.Intervals.from_bounds([6], [4], [7], y_pred=[5])).nominal
    0.8
    """

    coverage: float = _DEFAULT_COVERAGE
    _: KW_ONLY
    miss_rate: float | None = None
    vary: Vary = "scale"
    _fitted: _Fitted | None = field(default=None, init=False)

    def __repr__(self) -> str:
        defaults = {each.name: each.default for each in _arguments()}
        given = (f"{name}={value!r}" for name, value in self.get_params().items() if value != defaults[name])
        return f"ConformalScaler({', '.join(given)})"

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 - scikit-learn's
        """Return the arguments of the constructor by name.

        Parameters
        ----------
        deep : bool
            Has no effect: no argument is an estimator.
        """
        return {each.name: getattr(self, each.name) for each in _arguments()}

    def set_params(self, **params: Any) -> Self:
        """Change arguments of the constructor, which takes effect with the next `fit`.

        Parameters
        ----------
        **params
            ``coverage``, ``miss_rate`` or ``vary``.
        """
        known = [each.name for each in _arguments()]
        unknown = [name for name in params if name not in known]
        if unknown:
            raise ArgumentError(f"`{unknown[0]}` must be one of the arguments {', '.join(known)}.")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def fit(self, intervals: Intervals, *, by: ArrayLike | None = None) -> Self:
        """Choose the parameter on calibration rows.

        Parameters
        ----------
        intervals : Intervals
            Calibration rows without weights and with one output; see `Intervals.outputs` for several.
        by : array of shape (n,), optional
            One label per row: each label gets a parameter of its own, and the guarantee holds within it.
        """
        family, coverage = family_of(self.vary), self._target()
        arguments.instance("intervals", intervals, Intervals)
        if (got := intervals.n_outputs) > 1:
            advice = "fit a scaler to each of outputs()"
            raise ArgumentError(f"`intervals` must have one output, got {got}: {advice}.")
        if intervals.sample_weight is not None:
            reason = "the guarantee holds for exchangeable rows"
            raise ArgumentError(f"`intervals` must not be weighted: {reason}.")
        critical = intervals.critical(vary=self.vary)
        critical = namespace(critical).reshape(critical, (-1,))
        if by is None:
            groups: dict[Hashable, Array] = {_POOLED: critical}
        else:
            values = to_numpy(critical)
            labeled = intervals._rows_by_label(by, "by")
            groups = {label: values[rows] for label, rows in labeled.items()}
        self._fitted = _Fitted(
            family,
            coverage,
            {label: _parameter(column, coverage) for label, column in groups.items()},
            {label: column.shape[0] for label, column in groups.items()},
        )
        return self

    @overload
    def transform(self, intervals: Intervals, *, by: ArrayLike | None = None) -> Intervals: ...

    @overload
    def transform(
        self,
        intervals: None = None,
        *,
        lower: ArrayLike,
        upper: ArrayLike,
        y_pred: ArrayLike | None = None,
        by: ArrayLike | None = None,
    ) -> tuple[Array, Array]: ...

    def transform(
        self,
        intervals: Intervals | None = None,
        *,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        y_pred: ArrayLike | None = None,
        by: ArrayLike | None = None,
    ) -> Intervals | tuple[Array, Array]:
        """Move intervals by the fitted parameter: `Intervals`, or bounds of rows without observations.

        Parameters
        ----------
        intervals : Intervals, optional
            Rows with one output.
        lower, upper : array of shape (n,) or (n, 1), optional
            Bounds, in place of ``intervals``.
        y_pred : array, same shape, optional
            Predictions inside these bounds; they default to the midpoints.
        by : array of shape (n,), optional
            The label of each row, where the scaler was fitted with labels.

        Returns
        -------
        Intervals, or lower and upper bounds
            Intervals around the same predictions, which claim the coverage; or a pair of arrays, infinite
            where the parameter is.

        Raises
        ------
        ArgumentError
            If the parameter is infinite and ``intervals`` are given.
        """
        fitted = self._checked()
        if intervals is None:
            return _moved_bounds(fitted, {"lower": lower, "upper": upper, "y_pred": y_pred}, by)
        arguments.instance("intervals", intervals, Intervals)
        if not all(array is None for array in (lower, upper, y_pred)):
            raise ArgumentError("`intervals` and `lower`, `upper` or `y_pred` exclude each other.")
        return _moved_intervals(fitted, intervals, by)

    @property
    def parameter_(self) -> float:
        """The fitted scale or shift; infinite where the calibration rows are too few."""
        fitted = self._checked()
        if not fitted.pooled:
            raise NotFittedError("this ConformalScaler was fitted with `by`: see parameters_.")
        return fitted.parameters[_POOLED]

    @property
    def parameters_(self) -> dict[Hashable, float]:
        """The fitted scale or shift of each label."""
        fitted = self._checked()
        if fitted.pooled:
            raise NotFittedError("this ConformalScaler was fitted without `by`: see parameter_.")
        return dict(fitted.parameters)

    def _checked(self) -> _Fitted:
        if self._fitted is None:
            raise NotFittedError("this ConformalScaler is not fitted yet: call fit first.")
        return self._fitted

    def _target(self) -> Fraction:
        """Return the coverage that the arguments ask for."""
        coverage = as_written(arguments.number("coverage", self.coverage, 0, 1, open_=True))
        if self.miss_rate is None:
            return coverage
        complement = 1 - as_written(arguments.number("miss_rate", self.miss_rate, 0, 1, open_=True))
        if abs(complement - coverage) < _COMPLEMENTARY:
            return coverage
        if self.coverage != _DEFAULT_COVERAGE:
            raise ArgumentError(
                f"`coverage` and `miss_rate` must add up to 1, got {self.coverage!r} and {self.miss_rate!r}: "
                "give one of them."
            )
        return complement


def as_written(share: float) -> Fraction:
    """Return the decimal that a share prints as, so that 0.55 of 100 is exactly 55."""
    return Fraction(repr(float(share)))


def conformal_rank(n: int, coverage: Fraction) -> int:
    """Return the rank of the critical value to take among n: the ceiling of (n + 1) times the coverage."""
    return math.ceil((n + 1) * coverage)


def _arguments() -> list[Any]:
    return [each for each in fields(ConformalScaler) if each.init]


def _parameter(critical: Array, coverage: Fraction) -> float:
    n = critical.shape[0]
    rank = conformal_rank(n, coverage)
    return float(namespace(critical).sort(critical, stable=False)[rank - 1]) if rank <= n else math.inf


def _kept(intervals: Intervals) -> np.ndarray | None:
    return None if intervals.kept is None else to_numpy(intervals.kept)


def _moved_intervals(fitted: _Fitted, intervals: Intervals, by: ArrayLike | None) -> Intervals:
    """Return intervals with moved bands, which are finite."""
    if (got := intervals.n_outputs) > 1:
        raise ArgumentError(f"`intervals` must have one output, as the calibration rows had, got {got}.")
    labels = _labels_of_rows(fitted, by, intervals.n, _kept(intervals))
    unbounded = [label for label in labels if math.isinf(fitted.parameters[label])]
    if unbounded:
        raise _unbounded(fitted, unbounded[0])
    xp, parameter = namespace(intervals.y_true), _parameters_of_rows(fitted, labels, intervals.y_true)
    bands = [intervals.lower_band] if intervals._one_band else [intervals.lower_band, intervals.upper_band]
    with np.errstate(over="ignore"):  # which the check of the new rows reports
        lower_band, *upper_band = (fitted.family.bands(xp, band, parameter) for band in bands)
    return intervals._with_bands(lower_band, *(upper_band or [None]), nominal=float(fitted.coverage))


def _unbounded(fitted: _Fitted, label: Hashable) -> ArgumentError:
    """Return the error for bounds that would be infinite, which intervals cannot have."""
    whose = "" if label is _POOLED else f" of the label {label!r}"
    needed = math.ceil(fitted.coverage / (1 - fitted.coverage))
    reason = f"too many calibration rows{whose} have a band of zero, which no scale widens"
    if fitted.rows[label] < needed:
        reason = (
            f"too few calibration rows{whose}: a coverage of {float(fitted.coverage):g} needs at least "
            f"{needed}, got {fitted.rows[label]}"
        )
    return ArgumentError(f"the new bounds would be infinite: {reason}.")


def _moved_bounds(
    fitted: _Fitted, bounds: Mapping[str, ArrayLike | None], by: ArrayLike | None
) -> tuple[Array, Array]:
    """Return moved bounds, infinite where the parameter is."""
    if bounds["lower"] is None or bounds["upper"] is None:
        raise ArgumentError("give `intervals`, or `lower` and `upper`.")
    arrays = load(bounds, optional=("y_pred",))
    lower, upper, center = (arrays[name] for name in ("lower", "upper", "y_pred"))
    if lower.ndim > 1 and lower.shape[1] > 1:
        shape = tuple(lower.shape)
        raise ShapeError(f"`lower` must have one output, as the calibration rows had, got {shape}.")
    enforce(arrays)
    xp, center = namespace(lower), lower + (upper - lower) / 2 if center is None else center
    parameter = _parameters_of_rows(fitted, _labels_of_rows(fitted, by, lower.shape[0]), lower)
    unbounded = xp.isinf(parameter)
    finite = xp.where(unbounded, xp.zeros_like(parameter), parameter)
    bands, infinite = fitted.family.bands, xp.full_like(center, math.inf)
    with np.errstate(over="ignore"):  # a bound beyond float64 is infinite
        new_lower = xp.where(unbounded, -infinite, center - bands(xp, center - lower, finite))
        new_upper = xp.where(unbounded, infinite, center + bands(xp, upper - center, finite))
    return new_lower, new_upper


def _labels_of_rows(
    fitted: _Fitted, by: ArrayLike | None, n: int, kept: np.ndarray | None = None
) -> list[Hashable]:
    """Return the label of each row, or `_POOLED` once for all rows."""
    if fitted.pooled:
        if by is not None:
            raise ArgumentError("`by` must not be given: this ConformalScaler was fitted without.")
        return [_POOLED]
    if by is None:
        raise ArgumentError("`by` must be given: this ConformalScaler was fitted with it.")
    labels: list[Hashable] = as_labels(by, n, "by", kept).tolist()
    unknown = [row for row, label in enumerate(labels) if label not in fitted.parameters]
    if unknown:
        how_many = arguments.rows_that(len(unknown), n, "is not", "are not")
        first = f"row {unknown[0]}: {labels[unknown[0]]!r}"
        raise ArgumentError(f"`by` must be fitted labels, but {how_many}; first at {first}.")
    return labels


def _parameters_of_rows(fitted: _Fitted, labels: list[Hashable], like: Array) -> Array:
    """Return the parameter of each row, in the shape of an array."""
    xp = namespace(like)
    if fitted.pooled:
        return xp.full_like(like, fitted.parameters[_POOLED])
    parameters = from_numpy(np.array([fitted.parameters[label] for label in labels]), like)
    return xp.reshape(parameters, like.shape)

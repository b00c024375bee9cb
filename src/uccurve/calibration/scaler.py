"""Conformal scaling: choose the parameter on calibration rows, with a guarantee for new rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, overload

from uccurve._base import arguments
from uccurve.calibration import fit as conformal
from uccurve.curve import family_of
from uccurve.exceptions import ArgumentError, InfiniteParameterWarning, NotFittedError
from uccurve.intervals import Intervals

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from uccurve._base.type_aliases import Array, ArrayLike, Crossed, Vary
    from uccurve.calibration.fit import Fit, Unseen
    from uccurve.sketch import SketchFile, UCCSketch


class ConformalScaler:
    r"""Move intervals so that new rows are captured at least at a given rate.

    On n calibration rows the parameter is the :math:`\lceil (n + 1) c \rceil`-th smallest critical
    value. If calibration rows and new rows are exchangeable, a new row is captured with a probability
    of at least the coverage :math:`c`, and without ties at most :math:`1/(n + 1)` more. Where n is too
    small for that, the parameter and the new bounds are infinite, and `fit` warns. A plain empirical
    quantile of the critical values captures too few.

    Arguments are checked in `fit`.

    Parameters
    ----------
    coverage : float, optional
        The rate :math:`c` of new rows to capture, between 0 and 1; 0.9 without a miss rate.
    miss_rate : float, optional
        One minus the coverage, in its place.
    vary : {"scale", "shift", "level"}
        Multiply the bands, add to them, or take the interval of another nominal coverage: the last for
        intervals with quantiles. Its parameter is a share of the largest nominal coverage; beyond 1
        the outermost pair is multiplied around the center.
    unseen : {"raise", "pooled"}
        What `transform` does with labels that `fit` has not seen: raise an error, or warn and use the
        parameter of all calibration rows. The latter guarantees coverage for rows that are exchangeable with
        all calibration rows together, not within a label. A label that was seen keeps its own parameter,
        also an infinite one: to pool small groups, give their rows one label.

    Attributes
    ----------
    coverage_ : float
        The coverage that was fitted.
    parameter_ : float
        The fitted scale, shift or share of the largest nominal coverage.
    parameters_ : dict of label to float
        That of each label, where rows have labels.
    nominal_ : float or None
        With ``vary="level"``, the nominal coverage that gives the requested one; None
        where it lies beyond the outermost quantiles, and with another ``vary``.
    nominals_ : dict of label to float or None
        That of each label.
    fitted_ : Fit
        All that was fitted: the family, the coverage, and the parameters.

    See Also
    --------
    UCC.at : The factor that is right on these rows.
    sklearn.ConformalIntervalRegressor : Fits a model and calibrates it.

    References
    ----------
    V. Vovk, A. Gammerman, G. Shafer, "Algorithmic Learning in a Random World", Springer 2005.

    Examples
    --------
    >>> import uccurve as uc
    >>> calibration = uc.Intervals.from_bands(list(range(1, 10)), [0] * 9, [1] * 9)
    >>> scaler = uc.ConformalScaler(coverage=0.8).fit(calibration)
    >>> scaler
    ConformalScaler(coverage=0.8, parameter_=8)
    >>> lower, upper = scaler.transform(lower=[4.0], upper=[7.0], y_pred=[5.0])
    >>> lower, upper
    (array([-3.]), array([21.]))
    >>> scaler.transform(uc.Intervals.from_bounds([6], [4], [7], y_pred=[5])).nominal
    0.8

    Quantiles that are too narrow: to capture 60%, take the interval that claims 70%.

    >>> quantiles, levels = [[-8.0, -4.0, 0.0, 4.0, 8.0]] * 9, (0.1, 0.25, 0.5, 0.75, 0.9)
    >>> calibration = uc.Intervals.from_quantiles([1, -2, 3, -4, 5, 6.6667, 7, 8, -9], quantiles, levels)
    >>> scaler = uc.ConformalScaler(coverage=0.6, vary="level").fit(calibration)
    >>> round(scaler.nominal_, 3)
    0.7
    >>> scaler.transform(quantiles=[[-8.0, -4.0, 0.0, 2.0, 5.0]], levels=levels)
    (array([-6.6667]), array([4.000025]))
    """

    _fit: Fit | None = None

    def __init__(
        self,
        coverage: float | None = None,
        *,
        miss_rate: float | None = None,
        vary: Vary = "scale",
        unseen: Unseen = "raise",
    ) -> None:
        self.coverage = coverage
        self.miss_rate = miss_rate
        self.vary = vary
        self.unseen = unseen

    def __repr__(self) -> str:
        passed = {name: (value, getattr(self, name)) for name, value in vars(ConformalScaler()).items()}
        shown = [f"{name}={own!r}" for name, (default, own) in passed.items() if repr(own) != repr(default)]
        found = {name: getattr(self, name, None) for name in ("parameter_", "nominal_")}
        shown += [f"{name}={value:.4g}" for name, value in found.items() if value is not None]
        by_label = list(getattr(self, "parameters_", {}).items())
        if by_label:
            some = [f"{label!r}: {parameter:.4g}" for label, parameter in by_label[: conformal.MOST_LABELS]]
            more = ", …" if len(by_label) > conformal.MOST_LABELS else ""
            shown.append(f"parameters_={{{', '.join(some)}{more}}}")
        return f"ConformalScaler({', '.join(shown)})"

    def fit(
        self,
        intervals: Intervals | UCCSketch | Mapping[Any, UCCSketch] | SketchFile,
        *,
        by: ArrayLike | None = None,
    ) -> Self:
        """Choose the parameter on calibration rows.

        Parameters
        ----------
        intervals : Intervals, UCCSketch, mapping of label to UCCSketch, or SketchFile
            Calibration rows without weights and with one output; see `Intervals.outputs` for several.
            Sketches have scales only. Their parameter is the smallest known critical scale whose rank is
            certain to suffice: the coverage is guaranteed as with rows, and the parameter is at most 0.4%
            larger (for scales between 2^-40 and 2^40). A file must contain one model; its segments are the
            labels.
        by : array of shape (n,), optional
            One label per row: each label gets its own parameter, with a guarantee within it.

        Returns
        -------
        ConformalScaler
            Itself, fitted.

        Raises
        ------
        ArgumentError
            If rows have weights or several outputs; if labels are missing, or cannot be sorted; or if an
            argument of the constructor has a value outside its rule.
        ArgumentTypeError
            If ``intervals`` are neither `Intervals` nor sketches.
        ShapeError
            If ``by`` does not have one label per row.
        EmptyInputError
            If a sketch has no rows.

        Warns
        -----
        InfiniteParameterWarning
            If a parameter is infinite. The message says how many calibration rows the coverage needs.

        Examples
        --------
        >>> import uccurve as uc
        >>> north = uc.Intervals.from_std([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], std=[1.0, 1.0, 1.0])
        >>> south = uc.Intervals.from_std([4.0, 5.0, 6.0], [0.0, 0.0, 0.0], std=[1.0, 1.0, 1.0])
        >>> sketches = {"north": north.sketch(), "south": south.sketch()}
        >>> uc.ConformalScaler(coverage=0.5).fit(sketches)
        ConformalScaler(coverage=0.5, parameters_={'north': 2, 'south': 5})
        """
        family = family_of(self.vary)
        coverage = conformal.target_coverage(self.coverage, self.miss_rate)
        arguments.option("unseen", self.unseen, ("raise", "pooled"))
        if isinstance(intervals, Intervals):
            self._fit = conformal.fit_to_rows(intervals, by, family, coverage, self.unseen)
        elif by is None:
            self._fit = conformal.fit_to_sketches(intervals, family, coverage, self.unseen)
        else:
            rule, hint = "be passed with Intervals only", "Pass a mapping of label to UCCSketch."
            raise ArgumentError(argument="by", rule=rule, hint=hint)
        if reason := self._fit.explain_infinite(self._fit.by_label or [None]):
            arguments.warn_caller(f"{reason}.", InfiniteParameterWarning)
        return self

    @overload
    def transform(self, intervals: Intervals, *, by: ArrayLike | None = None) -> Intervals: ...

    @overload
    def transform(
        self,
        intervals: None = None,
        *,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        y_pred: ArrayLike | None = None,
        quantiles: ArrayLike | None = None,
        levels: Sequence[float] | None = None,
        crossed: Crossed = "raise",
        by: ArrayLike | None = None,
    ) -> tuple[Array, Array]: ...

    def transform(
        self,
        intervals: Intervals | None = None,
        *,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        y_pred: ArrayLike | None = None,
        quantiles: ArrayLike | None = None,
        levels: Sequence[float] | None = None,
        crossed: Crossed = "raise",
        by: ArrayLike | None = None,
    ) -> Intervals | tuple[Array, Array]:
        """Move intervals by the fitted parameter: `Intervals`, or bounds of rows without observations.

        Parameters
        ----------
        intervals : Intervals, optional
            Rows with one output. Except with ``vary="level"``, they claim the same coverage as the
            calibration rows where both claim one.
        lower, upper : array of shape (n,) or (n, 1), optional
            Bounds, in place of ``intervals``: one of them where the scaler was fitted to a one-sided limit.
        y_pred : array, same shape, optional
            Predictions inside these bounds; they default to the midpoints. One bound needs them, and so do
            calibration rows whose predictions lie off the midpoints.
        quantiles : array of shape (n, levels) or (n, 1, levels), optional
            Predicted quantiles, in place of bounds, where the scaler was fitted with ``vary="level"``.
        levels : sequence of float, optional
            Their levels, those of the calibration rows: with the median if and only if they had it.
        crossed : {"raise", "sort"}
            Quantiles that are not in order: raise an error, or sort those of each row, with a warning.
        by : array of shape (n,), optional
            The label of each row, where the scaler was fitted with labels.

        Returns
        -------
        Intervals, or lower and upper bounds
            Intervals around the same predictions, or with ``vary="level"`` around the centers of the
            quantiles, which claim the coverage; or a pair of arrays, infinite where the parameter is, and
            on the side without a bound.

        Raises
        ------
        NotFittedError
            If `fit` was not called.
        ArgumentError
            If the parameter is infinite and ``intervals`` are given; if a label is unseen and
            ``unseen="raise"``; or if sides, claims or levels are not those of the calibration rows.
        InvalidRowsError
            If bounds or quantiles are invalid: not finite, crossed, prediction outside them.
        ShapeError, NotNumericError
            If shapes differ, or an argument holds text, dates or booleans.

        Warns
        -----
        UnseenLabelsWarning
            If labels are unseen and ``unseen="pooled"``. The message counts their rows.
        """
        fit = self.fitted_
        bounds = {"lower": lower, "upper": upper, "y_pred": y_pred}
        passed = {"intervals": intervals, "quantiles": quantiles, **bounds}
        first, *others = [name for name, value in passed.items() if value is not None] or ["nothing"]
        if first == "nothing":
            rule = "be passed, or `quantiles` and `levels`, or `lower` and `upper`"
            raise ArgumentError(argument="intervals", rule=rule)
        if others and first not in bounds:
            raise ArgumentError(argument=first, rule=f"not be passed beside `{others[0]}`")
        if quantiles is not None:
            return conformal.move_quantiles(fit, quantiles, levels, crossed, by)
        if intervals is None:
            return conformal.move_bounds(fit, bounds, by)
        arguments.instance("intervals", intervals, Intervals)
        return conformal.move_intervals(fit, intervals, by)

    @property
    def fitted_(self) -> Fit:
        """All that was fitted."""
        if self._fit is None:
            raise NotFittedError("this ConformalScaler is not fitted yet", hint="Call fit first.")
        return self._fit

    @property
    def coverage_(self) -> float:
        """The coverage that was fitted."""
        return float(self.fitted_.coverage)

    @property
    def parameter_(self) -> float:
        """The fitted scale or shift; infinite where the calibration rows are too few.

        Where rows have labels, that of all rows; it is there if ``unseen="pooled"``.
        """
        if self.fitted_.by_label is not None and self.fitted_.unseen == "raise":
            raise NotFittedError("this ConformalScaler was fitted with `by`", hint="See parameters_.")
        return self.fitted_.pooled

    @property
    def parameters_(self) -> dict[Hashable, float]:
        """The fitted scale or shift of each label."""
        if self.fitted_.by_label is None:
            raise NotFittedError("this ConformalScaler was fitted without `by`", hint="See parameter_.")
        return dict(self.fitted_.by_label)

    @property
    def nominal_(self) -> float | None:
        """The nominal coverage to take, with ``vary="level"``; None beyond the outermost quantiles.

        Where rows have labels, that of all rows; it is there if ``unseen="pooled"``.
        """
        return self.fitted_.nominal(self.parameter_)

    @property
    def nominals_(self) -> dict[Hashable, float | None]:
        """The nominal coverage of each label."""
        return {label: self.fitted_.nominal(parameter) for label, parameter in self.parameters_.items()}

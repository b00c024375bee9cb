"""Area and gain of the curve as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uccurve.curve import UCC, ranges
from uccurve.exceptions import ArgumentError
from uccurve.intervals import Intervals, checks
from uccurve.metrics.operating_point import average_outputs

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from uccurve._base.type_aliases import ArrayLike, Partial, PooledOutput, Vary, X, Y


def auucc(
    y_true: ArrayLike,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    y_pred: ArrayLike | None = None,
    std: ArrayLike | None = None,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    partial: Partial = "mean",
    miss_rate: tuple[float, float] | None = None,
    coverage: tuple[float, float] | None = None,
    bandwidth: tuple[float, float] | None = None,
    excess: tuple[float, float] | None = None,
    deficit: tuple[float, float] | None = None,
    parameter: tuple[float, float] | None = None,
    sample_weight: ArrayLike | None = None,
    multioutput: PooledOutput | ArrayLike = "uniform_average",
) -> float | np.ndarray:
    """Return the area under the Uncertainty Characteristics Curve; lower is better.

    Parameters
    ----------
    y_true, lower, upper : array of shape (n,) or (n, outputs)
        Observations and bounds.
    y_pred : array, same shape, optional
        Predictions; they default to the midpoints.
    std : array, same shape, optional
        Standard deviations in place of bounds; they need ``y_pred``.
    x, y, vary, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter
        As in `UCC` and `UCC.area`.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    multioutput : {"uniform_average", "raw_values", "pooled"} or array of shape (outputs,)
        Several outputs have a curve each: average their areas, return them as an array, or average
        them with weights. "pooled" is the area of one curve for all outputs, as `UCC.area` has it:
        one parameter moves them all.

    Returns
    -------
    float or array of shape (outputs,)
        In the unit of x times that of y.

    Raises
    ------
    UnreachableError
        If rows with a zero band would have to be captured by scaling.
    InvalidRowsError
        If rows are invalid: not finite, bounds crossed, prediction outside them, negative bands or weights.
    ShapeError, EmptyInputError, NotNumericError
        If shapes differ, there are no rows, or an argument holds text, dates or booleans.
    ArgumentError
        If neither bounds nor ``std`` are passed, or both; if weights add up to 0; or as in `UCC.area`.

    See Also
    --------
    UCC.area : The same of a curve.
    auucc_gain : Relative to constant width.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.auucc([1, 2, 3], [0, 0, 2], [2, 3, 5], y_pred=[1, 1, 4])
    0.4444444444444444
    """
    rows = _load_rows(sample_weight, y_true=y_true, lower=lower, upper=upper, y_pred=y_pred, std=std)
    part = ranges.on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
    return compute_by_output(UCC.area, rows, vary, multioutput, x=x, y=y, partial=partial, **part)


def auucc_gain(
    y_true: ArrayLike,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
    *,
    y_pred: ArrayLike | None = None,
    std: ArrayLike | None = None,
    x: X = "bandwidth",
    y: Y = "miss_rate",
    vary: Vary = "scale",
    partial: Partial = "mean",
    miss_rate: tuple[float, float] | None = None,
    coverage: tuple[float, float] | None = None,
    bandwidth: tuple[float, float] | None = None,
    excess: tuple[float, float] | None = None,
    deficit: tuple[float, float] | None = None,
    parameter: tuple[float, float] | None = None,
    sample_weight: ArrayLike | None = None,
    multioutput: PooledOutput | ArrayLike = "uniform_average",
) -> float | np.ndarray:
    """Return the share of constant width's area that these intervals save; higher is better.

    Several outputs have a gain each; "pooled" is the gain of one curve for all outputs, as `UCC.gain` has it.

    Parameters
    ----------
    y_true, lower, upper, y_pred, std, sample_weight
        As in `auucc`.
    x, y, vary, partial, miss_rate, coverage, bandwidth, excess, deficit, parameter, multioutput
        As in `auucc`.

    Returns
    -------
    float or array of shape (outputs,)
        0.05 is 5%.

    Raises
    ------
    UnreachableError, InvalidRowsError, ShapeError, EmptyInputError, NotNumericError, ArgumentError
        As in `auucc`.

    See Also
    --------
    UCC.gain : The same of a curve.
    auucc : The area.

    Examples
    --------
    >>> import uccurve as uc
    >>> uc.auucc_gain([1, 2, 3], [0, 0, 2], [2, 3, 5], y_pred=[1, 1, 4])
    0.33333333333333337
    """
    rows = _load_rows(sample_weight, y_true=y_true, lower=lower, upper=upper, y_pred=y_pred, std=std)
    part = ranges.on_axes(miss_rate, coverage, bandwidth, excess, deficit, parameter)
    return compute_by_output(UCC.gain, rows, vary, multioutput, x=x, y=y, partial=partial, **part)


def _load_rows(sample_weight: ArrayLike | None, **columns: ArrayLike | None) -> Intervals:
    """Make intervals from bounds, or from predictions and standard deviations, without a copy."""
    unused = ("std",) if columns["std"] is None else ("lower", "upper")
    if any(columns.pop(role) is not None for role in unused):
        raise ArgumentError(
            argument="lower", rule="be passed with `upper`, or `y_pred` with `std`", got="both"
        )
    return Intervals(*checks.check_rows(checks.NamedColumns(columns, {}, None, {}), sample_weight, own=False))


def compute_by_output(
    statistic: Callable[..., float], rows: Intervals, vary: Vary, multioutput: Any, **options: Any
) -> float | np.ndarray:
    """Compute a statistic of the curve of each output, or of one curve for all."""
    if isinstance(multioutput, str) and multioutput == "pooled":
        return statistic(UCC(rows, vary=vary), **options)
    values = [statistic(UCC(output, vary=vary), **options) for output in rows.outputs()]
    return average_outputs(values, multioutput, "pooled")

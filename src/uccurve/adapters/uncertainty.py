"""Libraries of uncertainty: MAPIE and crepes, and the argument orders of uncertainty-toolbox and of UQ360."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from uccurve._base import arguments, frames
from uccurve.adapters import common
from uccurve.exceptions import ArgumentError, CrossedBoundsError, NonFiniteError, PredictionOutsideError
from uccurve.intervals import Intervals, checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike

_PAIR = 2
_TOO_FEW = (
    "Conformal predictors give infinite bounds where they have too few rows to calibrate on, also in one "
    "category: a coverage c takes at least 1/(1 - c) - 1 of them, 99 for 99%. Calibrate on more rows, ask "
    "for less coverage, or give crepes `y_min` and `y_max`."
)
_HINTS_OF_MAPIE: common.Hints = {
    CrossedBoundsError: "Lower bounds come first, and coverages in the order of the levels in `output`.",
    PredictionOutsideError: "Pass the intervals alone, `output[1]`, to use the midpoints.",
    NonFiniteError: _TOO_FEW,
}
_HINTS_OF_CREPES: common.Hints = {NonFiniteError: _TOO_FEW}


def from_mapie(
    y_true: ArrayLike,
    output: Any,
    *,
    confidence_level: float | Sequence[float],
    coverage: float | None = None,
    **options: Unpack[common.RowOptions],
) -> Intervals:
    """Read what ``predict_interval`` of MAPIE returns.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : pair of arrays, or array
        Predictions of shape (n,) and intervals of shape (n, 2, levels); or the intervals alone, whose
        midpoints then are the predictions.
    confidence_level : float or sequence of float
        That of the regressor, in its order: the coverages that the intervals claim.
    coverage : float, optional
        One of several claims. Without it several become levels, for ``vary="level"``.
    **options
        ``sample_weight``, ``crossed`` and ``invalid``, as in `Intervals.from_quantiles`.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    InvalidRowsError
        If rows are invalid; infinite bounds mean that too few rows calibrated.
    ShapeError
        If ``output`` does not have two bounds for each ``confidence_level``.
    ArgumentError
        If confidence levels are not different coverages, of which one is 0.5 or more; or if ``coverage`` is
        none of the claims.

    See Also
    --------
    uccurve.Intervals.from_bounds : Any other bounds.

    Examples
    --------
    >>> import numpy as np
    >>> from uccurve.adapters import from_mapie
    >>> y_pred = np.array([1.0, 2.0, 4.0])
    >>> intervals = y_pred[:, None, None] + np.array([[-1, -2], [1, 2]])
    >>> from_mapie([1.5, 2.0, 2.5], (y_pred, intervals), confidence_level=[0.8, 0.95])
    Intervals(n=3, bandwidth=2, symmetric, levels=2)
    """
    claims = checks.check_claims(confidence_level, name="confidence_level")
    # A list of two rows is a table.
    is_pair = isinstance(output, (tuple, list)) and len(output) == _PAIR
    y_pred, table = output if is_pair and common.as_numpy(output[1]).ndim > _PAIR else (None, output)
    bounds = common.read_table(table, 2, len(claims), meaning="intervals by `confidence_level`")
    rows = common.Observations(y_true, y_pred, coverage, **options)
    return rows.with_pairs(dict(zip(claims, bounds.T, strict=True)), hints=_HINTS_OF_MAPIE)


def from_crepes(
    y_true: ArrayLike,
    output: Any,
    *,
    nominal: float | None = None,
    percentiles: Sequence[float] | None = None,
    coverage: float | None = None,
    y_pred: ArrayLike | None = None,
    **options: Unpack[common.RowOptions],
) -> Intervals:
    """Read intervals or percentiles of crepes.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : array of shape (n, 2) or (n, percentiles)
        What ``predict_int`` returns, with ``nominal``; or what ``predict_percentiles`` returns, with
        ``percentiles``.
    nominal : float
        The ``confidence`` of the call, such as 0.95.
    percentiles : sequence of float
        ``lower_percentiles`` and then ``higher_percentiles``, in the units of crepes, such as
        ``[2.5, 25, 75, 97.5]``.
    coverage : float, optional
        One of several claims. Without it several become levels, for ``vary="level"``.
    y_pred : array of shape (n,), optional
        Predictions; the midpoints if not given.
    **options
        ``sample_weight``, ``crossed`` and ``invalid``, as in `Intervals.from_quantiles`.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    InvalidRowsError
        If rows are invalid; infinite bounds mean that too few rows calibrated.
    ArgumentError
        If not exactly one of ``nominal`` and ``percentiles`` is passed; if these are not in percent; or if
        ``coverage`` is none of the claims.
    ShapeError
        If ``output`` does not have two bounds, or a column for each percentile.

    See Also
    --------
    uccurve.Intervals.from_bounds : Any other bounds.

    Examples
    --------
    >>> from uccurve.adapters import from_crepes
    >>> from_crepes([1.0, 2.0, 4.0], [[0, 2], [1, 4], [2, 5]], nominal=0.9).nominal
    0.9
    """
    if (nominal is None) == (percentiles is None):
        rule, got = "be passed for intervals, or `percentiles`", "neither" if nominal is None else "both"
        raise ArgumentError(argument="nominal", rule=rule, got=got)
    rows = common.Observations(y_true, y_pred, coverage, **options)
    if percentiles is None:
        (claim,) = checks.check_claims([nominal])
        bounds = common.read_table(output, 2, meaning="lower and upper bounds").T
        return rows.with_pairs({claim: bounds}, output=output, hints=_HINTS_OF_CREPES)
    percents = arguments.sequence("percentiles", percentiles)
    levels = [arguments.number("percentiles", percent, 0, 100, open_=True) / 100 for percent in percents]
    if percents and max(percents) <= 1:  # which would claim nearly 0%, or a limit of nearly 100%
        rule, hint = "be in percent, as crepes takes them, and not all 1 or less", "Write 5 for 5%."
        raise ArgumentError(argument="percentiles", rule=rule, got=repr(percentiles), hint=hint)
    quantiles = common.split_table(output, levels, "percentiles")
    return rows.with_quantiles(quantiles, output=output, hints=_HINTS_OF_CREPES)


def from_uncertainty_toolbox(
    y_pred: ArrayLike, y_std: ArrayLike, y_true: ArrayLike, **options: Any
) -> Intervals:
    """Read arrays in the order of uncertainty-toolbox: prediction, standard deviation, observation.

    Parameters
    ----------
    y_pred, y_std, y_true : array of shape (n,)
        The arguments of its metrics, in their order, which is not the order used elsewhere here.
    **options
        ``sample_weight`` and ``invalid``, as in `Intervals.from_std`.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    InvalidRowsError, ShapeError, EmptyInputError, NotNumericError, IndexMismatchError
        As in `Intervals.from_std`.

    See Also
    --------
    uccurve.Intervals.from_std : The same in the usual order.

    Examples
    --------
    >>> from uccurve.adapters import from_uncertainty_toolbox
    >>> from_uncertainty_toolbox([1.0, 2.0], [0.5, 1.0], [1.2, 4.0])
    Intervals(n=2, bandwidth=0.75, symmetric)
    """
    return Intervals.from_std(y_true, y_pred, y_std, **options)


def from_uq360(y_true: ArrayLike, output: Any, **options: Any) -> Intervals:
    """Read the table that UQ360's ``UncertaintyCharacteristicsCurve.fit`` takes.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations, there called ``gt``.
    output : array of shape (n, 3)
        Predictions, lower bands and upper bands: distances to the bounds, 0 or more. UQ360's own models
        return predictions and bounds instead, for `Intervals.from_bounds`.
    **options
        ``nominal``, ``sample_weight`` and ``invalid``, as in `Intervals.from_bands`.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    ShapeError
        If ``output`` does not have three columns, or the rows of ``y_true``.
    InvalidRowsError, EmptyInputError, NotNumericError, IndexMismatchError
        As in `Intervals.from_bands`.

    See Also
    --------
    uccurve.Intervals.from_bands : The same as separate columns.

    Examples
    --------
    >>> from uccurve.adapters import from_uq360
    >>> from_uq360([1.2, 4.0], [[1.0, 0.5, 1.0], [2.0, 1.0, 1.5]])
    Intervals(n=2, bandwidth=1, asymmetric)
    """
    frames.check_same_index({"y_true": y_true, "output": output, **options})
    y_pred, lower_band, upper_band = common.read_table(output, 3, meaning="predictions and both bands").T
    return Intervals.from_bands(y_true, y_pred, lower_band=lower_band, upper_band=upper_band, **options)

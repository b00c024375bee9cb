"""Frames of pandas, with a prediction in each row: statsmodels, Prophet, skforecast, sktime and skpro."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from uccurve._base import arguments, frames
from uccurve.adapters import common
from uccurve.columns import list_names, read_level
from uccurve.exceptions import ArgumentError, ArgumentTypeError
from uccurve.intervals import checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.intervals import Intervals

# Columns of prediction intervals: of regressions, and of exponential smoothing.
_OF_OBSERVATIONS = (("obs_ci_lower", "obs_ci_upper"), ("pi_lower", "pi_upper"))
_OF_THE_MEAN = ("mean_ci_lower", "mean_ci_upper")
_MEAN_HINT = (
    "Confidence intervals of the mean say how well it is known, and are not meant to cover observations. "
    "For a GLM, pass `results.get_distribution(…)` to `Intervals.from_distribution`."
)
# What skforecast calls the column that names the series of a row.
_SERIES = "level"


def from_statsmodels(
    y_true: ArrayLike,
    output: Any,
    *,
    nominal: float | Sequence[float],
    coverage: float | None = None,
    **options: Unpack[common.RowOptions],
) -> Intervals:
    """Read prediction intervals of statsmodels.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations. An index of pandas must agree with that of the output.
    output : result of ``get_prediction`` or ``get_forecast``
        It is read at each of the ``nominal`` coverages: the columns ``obs_ci_lower`` and ``obs_ci_upper`` of
        regressions, ``pi_lower`` and ``pi_upper`` of exponential smoothing, and those of models of time
        series, such as ARIMA. Confidence intervals of the mean are refused, and a GLM has no others: they
        say where the mean is, and cover few observations.
    nominal : float or sequence of float
        The coverage, or the coverages, at which to read intervals.
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
    ArgumentError
        If ``output`` has no prediction intervals; if ``nominal`` is not different coverages, of which one is
        0.5 or more; or if ``coverage`` is none of the claims.
    ArgumentTypeError
        If ``output`` is not such a result.
    IndexMismatchError, ShapeError
        If ``y_true`` does not have the rows and the index of the output.
    InvalidRowsError
        If rows are invalid, as in `Intervals.from_quantiles`.

    See Also
    --------
    uccurve.Intervals.from_bounds : Any other bounds.

    Examples
    --------
    >>> from types import SimpleNamespace as PredictionResults  # stands for that of statsmodels
    >>> import pandas as pd
    >>> from uccurve.adapters import from_statsmodels
    >>> frame = pd.DataFrame({"mean": [1, 2], "obs_ci_lower": [0, 1], "obs_ci_upper": [2.0, 3.0]})
    >>> prediction = PredictionResults(summary_frame=lambda alpha: frame)
    >>> from_statsmodels([1.5, 3.5], prediction, nominal=0.9)
    Intervals(n=2, bandwidth=1, symmetric)
    """
    claims = checks.check_claims(nominal)
    if not hasattr(output, "summary_frame"):
        rule = "be the result of `get_prediction` or `get_forecast` itself"
        raise ArgumentTypeError(argument="output", rule=rule, got=type(output).__name__)
    tables = {claim: output.summary_frame(alpha=arguments.complement(claim)) for claim in claims}
    frame = tables[claims[0]]
    # Of time series, intervals of the "mean" include the noise, and are prediction intervals.
    is_forecast = type(output).__module__.startswith("statsmodels.tsa.")
    known = [*_OF_OBSERVATIONS, _OF_THE_MEAN] if is_forecast else _OF_OBSERVATIONS
    bounds = next((names for names in known if set(names) <= set(frame.columns)), None)
    if bounds is None:
        rule = "have prediction intervals, such as obs_ci_lower and obs_ci_upper"
        raise ArgumentError(argument="output", rule=rule, got=list_names(frame.columns), hint=_MEAN_HINT)
    rows = common.Observations(y_true, frame.get("mean"), coverage, **options)
    pairs = {claim: [table[column] for column in bounds] for claim, table in tables.items()}
    return rows.with_pairs(pairs, output=frame, hints={})


def from_prophet(
    y_true: Any,
    output: Any,
    *,
    nominal: float | None = None,
    y_pred: Literal["yhat"] | None = "yhat",
    **options: Unpack[common.RowOptions],
) -> Intervals:
    """Make intervals from a forecast of Prophet.

    Parameters
    ----------
    y_true : frame with the columns ds and y, or array or pandas.Series of shape (n,)
        Observations. A frame is joined by ``ds``: every forecast needs an observation, further ones are left
        out. Others are taken in the order of ``output``, with its index if they have one: ``cv["y"]`` beside
        ``cv``, which ``cross_validation`` returns.
    output : pandas.DataFrame
        What ``predict`` or ``cross_validation`` return, with ``yhat``, ``yhat_lower`` and ``yhat_upper``.
    nominal : float
        The coverage that the intervals claim: the ``interval_width`` of the model, 0.8 by default. The
        frame does not say it, so it must be passed.
    y_pred : {"yhat", None}
        Whether ``yhat`` is the prediction; with None it is the midpoint.
    **options
        ``sample_weight``, ``crossed`` and ``invalid``, as in `Intervals.from_quantiles`.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    ArgumentError
        If ``nominal`` is not passed, or is not from 0.5 to below 1.
    IndexMismatchError
        If ``y_true`` lacks the time of a forecast, or has another index.
    MissingColumnError
        If ``output`` has no ``yhat``, ``yhat_lower`` or ``yhat_upper``.
    ShapeError
        If an array ``y_true`` does not have the rows of ``output``.
    InvalidRowsError
        If rows are invalid, as in `Intervals.from_quantiles`.

    See Also
    --------
    uccurve.Intervals.from_bounds : Any other bounds.

    Examples
    --------
    >>> import pandas as pd
    >>> import uccurve as uc
    >>> output = pd.DataFrame(
    ...     {"ds": [1, 2], "yhat": [3.0, 4.0], "yhat_lower": [2.0, 2.5], "yhat_upper": [4.5, 5.0]}
    ... )
    >>> truth = pd.DataFrame({"ds": [0, 1, 2], "y": [3.0, 3.5, 5.5]})
    >>> uc.adapters.from_prophet(truth, output, nominal=0.8)
    Intervals(n=2, bandwidth=1.25, asymmetric)
    """
    arguments.option("y_pred", y_pred, ("yhat", None))
    common.read_frame(output, "output", ("yhat",))
    if hasattr(y_true, "columns"):
        y_true = common.join_observations(y_true, output, ("ds",), "y", "output")
    point = None if y_pred is None else output["yhat"]
    unsaid = "the frame does not say it; it is the `interval_width` of the model, 0.8 by default"
    rows = common.Observations(y_true, point, **options)
    return rows.with_columns(output, ("yhat_lower", "yhat_upper"), nominal, unsaid=unsaid)


def from_skforecast(
    y_true: Any,
    output: Any,
    *,
    nominal: float | None = None,
    y_pred: Literal["pred"] | None = "pred",
    coverage: float | None = None,
    levels: Sequence[float] | None = None,
    **options: Unpack[common.RowOptions],
) -> Intervals:
    """Make intervals from a frame of skforecast.

    Parameters
    ----------
    y_true : array of shape (n,), pandas.Series, or frame or dict of series
        Observations in the order of ``output``, and with its index if they have one:
        ``y.loc[output.index]``. Where ``output`` has the column ``level``, a frame with a column for each
        series, or a dict of series, is joined by series and time.
    output : pandas.DataFrame
        What ``predict_interval``, ``predict_quantiles``, ``predict_bootstrapping`` or a backtest return.
    nominal : float, optional
        The coverage that ``lower_bound`` and ``upper_bound`` claim, such as 0.9. It must be passed for
        them: the frame does not say it. Quantiles and draws need none.
    y_pred : {"pred", None}
        Whether the column ``pred`` is the prediction, where there is one; otherwise, and with None, it is the
        median, or without one the midpoint.
    coverage : float, optional
        The one pair of quantiles to take, such as 0.9. Without it all become a family, for
        ``uc.UCC(…, vary="level")``, with the widest as the bounds.
    levels : sequence of float, optional
        At which levels to read draws; by default at the 31 of `Intervals.from_distribution`, as far as the
        draws reach.
    **options
        ``sample_weight``, ``crossed`` and ``invalid``, as in `Intervals.from_quantiles`.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    ArgumentError
        If ``nominal`` is needed and not passed, or passed beside quantiles or draws; or if ``coverage`` is
        none of the claims.
    IndexMismatchError
        If ``y_true`` has another index, or lacks the series and time of a forecast.
    ShapeError
        If ``y_true`` does not have the rows of ``output``.
    MissingColumnError, ArgumentTypeError
        If ``output`` has no bounds, quantiles or draws, or is not a frame of pandas.
    InvalidRowsError
        If rows are invalid, as in `Intervals.from_quantiles`.

    See Also
    --------
    uccurve.Intervals.from_bounds : Any other bounds.

    Examples
    --------
    >>> import pandas as pd
    >>> import uccurve as uc
    >>> output = pd.DataFrame({"pred": [3.0, 4.0], "lower_bound": [2.0, 2.5], "upper_bound": [4.5, 5.0]})
    >>> uc.adapters.from_skforecast([3.5, 5.5], output, nominal=0.9)
    Intervals(n=2, bandwidth=1.25, asymmetric)
    """
    arguments.option("y_pred", y_pred, ("pred", None))
    if not count_column_levels(output):
        raise ArgumentTypeError(argument="output", rule="be a frame of pandas", got=type(output).__name__)
    if _SERIES in output:
        y_true = _find_by_series(y_true, output)
    point = None if y_pred is None else output.get("pred")
    rows = common.Observations(y_true, point, coverage, levels, **options)
    columns = [str(column) for column in output.columns]
    draws = [column for column in columns if column.startswith("pred_boot_")]
    told = [read_level(column) for column in columns if column.startswith("q_")]
    quantiles = {level.share: output[level.column] for level in told if level is not None}
    if (draws or quantiles) and nominal is not None:
        rule, hint = "not be passed beside quantiles or draws", "`coverage` chooses one of their levels."
        raise ArgumentError(argument="nominal", rule=rule, hint=hint)
    if draws:
        rows.check_rows(output)
        return rows.with_draws(common.as_numpy(output[draws]).T)
    if quantiles:
        return rows.with_quantiles(quantiles, output=output)
    unsaid = "the frame does not say which `interval` was requested; pass 0.9 for `interval=[0.05, 0.95]`"
    return rows.with_columns(output, ("lower_bound", "upper_bound"), nominal, unsaid=unsaid)


def _find_by_series(y_true: Any, output: Any) -> Any:
    """Return the observation of each forecast of skforecast, by its series and time; others as they are."""
    if not (isinstance(y_true, Mapping) or count_column_levels(y_true)):
        return y_true
    series = {str(name): y_true[name] for name in y_true}
    if not series or not all(hasattr(column, "iloc") for column in series.values()):
        rule = "map names to pandas series with times as their index"
        raise ArgumentTypeError(argument="y_true", rule=rule)
    known = [(name, time) for name, column in series.items() for time in column.index.tolist()]
    values = np.concatenate([frames.to_numpy(name, column) for name, column in series.items()])
    wanted = zip(map(str, output[_SERIES].tolist()), output.index.tolist(), strict=True)
    return common.find_observations(wanted, known, values, ("series", "time"))


def from_sktime(
    y_true: ArrayLike,
    output: Any,
    *,
    y_pred: ArrayLike | None = None,
    coverage: float | None = None,
    levels: Sequence[float] | None = None,
    **options: Unpack[common.RowOptions],
) -> Intervals:
    """Make intervals from a probabilistic forecast of sktime.

    Coverages and levels are read from the columns. Several of them become a family, for
    ``uc.UCC(…, vary="level")``, with the widest as the bounds.

    Parameters
    ----------
    y_true : array of shape (n,), or frame of one column, or of one for each variable
        Observations; with the index of ``output``, if they have one.
    output : pandas.DataFrame, or distribution of skpro
        What ``predict_interval``, ``predict_quantiles`` or ``predict_proba`` return. The variances of
        ``predict_var`` go to ``Intervals.from_std(y_true, y_pred, np.sqrt(variances))``.
    y_pred : array or frame like ``y_true``, optional
        What ``predict`` returns. By default the median, where there is one, or the midpoint.
    coverage : float, optional
        The one coverage to take, such as 0.9, of several.
    levels : sequence of float, optional
        At which levels to read a distribution; by default at the 31 of `Intervals.from_distribution`.
    **options
        ``sample_weight``, ``crossed`` and ``invalid``, as in `Intervals.from_quantiles`.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    ArgumentTypeError
        If ``output`` is not what these methods return.
    IndexMismatchError
        If ``y_true`` has another index.
    ShapeError
        If ``y_true`` does not have the rows of ``output``.
    ArgumentError
        If ``y_true`` does not have the variables of ``output`` as columns, or ``coverage`` is none of the
        claims.
    InvalidRowsError
        If rows are invalid, as in `Intervals.from_quantiles`.

    See Also
    --------
    uccurve.Intervals.from_quantiles : Any other quantiles.

    Examples
    --------
    >>> import pandas as pd
    >>> import uccurve as uc
    >>> columns = pd.MultiIndex.from_product([["sales"], [0.9], ["lower", "upper"]])
    >>> output = pd.DataFrame([[2.0, 5.0], [1.0, 7.0]], index=[10, 11], columns=columns)
    >>> intervals = uc.adapters.from_sktime(pd.Series([3.0, 8.0], index=[10, 11]), output)
    >>> intervals, intervals.nominal
    (Intervals(n=2, bandwidth=2.25, symmetric), 0.9)
    """
    observed: Any = y_true
    if getattr(observed, "shape", ())[1:] == (1,):
        observed = observed.iloc[:, 0] if hasattr(observed, "iloc") else observed[:, 0]
    rows = common.Observations(observed, y_pred, coverage, levels, **options)
    if hasattr(output, "ppf"):
        return rows.with_distribution(output)
    if count_column_levels(output) not in (2, 3):  # those of quantiles, and of intervals
        rule = "be what `predict_interval`, `predict_quantiles` or `predict_proba` return"
        hint = "For variances of `predict_var`, pass their root to `Intervals.from_std`."
        raise ArgumentTypeError(argument="output", rule=rule, got=type(output).__name__, hint=hint)
    variables = list(dict.fromkeys(output.columns.get_level_values(0)))
    if len(variables) > 1 and count_column_levels(observed) == 1 and list(observed.columns) != variables:
        rule = f"have the variables of `output` as columns, {variables!r}, in this order"
        raise ArgumentError(argument="y_true", rule=rule, got=repr(list(observed.columns)))
    return rows.with_quantiles(_read_quantiles(output, variables), output=output)


def from_skpro(y_true: ArrayLike, output: Any, **options: Any) -> Intervals:
    """Make intervals from a probabilistic prediction of skpro.

    Parameters
    ----------
    y_true, output, **options
        As in `from_sktime`: the two libraries have the same methods.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    ArgumentTypeError, IndexMismatchError, ShapeError, ArgumentError, InvalidRowsError
        As in `from_sktime`.

    See Also
    --------
    uccurve.Intervals.from_distribution : Any other distribution.

    Examples
    --------
    >>> import pandas as pd
    >>> import uccurve as uc
    >>> columns = pd.MultiIndex.from_product([["y"], [0.05, 0.5, 0.95]])
    >>> output = pd.DataFrame([[2.0, 3.0, 5.0], [1.0, 5.0, 7.0]], columns=columns)
    >>> uc.adapters.from_skpro([3.0, 8.0], output)
    Intervals(n=2, bandwidth=2.25, asymmetric)
    """
    return from_sktime(y_true, output, **options)


def count_column_levels(output: Any) -> int:
    """Return how many levels the columns of a pandas frame have; 0 for anything else."""
    return int(getattr(getattr(output, "columns", None), "nlevels", 0))


def _read_quantiles(output: Any, variables: Sequence[Any]) -> dict[float, np.ndarray]:
    """Return the quantiles in the columns of a frame by their level, those of all variables side by side."""
    columns = []
    for number, (variable, share, *side) in enumerate(output.columns):
        level = arguments.number("coverage" if side else "alpha", share, 0, 1, open_=True)
        if side and side[0] not in common.SIDES:
            raise ArgumentError(argument="output", rule="have columns 'lower' and 'upper'", got=repr(side[0]))
        if side:
            level = common.levels_of(level)[common.SIDES.index(side[0])]
        columns.append((level, variable, common.as_numpy(output.iloc[:, number])))
    return common.join_variables(columns, variables)

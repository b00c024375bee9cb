"""Draws, and forecasts that are draws, quantiles or distributions: NumPyro and ArviZ; Darts and GluonTS."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from uccurve._base import arguments
from uccurve._base.arrays import frozen
from uccurve.adapters import common
from uccurve.columns import list_names, read_level
from uccurve.exceptions import ArgumentError, ArgumentTypeError, ShapeError
from uccurve.intervals import as_labels

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from uccurve._base.type_aliases import ArrayLike
    from uccurve.intervals import Intervals

_CHAIN_AND_DRAW = ("chain", "draw")


def from_numpyro(
    y_true: ArrayLike,
    output: Any,
    *,
    variable: str | None = None,
    levels: Sequence[float] | None = None,
    coverage: float | None = None,
    **options: Unpack[common.RowOptions],
) -> Intervals:
    """Read posterior predictive draws of NumPyro.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : mapping of str to array, or array, of shape (draws, n) or (chains, draws, n)
        What ``Predictive(model, samples)(key, X)`` returns. Draws of the observations are needed, not those
        of a mean.
    variable : str, optional
        The site of the observations; not needed if the output has one site only.
    levels : sequence of float, optional
        The quantiles to read, for ``vary="level"``; those of `Intervals.from_distribution`, as far as the
        draws reach, if not given.
    coverage : float, optional
        Read one central interval instead.
    **options
        ``sample_weight`` and ``invalid``, as in `Intervals.from_samples`.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    ShapeError
        If draws do not fit ``y_true``.
    ArgumentError
        If ``variable`` is not a site of the output, or is needed and not passed; or if the draws are too few
        for the coverage or the levels.
    InvalidRowsError
        If rows are invalid, as in `Intervals.from_samples`.

    See Also
    --------
    uccurve.Intervals.from_samples : Any other draws.

    Examples
    --------
    >>> import numpy as np
    >>> from uccurve.adapters import from_numpyro
    >>> draws = np.random.default_rng(0).normal(size=(500, 3))
    >>> from_numpyro([0.5, -1.0, 2.0], {"obs": draws}, coverage=0.9)
    Intervals(n=3, bandwidth=1.612, asymmetric)
    """
    if isinstance(output, Mapping):
        output = output[_choose_variable(variable, list(output), "output")]
    elif variable is not None:
        raise ArgumentError(argument="variable", rule="not be passed beside one array of draws")
    draws = common.as_numpy(output)
    if draws.ndim == np.ndim(y_true) + len(_CHAIN_AND_DRAW):
        draws = draws.reshape(-1, *draws.shape[len(_CHAIN_AND_DRAW) :])
    return common.Observations(y_true, coverage=coverage, levels=levels, **options).with_draws(draws)


def from_arviz(
    y_true: ArrayLike,
    output: Any,
    *,
    variable: str | None = None,
    group: str = "posterior_predictive",
    **options: Any,
) -> Intervals:
    """Read posterior predictive draws from ArviZ, such as those of PyMC.

    Parameters
    ----------
    y_true : array of shape (n,)
        Observations.
    output : InferenceData or DataTree
        What ``pymc.sample_posterior_predictive`` returns, or what ArviZ made of the draws of another library.
    variable : str, optional
        The observed variable; not needed if the group has one variable only.
    group : str
        The group with the draws: ``"predictions"`` if PyMC was called with ``predictions=True``.
    **options
        As in `from_numpyro`, and its ``levels`` and ``coverage``.

    Returns
    -------
    Intervals
        The rows, ready for `Intervals.ucc` and `uccurve.compare`.

    Raises
    ------
    ArgumentTypeError
        If ``output`` has no such group.
    ArgumentError
        If ``variable`` is not in the group, or is needed and not passed; if ``group`` is "posterior"; or as
        in `from_numpyro`.
    ShapeError
        If draws have no dimensions ``chain`` and ``draw``, or do not fit ``y_true``.
    InvalidRowsError
        If rows are invalid, as in `Intervals.from_samples`.

    See Also
    --------
    uccurve.Intervals.from_samples : Any other draws.

    Examples
    --------
    >>> from uccurve.adapters import from_arviz
    >>> rows = from_arviz(y, pymc.sample_posterior_predictive(trace, model))  # doctest: +SKIP
    """
    if group == "posterior":
        got = "'posterior', with parameters and means"
        hint = "Their intervals are not meant to cover observations."
        raise ArgumentError(argument="group", rule="contain draws of observations", got=got, hint=hint)
    try:
        dataset = output[group]
        known = [str(name) for name in dataset.data_vars]
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        rule = f"be InferenceData of ArviZ or a DataTree with the group {group!r}"
        hint = "Draw from the posterior predictive distribution first."
        raise ArgumentTypeError(argument="output", rule=rule, got=type(output).__name__, hint=hint) from error
    array = dataset[_choose_variable(variable, known, f"group {group}")]
    if not set(_CHAIN_AND_DRAW) <= set(array.dims):
        raise ShapeError(argument="output", rule="have draws along 'chain' and 'draw'", got=tuple(array.dims))
    return from_numpyro(y_true, np.asarray(array.transpose(*_CHAIN_AND_DRAW, ...).values), **options)


def _choose_variable(variable: str | None, known: list[str], where: str) -> str:
    """Return the variable that is asked for, or the only one."""
    if variable is None and len(known) == 1:
        return known[0]
    if variable not in known:
        rule = f"name the observed variable in the {where}, which has {', '.join(known) or 'none'}"
        raise ArgumentError(argument="variable", rule=rule, got=repr(variable))
    return str(variable)


# -- forecasts of several series ----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class SeriesIntervals:
    """The intervals of one model for one or several series, with the labels of their rows.

    Attributes
    ----------
    intervals : Intervals
        The rows of all forecasts, one after the other.
    series : numpy.ndarray of shape (n,)
        The label of each row's series: for ``uc.compare(…, by=…)``.
    blocks : numpy.ndarray of shape (n,)
        The number of each row's forecast, from 0. Rows of one forecast depend on each other: for
        ``uc.compare(…, blocks=…)`` and all other tests and confidence intervals.

    See Also
    --------
    from_darts, from_gluonts : Return it.

    Examples
    --------
    >>> from types import SimpleNamespace as SampleForecast  # stands for that of GluonTS
    >>> import numpy as np
    >>> import uccurve as uc
    >>> draws = np.arange(38.0).reshape(19, 2)
    >>> forecast = SampleForecast(samples=draws, item_id="a", start_date="2024-01-01", index=[0, 1])
    >>> uc.adapters.from_gluonts([[20.0, 30.0]], [forecast], coverage=0.9).blocks
    array([0, 0])
    """

    intervals: Intervals
    series: np.ndarray
    blocks: np.ndarray

    def __repr__(self) -> str:
        counts = f"series={len(set(self.series.tolist()))}, blocks={len(set(self.blocks.tolist()))}"
        return f"SeriesIntervals({self.intervals!r}, {counts})"


class Forecast(NamedTuple):
    """One forecast of one series.

    Attributes
    ----------
    series : hashable
        The label of the series.
    observed : array of shape (steps, components)
        Its observations.
    values : array of shape (draws, steps, components) or (levels, steps, components)
        Draws, or quantiles.
    levels : tuple of float
        The levels of quantiles; empty for draws.
    """

    series: Hashable
    observed: np.ndarray
    values: np.ndarray
    levels: tuple[float, ...] = ()


def _join_forecasts(forecasts: Sequence[Forecast], given: common.Observations) -> SeriesIntervals:
    """Make intervals of all forecasts, with the series and the forecast of each row."""
    kinds = {(each.levels, each.values.shape[0], each.observed.shape[1]) for each in forecasts}
    if len(kinds) != 1:
        rule = "have at least one forecast, all with the same levels or as many draws, and as many components"
        raise ArgumentError(argument="output", rule=rule, got=f"{len(forecasts)} of {len(kinds)} kinds")
    observed = np.concatenate([each.observed for each in forecasts])
    values = np.concatenate([each.values for each in forecasts], axis=1)
    if observed.shape[1] == 1:
        observed, values = observed[:, 0], values[:, :, 0]
    given, told = given._replace(y_true=observed), forecasts[0].levels
    rows = given.with_quantiles(dict(zip(told, values, strict=True))) if told else given.with_draws(values)
    blocks = np.repeat(np.arange(len(forecasts)), [len(each.observed) for each in forecasts])
    blocks = blocks if rows.kept is None else blocks[rows.kept]
    series = as_labels([forecasts[block].series for block in blocks.tolist()], len(blocks), "item_id")
    return SeriesIntervals(intervals=rows, series=frozen(series), blocks=frozen(blocks))


def from_darts(
    y_true: Any,
    output: Any,
    *,
    coverage: float | None = None,
    levels: Sequence[float] | None = None,
    **options: Unpack[common.RowOptions],
) -> SeriesIntervals:
    """Make intervals from probabilistic forecasts of Darts.

    The observation of each forecast is found by its time in ``y_true``, which may be longer.

    Parameters
    ----------
    y_true : TimeSeries, or sequence of TimeSeries
        Observations: one series, or several.
    output : TimeSeries, sequence of TimeSeries, or sequence of such sequences
        What ``predict`` and ``historical_forecasts`` return, as draws (``num_samples=200``) or as quantiles
        (``predict_likelihood_parameters=True``, with components such as ``x_q0.050``). Several forecasts of
        one series, or one or several of each series.
    coverage : float, optional
        The one pair of quantiles to take, such as 0.9. Without it all become a family, for
        ``uc.UCC(…, vary="level")``, with the widest as the bounds.
    levels : sequence of float, optional
        At which levels to read draws; by default at the 31 of `Intervals.from_distribution`, as far as the
        draws reach.
    **options
        ``sample_weight``, ``crossed`` and ``invalid``, as in `Intervals.from_quantiles`, for the rows of all
        forecasts, one after the other.

    Returns
    -------
    SeriesIntervals
        Intervals around the medians, or without them the midpoints; the number of each row's series, and
        its forecast as its block.

    Raises
    ------
    IndexMismatchError
        If ``y_true`` lacks the time of a forecast.
    ArgumentError
        If ``output`` has neither draws nor quantiles, forecasts differ in kind, levels or components, or
        ``coverage`` is none of the claims.
    ArgumentTypeError
        If observations or forecasts are not TimeSeries.
    ShapeError
        If there are not forecasts of each series.
    InvalidRowsError
        If rows are invalid, as in `Intervals.from_quantiles`.

    See Also
    --------
    uccurve.Intervals.from_bounds : Any other bounds.

    Examples
    --------
    >>> from types import SimpleNamespace as TimeSeries  # stands for that of Darts
    >>> import numpy as np
    >>> import uccurve as uc
    >>> def series(columns):
    ...     values = np.array(list(columns.values())).T[:, :, np.newaxis]
    ...     return TimeSeries(time_index=np.arange(2), components=list(columns), all_values=lambda: values)
    >>> y = series({"load": [3.0, 5.0]})
    >>> forecast = series({"load_q0.050": [1.0, 2.0], "load_q0.500": [2.0, 4.0], "load_q0.950": [4.0, 6.0]})
    >>> uc.adapters.from_darts(y, forecast)
    SeriesIntervals(Intervals(n=2, bandwidth=1.75, asymmetric), series=1, blocks=1)
    """
    given, truths = (
        common.Observations(y_true, None, coverage, levels, **options),
        _as_series("y_true", y_true),
    )
    groups = [_as_series("output", each) for each in _as_series("output", output)]
    if _is_series(y_true):
        groups = [[each for group in groups for each in group]]
    if len(groups) != len(truths):
        rule = f"have forecasts of each series: {len(truths)}"
        raise ShapeError(argument="output", rule=rule, got=len(groups))
    forecasts = [
        _read_darts(truth, forecast, series)
        for series, (truth, group) in enumerate(zip(truths, groups, strict=True))
        for forecast in group
    ]
    return _join_forecasts(forecasts, given)


def _is_series(value: Any) -> bool:
    return all(hasattr(value, part) for part in ("all_values", "time_index", "components"))


def _as_series(name: str, value: Any) -> list[Any]:
    return [value] if _is_series(value) else arguments.sequence(name, value, "TimeSeries of Darts, or be one")


def _read_darts(truth: Any, forecast: Any, series: int) -> Forecast:
    for name, value in {"y_true": truth, "output": forecast}.items():
        if not _is_series(value):
            raise ArgumentTypeError(argument=name, rule="be TimeSeries of Darts", got=type(value).__name__)
    known, values = truth.all_values(), forecast.all_values()
    if known.shape[-1] > 1:
        got = f"{known.shape[-1]} draws"
        raise ArgumentError(argument="y_true", rule="have one value at a time", got=got)
    wanted, times = (zip(each.time_index.tolist()) for each in (forecast, truth))
    observed = common.find_observations(wanted, times, known[:, :, 0], ("time",))
    components, names = ([str(name) for name in each.components] for each in (truth, forecast))
    if values.shape[-1] > 1:
        places = [names.index(name) for name in _match_components(names, components)]
        return Forecast(series, observed, np.moveaxis(values[:, places], -1, 0))
    told = [level for level in map(read_level, names) if level is not None]
    if len(told) < len(names):
        rule = "contain draws (`num_samples=200`) or quantiles (`predict_likelihood_parameters=True`)"
        raise ArgumentError(argument="output", rule=rule, got=f"one value of {list_names(names)}")
    fronts = [re.sub("_?q$", "", level.front) for level in told]  # x of x_q0.050
    columns = zip([level.share for level in told], fronts, values[:, :, 0].T, strict=True)
    quantiles = common.join_variables(columns, _match_components([*dict.fromkeys(fronts)], components))
    return Forecast(series, observed, np.array([*quantiles.values()]), tuple(quantiles))


def _match_components(names: list[str], wanted: list[str]) -> list[str]:
    """Return the components of a forecast in the order of the observations'; one alone always fits."""
    if len(names) == len(wanted) == 1:
        return names
    if sorted(names) != sorted(wanted):
        rule = f"have the components of `y_true`, {list_names(wanted)}"
        raise ArgumentError(argument="output", rule=rule, got=list_names(names))
    return wanted


def from_gluonts(
    y_true: Iterable[Any],
    output: Iterable[Any],
    *,
    coverage: float | None = None,
    levels: Sequence[float] | None = None,
    **options: Unpack[common.RowOptions],
) -> SeriesIntervals:
    """Make intervals from forecasts of GluonTS.

    Parameters
    ----------
    y_true : iterable of pandas.Series, pandas.DataFrame or arrays
        The series of each forecast, as ``make_evaluation_predictions`` returns them beside the forecasts:
        observations are found by their time, and the history before is left out. Arrays have the
        observations of the forecast's steps only.
    output : iterable of SampleForecast, QuantileForecast or DistributionForecast
        The forecasts, all of one kind.
    coverage : float, optional
        The one pair of quantiles to take, such as 0.9. Without it all become a family, for
        ``uc.UCC(…, vary="level")``, with the widest as the bounds.
    levels : sequence of float, optional
        At which levels to read draws and distributions; by default at the 31 of
        `Intervals.from_distribution`, as far as draws reach.
    **options
        ``sample_weight``, ``crossed`` and ``invalid``, as in `Intervals.from_quantiles`, for the rows of all
        forecasts, one after the other.

    Returns
    -------
    SeriesIntervals
        Intervals around the medians, or without them the midpoints. The series of a row is the ``item_id``
        of its forecast, or the forecast's number where some have none; its block is its forecast.

    Raises
    ------
    IndexMismatchError
        If a series lacks the time of its forecast.
    ShapeError
        If there is not one series for each forecast, or an array does not have its steps.
    ArgumentTypeError
        If forecasts are of none of these kinds.
    ArgumentError
        If they differ in kind, levels or components, or ``coverage`` is none of the claims.
    InvalidRowsError
        If rows are invalid, as in `Intervals.from_quantiles`.

    See Also
    --------
    uccurve.Intervals.from_bounds : Any other bounds.

    Examples
    --------
    >>> from types import SimpleNamespace as SampleForecast  # stands for that of GluonTS
    >>> import numpy as np
    >>> import uccurve as uc
    >>> draws = np.arange(38.0).reshape(19, 2)
    >>> forecast = SampleForecast(samples=draws, item_id="a", start_date="2024-01-01", index=[0, 1])
    >>> uc.adapters.from_gluonts([[20.0, 30.0]], [forecast], coverage=0.9)
    SeriesIntervals(Intervals(n=2, bandwidth=18, symmetric), series=1, blocks=1)
    """
    truths = arguments.sequence("y_true", y_true, "series, one for each forecast")
    forecasts = arguments.sequence("output", output, "forecasts of GluonTS")
    if len(truths) != len(forecasts):
        rule = f"have a series for each forecast of `output`, {len(forecasts)}"
        raise ShapeError(argument="y_true", rule=rule, got=len(truths))
    labels = [getattr(forecast, "item_id", None) for forecast in forecasts]
    if None in labels:
        labels = list(range(len(labels)))
    given = common.Observations(y_true, None, coverage, levels, **options)
    read = [_read_gluonts(*each, given) for each in zip(truths, forecasts, labels, strict=True)]
    return _join_forecasts(read, given)


def _read_gluonts(truth: Any, forecast: Any, label: Hashable, given: common.Observations) -> Forecast:
    told: tuple[float, ...] = ()
    if hasattr(forecast, "forecast_keys") and hasattr(forecast, "forecast_array"):
        quantiles = dict(zip(forecast.forecast_keys, forecast.forecast_array, strict=True))
        quantiles.pop("mean", None)
        if not quantiles:
            rule = "have quantiles such as '0.1' and '0.9'"
            raise ArgumentError(argument="output", rule=rule, got="a mean")
        told, values = tuple(map(float, quantiles)), np.array([*quantiles.values()])
    elif hasattr(forecast, "samples"):
        values = common.as_numpy(forecast.samples)
    elif callable(getattr(forecast, "quantile", None)) and hasattr(forecast, "index"):
        told = tuple(given.levels_to_read())
        values = np.stack([common.as_numpy(forecast.quantile(level)) for level in told])
    else:
        rule = "contain forecasts of GluonTS: draws, quantiles or distributions"
        raise ArgumentTypeError(argument="output", rule=rule, got=type(forecast).__name__)
    values, observed = np.atleast_3d(values), common.as_numpy(truth)
    observed = observed[:, np.newaxis] if observed.ndim == 1 else observed
    if hasattr(truth, "iloc"):
        wanted, times = (zip(each.index.tolist()) for each in (forecast, truth))
        observed = common.find_observations(wanted, times, observed, ("time",))
    if observed.shape != values.shape[1:]:
        rule = f"have the shape {values.shape[1:]} of each forecast, steps and components"
        raise ShapeError(argument="y_true", rule=rule, got=f"{observed.shape} for {label!r}")
    return Forecast(label, observed, values, told)

"""Forecasts of skforecast: bounds, quantiles, or bootstrapped draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from uccurve._base import frames
from uccurve._base.arrays import to_numpy
from uccurve.adapters._levels import intervals_of_draws, intervals_of_levels
from uccurve.adapters._row_match import refuse_other_rows
from uccurve.adapters._series import observations
from uccurve.adapters._told_nominal import refuse_nominal, stated_nominal
from uccurve.columns import list_names, read_level
from uccurve.exceptions import ArgumentError, ArgumentTypeError, MissingColumnError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import ArrayLike, Crossed, Invalid
    from uccurve.intervals import Intervals

_BOUNDS = ["lower_bound", "upper_bound"]
_DRAW = "pred_boot_"
_SERIES = "level"
_UNSAID = "the frame does not say what `interval` was asked for; write 0.9 for `interval=[0.05, 0.95]`"


def from_skforecast(
    y_true: Any,
    output: Any,
    *,
    nominal: float | None = None,
    y_pred: Literal["pred"] | None = "pred",
    coverage: float | None = None,
    levels: Sequence[float] | None = None,
    sample_weight: ArrayLike | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
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
        The coverage that ``lower_bound`` and ``upper_bound`` claim, such as 0.9. It must be given for them:
        the frame does not say. Quantiles and draws need none.
    y_pred : {"pred", None}
        Whether the column ``pred`` is the prediction, where there is one; otherwise, and with None, it is the
        median, or without one the midpoint.
    coverage : float, optional
        The one pair of quantiles to take, such as 0.9. Without it all become a family, for
        ``uc.UCC(…, vary="level")``, with the widest as the bounds.
    levels : sequence of float, optional
        At which levels to read draws; by default at the 31 of `Intervals.from_distribution`, as far as the
        draws reach.
    sample_weight : array of shape (n,), optional
        Weights, 0 or more.
    crossed : {"raise", "sort"}
        As in `Intervals.from_quantiles`.
    invalid : {"raise", "drop"}
        As in `Intervals.from_bounds`.

    Examples
    --------
    >>> import pandas as pd
    >>> import uccurve as uc
    >>> output = pd.DataFrame({"pred": [3.0, 4.0], "lower_bound": [2.0, 2.5], "upper_bound": [4.5, 5.0]})
    >>> uc.adapters.from_skforecast([3.5, 5.5], output, nominal=0.9)
    Intervals(n=2, bandwidth=1.25, asymmetric)
    """
    if y_pred not in ("pred", None):
        raise ArgumentError(argument="y_pred", rule="be 'pred' or None", got=repr(y_pred))
    columns = _columns(output)
    observed = _observed(y_true, output, columns)
    refuse_other_rows(observed, output, sample_weight=sample_weight)
    point = frames.to_numpy("pred", output["pred"]) if y_pred and "pred" in columns else None
    weighted: Any = {"sample_weight": sample_weight, "invalid": invalid}
    draws = [column for column in columns if column.startswith(_DRAW)]
    told = {column: read_level(column) for column in columns if column.startswith("q_")}
    shares = {name.share: column for column, name in told.items() if name is not None}
    if levels is not None and not draws:
        raise ArgumentError(
            argument="levels", rule="be passed for draws only", hint="The columns of `output` tell them."
        )
    if draws:
        refuse_nominal(nominal, "draws")
        table = frames.to_numpy("output", output[draws]).T
        return intervals_of_draws(observed, table, coverage=coverage, levels=levels, **weighted)
    if shares:
        refuse_nominal(nominal, "quantiles")
        names = shares
        quantiles = {share: frames.to_numpy(column, output[column]) for share, column in names.items()}
    elif set(_BOUNDS) <= set(columns):
        names = dict(zip(stated_nominal(nominal, _UNSAID), _BOUNDS, strict=True))
        quantiles = {level: frames.to_numpy(column, output[column]) for level, column in names.items()}
    else:
        raise MissingColumnError(
            argument="output",
            rule=f"have {list_names(_BOUNDS)}, or quantiles such as 'q_0.05', or draws such as 'pred_boot_0'",
            got=list_names(columns),
        )
    return intervals_of_levels(
        observed,
        quantiles,
        coverage=coverage,
        y_pred=point,
        crossed=crossed,
        names=names,
        library=frames.library(output),
        **weighted,
    )


def _columns(output: Any) -> list[str]:
    if not (hasattr(output, "iloc") and hasattr(output, "columns")):
        raise ArgumentTypeError(argument="output", rule="be a frame of pandas", got=type(output).__name__)
    return [str(column) for column in output.columns]


def _observed(y_true: Any, output: Any, columns: Sequence[str]) -> Any:
    """Return observations in the order of the forecasts; of several series, by series and time."""
    wide = isinstance(y_true, Mapping) or (hasattr(y_true, "columns") and hasattr(y_true, "iloc"))
    if _SERIES not in columns or not wide:
        return y_true
    series = {str(name): y_true[name] for name in y_true}
    if not series or not all(hasattr(column, "iloc") for column in series.values()):
        raise ArgumentTypeError(
            argument="y_true", rule="hold series of pandas, whose index has their times, by name"
        )
    known = [(name, time) for name, column in series.items() for time in column.index.tolist()]
    values = np.concatenate([to_numpy(frames.to_numpy(name, column)) for name, column in series.items()])
    wanted = list(zip(map(str, output[_SERIES].tolist()), output.index.tolist(), strict=True))
    return observations(wanted, known, values, "series and time", called="output")

"""Tables of several models: those of Nixtla's libraries, and of hubs (hubverse and R's scoringutils)."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from uccurve._base import arguments
from uccurve.adapters.common import join_observations, read_frame
from uccurve.columns import absent_column, list_names, read_level
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    DroppedRowsWarning,
    EmptyInputError,
    MissingColumnError,
    PredictionOutsideError,
)
from uccurve.intervals import MEDIAN, checks
from uccurve.io import Models

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Crossed, Invalid

# The last time before a forecast of Nixtla's libraries.
_CUTOFF = "cutoff"
# What scoringutils and hubverse call the columns that every table has; all others say what is forecast.
_NAMES = {
    "model": ("model", "model_id"),
    "quantile_level": ("quantile_level", "output_type_id", "level", "quantile"),
    "predicted": ("predicted", "value", "prediction"),
    "observed": ("observed", "oracle_value", "true_value", "observation"),
}
_LEVELS = _NAMES["quantile_level"]
# The column of hubverse that tells quantiles from means, draws and so on, and the quantiles in it.
_KIND, _QUANTILE = "output_type", "quantile"
# What no table calls a column: it names model and level.
_COLUMN = "model and level"
# Decimals that tell levels apart: 0.15000000000000002 is 0.15.
_DECIMALS = 9


def from_nixtla(
    frame: Any,
    *,
    y_true: Any = None,
    models: Sequence[str] | None = None,
    coverage: float | None = None,
    y_pred: Literal["model"] | None = "model",
    sample_weight: str | None = None,
    crossed: Crossed = "raise",
    invalid: Invalid = "raise",
    id_col: str = "unique_id",
    time_col: str = "ds",
    target_col: str = "y",
) -> Models:
    """Make intervals from a frame of statsforecast, mlforecast or neuralforecast, all models at once.

    Bounds are the columns ``Model-lo-90`` and ``Model-hi-90``, whose level is in percent, or quantiles such
    as ``Model_ql0.05``. Several levels of a model become a family, for ``uc.UCC(…, vary="level")``, with the
    widest as the bounds.

    Parameters
    ----------
    frame : frame of pandas or Polars
        What ``cross_validation`` returns, with the observations in it, or what ``forecast`` and ``predict``
        return.
    y_true : frame of pandas or Polars, optional
        Observations with the columns ``unique_id``, ``ds`` and ``y``, where ``frame`` has none. They are
        joined by series and time: every forecast needs one, others are ignored.
    models : sequence of str, optional
        The models to read. By default all that have bounds: a model with a point forecast only is left out.
    coverage : float, optional
        The level to use if there are several, such as 0.9; wider ones are left out.
    y_pred : {"model", None}
        Whether the column ``Model`` is the prediction, where there is one; otherwise, and with None, it is
        the median, or without one the midpoint.
    sample_weight : str, optional
        The column of weights.
    crossed : {"raise", "sort"}
        As in `Intervals.from_quantiles`.
    invalid : {"raise", "drop"}
        Rows that break a rule in some model: raise an error, or drop them from all models, with a warning.
    id_col, time_col, target_col : str
        The columns of the series, the time and the observations, where they have other names.

    Returns
    -------
    Models
        The models by name. The segments, ``models.by``, are the series. The blocks, ``models.blocks``, are
        the forecasts: one for each series, and for each ``cutoff`` where there is this column.

    Raises
    ------
    MissingColumnError
        If the frame has no observations or no bounds, or a column is absent.
    InvalidRowsError
        If rows are invalid, as in `Models.from_frame`, such as predictions outside their bounds.
    IndexMismatchError
        If ``y_true`` lacks the series and time of a forecast.
    ArgumentError
        If ``y_true`` has a series and time twice, or is passed beside a column of observations; or if an
        option has a value outside its rule.

    See Also
    --------
    uccurve.Models.from_frame : Any other table.

    Examples
    --------
    >>> import pandas as pd
    >>> import uccurve as uc
    >>> frame = pd.DataFrame({
    ...     "unique_id": ["a", "a", "b", "b"], "ds": [1, 2, 1, 2], "cutoff": 0, "y": [3.0, 5.0, 1.0, 2.0],
    ...     "Naive": [3.5, 3.5, 2.0, 2.0],
    ...     "Naive-lo-90": [2.5, 2.0, 1.5, 1.0], "Naive-hi-90": [4.5, 5.0, 2.5, 3.0],
    ... })
    >>> models = uc.adapters.from_nixtla(frame)
    >>> models
    Models('Naive'; 4 rows)
    >>> models["Naive"].nominal
    0.9
    """
    import narwhals as nw  # noqa: PLC0415

    arguments.option("y_pred", y_pred, ("model", None))
    if coverage is not None:
        checks.check_claims(coverage, name="coverage")
    table = read_frame(frame, "frame", (id_col, time_col)).frame
    if y_true is not None:
        if target_col in table.columns:
            rule = f"not be passed beside the column {target_col!r} of `frame`"
            raise ArgumentError(argument="y_true", rule=rule)
        observed = join_observations(y_true, frame, (id_col, time_col), target_col, "frame")
        table = table.with_columns(nw.new_series(target_col, observed, backend=table.implementation))
    elif target_col not in table.columns:
        hint = f"Or pass a frame with {list_names([id_col, time_col, target_col])} as `y_true`."
        rule, got = f"have the column {target_col!r}", list_names(table.columns)
        raise MissingColumnError(argument="frame", rule=rule, got=got, hint=hint)
    forecast = [id_col, *([_CUTOFF] if _CUTOFF in table.columns else [])]
    bounds = _find_bounds(table.columns, models)
    points = [] if y_pred is None else [*bounds]
    wanted = [*forecast, time_col, target_col, *points, *chain.from_iterable(bounds.values())]
    if isinstance(sample_weight, str):  # anything else is refused below
        wanted.append(sample_weight)
    table = table.select([column for column in table.columns if column in wanted])
    columns: Any = {"y_true": target_col, "by": id_col, "blocks": forecast, "sample_weight": sample_weight}
    options: Any = {"nominal": coverage, "crossed": crossed, "invalid": invalid}
    try:
        return Models.from_frame(table.to_native(), **columns, **options)
    except PredictionOutsideError as error:
        raise error.replaced(hint="Pass `y_pred=None` to use the median or the midpoint.") from error


def _find_bounds(present: Sequence[str], models: Any) -> dict[str, list[str]]:
    """Return the columns of the quantiles of each model: all that have bounds, or those that are chosen."""
    found: dict[str, dict[float, str]] = {}
    for level in map(read_level, present):
        if level is not None and level.is_nixtla:
            found.setdefault(level.model, {})[level.share] = level.column
    bounded = [name for name, columns in found.items() if columns.keys() - {MEDIAN}]
    chosen = bounded if models is None else arguments.sequence("models", models, "names")
    if not bounded:
        rule, hint = "have bounds such as 'Model-lo-90' and 'Model-hi-90'", "Forecast with `level=[90]`."
        raise MissingColumnError(argument="frame", rule=rule, got=list_names(present), hint=hint)
    if not chosen or not set(chosen) <= set(bounded):
        rule = f"be some of the models that have bounds, {list_names(bounded)}"
        raise MissingColumnError(argument="models", rule=rule, got=repr(models))
    for name in chosen:
        for share, column in found[name].items():
            if arguments.complement(share) not in found[name]:  # which would be left out silently
                rule, hint = f"have a bound on the other side for {column!r}", "Add it, or drop the column."
                raise MissingColumnError(argument="frame", rule=rule, hint=hint)
    return {name: [*found[name].values(), f"{name}-median"] for name in chosen}


def from_hub(
    forecasts: Any,
    observations: Any = None,
    *,
    model: str | None = None,
    quantile_level: str | None = None,
    predicted: str | None = None,
    observed: str | None = None,
    by: str | None = None,
    blocks: str | Sequence[str] | None = None,
    crossed: Crossed = "raise",
) -> Models:
    """Read quantile forecasts of several models, in a table with a row for each model, forecast and level.

    Tables of hubverse and of R's scoringutils are read as they are. Rows that agree in all other columns,
    such as place, date and horizon, are one forecast. All models are judged on the same forecasts, at the
    levels that they share.

    Parameters
    ----------
    forecasts : frame of pandas or Polars
        The table. Where it has the column ``output_type``, rows that are no quantiles are passed over.
    observations : frame of the same library, optional
        What was observed, where the forecasts do not hold it (the oracle output of hubverse). It is joined
        by the columns that both tables have.
    model, quantile_level, predicted, observed : str, optional
        The columns of names, levels, quantiles and observations, where they are not called as in hubverse
        or scoringutils.
    by : str, optional
        The column of segments, such as the location.
    blocks : str, or sequence of str, optional
        Forecasts that agree in these columns depend on each other, such as those of one location.
    crossed : {"raise", "sort"}
        As in `Intervals.from_quantiles`.

    Returns
    -------
    Models
        The models by name, with their levels; ``models.table`` has the other columns.

    Raises
    ------
    MissingColumnError
        If a column is not there.
    ArgumentError
        If a forecast has two values of one level, or models share no levels on both sides of the median.
    InvalidRowsError
        If quantiles are crossed and ``crossed="raise"``, or values are infinite.
    EmptyInputError
        If no forecast is left.

    Warns
    -----
    DroppedRowsWarning
        If some models did not make a forecast, or not all of its levels.

    See Also
    --------
    uccurve.Models.from_frame : for tables with one row for each forecast and model.

    Examples
    --------
    >>> import polars as pl
    >>> import uccurve as uc
    >>> table = pl.DataFrame({
    ...     "model": ["a", "a", "a", "b", "b", "b"], "location": "DE", "observed": 3.0,
    ...     "quantile_level": [0.1, 0.5, 0.9] * 2, "predicted": [1.0, 2.0, 4.0, 0.0, 3.0, 9.0],
    ... })
    >>> uc.adapters.from_hub(table)
    Models('a', 'b'; 1 rows)
    """
    import narwhals as nw  # noqa: PLC0415

    table = _read_quantiles(forecasts, "forecasts")
    if observations is not None:
        table = _add_observations(table, _read_quantiles(observations, "observations"), observed)
    names, levels, values, truth = (
        _find_column(argument, given, table.columns)
        for argument, given in zip(_NAMES, (model, quantile_level, predicted, observed), strict=True)
    )
    named, share = nw.col(names).cast(nw.String()), nw.col(levels).cast(nw.Float64()).round(_DECIMALS)
    numbers = [nw.col(name).cast(nw.Float64()) for name in (values, truth)]
    table = table.with_columns(named, share, *(nw.when(~each.is_nan()).then(each) for each in numbers))
    kept = _choose_levels([set(rows[levels].to_list()) for _, rows in table.group_by(names)])
    column = nw.concat_str([named, share.cast(nw.String())], separator="_q").alias(_COLUMN)
    table = table.filter(share.is_in(kept)).with_columns(column).drop(names, levels)
    keys = [name for name in table.columns if name not in (_COLUMN, values)]
    _check_unique(table.select(*keys, _COLUMN), "forecasts", "model, forecast and level")
    wide = table.pivot(_COLUMN, index=keys, values=values)
    total = len(table.select(keys).unique())
    complete = wide.drop_nulls([truth, *(name for name in wide.columns if name not in keys)])
    if dropped := total - len(complete):
        rule = "have an observation, and quantiles of all models"
        reason = ArgumentError(argument="forecasts", rule=rule, count=dropped, total=total)
        if not len(complete):
            raise EmptyInputError(f"no forecast is left: {reason.demand()}")
        arguments.warn_caller(DroppedRowsWarning(dropped, total, [reason]))
    return Models.from_frame(complete.to_native(), y_true=truth, by=by, blocks=blocks, crossed=crossed)


def _read_quantiles(frame: Any, argument: str) -> Any:
    """Return a frame of narwhals without the rows of means, draws and so on that hubverse has."""
    import narwhals as nw  # noqa: PLC0415

    table = read_frame(frame, argument).frame
    if _KIND in table.columns:
        table = table.filter(nw.col(_KIND) == _QUANTILE).drop(_KIND)
    if not len(table):
        raise EmptyInputError(f"`{argument}` has no rows of quantiles")
    return table


def _add_observations(table: Any, known: Any, observed: str | None) -> Any:
    """Join observations by the columns that both tables have; each forecast has one."""
    truth = _find_column("observed", observed, known.columns)
    if known.implementation is not table.implementation:
        rule = "be a frame of the library of `forecasts`"
        raise ArgumentTypeError(argument="observations", rule=rule, got=known.implementation.value)
    # The oracle output of hubverse has a level as well, which is empty.
    shared = [name for name in known.columns if name in table.columns and name not in (truth, *_LEVELS)]
    if not shared:
        rule = "share columns with `forecasts`, such as a place and a date"
        raise ArgumentError(argument="observations", rule=rule, got=list_names(known.columns))
    known = known.select(*shared, truth).unique()
    hint = "Keep the last of revised values."
    _check_unique(known.select(shared), "observations", list_names(shared), hint)
    return table.join(known, on=shared, how="left")


def _check_unique(keys: Any, argument: str, each: str, hint: str = "") -> None:
    """Check that a table has one value for each key."""
    repeated = keys.is_duplicated()
    if repeated.any():
        facts: dict[str, Any] = {"count": int(repeated.sum()), "total": len(keys), "hint": hint}
        raise ArgumentError(argument=argument, rule=f"have one value for each {each}", **facts)


def _choose_levels(parts: Sequence[set[float]]) -> list[float]:
    """Return the levels that all models have on both sides of the median, and warn of others."""
    shared, every = set.intersection(*parts), set.union(*parts)
    kept = {level for level in shared if round(1 - level, _DECIMALS) in shared}
    if not kept - {MEDIAN}:
        rule = "have levels below and above the median that all models share"
        raise ArgumentError(argument="forecasts", rule=rule, got=f"{len(every)} levels")
    if left_out := sorted(every - kept):
        shown = ", ".join(f"{level:g}" for level in left_out)
        arguments.warn_caller(f"levels are used that all models have on both sides; left out: {shown}.")
    return sorted(kept)


def _find_column(argument: str, name: str | None, present: Sequence[str]) -> str:
    """Return the column of an argument: the one that is named, or the only one with a usual name."""
    if name is not None and name not in present:
        raise absent_column(name, present)
    found = [name] if name is not None else [usual for usual in _NAMES[argument] if usual in present]
    if len(found) != 1:
        is_absent = argument == "observed" and not found
        hint = "Pass `observations`, or `observed`." if is_absent else f"Pass `{argument}`."
        several = f"several columns could be the `{argument}`: {list_names(found)}"
        none = f"none of {list_names(_NAMES[argument])} is among the columns {list_names(present)}"
        raise MissingColumnError(several if found else none, hint=hint)
    return found[0]

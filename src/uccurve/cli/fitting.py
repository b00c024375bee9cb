"""What ``uccurve calibrate`` fits on: rows of a file, the earlier or some of them, or sketches."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
import polars as pl
from cyclopts import Parameter

from uccurve import ConformalScaler, Intervals, io
from uccurve._base.type_aliases import Vary
from uccurve.cli import inputs
from uccurve.cli.errors import UsageError
from uccurve.cli.options import COLUMNS, METHOD, ColumnOptions, ReadingOptions, Seed, option, share
from uccurve.columns import ColumnChoice, ModelColumns, absent_column, list_names
from uccurve.exceptions import ArgumentError, EmptyInputError, MissingColumnError, UccurveError
from uccurve.sketch import UCCSketch

FITTING_ROWS = "fitting rows: optimistic"
_OTHER_ROWS = "rows not used for fitting"
_EARLIER = "With --time: fit on the observed rows before this time, such as 2024-01-31."
# The model of a sketch file whose columns, or bytes, tell no name.
_UNNAMED = "model"


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True, slots=True)
class FittingOptions:
    """Which rows are fitted on; by default all that are observed."""

    calibration: Annotated[
        str | None, option("Fit on the observed rows of this file, or on sketches (.ucc).", METHOD, "FILE")
    ] = None
    fraction: Annotated[
        float | None,
        share("Fit on this share of the observed rows, drawn or, with --time, earliest.", "PART"),
    ] = None
    time: Annotated[str | None, option("Times, to fit on the earlier rows.", COLUMNS, "COL")] = None
    fit_before: Annotated[str | None, option(_EARLIER, METHOD, "TIME")] = None
    seed: Seed = 0
    unseen: Annotated[
        Literal["raise", "pooled"], option("Refuse segments without rows to fit on, or fit them on all rows.")
    ] = "raise"


DEFAULT_FITTING = FittingOptions()


def check_fitting(options: FittingOptions) -> None:
    """Refuse options that contradict each other."""
    ways = ("fit_before", "fraction", "calibration")
    given = [f"--{name.replace('_', '-')}" for name in ways if getattr(options, name) is not None]
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} exclude each other.")
    if options.time is None and options.fit_before is not None:
        raise UsageError("--fit-before needs --time COL, the column of times.")
    if options.time is not None and given in ([], ["--calibration"]):
        raise UsageError("--time needs --fit-before TIME or --fraction PART: what is fitted on.")


# -- rows -------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Rows:
    """The models of a file, on rows of which some may have no observation yet.

    Attributes
    ----------
    table : Table
        The rows in use, as the file has them.
    choice : ColumnChoice
        The columns in use.
    intervals : dict of str to Intervals
        The models by name. Where there is no observation, they hold a number that means nothing.
    y_true : array of shape (n,)
        Observations; NaN where there is none.
    labels : array of str of shape (n,), or None
        The segment of each row as text, which means the same in every format.
    notes : tuple of str
        What was dropped and put in order.
    """

    table: io.Table
    choice: ColumnChoice
    intervals: dict[str, Intervals]
    y_true: np.ndarray
    labels: np.ndarray | None
    notes: tuple[str, ...]

    @property
    def is_observed(self) -> np.ndarray:
        """Which rows have an observation, shape (n,)."""
        return np.asarray(~np.isnan(self.y_true))


def load_rows(
    file: str,
    columns: ColumnOptions,
    reading: ReadingOptions,
    *,
    by: str | None,
    vary: Vary,
    observed: bool = True,
) -> Rows:
    """Read the models of a file; ``observed`` says whether it needs a column of observations."""
    table = inputs.read_table(file, reading)
    given, model = inputs.choose_columns(columns, by)
    needs = {"levels": vary == "level", "observed": observed}
    try:
        choice, model = io.complete_choice(table.columns, given, columns.nominal, model=model, **needs)
    except UccurveError as error:
        raise table.about(error) from error
    if model not in (None, by) and len(set(_as_text(table, model))) > 1:
        problem = f"column {model!r} names several models, which would be fitted together"
        hint = f"Add --by {model} to fit each on its own rows."
        raise ArgumentError(problem, where=table.name, hint=hint)
    if vary != "level":  # inner quantiles may be anything
        choice = replace(choice, models=tuple(replace(one, quantiles={}) for one in choice.models))
    elif plain := next((one for one in choice.models if not one.quantiles), None):
        rule = "--vary level needs bounds whose names tell levels, such as q05, q25, q75 and q95"
        problem = f"{plain.name}: {rule}; it has {list_names(list(plain.arguments.values()))}"
        raise MissingColumnError(problem, where=table.name)
    y_true, filled = np.full(len(table), np.nan), table
    if choice.y_true is not None:
        y_true = table.numbers(choice.y_true)
        # Any number will do where there is none: rows without an observation stay.
        filled = add_columns(table, [pl.Series(choice.y_true, np.where(np.isnan(y_true), 0.0, y_true))])
    crossed, invalid = reading.crossed, reading.invalid
    models = io.Models.from_table(filled, choice, crossed=crossed, invalid=invalid, observed=observed)
    kept = np.asarray(models.table.rows) - 1
    table = table.keep(kept)
    intervals = dict(zip([one.name for one in choice.models], models.values(), strict=True))
    labels = None if by is None else _as_text(table, by)
    notes = models.notes
    return Rows(
        table=table, choice=choice, intervals=intervals, y_true=y_true[kept], labels=labels, notes=notes
    )


def add_columns(table: io.Table, columns: list[pl.Series]) -> io.Table:
    """Return the table with other columns in the place of those of the same name, or behind the last."""
    return replace(table, frame=io.as_table(table.frame.to_native().with_columns(columns)).frame)


def _as_text(table: io.Table, column: str) -> np.ndarray:
    return np.asarray(table.frame.get_column(column).to_native().cast(pl.String).to_numpy())


# -- what is fitted on ------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Plan:
    """What is fitted on, and which rows the result is measured on.

    Attributes
    ----------
    source : str
        The file that is fitted on, as it is shown.
    columns : dict of str to ModelColumns
        The columns of each model there.
    data : dict of str to Intervals, UCCSketch, or dict of label to UCCSketch
        What a scaler takes, for each model.
    labels : array of str of shape (n,), or None
        The segment of each row of the data, where they are rows.
    judged : array of bool of shape (n,)
        Which rows of the file to calibrate the result is measured on.
    judged_on : str
        What these rows are.
    fitted_until, judged_from : str or None
        The last time that is fitted on, and the first that is measured on, where times split the rows.
    notes : tuple of str
        What was dropped and put in order in the file that is fitted on, if it is another one.
    """

    source: str
    columns: dict[str, ModelColumns]
    data: dict[str, Any]
    labels: np.ndarray | None = None
    judged: np.ndarray
    judged_on: str
    fitted_until: str | None = None
    judged_from: str | None = None
    notes: tuple[str, ...] = ()

    def fit(self, scaler: ConformalScaler, model: ModelColumns, target: str) -> None:
        """Fit a scaler to the model of the same name; ``target`` is the file to calibrate."""
        own = self.columns.get(model.name)
        if own is None:
            models = f"as in {target}; its models are {list_names(list(self.columns))}"
            raise MissingColumnError(f"there is no model {model.name!r}, {models}", where=self.source)
        if None not in (model.level, own.level) and model.level != own.level:
            fitted = f"{model.name} would be fitted on {own.lower!r} and {own.upper!r}"
            got = f"but {target} has {model.lower!r} and {model.upper!r}"
            raise ArgumentError(
                f"{fitted}, {got}", where=self.source, hint="Choose one level with `nominal`."
            )
        try:
            scaler.fit(self.data[model.name], by=self.labels)
        except UccurveError as error:
            raise error.replaced(where=f"{self.source}: {model.name}") from error


def plan_fit(
    target: Rows, options: FittingOptions, columns: ColumnOptions, reading: ReadingOptions, vary: Vary
) -> Plan:
    """Decide what is fitted on: another file, the earlier or a random part of the rows, or all of them."""
    observed, file, by = target.is_observed, options.calibration, target.choice.by
    if file is not None and inputs.is_sketch(file):
        if vary != "scale":
            kept = "a sketch keeps only what --vary scale needs"
            raise UsageError(f"--vary {vary} needs the rows, but {kept}: give --calibration a data file.")
        return _fit_sketches(file, target)
    if file is not None:
        rows = load_rows(file, columns, replace(reading, format=None), by=by, vary=vary)
        judged_on = FITTING_ROWS if _are_same(rows, target) else _OTHER_ROWS
        return _fit_rows(rows, rows.is_observed, judged=observed, judged_on=judged_on, notes=rows.notes)
    if options.time is not None and observed.any():
        return _split_by_time(target, options.time, options)
    if options.fraction is None:
        return _fit_rows(target, observed, judged=observed, judged_on=FITTING_ROWS)
    order = np.random.default_rng(options.seed).permutation(np.flatnonzero(observed))
    fitted = np.isin(np.arange(observed.size), order[: max(1, round(options.fraction * order.size))])
    return _fit_rows(target, fitted, judged=observed & ~fitted, judged_on=_OTHER_ROWS)


def _fit_rows(rows: Rows, fitted: np.ndarray, **facts: Any) -> Plan:
    """Fit on some of the rows of a file, which must be observed."""
    if not fitted.any():
        problem = f"column {rows.choice.y_true!r} has no value to fit on"
        hint = "Pass a file with observed rows as `calibration`."
        raise EmptyInputError(problem, where=rows.table.name, hint=hint)
    data = {name: intervals[fitted] for name, intervals in rows.intervals.items()}
    labels = None if rows.labels is None else rows.labels[fitted]
    columns = {one.name: one for one in rows.choice.models}
    return Plan(source=rows.table.name, columns=columns, data=data, labels=labels, **facts)


def _are_same(fitting: Rows, target: Rows) -> bool:
    """Whether the observed rows of both hold the same numbers in the same order, whatever the files."""
    pairs = [(fitting.y_true[fitting.is_observed], target.y_true[target.is_observed])]
    for name in fitting.intervals.keys() & target.intervals.keys():
        own, other = (rows.intervals[name][rows.is_observed] for rows in (fitting, target))
        pairs += [(own.lower, other.lower), (own.upper, other.upper)]
    return all(np.array_equal(*pair) for pair in pairs)


def _fit_sketches(file: str, target: Rows) -> Plan:
    """Fit on sketches; one without the name of its model is that of the only model."""
    by, content = target.choice.by, inputs.read_sketches([file], target.choice.by).content
    if by is not None and None in content.segments:
        raise ArgumentError(f"some rows have no {by}", where=file, hint="Leave them out of the sketch.")
    is_unnamed = content.models == [_UNNAMED] and len(target.intervals) == 1
    parts: dict[str, dict[str | None, list[UCCSketch]]] = {}
    columns = {}
    for (model, label), sketch in content.sketches.items():
        name = next(iter(target.intervals)) if is_unnamed else model
        roles = content.columns.get(model, {})
        columns[name] = ModelColumns(lower=roles.get("lower"), upper=roles.get("upper"))
        text = None if by is None else pl.Series([label]).cast(pl.String).item()
        parts.setdefault(name, {}).setdefault(text, []).append(sketch)
    data: dict[str, Any] = {}
    for name, segments in parts.items():
        sums = {label: UCCSketch.sum(sketches) for label, sketches in segments.items()}
        data[name] = sums[None] if by is None else sums
    return Plan(source=file, columns=columns, data=data, judged=target.is_observed, judged_on=_OTHER_ROWS)


# -- times ------------------------------------------------------------------------------------------


def _split_by_time(target: Rows, column: str, options: FittingOptions) -> Plan:
    """Fit on the rows before a time, or on the earliest part; rows of one time are on one side."""
    table, observed = target.table, target.is_observed
    if column not in table.columns:
        raise table.about(absent_column(column, table.columns))
    times = table.keep(observed).times(column)
    distinct, counts = np.unique(times, return_counts=True)
    if options.fit_before is not None:
        is_early = times < _read_cut(options.fit_before, is_number=times.dtype.kind != "M")
    else:  # the cut that comes nearest to the share, and leaves some rows
        reached = np.cumsum(counts)[: max(1, counts.size - 1)] / times.size
        is_early = times <= distinct[np.argmin(np.abs(reached - (options.fraction or 0)))]
    if not is_early.any():
        problem = f"no observed row is before --fit-before {options.fit_before}"
        begins = f"column {column!r} begins at {_show_time(distinct[0])}"
        raise EmptyInputError(f"{problem}: {begins}", where=table.name)
    late = times[~is_early]
    if options.fit_before is None and not late.size:
        problem = f"column {column!r} has one time in all observed rows: nothing is later"
        raise EmptyInputError(problem, where=table.name)
    fitted = np.isin(np.arange(observed.size), np.flatnonzero(observed)[is_early])
    split = {"judged": observed & ~fitted, "judged_on": f"later {_OTHER_ROWS}"}
    ends = {"fitted_until": _show_time(times[is_early].max())}
    ends |= {"judged_from": _show_time(late.min())} if late.size else {}
    return _fit_rows(target, fitted, **split, **ends)


def _read_cut(text: str, *, is_number: bool) -> Any:
    """Return the time, or the number, that --fit-before names."""
    try:
        cut = np.float64(text) if is_number else io.read_time(text)
    except ValueError:
        cut = np.float64("nan")
    if np.isnan(cut):
        rule = "must be a number, as the times are" if is_number else "write times as 2024-01-31T12:00"
        raise UsageError(f"--fit-before {text}: {rule}.")
    return cut


def _show_time(time: Any) -> str:
    """Show a number, or a time without what is zero in the end: 2024-01-31."""
    return f"{time:.12g}" if isinstance(time, float) else str(np.datetime_as_string(time, unit="auto"))

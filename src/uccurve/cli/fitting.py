"""What ``uccurve calibrate`` fits on: rows of a file, the earlier or some of them, or sketches."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np
import polars as pl
from cyclopts import Parameter

from uccurve import io
from uccurve._base.type_aliases import Vary
from uccurve.calibration import ConformalScaler
from uccurve.cli import inputs
from uccurve.cli.errors import UsageError
from uccurve.cli.options import COLUMNS, METHOD, DataOptions, Seed, option, share
from uccurve.columns import ColumnChoice, ModelColumns, absent_column, list_names
from uccurve.exceptions import ArgumentError, EmptyInputError, MissingColumnError, UccurveError
from uccurve.intervals import Intervals
from uccurve.sketch import UCCSketch

FITTING_ROWS = "fitting rows: optimistic"
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
        float | None, share("Fit on this share of rows: random or, with --time, the earliest.", "PART")
    ] = None
    time: Annotated[str | None, option("Column of times, to fit on the earlier rows.", COLUMNS, "COL")] = None
    fit_before: Annotated[str | None, option("Fit on the rows before this --time.", METHOD, "TIME")] = None
    seed: Seed = 0
    unseen: Annotated[
        Literal["raise", "pooled"], option("Segments without rows to fit on: refuse, or fit on all rows.")
    ] = "raise"

    def check(self) -> None:
        """Refuse options that contradict each other."""
        ways = ("fit_before", "fraction", "calibration")
        given = [f"--{way.replace('_', '-')}" for way in ways if getattr(self, way) is not None]
        if len(given) > 1:
            raise UsageError(f"{given[0]} and {given[1]} cannot be combined.")
        if self.time is None and self.fit_before is not None:
            raise UsageError("--fit-before needs --time COL, the column of times.")
        if self.time is not None and given in ([], ["--calibration"]):
            raise UsageError("--time needs --fit-before TIME or --fraction PART to choose the fitting rows.")


DEFAULT_FITTING = FittingOptions()


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
        What was dropped and sorted.
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


def load_rows(file: str, data: DataOptions, by: str | None, vary: Vary, *, observed: bool = True) -> Rows:
    """Read the models of a file; ``observed`` says whether it needs a column of observations."""
    table = inputs.read_table(file, data.reading)
    needs = {"levels": vary == "level", "observed": observed}
    choice, model = inputs.choose_columns(table, data.columns, by, **needs)
    if model not in (None, by) and len(set(_as_text(table, model))) > 1:
        problem = f"column {model!r} names several models, which would be fitted together"
        hint = f"Add --by {model} to fit each on its own rows."
        raise ArgumentError(problem, where=table.name, hint=hint)
    if vary != "level":  # inner quantiles may be anything
        choice = replace(choice, models=tuple(replace(one, quantiles={}) for one in choice.models))
    y_true, filled = np.full(len(table), np.nan), table
    if choice.y_true is not None:
        y_true = table.numbers(choice.y_true)
        # Any number will do where there is none: rows without an observation stay.
        filled = add_columns(table, [pl.Series(choice.y_true, np.where(np.isnan(y_true), 0.0, y_true))])
    crossed, invalid = data.reading.crossed, data.reading.invalid
    models = io.Models.from_table(filled, replace(choice, notes=()), crossed=crossed, invalid=invalid)
    kept = np.asarray(models.table.rows) - 1
    table = table.keep(kept)
    return Rows(
        table=table,
        choice=choice,
        intervals=dict(zip([one.name for one in choice.models], models.values(), strict=True)),
        y_true=y_true[kept],
        labels=None if by is None else _as_text(table, by),
        notes=models.notes,
    )


def add_columns(table: io.Table, columns: list[pl.Series]) -> io.Table:
    """Return the table with other columns in the place of those of the same name, or behind the last."""
    return replace(table, frame=io.as_table(table.frame.to_native().with_columns(columns)).frame)


def _as_text(table: io.Table, column: str) -> np.ndarray:
    table.labels(column)  # which refuses rows without one, and what is none
    labels = table.column(column).to_native()
    if labels.dtype == pl.Duration:  # which Polars does not write as text
        return np.array([str(label) for label in labels.to_list()], dtype=object)
    return np.asarray(labels.cast(pl.String).to_numpy())


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
            models = f"to match {target}, only {list_names(list(self.columns))}"
            raise MissingColumnError(f"there is no model {model.name!r} {models}", where=self.source)
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


def plan_fit(target: Rows, options: FittingOptions, data: DataOptions, vary: Vary) -> Plan:
    """Decide what is fitted on: another file, the earlier or a random part of the rows, or all of them."""
    observed, file = target.is_observed, options.calibration
    judged_on = f"rows of {target.table.name}"
    if file is not None and inputs.is_sketch(file):
        if vary != "scale":
            kept = "a sketch keeps only what --vary scale needs"
            raise UsageError(f"--vary {vary} needs the rows, but {kept}: pass a data file as --calibration.")
        return _fit_sketches(file, target, judged_on)
    if file is not None:
        data = replace(data, reading=replace(data.reading, format=None))
        rows = load_rows(file, data, target.choice.by, vary)
        # The same observations in the same order are the same rows, whatever the files.
        if np.array_equal(rows.y_true[rows.is_observed], target.y_true[observed]):
            judged_on = FITTING_ROWS
        notes = tuple(f"{file}: {note}" for note in rows.notes)
        return _fit_rows(rows, rows.is_observed, judged=observed, judged_on=judged_on, notes=notes)
    if options.time is not None and observed.any():
        return _split_by_time(target, options.time, options)
    if options.fraction is None:
        return _fit_rows(target, observed, judged=observed, judged_on=FITTING_ROWS)
    order = np.random.default_rng(options.seed).permutation(np.flatnonzero(observed))
    fitted = np.isin(np.arange(observed.size), order[: max(1, round(options.fraction * order.size))])
    return _fit_rows(target, fitted, judged=observed & ~fitted, judged_on="other rows")


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


def _fit_sketches(file: str, target: Rows, judged_on: str) -> Plan:
    """Fit on sketches; one without the name of its model is that of the only model."""
    by, judged = target.choice.by, target.is_observed
    sketches = inputs.read_sketches([file], by)
    content, notes = sketches.content, sketches.notes
    if by is not None and None in content.segments:
        raise ArgumentError(f"some rows have no {by}", where=file, hint="Leave them out of the sketch.")
    is_unnamed = content.models == [_UNNAMED] and len(target.intervals) == 1
    data, columns = {}, {}
    for model in content.models:
        parts: dict[str | None, list[UCCSketch]] = {}
        for (owner, label), sketch in content.sketches.items():
            if owner == model:
                text = None if by is None else pl.Series([label]).cast(pl.String).item()
                parts.setdefault(text, []).append(sketch)
        sums = {text: UCCSketch.sum(every) for text, every in parts.items()}
        name, roles = next(iter(target.intervals)) if is_unnamed else model, content.columns.get(model, {})
        data[name] = sums if by is not None else sums[None]
        columns[name] = ModelColumns(lower=roles.get("lower"), upper=roles.get("upper"))
    return Plan(source=file, columns=columns, data=data, judged=judged, judged_on=judged_on, notes=notes)


# -- times ------------------------------------------------------------------------------------------


def _split_by_time(target: Rows, column: str, options: FittingOptions) -> Plan:
    """Fit on the rows before a time, or on the earliest part; rows of one time are on one side."""
    table, observed = target.table, target.is_observed
    if column not in table.columns:
        raise table.about(absent_column(column, table.columns))
    times = table.keep(observed).times(column)
    distinct, counts = np.unique(times, return_counts=True)
    begin = f"column {column!r} begins at {_show_time(distinct[0])}"
    if options.fit_before is not None:
        is_early = times < _read_cut(options.fit_before, is_number=times.dtype.kind != "M")
        if not is_early.any():
            problem = f"no observed row is before --fit-before {options.fit_before}: {begin}"
            raise EmptyInputError(problem, where=table.name)
    elif distinct.size > 1:  # the cut that comes nearest to the share, and leaves some rows
        share_before = np.cumsum(counts)[:-1] / times.size
        is_early = times <= distinct[np.argmin(np.abs(share_before - (options.fraction or 0)))]
    else:
        raise EmptyInputError(f"no observed row is later than another: {begin}", where=table.name)
    fitted, late = observed.copy(), times[~is_early]
    fitted[observed] = is_early
    ends = {"fitted_until": _show_time(times[is_early].max())}
    ends |= {"judged_from": _show_time(late.min())} if late.size else {}
    return _fit_rows(target, fitted, judged=observed & ~fitted, judged_on="later rows", **ends)


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

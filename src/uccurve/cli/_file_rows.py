"""Columns of a table become intervals; errors name the column and the row."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from uccurve._base.arguments import rows_that
from uccurve._base.text import printable
from uccurve.cli._crossed_bounds import hint, swapped_note
from uccurve.cli._errors import DataError, as_option
from uccurve.cli._nested_columns import read_nested, sorted_note
from uccurve.exceptions import DroppedRowsWarning, UccurveError, broken_rules
from uccurve.intervals import MEDIAN, Intervals, checks, quantile_columns, quantile_name, sort_bounds

if TYPE_CHECKING:
    from uccurve._base.type_aliases import Invalid
    from uccurve.cli._input_files import FileTable
    from uccurve.cli._nested_columns import NestedColumns
    from uccurve.columns import ColumnChoice, ModelColumns

WHOLE_NUMBER = r"^(0|-?[1-9][0-9]{0,17})$"
"""Whole numbers that fit 64 bits, written as numbers are."""
_MISSING = ("", "na", "n/a", "null", "none", "nan", "<na>")
_SHOWN = 40


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Loaded:
    """Models on the rows of a table."""

    table: FileTable
    """The rows that are used."""
    choice: ColumnChoice
    """The columns that are used."""
    models: dict[str, Intervals]
    """Intervals by the name of the model."""
    labels: np.ndarray | None = None
    """The segment of each row, shape (n,), if there are segments."""
    notes: tuple[str, ...] = ()
    """What the user should know about rows and columns."""


def load(
    table: FileTable, choice: ColumnChoice, invalid: Invalid = "raise", notes: tuple[str, ...] = ()
) -> Loaded:
    """Make intervals of all models, on the same rows."""
    if invalid == "raise":
        models = {model.name: build(table, choice, model) for model in choice.models}
        labels = None if choice.by is None else label_values(table, choice.by)
        notes = (*notes, *swapped_notes(table, choice))
        return Loaded(table=table, choice=choice, models=models, labels=labels, notes=notes)
    kept, reasons = _valid(table, choice)
    if not kept.any():
        raise DataError(f"{table.name}: no row is left: {'; '.join(reasons)}.")
    table, total = table.keep(kept), kept.size
    dropped = total - table.frame.height
    if dropped:
        notes = (*notes, f"dropped {dropped} of {total} rows: {'; '.join(reasons)}.")
    return load(table, choice, notes=notes)


def build(
    table: FileTable, choice: ColumnChoice, model: ModelColumns, invalid: Invalid = "raise"
) -> Intervals:
    """Make the intervals of one model."""
    names = {**choice.shared, **model.arguments}
    arrays: dict[str, Any] = {argument: numbers(table, column) for argument, column in names.items()}
    quantiles = read_nested(table, model, partial(numbers, table)) if model.quantiles else None
    if invalid == "raise":
        for argument, column in names.items():
            refuse_missing(table, column, np.isnan(arrays[argument]))
        if quantiles is not None:
            for column, values in zip(quantiles.names, quantiles.values.T, strict=True):
                refuse_missing(table, column, np.isnan(values))
    several = f"{model.name}: " if len(choice.models) > 1 else ""
    weight = arrays.pop("sample_weight", None)
    try:
        if model.std is not None:
            y_true = arrays.pop("y_true", arrays["y_pred"])
            return Intervals.from_std(y_true, **arrays, sample_weight=weight, invalid=invalid)
        columns = _bounds(table, model, arrays) if quantiles is None else _levels(model, arrays, quantiles)
        return Intervals(*checks.check_rows(columns, weight, invalid, own=False))
    except UccurveError as error:
        about = error.replaced(columns=_named_arguments(choice, model), hint=hint(error, model))
        text = about.sentence(naming=as_option, place=table.position)
        raise DataError(f"{table.name}: {several}{text}") from error


def _bounds(table: FileTable, model: ModelColumns, arrays: dict[str, Any]) -> checks.NamedColumns:
    """Return bounds, swapped where they are crossed and the user asked for it; others stay as they are."""
    if table.crossed == "sort" and {"lower", "upper"} <= set(arrays):
        arrays["lower"], arrays["upper"], _ = sort_bounds(arrays["lower"], arrays["upper"])
    # Without observations bounds are checked all the same.
    y_true = arrays[_stand_in(model)]
    values = {"y_true": y_true, "y_pred": None, "lower": None, "upper": None, **arrays}
    return checks.NamedColumns(values, {}, model.nominal, {})


def _levels(model: ModelColumns, arrays: dict[str, Any], quantiles: NestedColumns) -> checks.NamedColumns:
    """Return all quantiles, as `Intervals.from_frame` takes them; a median of theirs is the prediction."""
    y_pred = None if model.y_pred == model.quantiles.get(MEDIAN) else arrays.get("y_pred")
    y_true = arrays.get("y_true", quantiles.values[:, 0])
    return quantile_columns(y_true, quantiles.values, tuple(model.quantiles), y_pred, "raise")


def _named_arguments(choice: ColumnChoice, model: ModelColumns) -> dict[str, str]:
    """Return the column behind each argument; in place of observations, what `build` takes without them."""
    named = {**choice.shared, **model.arguments}
    if model.quantiles:
        named |= {quantile_name(level): column for level, column in model.quantiles.items()}
    return {"y_true": named[_stand_in(model)], **named}


def _stand_in(model: ModelColumns) -> str:
    """Return what is taken in the place of observations where there are none."""
    return "y_pred" if model.std is not None or None in (model.lower, model.upper) else "lower"


def swapped_notes(table: FileTable, choice: ColumnChoice) -> list[str]:
    """Say for which rows of which model bounds were swapped."""
    notes = [
        sorted_note(
            table, model, read_nested(table, model, partial(numbers, table)), several=len(choice.models) > 1
        )
        if model.quantiles
        else swapped_note(table, model, partial(numbers, table), several=len(choice.models) > 1)
        for model in choice.models
        if model.lower is not None and model.upper is not None and table.crossed != "raise"
    ]
    return [note for note in notes if note is not None]


def numbers(table: FileTable, column: str) -> np.ndarray:
    """Return a column as numbers, NaN where there is no value; text that is no number is refused."""
    series = table.column(column)
    if series.dtype in (pl.String, pl.Categorical, pl.Enum):
        if table.format != "csv":  # which tells numbers from text
            raise DataError(f"{table.name}: column {column!r} must hold numbers, got text.")
        return _parsed(table, column, series.cast(pl.String))
    if not (series.dtype.is_numeric() or series.dtype == pl.Null):
        raise DataError(f"{table.name}: column {column!r} must hold numbers, got {series.dtype}.")
    return np.array(series.cast(pl.Float64).to_numpy(), dtype=np.float64)


def label_values(table: FileTable, column: str) -> np.ndarray:
    """Return the labels of all rows; whole numbers in text become numbers, so that 10 follows 9."""
    series = table.column(column)
    refuse_missing(table, column, missing_labels(series))
    if series.dtype == pl.String and series.str.contains(WHOLE_NUMBER).all():
        series = series.cast(pl.Int64)
    return np.asarray(series.to_numpy())


def missing_labels(series: pl.Series) -> np.ndarray:
    """Say which rows have no label."""
    gone = series.is_null()
    if series.dtype.is_float():
        gone |= series.is_nan()
    elif series.dtype == pl.String:
        gone |= series.str.strip_chars() == ""
    return np.asarray(gone.fill_null(value=True).to_numpy())


def refuse_missing(table: FileTable, column: str, missing: np.ndarray) -> None:
    """Raise where a value is missing."""
    if missing.any():
        count = rows_that(int(np.count_nonzero(missing)), missing.size, "has", "have")
        raise DataError(
            f"{table.name}: column {column!r} must have a value, but {count} none; first at "
            f"{table.position(int(np.argmax(missing)))} (--invalid drop leaves such rows out)."
        )


def _naming(model: str, name: str) -> str:
    """Name an argument of one of several models."""
    return f"quantiles of {model}" if name == "quantiles" else as_option(name)


def _parsed(table: FileTable, column: str, series: pl.Series) -> np.ndarray:
    texts = series.str.strip_chars()
    if table.decimal == ",":  # a point would separate thousands, or be a mistake: neither is guessed
        pointed = texts.str.contains(".", literal=True)
        values = pl.select(
            pl.when(~pointed).then(texts.str.replace(",", ".", literal=True)).cast(pl.Float64, strict=False)
        ).to_series()
    else:
        values = texts.cast(pl.Float64, strict=False)
    missing = texts.is_null() | texts.str.to_lowercase().is_in(_MISSING)
    wrong = (values.is_null() & ~missing).to_numpy()
    if wrong.any():
        row = int(np.argmax(wrong))
        text = printable(str(series[row]))
        advice = _advice(text.strip(), table.decimal)
        count = rows_that(int(np.count_nonzero(wrong)), wrong.size, "does not", "do not")
        raise DataError(
            f"{table.name}: column {column!r} must hold numbers, but {count}; first at "
            f"{table.position(row)}: {text[:_SHOWN]!r}{'…' if len(text) > _SHOWN else ''}{advice}."
        )
    return np.array(values.fill_null(np.nan).to_numpy(), dtype=np.float64)


def _advice(text: str, decimal: str) -> str:
    """Say what may be wrong with a number."""
    if decimal == ",":
        return (
            "; with --decimal ',' a number has no point" if re.fullmatch(r"[-+]?\d*\.[\d.,]+", text) else ""
        )
    return "; for decimal commas add --decimal ','" if re.fullmatch(r"[-+]?\d+,\d+", text) else ""


def _valid(table: FileTable, choice: ColumnChoice) -> tuple[np.ndarray, list[str]]:
    """Return which rows break no rule of any model, and the rules that others break."""
    kept, reasons = np.ones(table.frame.height, dtype=bool), []
    if choice.by is not None:
        kept = ~missing_labels(table.column(choice.by))
        if not kept.all():
            reasons.append(f"column {choice.by!r} must have a value ({np.count_nonzero(~kept)})")
    for model in choice.models:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", DroppedRowsWarning)
            intervals = build(table, choice, model, "drop")
        if intervals.kept is not None:
            kept_here = np.zeros_like(kept)
            kept_here[np.asarray(intervals.kept)] = True
            kept &= kept_here
        names = _named_arguments(choice, model)
        for warning in caught:
            if isinstance(warning.message, DroppedRowsWarning):
                broken = [reason.replaced(columns=names) for reason in warning.message.reasons]
                reasons += [broken_rules([reason], partial(_naming, model.name)) for reason in broken]
    return kept, list(dict.fromkeys(reasons))

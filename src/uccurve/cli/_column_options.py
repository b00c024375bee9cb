"""The columns of a file: what options say about them, and what is detected."""

from __future__ import annotations

import csv
from dataclasses import replace
from typing import TYPE_CHECKING

from uccurve.cli._errors import DataError, UsageError, as_option
from uccurve.cli._level_option import check_level, refuse_useless_level
from uccurve.cli._nested_columns import refuse_without_levels
from uccurve.columns import ColumnChoice, ModelColumns, detect_columns, suggest_roles
from uccurve.exceptions import ArgumentError, MissingColumnError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Vary
    from uccurve.cli._options import ColumnOptions

_PRED_STD, _PRED_BOUNDS = 2, 3


def choose_columns(
    present: Sequence[str],
    columns: ColumnOptions,
    file: str,
    *,
    by: str | None = None,
    sample_weight: str | None = None,
    observed: bool = True,
    vary: Vary = "scale",
    levels: bool = True,
) -> ColumnChoice:
    """Choose the columns of a file.

    Parameters
    ----------
    present : sequence of str
        The columns of the file.
    columns : ColumnOptions
        What the user said.
    file : str
        The file, to be named in errors.
    by, sample_weight : str, optional
        Columns of segments and of weights.
    observed : bool
        Whether observations are needed.
    vary : {"scale", "shift", "level"}
        What moves the operating point; "level" needs all levels of each model.
    levels : bool
        Whether all levels of detected models are read, as `Intervals.from_frame` does.
    """
    check_level(columns.level)
    single = ModelColumns(y_pred=columns.y_pred, lower=columns.lower, upper=columns.upper, std=columns.std)
    models = _parsed_models(columns.model)
    if models and single.arguments:
        beside = as_option(next(iter(single.arguments)))
        raise UsageError(f"--model must not be passed beside {beside}: it names all columns.")
    given = ColumnChoice(
        y_true=columns.y_true, models=models or (single,), sample_weight=sample_weight, by=by
    )
    try:
        choice = detect_columns(present, given, level=columns.level, observed=observed)
        is_named = columns.model or columns.lower or columns.upper or columns.std
        if vary == "level" or (levels and not is_named):
            choice = choice.with_levels(present)
    except ArgumentError as error:
        raise UsageError(error.sentence(naming=as_option)) from error
    except MissingColumnError as error:
        raise DataError(f"{file}: {error.sentence(naming=as_option)}") from error
    notes = tuple(note.replace("`level`", as_option("level")) for note in choice.notes)
    choice = replace(choice, notes=notes)
    refuse_useless_level(columns, choice, file)
    if vary == "level":
        refuse_without_levels(choice, file)
    return choice


def _parsed_models(texts: Sequence[str]) -> tuple[ModelColumns, ...]:
    models = tuple(map(_parsed_model, texts))
    names = [model.name for model in models]
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise UsageError(f"--model {doubled}=… is given twice: each model needs its own name.")
    return models


def _parsed_model(text: str) -> ModelColumns:
    """Read NAME=PRED,LOWER,UPPER or NAME=PRED,STD; names with commas are quoted as in CSV."""
    name, equals, rest = text.partition("=")
    columns = [column.strip() for column in next(csv.reader([rest], skipinitialspace=True), [])]
    if (
        not name.strip()
        or not equals
        or len(columns) not in (_PRED_STD, _PRED_BOUNDS)
        or not (all(columns[1:]) or (len(columns) == _PRED_BOUNDS and columns[0] and any(columns[1:])))
    ):
        raise UsageError(
            f"--model {text}: write NAME=PRED,LOWER,UPPER or NAME=PRED,STD, or NAME=PRED,,UPPER for a limit."
        )
    y_pred = columns[0] or None
    if len(columns) == _PRED_BOUNDS:
        lower, upper = (column or None for column in columns[1:])
        return ModelColumns(name=name.strip(), y_pred=y_pred, lower=lower, upper=upper)
    if y_pred is None:
        raise UsageError(f"--model {text}: a standard deviation needs a prediction, as in NAME=PRED,STD.")
    if suggest_roles(columns[1]) & {"lower", "upper"}:
        raise UsageError(
            f"--model {text}: two columns mean a prediction and a standard deviation, but {columns[1]!r} "
            "looks like a bound: write NAME=PRED,LOWER,UPPER."
        )
    return ModelColumns(name=name.strip(), y_pred=y_pred, std=columns[1])

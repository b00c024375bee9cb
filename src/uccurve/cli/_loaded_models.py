"""From a file to models in memory, and from --blocks to what is resampled together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from uccurve._base.text import percent
from uccurve.cli import _file_rows, _input_files
from uccurve.cli._column_options import choose_columns
from uccurve.cli._errors import DataError, UsageError
from uccurve.columns import list_names, nearest_name
from uccurve.exceptions import PairError
from uccurve.inference import check_pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Invalid, Vary
    from uccurve.cli._file_rows import Loaded
    from uccurve.cli._input_files import FileTable
    from uccurve.cli._options import DataOptions
    from uccurve.columns import ColumnChoice
    from uccurve.intervals import Intervals

_MODEL = "model"
_ENOUGH_BLOCKS = 20
_MOST_DIGITS = 18
"""Of a number of rows; Python refuses to read very long numbers."""


def load(file: str, data: DataOptions, by: str | None = None, vary: Vary = "scale") -> Loaded:
    """Read a file, choose its columns, and make intervals."""
    table = _input_files.read(file, data.reading)
    choice = choose_columns(
        table.frame.columns, data.columns, file, by=by, sample_weight=data.sample_weight, vary=vary
    )
    notes, invalid = (*table.notes, *choice.notes), data.reading.invalid
    column = model_column(table, choice)
    if column is None:
        return _file_rows.load(table, choice, invalid, notes=notes)
    return _load_long(table, choice, column, invalid, notes)


def model_column(table: FileTable, choice: ColumnChoice) -> str | None:
    """Return the column that names each row's model: one called model, with several names in it.

    Where the user named it for something else, as with --by, it means that.
    """
    for column in table.frame.columns:
        values = table.column(column)
        is_free = len(choice.models) == 1 and column not in choice.used
        if (
            is_free
            and column.strip().lower() == _MODEL
            and values.dtype in (pl.String, pl.Categorical, pl.Enum)
        ):
            return column if values.n_unique() > 1 else None
    return None


def _load_long(
    table: FileTable, choice: ColumnChoice, column: str, invalid: Invalid, notes: tuple[str, ...]
) -> Loaded:
    """Make the intervals of models that stand below each other, on the same observations in one order."""
    names = _file_rows.label_values(table, column).astype(str)
    models: dict[str, Intervals] = {}
    loaded: list[Loaded] = []
    for name in dict.fromkeys(names.tolist()):
        own = _file_rows.load(table.keep(names == name), choice, invalid)
        (models[name],) = own.models.values()
        loaded.append(own)
        first = next(iter(models))
        try:
            check_pair(models[first], models[name])
        except PairError as error:
            raise DataError(
                f"{table.name}: column {column!r} names several models, but the rows of {first!r} and "
                f"{name!r} do not hold the same observations in the same order: sort them alike, or score "
                f"each model on its own with --by {column}."
            ) from error
    note = f"column {column!r} names the models: {list_names(list(models))}."
    dropped = [text for own in loaded for text in own.notes]
    return replace(loaded[0], models=models, notes=(*notes, note, *dict.fromkeys(dropped)))


def claim_notes(loaded: Loaded) -> list[str]:
    """Say what models claim to cover, where they do, and what they cover."""
    return [
        f"{name} claims {100 * rows.nominal:.4g}% coverage and covers {percent(rows.coverage)}."
        for name, rows in loaded.models.items()
        if rows.nominal is not None
    ]


def refuse_one_row(loaded: Loaded) -> None:
    """Refuse to draw resamples from one row."""
    if loaded.table.frame.height < 2:  # noqa: PLR2004
        raise DataError(f"{loaded.table.name}: has one row; a comparison needs at least two.")


def blocks_of(table: FileTable, blocks: Sequence[str]) -> tuple[np.ndarray | int | None, list[str]]:
    """Read --blocks: columns of the file, or a number of rows; with a note where that leaves few blocks.

    Of several columns, rows that agree in all of them are a block.
    """
    if not blocks:
        return None, []
    present = table.frame.columns
    labels_or_length: np.ndarray | int
    (first, *others), digits = blocks, blocks[0].lstrip("0")
    is_number = first.isascii() and first.isdigit() and bool(digits) and first not in present
    unknown = next((name for name in blocks if name not in present), None)
    if is_number and not others:
        n = table.frame.height
        labels_or_length = min(int(digits), n) if len(digits) <= _MOST_DIGITS else n
        count = -(-n // labels_or_length)
    elif unknown is None:
        labels_or_length = _combined([_file_rows.label_values(table, column) for column in blocks])
        count = len(set(labels_or_length.tolist()))
    else:
        if unknown.isdigit() and others:
            raise UsageError(
                f"--blocks {unknown} is a number of rows, which stands alone: leave out the others."
            )
        close = nearest_name(unknown, present)
        raise DataError(
            f"{table.name}: --blocks {unknown} is neither a number of rows nor one of the columns "
            f"{list_names(present)}{'.' if close is None else f'. Did you mean {close!r}?'}"
        )
    if count >= _ENOUGH_BLOCKS:
        return labels_or_length, []
    note = (
        f"{' '.join(f'--blocks {name}' for name in blocks)} makes {count} blocks: the smallest possible "
        f"p-value is 1/2^{count - 1} = {0.5 ** (count - 1):.3g}, and confidence intervals are rough."
    )
    return labels_or_length, [note]


def _combined(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Return one label per row; rows have the same where they agree in all columns."""
    labels = columns[0]
    for column in columns[1:]:
        (values, minor), major = (
            np.unique(column, return_inverse=True),
            np.unique(labels, return_inverse=True)[1],
        )
        labels = major * len(values) + minor
    return labels

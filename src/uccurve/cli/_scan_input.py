"""Data files of any size, scanned in one pass; errors name the file and the column."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import uccurve
from uccurve.cli._column_options import choose_columns
from uccurve.cli._errors import DataError, FileError, UsageError
from uccurve.cli._sketch_input import SketchInput, expanded, is_sketch
from uccurve.columns import absent_column, list_names
from uccurve.engines import _data_files
from uccurve.engines._source_table import refuse_repeated
from uccurve.exceptions import (
    EmptyInputError,
    FileFormatError,
    InvalidRowsError,
    MissingColumnError,
    MissingDependencyError,
    NotNumericError,
    UccurveError,
    UnreadableFilesError,
)
from uccurve.sketch import SketchFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Invalid
    from uccurve.cli._options import ColumnOptions
    from uccurve.columns import ColumnChoice

_TEXT = ("String", "VARCHAR")
"""What engines call text."""


def scan(
    names: Sequence[str],
    columns: ColumnOptions,
    *,
    by: str | None,
    sample_weight: str | None,
    engine: str,
    checkpoint: str | None,
    invalid: Invalid,
    progress: bool,
    hive: bool = False,
) -> SketchInput:
    """Sketch all models in one pass over files, folders and patterns."""
    paths = expanded(names)
    for path in paths:
        _check(path)
    reader = _data_files.chosen(engine)
    present = _columns_of(paths[0], reader, hive=hive)
    choice = choose_columns(present, columns, paths[0], by=by, sample_weight=sample_weight, levels=False)
    models = {
        model.name: uccurve.Columns(**choice.shared, **model.arguments, nominal=model.nominal)
        for model in choice.models
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            sketches = uccurve.scan(
                list(paths),
                models,
                by,
                engine=reader,
                invalid=invalid,
                checkpoint=checkpoint,
                progress=progress,
                hive=hive,
            )
        except UnreadableFilesError as error:
            _explain_unreadable(error, checkpoint)
        except UccurveError as error:
            _explain(error, names, choice, reader, present)
    warned = [str(warning.message) for warning in caught if issubclass(warning.category, UserWarning)]
    return SketchInput(
        content=SketchFile.of(sketches, by, {name: model.roles() for name, model in models.items()}),
        notes=(*choice.notes, *warned),
    )


def shown(names: Sequence[str]) -> str:
    """Name files in a title, not too many."""
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _check(path: str) -> None:
    """Refuse early what would fail in the end."""
    if is_sketch(path):
        raise UsageError(f"{path} is a sketch file already: add such files with uccurve merge.")
    if not Path(path).is_file():
        reason = "it is not a regular file" if Path(path).exists() else "there is no such file"
        raise FileError(f"{path}: cannot be read: {reason}.")
    if _data_files.kind_of(Path(path)) is None:
        endings = ", ".join(_data_files.FORMATS)
        raise FileError(f"{path}: cannot be scanned: its name must end with {endings}.")
    if not Path(path).stat().st_size:
        raise DataError(f"{path}: the file is empty.")


def _columns_of(path: str, engine: str, *, hive: bool) -> list[str]:
    """Return the columns of a file, of which only the beginning or the end is read, and of its folders."""
    try:
        return list(_schema(path, engine, hive=hive))
    except MissingDependencyError:
        raise
    except UccurveError as error:
        if isinstance(error, FileFormatError):
            raise FileError(f"{path}: cannot be read: {error}") from error
        raise DataError(str(error.replaced(where=path))) from error
    except Exception as error:
        words = str(error).strip().splitlines() or [type(error).__name__]
        raise FileError(f"{path}: cannot be read: {words[0].rstrip('.')}.") from error


def _schema(path: str, engine: str, *, hive: bool = False) -> dict[str, str]:
    table = next(_data_files.opened(Path(path), engine, hive=hive))
    if hasattr(table.frame, "collect_schema"):
        kinds = list(map(str, table.frame.collect_schema().values()))
    else:
        kinds = list(map(str, table.frame.types))
    names = table.names or []
    refuse_repeated(names)
    return {**dict.fromkeys(table.folder_labels, "labels"), **dict(zip(names, kinds, strict=False))}


def _explain_unreadable(error: UnreadableFilesError, checkpoint: str | None) -> NoReturn:
    (failed, reason), *others = error.files.items()
    more = f"; nor can {list_names([name for name, _ in others], 3)}" if others else ""
    kept = f"; what was read is kept in {checkpoint}" if checkpoint is not None else ""
    raise FileError(f"{failed}: cannot be read: {reason.rstrip('.')}{more}{kept}.") from error


def _explain(
    error: UccurveError, names: Sequence[str], choice: ColumnChoice, engine: str, present: Sequence[str]
) -> NoReturn:
    """Say in one line what is wrong, with the file and the column."""
    if isinstance(error, InvalidRowsError):
        model = f": {error.where}" if error.where and len(choice.models) > 1 else ""
        hint = f"{error.hint} Add --invalid drop to leave such rows out."
        raise DataError(str(error.replaced(where=f"{shown(names)}{model}", hint=hint))) from error
    if isinstance(error, EmptyInputError):
        no_rows = f"there are no rows below the columns {list_names(present)}."
        text = f"no row is left. {error.hint}" if error.hint else no_rows
        raise DataError(f"{shown(names)}: {text}") from error
    if error.where is not None and isinstance(error, (MissingColumnError, NotNumericError)):
        _explain_columns(error, error.where, choice, engine)
    raise DataError(str(error.replaced(where=error.where or shown(names)))) from error


def _explain_columns(error: UccurveError, path: str, choice: ColumnChoice, engine: str) -> None:
    schema = _schema(path, engine)
    for column in choice.used:
        if column not in schema:
            raise DataError(f"{path}: {absent_column(column, list(schema))}") from error
        if isinstance(error, NotNumericError) and error.argument == column:
            kind = "text" if schema[column] in _TEXT else schema[column]
            about = error.replaced(rule="hold numbers", got=None if error.count else kind)
            raise DataError(str(about)) from error

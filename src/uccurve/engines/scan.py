"""The scan itself: file by file, chunk by chunk or frame by frame; rows that break rules are counted."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arguments import warn_caller
from uccurve._base.progress import StepBar
from uccurve.columns import ColumnChoice, list_names
from uccurve.engines import files, group_by, select, states
from uccurve.engines.select import Columns, Source
from uccurve.engines.states import Checkpoint, Part, add_parts
from uccurve.exceptions import (
    ArgumentError,
    DroppedRowsWarning,
    EmptyInputError,
    FileFormatError,
    MissingDependencyError,
    NotNumericError,
    UccurveError,
    UnreadableFilesError,
)
from uccurve.intervals import is_missing, rules
from uccurve.io import complete_choice, format_of
from uccurve.sketch import UCCSketch, label_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Invalid


def scan(
    source: Any,
    models: Mapping[str, Columns] | None = None,
    by: str | Sequence[str] | None = None,
    *,
    model: str | None = None,
    engine: str = "auto",
    invalid: Invalid = "raise",
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool = False,
    hive: bool = False,
) -> dict[Any, UCCSketch]:
    """Sketch the curves of models in one pass over data of any size.

    Parameters
    ----------
    source : path, pattern, list of paths, frame, or iterable of frames
        Parquet, CSV, Arrow or JSON lines files; a lazy or eager frame of Polars, DuckDB, PySpark,
        Dask, Ibis, PyArrow or pandas; or chunks of any of these, such as record batches. Frames are
        summarized by their own engine, wherever it runs, with one GROUP BY. A file that is named twice is
        read once, and the name of a file that exists is no pattern. Of a folder, files of all formats count,
        also compressed text; what begins with a point or an underscore does not.
    models : mapping of name to Columns, optional
        The columns of each model. By default those of the first file, frame or chunk that have common names.
    by : str or sequence of str, optional
        Columns with the labels of segments.
    model : str, optional
        The column that names each row's model, where models stand below each other; ``models`` then has one
        entry. Without ``models``, a column of text called ``model`` that holds several names is taken as one.
    engine : {"auto", "polars", "duckdb"}
        The library that reads Parquet files; "auto" prefers Polars. Other files are read by Polars.
    invalid : {"raise", "drop"}
        Rows that break a rule are counted in the same pass. They raise an error, or are dropped with
        a warning.
    checkpoint : path, optional
        A folder that keeps the results of finished files: a scan that was interrupted resumes there.
    progress : bool
        Show the number of files done on the terminal.
    hive : bool
        Take labels from the names of folders, too: files in ``region=north/`` have the label "north", as
        text, in the column ``region``. By default, columns are only those in the files.

    Returns
    -------
    dict
        A sketch for each model; with ``by``, for each tuple of a model and the labels of a segment. Labels
        that are times are exact to the microsecond, and in UTC where they have a zone.

    Raises
    ------
    UnreadableFilesError
        If files cannot be read. It names them, and holds the sketches of the others.
    OSError
        If the checkpoint cannot be written; it names the path.

    Examples
    --------
    >>> import polars as pl
    >>> import uccurve as uc
    >>> frame = pl.LazyFrame({"y": [1.0, 2.0, 4.0], "p": [1.5, 2.0, 3.0], "s": [0.5, 0.5, 2.0]})
    >>> sketches = uc.scan(frame, {"mine": uc.Columns(y_true="y", y_pred="p", std="s")})
    >>> sketches["mine"].curve().at(miss_rate=0.1).parameter
    1.0
    """
    arguments.option("invalid", invalid, ("raise", "drop"))
    labels = [by] if isinstance(by, str) else list(by) if isinstance(by, (list, tuple)) else []
    if by is not None and not (labels and all(isinstance(label, str) for label in labels)):
        raise ArgumentError(argument="by", rule="be the name of a column, or a list of names", got=repr(by))
    if models is not None:
        _check_models(models)
    failed: dict[str, str] = {}
    paths = _list_paths(source)
    if paths is None:
        pieces = _list_pieces(source)
        first = next(pieces, None)
        task = _plan(models, first, labels, model)
        part = add_parts(_summarize(piece, task) for piece in chain([first] if first else [], pieces))
    else:
        reader = files.choose_engine(engine)
        with _naming_unreadable(paths[0], failed):
            first = None if models else next(files.read_file(paths[0], reader, hive=hive), None)
        if failed:
            raise UnreadableFilesError(failed, {})
        task = _plan(models, first, labels, model)
        folder = None if checkpoint is None else Path(checkpoint)
        kept = None if folder is None else Checkpoint(folder, task.columns, task.labels, hive=hive)
        together = reader == "polars" and not (kept or progress or hive)
        found = _scan_together(paths, task) if together else None
        part = found or _scan_files(paths, task, reader, kept, failed, hive=hive, progress=progress)
    _judge(part, task, invalid)
    sketches = _name_sketches(part, task)
    if failed:
        raise UnreadableFilesError(failed, sketches)
    if not sketches:
        hint = "All rows break rules." if part.broken else ""
        where = str(paths[0]) if paths is not None and len(paths) == 1 else None
        raise EmptyInputError(argument="source", rule="have at least one valid row", hint=hint, where=where)
    return sketches


def _check_models(models: Any) -> None:
    if not isinstance(models, Mapping) or not models:
        rule = "be a mapping of names to Columns, with at least one model"
        raise ArgumentError(argument="models", rule=rule)
    arguments.distinct(models)
    for name, columns in models.items():
        arguments.instance(f"models[{name!r}]", columns, Columns)


def _list_paths(source: Any) -> list[Path] | None:
    """Return the files that a path, a pattern or a list of them names; None for any other source."""
    names = list(source) if isinstance(source, (list, tuple)) else [source]
    if names and all(isinstance(name, (str, os.PathLike)) for name in names):
        return files.list_files(names)
    return None


def _list_pieces(source: Any) -> Iterator[Source]:
    """Yield a frame, or the chunks of one."""
    is_frame = select.wrap_frame(source) is not None
    are_chunks = not is_frame and isinstance(source, Iterable) and not isinstance(source, Mapping)
    for piece in source if are_chunks else [source]:
        frame = select.wrap_frame(piece)
        if frame is None:
            rule = "be files, a frame or chunks of one"
            raise ArgumentError(argument="source", rule=rule, got=type(piece).__name__)
        yield Source(frame=frame)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Task:
    """What a scan looks for in each piece of its source.

    Attributes
    ----------
    names : list of str
        The models.
    columns : list of Columns
        The columns of each.
    labels : list of str
        The columns of labels, first the one that names the models of a long table.
    is_long : bool
        Whether there is such a column.
    """

    names: list[str]
    columns: list[Columns]
    labels: list[str]
    is_long: bool


def _plan(
    models: Mapping[str, Columns] | None, first: Source | None, by: list[str], model: str | None
) -> _Task:
    """Choose the columns: those that are passed, or those of the first piece that have common names."""
    if models is None:
        if first is None:
            raise EmptyInputError(argument="source", rule="have at least one valid row")
        present = [name for name in first.frame.collect_schema() if name not in by]
        holds_text = partial(select.holds_text, first)
        choice, model = complete_choice(present, ColumnChoice(), model=model, holds_text=holds_text)
        models = {
            found.name: Columns(**choice.shared, **found.arguments, nominal=found.nominal)
            for found in choice.models
        }
    if model is not None and len(models) > 1:
        rule = "have one entry where `model` names a column"
        raise ArgumentError(argument="models", rule=rule, got=list_names([*map(str, models)]))
    return _Task(
        names=[str(name) for name in models],
        columns=list(models.values()),
        labels=by if model is None else [model, *by],
        is_long=model is not None,
    )


def _scan_together(paths: Sequence[Path], task: _Task) -> Part | None:
    """Summarize Parquet files as one; None if that fails, as where types differ."""
    try:
        source = files.read_together(paths)
        return None if source is None else _summarize(source, task)
    except Exception:  # noqa: BLE001 - Polars has errors of its own; then files are read one by one
        return None


def _scan_files(
    paths: Sequence[Path],
    task: _Task,
    engine: str,
    kept: Checkpoint | None,
    failed: dict[str, str],
    *,
    hive: bool,
    progress: bool,
) -> Part:
    """Summarize file by file, or take what a checkpoint keeps; unreadable files are added to ``failed``."""
    texts: list[Part] = []
    others: list[Part] = []
    bar = StepBar("files", len(paths), show=progress)
    for path in paths:
        # before it is read: a file that changes meanwhile is read again next time
        checksum = kept.checksum(path) if kept is not None and path.is_file() else ""
        part = kept.read(checksum) if kept is not None and checksum else None
        if part is None:
            with _naming_unreadable(path, failed):
                part = add_parts(
                    _summarize(piece, task) for piece in files.read_file(path, engine, hive=hive)
                )
            if kept is not None and part is not None:
                kept.write(checksum, part)
        if part is not None:
            (texts if format_of(path) == "csv" else others).append(part)
        bar.step()
    in_folders = files.read_folders(paths[0]) if hive else {}
    kept_as_text = [place for place, name in enumerate(task.labels) if name in in_folders]
    return add_parts([*others, states.read_whole_labels(add_parts(texts), kept_as_text)])


@contextmanager
def _naming_unreadable(path: Path, failed: dict[str, str]) -> Iterator[None]:
    """Note why a file cannot be read; errors about its rows and columns name the file."""
    try:
        yield
    except FileFormatError as error:
        failed[str(path)] = str(error.replaced(where=None))
    except UccurveError as error:
        raise error.replaced(where=str(path)) from error
    except MissingDependencyError:
        raise
    except Exception as error:  # engines have errors of their own
        if type(error).__name__ == "InterruptException":  # DuckDB's own, for Ctrl-C
            raise KeyboardInterrupt from error
        lines = (getattr(error, "strerror", None) or str(error)).strip().splitlines()
        failed[str(path)] = lines[0] if lines else type(error).__name__


def _summarize(source: Source, task: _Task) -> Part:
    """Summarize a piece: rows in memory, and those of a file that Polars reads, slice by slice."""
    try:
        rows, columns = select.select_columns(source, task.columns, task.labels)
    except NotNumericError:  # a frame without rows may have no types either
        if any(column.size for column in select.collect_arrays(source.frame.head(1)).values()):
            raise
        return Part()
    slices = select.slice_rows(rows, is_file=source.is_file)
    return add_parts(_summarize_rows(piece, columns, task, is_text=source.is_text) for piece in slices)


def _summarize_rows(rows: Any, columns: Sequence[Columns], task: _Task, *, is_text: bool) -> Part:
    """Summarize rows by one query of their engine, with an example of each broken rule."""
    groups = [f"group{place}" for place in range(len(task.labels))]
    with np.errstate(over="ignore", invalid="ignore"):  # of rows that break rules
        result = select.collect_arrays(group_by.summarize(rows, columns, groups))
    labels = states.list_labels([result[group] for group in groups], result["key"].size)
    for place, name in enumerate(task.labels):
        values = {row[place] for row in labels}
        is_name = task.is_long and place == 0
        has_blank = (is_text or is_name) and any(isinstance(it, str) and not it.strip() for it in values)
        if has_blank or any(map(is_missing, values)):
            rule = f"not be missing where it {'names models' if is_name else 'labels segments'}"
            raise ArgumentError(argument=name, rule=rule, columns={name: name})
    part = states.make_states(result, labels, columns)
    for number, broken in part.broken:
        example = _show_example(rows, columns[number], task.columns[number], broken)
        part.examples[number, broken] = example
    return part


def _show_example(rows: Any, plain: Columns, columns: Columns, number: int) -> str:
    """Show the values of one row that breaks a rule, under the names of the source."""
    import narwhals as nw  # noqa: PLC0415

    names = columns.roles()
    first_broken = rules.first_broken_expression(nw, names)
    rows = rows.select(*group_by.select_roles(plain)).with_columns(first_broken.alias("rule"))
    values = select.collect_arrays(rows.filter(nw.col("rule") == number).head(1))
    shown = []
    for role in rules.ROW_RULES[number].roles:
        value = values[role][0]
        shown.append(f"{names[role]}={'missing' if value is None else f'{float(value):.12g}'}")
    return ", ".join(shown)


def _judge(part: Part, task: _Task, invalid: str) -> None:
    """Raise for rows that break rules, or warn that they were dropped."""
    if not part.broken:
        return
    counts = dict(sorted(part.broken.items()))
    errors = []
    for (number, place), count in counts.items():
        rule, roles = rules.ROW_RULES[place], task.columns[number].roles()
        where = None if task.is_long else task.names[number]
        demand = rule.named({role: role for role in roles})
        error = rule.error(argument=rule.argument, rule=demand, count=count, columns=roles, where=where)
        errors.append(error)
    if invalid == "drop":
        warn_caller(DroppedRowsWarning(None, None, errors))
        return
    number, place = next(iter(counts))
    rows = sum(state.totals.rows for key, state in part.states.items() if key[0] == number)
    total = int(rows) + sum(count for (model, _), count in counts.items() if model == number)
    more = f" {len(counts) - 1} more rules are broken." if len(counts) > 1 else ""
    raise errors[0].replaced(total=total, hint=f"An example: {part.examples[number, place]}.{more}")


def _name_sketches(part: Part, task: _Task) -> dict[Any, UCCSketch]:
    """Return the sketches by models, and by the labels of segments if there are any, in their order."""
    found: dict[Any, list[Any]] = {}
    for key in sorted(part.states, key=lambda key: (key[0], *map(label_order, key[1:]))):
        labels = key[1 + task.is_long :]
        name = str(key[1]) if task.is_long else task.names[key[0]]
        found.setdefault((name, *labels) if labels else name, []).append(key)
    return {  # several, where the number 1 and the text "1" name one model
        name: UCCSketch.sum(
            UCCSketch((part.states[key],), nominal=task.columns[key[0]].claim) for key in keys
        )
        for name, keys in found.items()
    }

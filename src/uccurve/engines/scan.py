"""The scan itself: file by file, chunk by chunk or frame by frame; rows that break rules are counted."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from uccurve._base import arguments
from uccurve._base.arguments import warn_caller
from uccurve._base.progress import StepBar
from uccurve.columns import list_names
from uccurve.engines import group_by, select
from uccurve.engines.group_by import Part, add_parts
from uccurve.engines.select import Columns
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    DroppedRowsWarning,
    EmptyInputError,
    FileFormatError,
    SketchFormatError,
    UccurveError,
    UnreadableFilesError,
)
from uccurve.intervals import rules
from uccurve.io import WHOLE, as_table, check_path, choose, format_of, list_files, read_pieces
from uccurve.sketch import SketchFile, UCCSketch, label_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve._base.type_aliases import Invalid
    from uccurve.io import Table

# Rows in memory that are summarized at once.
_ROWS = 1 << 21


def scan(
    source: Any,
    models: Mapping[str, Columns] | None = None,
    *,
    by: str | Sequence[str] | None = None,
    model: str | None = None,
    invalid: Invalid = "raise",
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> dict[Any, UCCSketch]:
    """Sketch the curves of models in one pass over data of any size.

    Parameters
    ----------
    source : path, pattern, list of paths, frame, or iterable of frames
        Parquet, CSV, Arrow or JSON lines files, which Polars reads; a lazy or eager frame of Polars, DuckDB,
        PySpark, Dask, Ibis, PyArrow or pandas; or chunks of any of these, such as record batches. Frames are
        summarized by their own engine, wherever it runs, with one GROUP BY. A file named twice is read once,
        and the name of an existing file is not a pattern. In a folder, files of all formats are read, also
        compressed text, except names that begin with a dot or an underscore.
    models : mapping of name to Columns, optional
        The columns of each model. By default those of the first file, frame or chunk that have common names.
    by : str or sequence of str, optional
        Columns with the labels of segments: text, numbers, dates or times.
    model : str, optional
        The column that names each row's model, where models are stacked; ``models`` then has one
        entry. Without ``models``, a column of text called ``model`` with several names is used.
    invalid : {"raise", "drop"}
        Invalid rows are counted in the same pass. They raise an error, or are dropped with a warning.
    checkpoint : path, optional
        A folder that keeps the results of finished files: a scan that was interrupted resumes there.
    progress : bool
        Show the number of files done on the terminal.

    Returns
    -------
    dict
        A sketch for each model; with ``by``, for each tuple of a model and the labels of a segment. Labels
        that are times are exact to the microsecond, and in UTC where they have a zone.

    Raises
    ------
    InvalidRowsError
        If rows are invalid, and ``invalid="raise"``.
    MissingColumnError, NotNumericError
        If a named column is absent, the columns' names do not tell which to use, or one holds no numbers.
    UnreadableFilesError
        If files cannot be read. It names them, and has the sketches of the others.
    OSError
        If no file matches the name, or the checkpoint cannot be written; it names the path.
    EmptyInputError, ArgumentError
        If there are no rows, or an argument has a value outside its rule.

    See Also
    --------
    UCCSketch.of : A sketch of rows in memory.
    compare : Compares the result.

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
    if model is not None:
        arguments.instance("model", model, str, "the name of a column")
    names = list(source) if isinstance(source, (list, tuple)) else [source]
    is_named = bool(names) and all(isinstance(name, (str, os.PathLike)) for name in names)
    paths, failed = list_files(names) if is_named else [], dict[str, str]()
    if paths:
        with _naming_unreadable(paths[0], failed):
            first = next(read_pieces(paths[0]), None) if models is None else None
            task = _plan(models, first, labels, model)
        if failed:
            raise UnreadableFilesError(failed, {})
        kept = None if checkpoint is None else _Checkpoint(checkpoint, task.columns, task.labels)
        part = _scan_files(paths, task, kept, failed, progress=progress)
    else:
        if checkpoint is not None:
            raise ArgumentError(argument="checkpoint", rule="be passed for files only")
        tables = _list_tables(source)
        first = next(tables, None)
        task = _plan(models, first, labels, model)
        part = add_parts(_summarize(table, task) for table in chain([] if first is None else [first], tables))
    _judge(part, task, invalid)
    sketches = _name_sketches(part, task)
    if failed:
        raise UnreadableFilesError(failed, sketches)
    if not sketches:
        where = str(paths[0]) if len(paths) == 1 else None
        problem = "no row is left: all rows break rules" if part.broken else "there are no rows"
        raise EmptyInputError(problem, where=where)
    return sketches


def _list_tables(source: Any) -> Iterator[Table]:
    """Yield a frame, or the chunks of one, as tables."""
    try:
        chunks: Iterable[Any] = [as_table(source, lazy=True)]
    except ArgumentTypeError as error:
        if not isinstance(source, Iterable) or isinstance(source, Mapping):
            raise error.replaced(argument="source", rule="be files, a frame or chunks of one") from error
        chunks = source
    for chunk in chunks:
        yield as_table(chunk, lazy=True)


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
    models: Mapping[str, Columns] | None, first: Table | None, by: list[str], model: str | None
) -> _Task:
    """Choose the columns: those that are passed, or those of the first table that have common names."""
    if models is None:
        if first is None:
            raise EmptyInputError("there are no rows")
        choice, model = choose(first, {}, model=model, labels=by)
        models = select.list_models(choice)
    if not isinstance(models, Mapping) or not models:
        rule = "be a mapping of names to Columns, with at least one model"
        raise ArgumentError(argument="models", rule=rule)
    arguments.distinct(models)
    for name, columns in models.items():
        arguments.instance(f"models[{name!r}]", columns, Columns)
    if model is not None and len(models) > 1:
        rule = "have one entry where `model` names a column"
        raise ArgumentError(argument="models", rule=rule, got=list_names([*map(str, models)]))
    return _Task(
        names=[str(name) for name in models],
        columns=list(models.values()),
        labels=by if model is None else [model, *by],
        is_long=model is not None,
    )


def _scan_files(
    paths: Sequence[Path], task: _Task, kept: _Checkpoint | None, failed: dict[str, str], *, progress: bool
) -> Part:
    """Summarize file by file, or take what a checkpoint keeps; unreadable files are added to ``failed``."""
    is_parquet = all(format_of(path) == "parquet" for path in paths)
    if is_parquet and len(paths) > 1 and not (kept or progress):
        with suppress(UccurveError, OSError):  # as where types differ; then files are read one by one
            return add_parts(_summarize(table, task) for table in read_pieces(*paths))
    whole = Part()
    bar = StepBar("files", len(paths), show=progress)
    for path in paths:
        # Before it is read: a file that changes meanwhile is read again next time.
        place = kept.place(path) if kept is not None and path.is_file() else None
        part = kept.read(place) if kept is not None and place is not None else None
        if part is None:
            with _naming_unreadable(path, failed):
                part = add_parts(_summarize(table, task) for table in read_pieces(path))
            if kept is not None and place is not None and part is not None:
                kept.write(place, part)
        whole = whole if part is None else add_parts([whole, part])
        bar.step()
    is_text = any(format_of(path) == "csv" for path in paths)
    return _read_whole_labels(whole) if is_text else whole


def _read_whole_labels(part: Part) -> Part:
    """Turn labels into whole numbers where all in their place are such, as text or not: 10 follows 9."""
    places = [
        [int(label) for label in labels]
        if all(re.fullmatch(WHOLE, str(label)) for label in labels)
        else labels
        for labels in zip(*part.states, strict=True)
    ]
    states = zip(zip(*places, strict=True), part.states.values(), strict=True)
    return add_parts([Part(broken=part.broken), *(Part({key: state}) for key, state in states)])


@contextmanager
def _naming_unreadable(path: Path, failed: dict[str, str]) -> Iterator[None]:
    """Note why a file cannot be read; errors about its rows and columns name the file."""
    try:
        yield
    except FileFormatError as error:
        failed[str(path)] = str(error.replaced(where=None))
    except UccurveError as error:
        raise error.replaced(where=str(path)) from error
    except OSError as error:
        failed[str(path)] = error.strerror or str(error)


def _summarize(table: Table, task: _Task) -> Part:
    """Summarize a table; rows in memory some at a time, to save memory."""
    import narwhals as nw  # noqa: PLC0415

    rows, columns = select.select_columns(table, task.columns, task.labels)
    slices: Iterable[Any] = [rows]
    if isinstance(rows, nw.DataFrame):
        slices = (rows[begin : begin + _ROWS] for begin in range(0, max(len(rows), 1), _ROWS))
    return add_parts(_summarize_rows(some, columns, task, is_text=table.is_text) for some in slices)


def _summarize_rows(rows: Any, columns: Sequence[Columns], task: _Task, *, is_text: bool) -> Part:
    """Summarize rows by one query of their engine, with an example of each broken rule."""
    groups = [f"group{place}" for place in range(len(task.labels))]
    with np.errstate(over="ignore", invalid="ignore"):  # of rows that break rules
        result = select.collect_arrays(group_by.summarize(rows, columns, groups))
    labels = []
    for place, (name, group) in enumerate(zip(task.labels, groups, strict=True)):
        blanks = not (is_text or (task.is_long and place == 0))
        labels.append(group_by.read_labels(result.pop(group), name, blanks=blanks))
    part = group_by.make_states(result, labels, columns)
    for (number, broken), (count, _) in part.broken.items():
        part.broken[number, broken] = count, _find_example(rows, columns[number], broken)
    return part


def _find_example(rows: Any, columns: Columns, number: int) -> dict[str, float]:
    """Return the values of one row that breaks a rule, by role; NaN where one is missing."""
    import narwhals as nw  # noqa: PLC0415

    first_broken = rules.first_broken_expression(nw, columns.roles())
    rows = rows.select(*group_by.select_roles(columns)).with_columns(first_broken.alias("rule"))
    values = select.collect_arrays(rows.filter(nw.col("rule") == number).head(1))
    return {role: float(values[role][0]) for role in rules.ROW_RULES[number].roles}


def _judge(part: Part, task: _Task, invalid: str) -> None:
    """Raise for labels of several kinds and for rows that break rules, or warn that they were dropped."""
    for place, name in [*enumerate(task.labels, 1)][task.is_long :]:
        select.check_kinds(name, {kind: label for (at, kind), label in part.kinds.items() if at == place})
    errors = []
    for (number, place), (count, values) in sorted(part.broken.items()):
        rule, roles = rules.ROW_RULES[place], task.columns[number].roles()
        facts: dict[str, Any] = {"rule": rule.named({role: role for role in roles}), "columns": roles}
        facts["where"] = None if task.is_long else task.names[number]
        errors.append(rule.error(argument=rule.argument, count=count, values=values, **facts))
    if errors and invalid == "drop":
        warn_caller(DroppedRowsWarning(None, None, errors))
    elif errors:
        first = min(part.broken)[0]
        total = sum(state.totals.rows for (number, *_), state in part.states.items() if number == first)
        total += sum(count for (number, _), (count, _) in part.broken.items() if number == first)
        more = f"{len(errors) - 1} more rules are broken. " if len(errors) > 1 else ""
        raise errors[0].replaced(total=int(total), hint=f"{more}{rules.LEAVE_OUT}")


def _name_sketches(part: Part, task: _Task) -> dict[Any, UCCSketch]:
    """Return the sketches by models, and by the labels of segments if there are any, in their order.

    Each model must have rows with weight.
    """
    found: dict[Any, UCCSketch] = {}
    weighted: dict[str, bool] = {}
    for key in sorted(part.states, key=lambda key: (key[0], *map(label_order, key[1:]))):
        sketch = UCCSketch((part.states[key],), nominal=task.columns[key[0]].claim)
        model = str(key[1]) if task.is_long else task.names[key[0]]
        labels = key[1 + task.is_long :]
        name = (model, *labels) if labels else model
        # The number 1 and the text "1" name one model.
        found[name] = found[name] + sketch if name in found else sketch
        weighted[model] = weighted.get(model, False) or bool(sketch.state.scale.sums[0].any())
    for model, has_weight in weighted.items():
        if not has_weight:
            roles = task.columns[0 if task.is_long else task.names.index(model)].roles()
            raise ArgumentError(argument="sample_weight", rule="have a positive sum", got="0", columns=roles)
    return found


class _Checkpoint:
    """A folder with one state for each finished file.

    A state is known by the file's path, size and time of change, by the columns that are scanned, and by the
    rules that rows were held against: if any of these differs, the file is scanned again. Models are known by
    their place, not by their name.
    """

    def __init__(self, folder: Any, models: Sequence[Columns], by: Sequence[str]) -> None:
        self.folder = Path(check_path("checkpoint", folder))
        self.folder.mkdir(parents=True, exist_ok=True)
        self._columns = {str(place): columns.roles() for place, columns in enumerate(models)}
        self._by = tuple(by)

    def place(self, path: Path) -> Path:
        """Return the place of the state of a file as it is now, and of what is scanned."""
        about = path.stat()
        asked = (self._columns, self._by, [(rule.roles, rule.text) for rule in rules.ROW_RULES])
        known = f"{path.resolve()}\0{about.st_size}\0{about.st_mtime_ns}\0{asked}"
        checksum = hashlib.sha256(known.encode(errors="surrogateescape")).hexdigest()
        return self.folder / f"{checksum[:32]}.state"

    def read(self, place: Path) -> Part | None:
        """Return what was found in a file, or None if it is to be scanned."""
        try:
            kept = SketchFile.read(place)
        except (FileNotFoundError, SketchFormatError):
            return None
        states = {}
        for (model, segment), sketch in kept.sketches.items():
            labels = segment if len(self._by) > 1 else (segment,) if self._by else ()
            states[int(model), *labels] = sketch.state
        return Part(states, {(model, rule): (count, row) for model, rule, count, row in kept.checkpoint})

    def write(self, place: Path, part: Part) -> None:
        """Keep what was found in a file, all of it or nothing."""
        sketches = {(str(model), *labels): UCCSketch((own,)) for (model, *labels), own in part.states.items()}
        broken = [(*which, *known) for which, known in part.broken.items()]
        replace(SketchFile.of(sketches, self._by, self._columns), checkpoint=broken).write(place)

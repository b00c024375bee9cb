"""The columns that a scan uses, under names that no engine takes for anything else.

Engines differ in what a name may mean: Polars takes ``^a.*$`` for a pattern, DuckDB takes ``*`` for all
columns and ``A`` for ``a``. Columns are therefore selected by place, and called ``column0``, ``column1``, ….
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from uccurve._base import arrays
from uccurve.columns import list_names
from uccurve.engines import _text_cells
from uccurve.engines._duckdb_files import identifier
from uccurve.engines._source_table import refuse_repeated
from uccurve.exceptions import ArgumentError, MissingColumnError, NotNumericError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uccurve.engines._model_columns import Columns
    from uccurve.engines._source_table import SourceTable


class PlainColumns(NamedTuple):
    """A frame with the used columns only, numbers as float64, and the plain names in place of the others."""

    frame: Any
    models: list[Columns]
    by: list[str]


def plain_columns(nw: Any, table: SourceTable, models: Sequence[Columns], by: Sequence[str]) -> PlainColumns:
    """Select the columns of models and segments; refuse missing ones, and those of a wrong kind."""
    frame = _wrapped(nw, table.frame)
    names = _names(frame, table)
    _check_names(names, table, models, by)
    numbers = list(dict.fromkeys(name for columns in models for name in columns.roles().values()))
    plain = {name: f"column{place}" for place, name in enumerate(dict.fromkeys([*numbers, *by]))}
    in_folders = {plain[name]: table.folder_labels[name] for name in plain if name not in names}
    selected = {plain[name]: names[name] for name in plain if name in names}
    rows = _select(nw, frame, selected)
    if table.is_text:
        _text_cells.check(nw, rows, {plain[name]: name for name in numbers if plain[name] in selected})
    if in_folders:
        rows = rows.with_columns(
            *(nw.lit(label, nw.String).alias(column) for column, label in in_folders.items())
        )
    schema = rows.collect_schema()
    for name in by:
        if schema[plain[name]].is_nested():
            kind = schema[plain[name]]
            raise ArgumentError(
                argument=name, rule="hold text, numbers or dates as labels", got=kind, columns={name: name}
            )
    doubled = {name: f"{plain[name]}_label" for name in by if name in numbers}
    if doubled:  # a column may be a number for a model and a label as well
        rows = rows.with_columns(*(nw.col(plain[name]).alias(label) for name, label in doubled.items()))
    rows = _as_floats(nw, rows, {plain[name]: name for name in numbers}, is_text=table.is_text)
    renamed = [columns.renamed(plain) for columns in models]
    return PlainColumns(rows, renamed, [doubled.get(name, plain[name]) for name in by])


def _wrapped(nw: Any, source: Any) -> Any:
    try:
        return nw.from_native(source)
    except nw.exceptions.DuplicateError as error:
        words = str(error).split()
        raise ArgumentError(f"each column must have its own name: {' '.join(words)}") from error


def _names(frame: Any, table: SourceTable) -> dict[str, int]:
    """Return the place of each column; names must be distinct, for DuckDB and Spark whatever the case."""
    native = frame.to_native()
    own = list(native.columns) if _ignores_case(frame) else frame.collect_schema().names()
    names = own if table.names is None else table.names
    refuse_repeated(names)
    if table.names is None and _ignores_case(frame):
        folded = Counter(name.lower() for name in own)
        alike = [name for name in own if folded[name.lower()] > 1]
        if alike:
            raise ArgumentError(
                "each column must have its own name, whatever the case",
                got=list_names(alike),
                hint="Rename them, since this engine takes them for one.",
            )
    return {name: place for place, name in enumerate(names)}


def _ignores_case(frame: Any) -> bool:
    return bool(frame.implementation.is_duckdb() or frame.implementation.is_pyspark())


def _check_names(
    names: dict[str, int], table: SourceTable, models: Sequence[Columns], by: Sequence[str]
) -> None:
    of_models = [(name, role) for columns in models for role, name in columns.roles().items()]
    for name, role in [*of_models, *((name, "by") for name in by)]:
        if name not in names and name not in table.folder_labels:
            present = ", ".join(map(repr, [*names][:20]))
            raise MissingColumnError(
                argument=role, rule=f"name a column of the frame, which has {present}", got=repr(name)
            )
        if name in names and name in table.folder_labels:
            raise ArgumentError(
                f"the column {name!r} is in the file and in the name of its folder", hint="Leave `hive` out."
            )
        if role != "by" and name in table.folder_labels:
            raise NotNumericError(
                argument=name, rule="be numeric", got="the name of a folder", columns={name: name}
            )


def _select(nw: Any, frame: Any, places: dict[str, int]) -> Any:
    """Select columns by place, under other names."""
    if frame.implementation.is_duckdb():
        native = frame.to_native()
        cells = [f"{identifier(native.columns[place])} AS {name}" for name, place in places.items()]
        return nw.from_native(native.project(", ".join(cells)))
    return frame.select(*(nw.nth(place).alias(name) for name, place in places.items()))


def _as_floats(nw: Any, rows: Any, names: dict[str, str], *, is_text: bool) -> Any:
    """Convert columns to float64: each number becomes the nearest float, in every engine."""
    if is_text:
        return rows.with_columns(*(_text_cells.numbers(nw, column).alias(column) for column in names))
    if not isinstance(rows, nw.LazyFrame) and rows.implementation in (
        nw.Implementation.PANDAS,
        nw.Implementation.PYARROW,
    ):  # their casts refuse large whole numbers and round decimals twice
        return _as_float_arrays(nw, rows, names)
    schema = rows.collect_schema()
    return rows.with_columns(
        *(_as_float(nw, column, schema[column], name).alias(column) for column, name in names.items())
    )


def _as_float(nw: Any, column: str, kind: Any, name: str) -> Any:
    if not kind.is_numeric():
        raise NotNumericError(argument=name, rule="be numeric", got=kind, columns={name: name})
    exact = nw.col(column).cast(nw.String) if kind.is_decimal() else nw.col(column)
    return exact.cast(nw.Float64)


def _as_float_arrays(nw: Any, rows: Any, names: dict[str, str]) -> Any:
    """Convert the columns of an eager frame as `Intervals.from_frame` does."""
    new = []
    for column, name in names.items():
        values = rows.get_column(column)
        try:
            array = arrays.as_arrays(values=values.to_native())["values"]
        except NotNumericError as error:
            raise NotNumericError(
                argument=name, rule="be numeric", got=values.dtype, columns={name: name}
            ) from error
        new.append(nw.new_series(column, array, nw.Float64, backend=rows.implementation))
    return rows.with_columns(*new)

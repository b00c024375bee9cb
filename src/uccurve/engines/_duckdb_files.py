"""Files as relations of DuckDB: names are no patterns, folders are no columns, and case matters."""

from __future__ import annotations

import glob
import json
import mmap
from collections import Counter
from typing import TYPE_CHECKING, Any

from uccurve._base.arguments import needed
from uccurve.engines import _csv_header
from uccurve.engines._source_table import SourceTable, refuse_repeated
from uccurve.exceptions import ArgumentError, FileFormatError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

_KNOWN_JSON = r'"(?:[^"\\]|\\.)*"|NaN|Infinity'
"""Text, and the words that Python reads as numbers; DuckDB reads nan and inf as well, in any case."""
_WHOLE = frozenset({"UBIGINT", "BIGINT", "HUGEINT"})


def opened(path: Path, kind: str, numbers: Collection[str], labels: Collection[str]) -> SourceTable:
    """Return a file as a relation with the columns for numbers and labels, or with all without them.

    DuckDB takes long to look at many columns again and again, so that others are left out at once.
    """
    connection, used = connected(), {*numbers, *labels}
    if kind == "csv":
        return _csv(connection, path, used)
    if kind == "jsonl":
        return _json_lines(connection, path, used, labels)
    if kind == "arrow":
        raise ArgumentError("DuckDB does not read Arrow files", hint="Use Polars.", where=str(path))
    (names,) = _parquet_names(connection, [path]).values()
    return _parquet(connection, [path], names, used)


def all_opened(paths: Sequence[Path], used: Collection[str]) -> SourceTable | None:
    """Return Parquet files as one relation; None if their columns differ, in case too."""
    connection = connected()
    names = list(_parquet_names(connection, paths).values())
    if len(names) != len(paths) or any(set(others) != set(names[0]) for others in names):
        return None
    return _parquet(connection, paths, names[0], used)


def literal(text: str) -> str:
    """Quote text for SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Quote the name of a column for SQL."""
    return '"' + name.replace('"', '""') + '"'


def _file(path: Path) -> str:
    """Quote the name of a file, which is no pattern."""
    return literal(glob.escape(str(path.resolve())))


def _chosen(names: Sequence[str], used: Collection[str]) -> list[int]:
    """Return the places of the used columns; those of all columns if some are absent, to list them."""
    refuse_repeated(names)
    places = [place for place, name in enumerate(names) if name in used]
    return places if places and len(places) == len(set(used)) else list(range(len(names)))


def _parquet(
    connection: Any, paths: Sequence[Path], names: Sequence[str], used: Collection[str]
) -> SourceTable:
    files = ", ".join(map(_file, paths))
    rows = f"read_parquet([{files}], hive_partitioning = false)"
    places = _chosen(names, used)
    alike = Counter(name.lower() for name in names)
    if any(alike[names[place].lower()] > 1 or not names[place] for place in places):
        places = list(range(len(names)))
    selected = ", ".join(identifier(names[place]) for place in places)
    if len(places) == len(names):  # in order, under whatever names DuckDB gives them
        selected = "*"
    frame = connection.sql(f"SELECT {selected} FROM {rows}")  # noqa: S608
    return SourceTable(frame=frame, names=[names[place] for place in places])


def _parquet_names(connection: Any, paths: Sequence[Path]) -> dict[str, list[str]]:
    """Return the columns of each file as they are written there; the schema lists all nested fields."""
    files = ", ".join(map(_file, paths))
    rows = connection.sql(f"SELECT file_name, name, num_children FROM parquet_schema([{files}])").fetchall()  # noqa: S608
    names: dict[str, list[str]] = {}
    open_fields: dict[str, list[int]] = {}
    for file, name, children in rows:
        if file not in names:  # the root
            names[file], open_fields[file] = [], [children or 0]
            continue
        depth = open_fields[file]
        while depth[-1] == 0:
            depth.pop()
        depth[-1] -= 1
        if len(depth) == 1:
            names[file].append(name)
        if children:
            depth.append(children)
    return names


def _csv(connection: Any, path: Path, used: Collection[str]) -> SourceTable:
    """Return a CSV file as text."""
    header = _csv_header.read(path)
    cells = [f"cell{place}" for place in range(len(header.names))]
    columns = ", ".join(f"'{cell}': 'VARCHAR'" for cell in cells)
    options = (
        f"delim = {literal(header.separator)}, skip = {header.skipped}, columns = {{{columns}}}, "
        "quote = '\"', escape = '\"', header = false, auto_detect = false, compression = 'none', "
        f"hive_partitioning = false, null_padding = true, parallel = {not _holds_quotes(path)}"
    )
    if header.line_end == "\r":
        options += ", new_line = '\\r'"
    places = _chosen(header.names, used)
    selected = ", ".join(cells[place] for place in places)
    query = f"SELECT {selected} FROM read_csv({_file(path)}, {options})"  # noqa: S608

    def without_blank_rows() -> Any:
        return connection.sql(f"{query} WHERE coalesce({', '.join(cells)}, NULL) IS NOT NULL")

    return SourceTable(
        frame=connection.sql(query),
        names=[header.names[place] for place in places],
        is_text=True,
        without_blank_rows=without_blank_rows,
    )


def _holds_quotes(path: Path) -> bool:
    """Whether cells may be quoted. DuckDB then fills rows with too few cells only by one thread."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(b'"') >= 0


def _json_lines(connection: Any, path: Path, used: Collection[str], labels: Collection[str]) -> SourceTable:
    """Return JSON lines as a relation, by the keys in them; no text is taken for a date."""
    lines = f"read_ndjson_objects({_file(path)}, hive_partitioning = false)"
    repeated = "len(list_distinct(json_keys(json))) < len(json_keys(json))"
    bare = f"regexp_replace(CAST(json AS VARCHAR), {literal(_KNOWN_JSON)}, '', 'g')"
    unknown = (
        f"regexp_matches(CAST(json AS VARCHAR), '(?i)nan|inf') AND regexp_matches({bare}, '(?i)nan|inf')"
    )
    query = f"SELECT json_group_structure(json), count_if({repeated}), count_if({unknown}) FROM {lines}"  # noqa: S608
    structure, repeating, unreadable = connection.sql(query).fetchall()[0]
    if unreadable:
        raise FileFormatError("it is not JSON: numbers that are not finite are NaN, Infinity or -Infinity")
    if repeating:
        lines_have = "1 line has" if repeating == 1 else f"{repeating} lines have"
        raise ArgumentError(f"each column must have its own name, but {lines_have} one twice")
    kinds = json.loads(structure or "{}")
    if not isinstance(kinds, dict):
        raise FileFormatError("its lines are not JSON objects")
    keys = list(kinds)
    names = [keys[place] for place in _chosen(keys, used)]
    cells = [_cell(name, kinds[name], label=name in labels) for name in names]
    selected = ", ".join(f"{cell} AS cell{place}" for place, cell in enumerate(cells))
    frame = connection.sql(f"SELECT {selected or 'NULL AS cell0'} FROM {lines}")  # noqa: S608
    return SourceTable(frame=frame, names=names)


def _cell(name: str, kind: Any, *, label: bool) -> str:
    """Return an expression for the value of a key, in the type that all its values have."""
    pointer = literal("/" + name.replace("~", "~0").replace("/", "~1"))
    if isinstance(kind, (dict, list)):
        return f"[json_extract(json, {pointer})]"  # a list, which is refused where a number or a label is due
    if kind in _WHOLE:
        type_ = "BIGINT" if label else "DOUBLE"
    else:
        type_ = kind if kind in ("BOOLEAN", "DOUBLE") else "DOUBLE" if kind == "NULL" else "VARCHAR"
    return f"CAST(json_extract_string(json, {pointer}) AS {type_})"


def connected() -> Any:
    """Return a new connection that draws no progress bar on standard output."""
    with needed("duckdb", extra="duckdb"):
        import duckdb  # noqa: PLC0415
    connection = duckdb.connect(":memory:")
    connection.execute("SET enable_progress_bar = false")
    return connection

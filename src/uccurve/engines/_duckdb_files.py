"""Files as relations of DuckDB: names are no patterns, folders are no columns, and case matters."""

from __future__ import annotations

import glob
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from uccurve._base.arguments import needed
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
    if kind == "jsonl":
        return _json_lines(connection, path, used, labels)
    if kind == "arrow":
        raise ArgumentError("DuckDB does not read Arrow files", hint="Use Polars.", where=str(path))
    return _parquet(connection, path, used)


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


def _parquet(connection: Any, path: Path, used: Collection[str]) -> SourceTable:
    names, rows = _parquet_names(connection, path), f"read_parquet({_file(path)}, hive_partitioning = false)"
    places = _chosen(names, used)
    alike = Counter(name.lower() for name in names)
    if any(alike[names[place].lower()] > 1 or not names[place] for place in places):
        places = list(range(len(names)))
    selected = ", ".join(identifier(names[place]) for place in places)
    if len(places) == len(names):  # in order, under whatever names DuckDB gives them
        selected = "*"
    frame = connection.sql(f"SELECT {selected} FROM {rows}")  # noqa: S608
    return SourceTable(frame=frame, names=[names[place] for place in places])


def _parquet_names(connection: Any, path: Path) -> list[str]:
    """Return the columns as they are written in the file; the schema lists all nested fields."""
    schema = connection.sql(f"SELECT name, num_children FROM parquet_schema({_file(path)})")  # noqa: S608
    (_, children), *fields = schema.fetchall()
    names: list[str] = []
    depth = [children or 0]
    for name, children in fields:
        while depth[-1] == 0:
            depth.pop()
        depth[-1] -= 1
        if len(depth) == 1:
            names.append(name)
        if children:
            depth.append(children)
    return names


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

"""Hostile tables: Polars, DuckDB and the rows in memory agree, or all refuse by the same rule."""

from __future__ import annotations

import json
import tempfile
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
from hypothesis import strategies as st

import uccurve as uc
from fuzz.search import Target
from scanned_rows import agree
from uccurve.exceptions import UccurveError, UnreadableFilesError

_NAMES = (
    'quo"te',
    "it's",
    "*",
    "^y$",
    "a.b",
    " ",
    "é",
    "${x}",
    "1",
    "select",
    "count",
    "sum0",
    "NaN",
    "\\",
    "#y",
    "S",
    "s",
)
_KINDS: dict[str, tuple[Any, st.SearchStrategy[Any]]] = {
    "float": (pl.Float64, st.floats(-1e100, 1e100)),
    "any float": (pl.Float64, st.floats()),
    "small": (pl.Float64, st.integers(0, 4).map(float)),
    "whole": (pl.Int64, st.integers(-(2**63), 2**63 - 1)),
    "single": (pl.Float32, st.floats(width=32, allow_nan=False, allow_infinity=False)),
    "text": (pl.String, st.sampled_from(["1", "x", "nan", "1e3", ""])),
    "flag": (pl.Boolean, st.booleans()),
}
_FREQUENT = ["small", "small", "float", "whole"]


class Example(NamedTuple):
    """A table, the names of its columns, and the kind of file it is written to."""

    frame: pl.DataFrame
    names: tuple[str, ...]
    suffix: str
    invalid: Any


@st.composite
def _examples(draw: st.DrawFn) -> Example:
    n = draw(st.integers(1, 6))
    names = draw(st.lists(st.sampled_from(_NAMES), min_size=3, max_size=3, unique_by=str.lower))
    columns = []
    for place, name in enumerate(names):
        kind, values = _KINDS[draw(st.sampled_from([*_KINDS, *_FREQUENT * 2]))]
        if draw(st.integers(0, 4)) == 0:
            values = st.one_of(st.none(), values)
        if place == 2 and kind in (pl.Float64, pl.Float32):  # noqa: PLR2004 - most bands are not negative
            values = values.map(lambda value: None if value is None else abs(value))
        columns.append(pl.Series(name, draw(st.lists(values, min_size=n, max_size=n)), dtype=kind))
    suffix = draw(st.sampled_from(["parquet", "csv", "jsonl"]))
    return Example(pl.DataFrame(columns), tuple(names), suffix, draw(st.sampled_from(["raise", "drop"])))


def _outcome(source: Any, example: Example, engine: str) -> Any:
    """Return the sketch, or the kind of error."""
    y, p, s = example.names
    models = {"m": uc.Columns(y_true=y, y_pred=p, std=s)}
    try:
        return uc.scan(source, models, engine=engine, invalid=example.invalid)["m"]
    except (UccurveError, UnreadableFilesError, UserWarning) as error:
        return type(error)


def _in_memory(example: Example) -> Any:
    y, p, s = example.names
    try:
        rows = uc.Intervals.from_frame(example.frame, y_true=y, y_pred=p, std=s, invalid=example.invalid)
        return rows.sketch()
    except (UccurveError, UserWarning) as error:
        return type(error)


def _check(example: Example) -> None:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of dropped rows, before some other error
        path = Path(folder) / f"f.{example.suffix}"
        if example.suffix == "parquet":
            example.frame.write_parquet(path)
        elif example.suffix == "csv":
            if " " in example.names:  # blanks around names in CSV are none
                return
            example.frame.write_csv(path, quote_style="non_numeric")
        else:  # as Python writes them, with NaN and Infinity
            path.write_text("".join(json.dumps(row) + "\n" for row in example.frame.to_dicts()))
        outcomes = {engine: _outcome(path, example, engine) for engine in ("polars", "duckdb")}
        if example.suffix == "parquet":
            outcomes |= {
                "frame": _outcome(example.frame.lazy(), example, "auto"),
                "memory": _in_memory(example),
            }
    first = outcomes["polars"]
    for engine, outcome in outcomes.items():
        if isinstance(first, type) or isinstance(outcome, type):
            assert outcome == first, outcomes
        else:
            _same(outcome, first, engine)


def _same(one: uc.UCCSketch, other: uc.UCCSketch, engine: str) -> None:
    assert one.rows == other.rows, engine
    agree(one, other)


TARGET = Target(examples=_examples(), check=_check, per_round=40)

"""Hostile frames and files: they and the rows in memory agree, or all refuse by the same rule."""

from __future__ import annotations

import datetime as dt
import itertools
import json
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import uccurve as uc
from errors import raises
from scanned_rows import agree
from uccurve.exceptions import ArgumentError, MissingColumnError, NotNumericError, UnreadableFilesError

ROWS = {"y": [1.0, -2.5, 0.0, 4.0], "p": [0.5, 0.0, 0.0, 1.0], "s": [1.0, 2.0, 0.0, 0.5]}
WANTED = uc.Intervals.from_std(*map(np.array, ROWS.values())).sketch()
KINDS = ("parquet", "csv", "jsonl")
NAMES = (
    'quo"te', "it's", "*", "^.*$", "^y$", "a.b", "a[0]", "a b", " ", "é", "日本", "\u202e", "`x`", "${x}", "%s", "{0}",
    "1", "-1", "select", "a;DROP TABLE t;--", "key", "count", "sum0", "group0", "rule", "valid", "column0", "cell0",
    "residual", "y_true", "std", "lowest", "NaN", "null", "__index_level_0__", "a/b", "a~1b", "$.x", "\\", "#y",
)  # fmt: skip
BLANK = " "
BY_THREE = [(BLANK, "u", "v"), *zip(*[(name for name in NAMES if name != BLANK)] * 3, strict=True)]


def columns(y="y", p="p", s="s"):
    """The model whose columns have these names."""
    return {"m": uc.Columns(y_true=y, y_pred=p, std=s)}


def written(path, table):
    """Write a table of Arrow, in the format that the name says."""
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    elif path.suffix == ".arrow":
        path.write_bytes(pl.from_arrow(table).write_ipc(None).getvalue())
    elif path.suffix == ".jsonl":
        lines = (json.dumps(row, ensure_ascii=False, default=str) for row in table.to_pylist())
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    else:
        quoted = [",".join('"' + str(cell).replace('"', '""') + '"' for cell in table.column_names)]
        rows = (
            ",".join("" if cell is None else str(cell) for cell in row.values()) for row in table.to_pylist()
        )
        path.write_text("\n".join([*quoted, *rows, ""]), encoding="utf-8")
    return path


def frames_of(table):
    """The same rows as a frame of every library that is quick to start."""
    yield table
    yield pl.from_arrow(table)
    yield pl.from_arrow(table).lazy()
    yield table.to_pandas(types_mapper=pd.ArrowDtype).set_index(pd.Index(range(9, 9 - len(table), -1)))
    yield duckdb.connect(":memory:").from_arrow(table)


def files_of(table, folder, kinds):
    """The same rows in files of these formats."""
    return [written(folder / f"f.{kind}", table) for kind in kinds]


@pytest.mark.parametrize("names", BY_THREE)
def test_a_name_is_only_a_name(tmp_path, names):
    """In frames and files, as numbers and as labels, beside columns that they could stand for."""
    decoys = {"a": [5.0] * 4, "x": ["u"] * 4, "y": [6.0] * 4}
    table = pa.table({**decoys, **dict(zip(names, ROWS.values(), strict=True)), "z": ["b", "a", "b", "a"]})
    model = columns(*names)
    agree(uc.Intervals.from_frame(table, **model["m"].roles()).sketch(), WANTED)
    kinds = KINDS if BLANK not in names else ("parquet", "jsonl")  # blanks around names in CSV are none
    for source in (*frames_of(table), *files_of(table, tmp_path, kinds)):
        agree(uc.scan(source, model)["m"], WANTED)
    labels = {"one": list("abab"), "two": list("aabb"), "three": list("cccc")}
    labeled = pa.table(
        {
            "x": ["u"] * 4,
            "Y": ROWS["y"],
            "P": ROWS["p"],
            "S": ROWS["s"],
            **dict(zip(names, labels.values(), strict=True)),
        }
    )
    wanted = dict.fromkeys(zip(*labels.values(), strict=True), 1)
    for frame in (pl.from_arrow(labeled).lazy(), duckdb.connect(":memory:").from_arrow(labeled)):
        found = uc.scan(frame, columns(*"YPS"), by=list(names))
        assert {key[1:]: it.rows for key, it in found.items()} == wanted


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", [["STD", "std"], ["std", "STD"]])
def test_case_tells_columns_apart(tmp_path, kind, order):
    """Of columns that differ in nothing else."""
    decoys = {"std": ROWS["s"], "STD": [9.0] * 4}
    table = pa.table({**{name: decoys[name] for name in order}, "y": ROWS["y"], "p": ROWS["p"]})
    path = written(tmp_path / f"one.{kind}", table)
    agree(uc.scan(path, columns(s="std"))["m"], WANTED)
    both = {**columns(s="std"), "other": columns(s="STD")["m"]}
    found = uc.scan(path, both)
    assert found["other"].curve().original.bandwidth == 9.0


def test_case_tells_the_columns_of_a_relation_apart():
    """DuckDB itself takes them for one: they are selected by place."""
    relation = duckdb.sql("SELECT 1.0 AS y, 0.0 AS p, 1.0 AS s, 9.0 AS S")
    found = uc.scan(relation, {**columns(), "other": columns(s="S")["m"]})
    assert [sketch.curve().original.bandwidth for sketch in found.values()] == [1.0, 9.0]


def test_doubled_columns_are_refused_everywhere(tmp_path):
    """Which of them is meant is not guessed, in whatever order they are."""
    table = pa.table([pa.array([1.0]), pa.array([0.0]), pa.array([1.0]), pa.array([9.0])], names=[*"ypsy"])
    for frame in (table, table.to_pandas(), duckdb.sql("SELECT 1.0 AS y, 0.0 AS p, 1.0 AS s, 9.0 AS y")):
        with pytest.raises(ArgumentError):
            uc.scan(frame, columns())
    with raises(ArgumentError, "frame"):
        uc.Intervals.from_frame(table, **columns()["m"].roles())
    pq.write_table(table, tmp_path / "f.parquet")
    with pytest.raises((ArgumentError, UnreadableFilesError), match="name"):
        uc.scan(tmp_path / "f.parquet", columns())


VALUES = {
    "decimals": [
        pa.array(list(map(Decimal, ["7.3", "2.3", "-9.7", "0.7"])), pa.decimal128(5, 1)),
        pa.array(list(map(Decimal, ["0.1", "0.7", "-99999999999999.9999", "2.3"])), pa.decimal128(38, 10)),
    ],
    "whole numbers": [
        pa.array([2**53 + 1, 2**62 + 3, -(2**63), 5]),
        pa.array([2**64 - 1, 2**63 + 1025, 2**53 + 1, 0], pa.uint64()),
        pa.array([1, -128, 127, 0], pa.int8()),
    ],
    "floats": [pa.array(ROWS["y"], pa.float32()), pa.array([1e-100, 3e-99, -0.0, 1e100])],
    "dictionaries": [pa.array(ROWS["y"]).dictionary_encode(), pa.array([3, 2**60 + 1, 3, 0]).dictionary_encode()],
}  # fmt: skip


@pytest.mark.parametrize("kind", VALUES)
def test_numbers_are_the_nearest_floats(tmp_path, kind):
    """A decimal 7.3 lies on a bound of 7.3, and a large whole number is rounded, never refused."""
    for values in VALUES[kind]:
        exact = [float(value) for value in values.to_pylist()]
        table = pa.table(
            {
                "y": values,
                "p": [0.0] * 4,
                "lo": [min(v, 0.0) for v in exact],
                "hi": [max(v, 0.0) for v in exact],
            }
        )
        roles = {"y_true": "y", "y_pred": "p", "lower": "lo", "upper": "hi"}
        wanted = uc.Intervals.from_frame(pd.DataFrame({**table.to_pydict(), "y": exact}), **roles).sketch()
        assert wanted.curve().original.miss_rate == 0.0
        model = {"m": uc.Columns(**roles)}
        for frame in frames_of(table):
            agree(uc.scan(frame, model)["m"], wanted)
            if not isinstance(frame, (pl.LazyFrame, duckdb.DuckDBPyRelation)):
                agree(uc.Intervals.from_frame(frame, **roles).sketch(), wanted)
        suffixes = KINDS if kind != "decimals" else ("parquet", "csv")  # JSON has no decimals
        for path in files_of(table, tmp_path, suffixes):
            agree(uc.scan(path, model)["m"], wanted)


NOT_NUMBERS = {
    "text": pa.array(["1", "2", "3", "x"]),
    "categories": pa.array(["1", "2", "1", "2"]).dictionary_encode(),
    "flags": pa.array([True, False, True, True]),
    "dates": pa.array([dt.date(2026, 1, 1)] * 4),
    "lists": pa.array([[1.0]] * 4),
    "records": pa.array([{"a": 1.0}] * 4),
}


@pytest.mark.parametrize("kind", NOT_NUMBERS)
def test_what_is_no_number_is_refused_everywhere(tmp_path, kind):
    """Text is no number, even where all of it could be read as one, unless the file knows only text."""
    table = pa.table({**ROWS, "y": NOT_NUMBERS[kind]})
    with pytest.raises(NotNumericError):
        uc.Intervals.from_frame(table, **columns()["m"].roles())
    suffixes = ("parquet", "jsonl") if kind == "categories" else KINDS
    for source in (*frames_of(table), *files_of(table, tmp_path, suffixes)):
        with raises(NotNumericError, "y"):
            uc.scan(source, columns())


@pytest.mark.parametrize("value", [2j, "1_000", "x", True, b"1", [1], 10**400, dt.date(2026, 1, 1)])
def test_objects_of_pandas_are_checked_one_by_one(value):
    """By every way; what is missing is no object."""
    frame = pd.DataFrame({"y": pd.Series([value, 1], dtype=object), "p": 0.0, "s": 1.0})
    for ask in (uc.Intervals.from_frame, uc.Models.from_frame):
        with pytest.raises(NotNumericError):
            ask(frame, **columns()["m"].roles())
    with raises(NotNumericError, "y"):
        uc.scan(frame, columns())
    frame["y"] = pd.Series([Decimal("1.5"), pd.NA], dtype=object)
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        assert uc.scan(frame, columns(), invalid="drop")["m"].rows == 1


@pytest.mark.parametrize("labels", [pa.array([[1], [2], [1], [2]]), pa.array([{"a": 1}] * 4)])
def test_nested_labels_are_refused_everywhere(tmp_path, labels):
    """They have no order and no name."""
    table = pa.table({**ROWS, "g": labels})
    for source in (*frames_of(table), *files_of(table, tmp_path, ("parquet", "jsonl"))):
        with raises(ArgumentError, "g"):
            uc.scan(source, columns(), by="g")


def test_labels_are_of_one_kind_that_engines_know():
    """Objects of pandas are not taken for each other, lists are none, and NumPy has no 128 bits."""
    whole = pl.DataFrame({**ROWS, "g": pl.Series([1, 2, 1, 2], dtype=pl.Int128)})
    for frame in (
        whole,
        *(pd.DataFrame({**ROWS, "g": [it, 1] * 2}, dtype=object) for it in ([1], True, "1")),
    ):
        with raises(ArgumentError, "g"):
            uc.scan(frame, columns(), by="g")
    with raises(ArgumentError, "g"):
        uc.Models.from_frame(whole, y_pred="p", std="s", by="g")


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_text_stay_text(tmp_path, kind):
    """No date, flag or code with a leading zero is taken for anything else."""
    base = {name: [*values, *values] for name, values in ROWS.items()}
    for labels, wanted in {
        ("2026-01-02", "2026-01-03"): ["2026-01-02", "2026-01-03"],
        ("true", "false"): ["false", "true"],
        ("01", "1"): ["01", "1"],
        ("a", "A"): ["A", "a"],
        ("1.0", "1"): ["1", "1.0"],
        ("NA", "null"): ["NA", "null"],
        ("é", "日"): ["é", "日"],
        ("10", "9"): [9, 10] if kind == "csv" else ["10", "9"],
    }.items():
        path = written(tmp_path / f"f.{kind}", pa.table({**base, "g": labels * 4}))
        assert [key[1] for key in uc.scan(path, columns(), by="g")] == wanted


def test_whole_labels_of_several_csv_files_are_numbers_only_together(tmp_path):
    """Or one segment would be two: 1 of one file and "1" of another."""
    for name, labels in (("a", "12"), ("b", "1x")):
        rows = "".join(f"1,0,1,{label}\n" for label in labels)
        (tmp_path / f"{name}.csv").write_text(f"y,p,s,g\n{rows}")
    for options in ({}, {"checkpoint": tmp_path / "kept"}, {"checkpoint": tmp_path / "kept"}):
        found = uc.scan(str(tmp_path / "*.csv"), columns(), by="g", **options)
        assert {key[1]: it.rows for key, it in found.items()} == {"1": 2, "2": 1, "x": 1}


GLOBS = ("a[1]", "b*", "c?", "d{1,2}", "g%20h", "i'j", "~n", "$HOME")


@pytest.mark.parametrize("kind", [*KINDS, "arrow"])
def test_the_name_of_a_file_is_no_pattern(tmp_path, kind):
    """Whatever else would fit it; each file has its own number of rows."""
    rows = {name: 1 + place for place, name in enumerate([*GLOBS, "a1", "bx", "cx", "d1", "g h"])}
    for name, count in rows.items():
        (tmp_path / name).mkdir()
        path = tmp_path / name / f"{name}.{kind}"
        table = pa.table({key: [1.0] * count for key in ROWS})
        written(path, table)
        (tmp_path / f"{name}.{kind}").write_bytes(path.read_bytes())
    for name, as_given in zip(GLOBS, itertools.cycle([Path, str]), strict=False):
        path = as_given(tmp_path / name / f"{name}.{kind}")
        assert uc.scan(path, columns())["m"].rows == rows[name], path


def test_folders_are_no_columns(tmp_path):
    """They neither replace a column nor add one; a lazy frame that reads them does."""
    for name in ("north", "so uth"):
        folder = tmp_path / f"y=5/region={name.replace(' ', '%20')}/day=2026-01-02"
        folder.mkdir(parents=True)
        written(folder / "f.parquet", pa.table(ROWS))
    agree(uc.scan(tmp_path, columns())["m"], WANTED + WANTED)
    with raises(MissingColumnError, "by"):
        uc.scan(tmp_path, columns(), by="region")
    frame = pl.scan_parquet(tmp_path / "y=5", hive_partitioning=True)
    found = uc.scan(frame, columns(), by="region")
    assert list(found) == [("m", "north"), ("m", "so uth")]
    for sketch in found.values():
        agree(sketch, WANTED)


def test_a_file_that_is_named_twice_counts_once(tmp_path, monkeypatch):
    """Relative, absolute, through a folder above, through a link, and by a pattern."""
    monkeypatch.chdir(tmp_path)
    path = written(tmp_path / "f.csv", pa.table(ROWS))
    (tmp_path / "link.csv").symlink_to(path)
    names = ["f.csv", "./f.csv", str(path), f"../{tmp_path.name}/f.csv", "link.csv", "*.csv", "."]
    agree(uc.scan(names, columns())["m"], WANTED)
    agree(uc.scan(tmp_path, columns())["m"], WANTED)
    agree(uc.scan("*.csv", columns())["m"], WANTED)


@pytest.mark.parametrize("cell", ["abc", "1,5", "0x1F", "1_000", "１", "1 2", "true", "2026-01-01"])
def test_text_among_numbers_is_shown(tmp_path, cell):
    """Wherever it is in the file."""
    text = "y,p,s\n" + "1,0,1\n" * 500 + f'"{cell}",0,1\n'
    (tmp_path / "f.csv").write_text(text, encoding="utf-8")
    with raises(NotNumericError, "y", values={"y": cell}, count=1, total=501):
        uc.scan(tmp_path / "f.csv", columns())

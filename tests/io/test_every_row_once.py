"""Odd files, through every way in: each row counts once, or there is one error, whoever reads."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import math
from dataclasses import replace
from datetime import timedelta

import polars as pl
import pytest

import uccurve as uc
from uccurve.cli import main
from uccurve.exceptions import UccurveError, UnreadableFilesError
from uccurve.io import as_table, text_files, write

HEAD = "id,y,yhat,std\n"
ROWS = "a,1,0,1\nb,2,0,1\nc,3,0,2\n"
FRAME = pl.DataFrame({"id": ["a", "b", "c"], "y": [1.0, 2.0, 3.0], "yhat": [0.0] * 3, "std": [1.0, 1.0, 2.0]})
LINE = '{"id": "%s", "y": %s, "yhat": 0, "std": 1}\n'
LINES = LINE % ("a", 1) + LINE % ("b", 2) + LINE % ("c", 3)


def written(write, **options):
    """What Polars writes of the rows."""
    buffer = io.BytesIO()
    getattr(FRAME, write)(buffer, **options)
    return buffer.getvalue()


ODD = {  # content by name: how many rows, or None for an error
    "plain.csv": (HEAD + ROWS, 3),
    "marks inside cells.csv": (HEAD + ROWS.replace("a,", '5" pipe,').replace("c,", '6" pipe,'), 3),
    "quoted cells.csv": (HEAD + ROWS.replace("a,", '"a, ""A""",').replace("b,", '"b\nb",'), 3),
    "blank lines.csv": ("\n" + HEAD + "\n" + ROWS + "\n\n", 3),
    "a mark of UTF-8.csv": ("\ufeff" + HEAD + ROWS, 3),
    "carriage returns.csv": ((HEAD + ROWS).replace("\n", "\r"), 3),
    "both.csv": ((HEAD + ROWS).replace("\n", "\r\n"), 3),
    "no end.csv": ((HEAD + ROWS).rstrip(), 3),
    "semicolons.csv": ((HEAD + ROWS).replace(",", ";"), 3),
    "tabs.tsv": ((HEAD + ROWS).replace(",", "\t"), 3),
    "packed.csv.gz": (gzip.compress((HEAD + ROWS).encode()), 3),
    "exponents.csv": (HEAD + ROWS.replace("1,0,1", "+1e0,.0,1."), 3),
    "a cell too many.csv": (HEAD + ROWS + "1,000,49,50,2\n", None),
    "an open mark.csv": (HEAD + ROWS + '"d,4,0,1\n', None),
    "marks in and around.csv": (HEAD + '"a",1,0,1\n5" pipe,2,0,1\n', None),
    "a short row.csv": (HEAD + ROWS + "d,4\n", None),
    "an infinite number.csv": (HEAD + ROWS + "d,inf,0,1\n", None),
    "a negative deviation.csv": (HEAD + ROWS + "d,4,0,-1\n", None),
    "text among numbers.jsonl": (LINES + LINE % ("d", '"4"'), None),
    "nothing.csv": (HEAD + ROWS + "d,NA,0,1\n", None),
    "text.csv": (HEAD + ROWS + "d,many,0,1\n", None),
    "thousands.csv": (HEAD.replace(",", ";") + 'a;"1,234";0;1\n', None),
    "decimal commas.csv": ((HEAD + ROWS).replace(",", ";").replace("3", "3,5"), None),
    "doubled names.csv": (HEAD.replace("id", "y") + ROWS, None),
    "a header alone.csv": (HEAD, None),
    "empty.csv": ("", None),
    "binary.csv": (bytes(range(256)), None),
    "UTF-16.csv": ((HEAD + ROWS).encode("utf-16"), None),
    "Latin 1.csv": ((HEAD + ROWS.replace("b,", "ß,")).encode("latin-1"), None),
    "cut short.csv.gz": (gzip.compress((HEAD + ROWS * 99).encode())[:-12], None),
    "a workbook.csv": (b"PK\x03\x04 and so on", None),
    "lines.jsonl": (LINES, 3),
    "blank lines.jsonl": ("\n" + LINES.replace("\n", "\n\n"), 3),
    "floats among integers.jsonl": (LINES.replace("2", "2.5"), 3),
    "packed.jsonl.gz": (gzip.compress(LINES.encode()), 3),
    "NaN.jsonl": (LINES + LINE % ("d", "NaN"), None),
    "null.jsonl": (LINES + LINE % ("d", "null"), None),
    "text.jsonl": (LINES + LINE % ("d", '"4"'), None),
    "not JSON.jsonl": (LINES + '{"y": \n', None),
    "no object.jsonl": (LINES + "4\n", None),
    "doubled keys.jsonl": ((LINE % ("a", 1)).replace('"id"', '"y"') + LINES, None),
    "an array.jsonl": ("[" + LINES.replace("\n", ",")[:-1] + "]", None),
    "plain.parquet": (written("write_parquet"), 3),
    "cut short.parquet": (written("write_parquet")[:-9], None),
    "plain.arrow": (written("write_ipc"), 3),
    "cut short.arrow": (written("write_ipc")[:-9], None),
}
COLUMNS = {"m": uc.Columns(y_true="y", y_pred="yhat", std="std")}


def in_memory(path):
    return uc.Models.from_file(path)["model"].n


def by_polars(path):
    return uc.scan(path, COLUMNS, engine="polars")["m"].rows


def by_duckdb(path):
    return uc.scan(path, COLUMNS, engine="duckdb")["m"].rows


def by_detection(path):
    return uc.scan(path)["model"].rows


def by_command(*options):
    def run(path):
        with (
            contextlib.redirect_stdout(io.StringIO()) as printed,
            contextlib.redirect_stderr(io.StringIO()) as told,
        ):
            code = main(["score", str(path), "--json", *options])
        if code:
            assert (printed.getvalue(), told.getvalue().count("\n"), code in (1, 2, 3)) == ("", 1, True), (
                told.getvalue()
            )
            raise OSError(told.getvalue())
        return json.loads(printed.getvalue())["scores"][0]["n"]

    return run


WAYS = (in_memory, by_polars, by_duckdb, by_detection, by_command(), by_command("--engine", "auto"))


@pytest.mark.parametrize("name", ODD)
def test_every_row_counts_once_or_is_refused_by_every_way(tmp_path, name):
    """One table of files for all readers."""
    content, rows = ODD[name]
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    for way in WAYS:
        if rows is not None:
            assert way(path) == rows
            continue
        with pytest.raises((UccurveError, OSError)) as caught:
            way(path)
        assert "\n" not in str(caught.value).strip()
        assert name in str(caught.value) or getattr(caught.value, "where", None)


@pytest.mark.parametrize("size", [1, 40, 100])
def test_objects_may_lack_keys_in_any_piece(tmp_path, monkeypatch, size):
    """A key that no object of a piece has stands for missing values there, as in the whole file."""
    path = tmp_path / "f.jsonl"
    path.write_text("".join((LINE % ("a", y))[:-2] + (', "w": 2}\n' if y < 3 else "}\n") for y in range(9)))
    monkeypatch.setattr(text_files, "PIECE", size)
    columns = {"m": uc.Columns(y_true="y", y_pred="yhat", std="std", sample_weight="w")}
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        assert uc.scan(path, columns, invalid="drop")["m"].rows == 3


@pytest.mark.parametrize(("first", "second"), [("1", '"1"'), ("true", "1"), ('"a"', "2.5")])
def test_labels_of_two_kinds_are_never_merged_between_pieces(tmp_path, monkeypatch, first, second):
    """Whole they are text, as read at once; in pieces, whose kinds are told one by one, they are refused."""
    path = tmp_path / "f.jsonl"
    path.write_text("".join(LINE.replace('"%s"', value) % 1 for value in [first] * 5 + [second] * 5))
    assert sum(sketch.rows for sketch in uc.scan(path, COLUMNS, "id").values()) == 10
    monkeypatch.setattr(text_files, "PIECE", 50)
    with pytest.raises(UnreadableFilesError, match="the key 'id' holds"):
        uc.scan(path, COLUMNS, "id")


def test_a_key_that_a_later_line_has_twice_is_refused(tmp_path):
    """By every way: Polars took the first value, Python the last."""
    path = tmp_path / "f.jsonl"
    path.write_text(LINES + (LINE % ("d", 4)).replace('"id": "d"', '"y": 200'))
    for way in WAYS:
        with pytest.raises((UccurveError, OSError), match="line 4 has several 'y'"):
            way(path)


def test_labels_of_folders_are_text_in_every_format(tmp_path):
    """Also beside CSV files, whose own labels may be whole numbers."""
    for place in (1, 2):
        (tmp_path / f"part={place}").mkdir()
        (tmp_path / f"part={place}" / "a.csv").write_text(HEAD + ROWS)
        FRAME.write_parquet(tmp_path / f"part={place}" / "b.parquet")
    found = uc.scan(tmp_path, COLUMNS, "part", hive=True)
    assert {label: sketch.rows for (_, label), sketch in found.items()} == {"1": 6, "2": 6}


def test_durations_in_files_are_labels_by_both_engines(tmp_path):
    """DuckDB takes them for whole numbers."""
    hours = pl.Series([30, 30, 31]) * timedelta(hours=1)
    FRAME.with_columns(id=hours).write_parquet(tmp_path / "f.parquet")
    for engine in ("polars", "duckdb"):
        found = uc.scan(tmp_path / "f.parquet", COLUMNS, "id", engine=engine)
        assert [label for _, label in found] == [timedelta(hours=30), timedelta(hours=31)]
    models = uc.Models.from_file(tmp_path / "f.parquet", by="id")
    assert list(models["model"].by(models.by)) == [timedelta(hours=30), timedelta(hours=31)]


def test_infinite_numbers_change_nothing_beside_them_in_json_lines(tmp_path):
    """Single precision, NaN and text keep what they are written as; infinity is what Python reads."""
    frame = pl.DataFrame(
        {"a": [0.1, math.inf], "b": [math.nan, 1.0], "c": ['"a":null', None]},
        schema_overrides={"a": pl.Float32},
    )
    text_of = {}
    for name, part in (("plain", frame[:1]), ("infinite", frame)):
        write(replace(as_table(part), format="jsonl"), str(tmp_path / f"{name}.jsonl"))
        text_of[name] = (tmp_path / f"{name}.jsonl").read_text().splitlines()
    assert text_of["infinite"][0] == text_of["plain"][0]
    assert json.loads(text_of["infinite"][1]) == {"a": math.inf, "b": 1.0, "c": None}

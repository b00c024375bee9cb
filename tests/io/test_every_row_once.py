"""Odd files, through every way in: each row counts once, or there is one error, whoever reads."""

from __future__ import annotations

import contextlib
import datetime as dt
import gzip
import io
import json
import math
import sys
from dataclasses import replace

import polars as pl
import pyarrow as pa
import pytest

import uccurve as uc
from errors import raises
from uccurve.cli import main
from uccurve.exceptions import (
    ArgumentError,
    FileFormatError,
    NonFiniteError,
    NotNumericError,
    UccurveError,
)
from uccurve.io import as_table, write

# The module: the function has its name.
READING = sys.modules["uccurve.io.read"]
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


def zstd(text, encoding="utf-8"):
    return pa.compress(text.encode(encoding), codec="zstd", asbytes=True)


ODD = {  # content by name: how many rows, or None for an error
    "plain.csv": (HEAD + ROWS, 3),
    "quoted cells.csv": (HEAD + ROWS.replace("a,", '"a, ""A""",').replace("b,", '"b\nb",'), 3),
    "blank lines.csv": ("\n" + HEAD + "\n" + ROWS + "\n\n", 3),
    "a mark of UTF-8.csv": ("\ufeff" + HEAD + ROWS, 3),
    "carriage returns.csv": ((HEAD + ROWS).replace("\n", "\r"), 3),
    "both.csv": ((HEAD + ROWS).replace("\n", "\r\n"), 3),
    "mixed ends.csv": ((HEAD + ROWS).replace("\n", "\r", 1), 3),
    "a name as of packed data.csv": (("x^" + HEAD + ROWS).replace("\n", "\n1")[:-1], 3),
    "a quoted header.csv": (('"i\nd",' + HEAD[3:] + ROWS), 3),
    "no end.csv": ((HEAD + ROWS).rstrip(), 3),
    "semicolons.csv": ((HEAD + ROWS).replace(",", ";"), 3),
    "tabs.tsv": ((HEAD + ROWS).replace(",", "\t"), 3),
    "packed.csv.gz": (gzip.compress((HEAD + ROWS).encode()), 3),
    "a name as of Parquet.csv": ("PAR1" + HEAD + ROWS, 3),
    "a name as of an archive.csv": ("PK" + HEAD + ROWS, 3),
    "exponents.csv": (HEAD + ROWS.replace("1,0,1", "+1e0,.0,1."), 3),
    "a cell too many.csv": (HEAD + ROWS + "1,000,49,50,2\n", None),
    "an open mark in the header.csv": ('"' + HEAD + ROWS, None),
    "blank lines alone.csv": ("\n\n", None),
    "an open mark.csv": (HEAD + ROWS + '"d,4,0,1\n', None),
    "marks inside cells.csv": (HEAD + ROWS.replace("a,", '5" pipe,').replace("c,", '6" pipe,'), None),
    "marks in and around.csv": (HEAD + '"a",1,0,1\n5" pipe,2,0,1\n', None),
    "a short row.csv": (HEAD + ROWS + "d,4\n", None),
    "an infinite number.csv": (HEAD + ROWS + "d,inf,0,1\n", None),
    "a negative deviation.csv": (HEAD + ROWS + "d,4,0,-1\n", None),
    "a long header.csv": (f'"{"x" * (1 << 20)}\n",{HEAD}' + "," + ROWS.replace("\n", "\n,")[:-1], 3),
    "text among numbers.jsonl": (LINES + LINE % ("d", '"4"'), None),
    "nothing.csv": (HEAD + ROWS + "d,NA,0,1\n", None),
    "text.csv": (HEAD + ROWS + "d,many,0,1\n", None),
    "thousands.csv": (HEAD.replace(",", ";") + 'a;"1,234";0;1\n', None),
    "decimal commas.csv": ((HEAD + ROWS).replace(",", ";").replace("3", "3,5"), None),
    "doubled names.csv": (HEAD.replace("id", " y ") + ROWS, None),
    "a header alone.csv": (HEAD, None),
    "empty.csv": ("", None),
    "binary.csv": (bytes(range(256)), None),
    "UTF-16.csv": ((HEAD + ROWS).encode("utf-16"), None),
    "Latin 1.csv": ((HEAD + ROWS.replace("b,", "ß,")).encode("latin-1"), None),
    "cut short.csv.gz": (gzip.compress((HEAD + ROWS * 99).encode())[:-12], None),
    "packed.csv.zst": (zstd(HEAD + ROWS), 3),
    "Latin 1.csv.zst": (zstd(HEAD + ROWS.replace("b,", "ß,"), "latin-1"), None),
    "control.csv.zst": (zstd(HEAD + ROWS.replace("b,", "\1b,")), None),
    "empty.csv.zst": (zstd(""), None),
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
    "a doubled key beside rows without it.jsonl": (
        LINES.replace('{"id": "a", ', '{"id": 1, "id": 2, ').replace('"id": "c", ', ""),
        None,
    ),
    "a doubled key without a value.jsonl": (LINES + (LINE % ("d", 4))[:-2] + ', "y": null}\n', None),
    "a doubled key that is escaped.jsonl": (LINES + (LINE % ("d", 4))[:-2] + r', "\u0079": 5}', None),
    "a key in objects.jsonl": (LINE % (0, 1) + (LINE % (1, 2)).replace('"id": "1"', '"id": {"y": 3}'), 2),
    "a key in a text.jsonl": (LINES.replace('"a"', r'"\"y\": 1, \"y\":"'), 3),
    "a number that no float holds.jsonl": (LINES + LINE % ("d", "1e400"), None),
    "a mark of UTF-8 alone.jsonl": ("\ufeff\n", None),
    "an array.jsonl": ("[" + LINES.replace("\n", ",")[:-1] + "]", None),
    "plain.parquet": (written("write_parquet"), 3),
    "cut short.parquet": (written("write_parquet")[:-9], None),
    "plain.arrow": (written("write_ipc"), 3),
    "cut short.arrow": (written("write_ipc")[:-9], None),
}
OTHERS = {"PK\x03\x04": "a workbook", "[\n  {": "one JSON array", "UCCSKTCH": "a sketch file"}
COLUMNS = {"m": uc.Columns(y_true="y", y_pred="yhat", std="std")}


def in_memory(path):
    return uc.Models.from_file(path)["model"].n


def by_scan(path):
    return uc.scan(path, COLUMNS)["m"].rows


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


WAYS = (in_memory, by_scan, by_detection, by_command(), by_command("--scan"))


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


@pytest.mark.parametrize("start", OTHERS)
def test_what_is_no_table_is_named(tmp_path, start):
    """By its first bytes, whatever its name says, with the way out."""
    (tmp_path / "f.json").write_text(start)
    with raises(FileFormatError, where=str(tmp_path / "f.json")) as caught:
        uc.Models.from_file(tmp_path / "f.json")
    assert OTHERS[start] in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize("size", [1, 40, 100])
def test_objects_may_lack_keys_in_any_piece(tmp_path, monkeypatch, size):
    """A key that no object of a piece has stands for missing values there, as in the whole file."""
    path = tmp_path / "f.jsonl"
    path.write_text("".join((LINE % ("a", y))[:-2] + (', "w": 2}\n' if y < 3 else "}\n") for y in range(9)))
    monkeypatch.setattr(READING, "BLOCK", size)
    columns = {"m": uc.Columns(y_true="y", y_pred="yhat", std="std", sample_weight="w")}
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        assert uc.scan(path, columns, invalid="drop")["m"].rows == 3


@pytest.mark.parametrize(("first", "second"), [("1", '"1"'), ('"a"', "2.5")])
def test_labels_of_two_kinds_are_never_merged_between_pieces(tmp_path, monkeypatch, first, second):
    """Whole they are text, as read at once; in pieces, whose kinds are told one by one, they are refused."""
    path = tmp_path / "f.jsonl"
    path.write_text("".join(LINE.replace('"%s"', value) % 1 for value in [first] * 5 + [second] * 5))
    assert sum(sketch.rows for sketch in uc.scan(path, COLUMNS, by="id").values()) == 10
    monkeypatch.setattr(READING, "BLOCK", 50)
    with raises(ArgumentError, "id"):
        uc.scan(path, COLUMNS, by="id")


def test_a_key_that_a_later_line_has_twice_is_refused(tmp_path):
    """By every way: Polars takes the first value."""
    path = tmp_path / "f.jsonl"
    path.write_text(LINES + (LINE % ("d", 4)).replace('"id": "d"', '"y": 200'))
    for way in WAYS:
        with pytest.raises((UccurveError, OSError), match="line 4 has the key 'y' more than once"):
            way(path)


def test_json_lines_hold_no_infinite_numbers(tmp_path):
    """Polars would write null; NaN is null."""
    frame = pl.DataFrame({"a": [0.1, math.inf], "b": [math.nan, 1.0]})
    table = replace(as_table(frame), format="jsonl")
    with pytest.raises(FileFormatError, match="infinite"):
        write(table, str(tmp_path / "f.jsonl"))
    assert list(tmp_path.iterdir()) == []
    write(replace(table, frame=table.frame[:1]), str(tmp_path / "f.jsonl"))
    assert json.loads((tmp_path / "f.jsonl").read_text()) == {"a": 0.1, "b": None}


def test_a_key_that_never_has_a_value_is_missing_not_text(tmp_path):
    """Polars gives it a type of its own."""
    (tmp_path / "f.jsonl").write_text('{"y": 1, "yhat": 0, "std": null}\n{"y": 1, "yhat": 0, "std": null}\n')
    with raises(NonFiniteError, "std", count=2):
        uc.scan(tmp_path / "f.jsonl", COLUMNS)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "01", '"a" 1', "[1, 2", "1} {"])
def test_what_is_no_json_is_named_by_its_line(tmp_path, value):
    """Also where no model needs it, and what Python alone would read; an array is none of several objects."""
    path = tmp_path / "f.jsonl"
    path.write_text(LINES + (LINE % ("d", 1)).replace('"d"', value))
    for way in WAYS:
        with pytest.raises((UccurveError, OSError), match="line 4 is not a JSON object"):
            way(path)


def test_other_columns_keep_their_kinds(tmp_path):
    """Labels that are whole numbers, flags, text and lists, in columns that are used or not."""
    more = {"week": 7, "flag": True, "name": 'NaN"inf', "nested": [1.0], "word": "y"}
    path = tmp_path / "f.jsonl"
    path.write_text(
        "".join(json.dumps({"y": y, "yhat": 0, "std": 1.5, **more}) + "\n" for y in (1.0, 3.0, 2))
    )
    assert uc.scan(path, COLUMNS)["m"].rows == 3
    assert list(uc.scan(path, COLUMNS, by=["week", "name"])) == [("m", 7, 'NaN"inf')]
    for column in ("flag", "name", "nested"):
        with raises(NotNumericError, column):
            uc.scan(path, {"m": uc.Columns(y_true=column, y_pred="yhat", std="std")})


@pytest.mark.parametrize("size", [1, 7, 16, 1000])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_rows_do_not_depend_on_the_pieces_they_are_read_in(tmp_path, monkeypatch, size, line_end):
    """Line breaks in cells, doubled marks, blank lines and a long header among them."""
    cells = ["a", '"b\nb"', '"c, ""c"""', '""', "", '"d"', "e" * 40]
    lines = [f"{cell},{y},0,{1 + y % 3}" for y, cell in enumerate(cells * 3)]
    lines[4:4] = [""]
    if line_end == "\r":
        lines = [line.replace("b\nb", "b b") for line in lines]
    text = "\n".join(["\ufeff", f"{'id':60},y,yhat,std", *lines, "", ""]).replace("\n", line_end)
    path = tmp_path / "f.csv"
    path.write_bytes(text.encode())
    wanted = uc.scan(path, COLUMNS)["m"]
    assert wanted.rows == len(cells) * 3
    monkeypatch.setattr(READING, "BLOCK", size)
    assert uc.scan(path, COLUMNS)["m"] == wanted


def test_a_folder_holds_every_file_once(tmp_path):
    """Folders named like files, links and loops, hidden and unfinished files, and several formats."""
    data, other = tmp_path / "data", tmp_path / "other"
    for folder in ("jan.parquet", ".ipynb_checkpoints", "_temporary", "plain"):
        (data / folder).mkdir(parents=True)
        FRAME.write_parquet(data / folder / "part-0.parquet")
    other.mkdir()
    FRAME.write_parquet(other / "linked.parquet")
    (data / "link").symlink_to(other)
    (data / "plain" / "loop").symlink_to(data)
    (data / "plain" / "a.csv.gz").write_bytes(gzip.compress(FRAME.write_csv().encode()))
    (data / "plain" / "b.tsv").write_text(FRAME.write_csv(separator="\t"))
    (data / "_SUCCESS").touch()
    (data / "notes.txt").write_text("not data")
    with pytest.warns(UserWarning, match=r"1 file is of unknown format and ignored: '.*notes\.txt'"):
        assert uc.scan(data, COLUMNS)["m"].rows == 15
    assert uc.scan(str(data / "*.parquet"), COLUMNS)["m"].rows == 3
    assert uc.scan(str(data / "**" / "*.parquet"), COLUMNS)["m"].rows == 9
    (data / "notes.txt").unlink()
    for pattern in ("*", "*/", "[!_]*", "**", "../data/*"):
        assert uc.scan(str(data / pattern), COLUMNS)["m"].rows == 15, pattern
    assert uc.scan([f"{data}/*/*.csv.gz", f"{data}/_temporary/*"], COLUMNS)["m"].rows == 6


def test_files_of_other_types_keep_their_numbers(tmp_path):
    """Whatever the first of them holds: 0.5 becomes no 0, and labels of several kinds are refused."""
    whole = pl.DataFrame({"y": [1, 1], "yhat": [0, 0], "std": [1, 1], "id": [1, 2]})
    parts = pl.DataFrame({"y": [0.6, 0.6], "yhat": [0.0, 0.0], "std": [0.5, 0.5], "id": ["1", "x"]})
    whole.write_parquet(tmp_path / "a.parquet")
    parts.write_parquet(tmp_path / "b.parquet")
    for label in ("1", True, dt.date(2024, 1, 1), b"1", dt.time(1)):
        parts.with_columns(id=pl.lit(label)).write_parquet(tmp_path / "b.parquet")
        for kept in (None, tmp_path / "_kept", tmp_path / "_kept"):
            with raises(ArgumentError, "id", columns={"id": "id"}):
                uc.scan(tmp_path, COLUMNS, by="id", checkpoint=kept)
    assert uc.scan(tmp_path, COLUMNS)["m"].curve().original.coverage == 0.5

"""Files that are not good: one line each, with column and row."""

from __future__ import annotations

import json

import pytest
from command_runs import FINE, HEAD, batch, refused, run

BAD = {
    "missing column": (HEAD.replace("lo", "below") + FINE, 1, "likeliest: 'pred', 'hi'; others: 'y', 'below'."),
    "empty": ("", 1, "the file is empty"),
    "only a header": (HEAD, 1, "no rows below the columns 'y', 'pred', 'lo', 'hi'"),
    "text": (HEAD + FINE + "7,abc,6,8\n", 1, "column 'pred' must hold numbers, but 1 of 6 rows breaks this rule; first at row 6 (line 7): pred='abc'."),
    "decimal commas": ((HEAD + FINE).replace(",", ";").replace(".", ","), 1, "pred='0,5'. For decimal commas pass --decimal ','."),
    "crossed": ("\n" + HEAD + "\n" + FINE + "7,7,8,6\n", 1, "column 'lo' must not exceed column 'hi', but 1 of 6 rows breaks this rule; first at row 6 (line 9): lo=8, hi=6."),
    "outside": (HEAD + FINE + "7,9,6,8\n", 1, "column 'pred' must lie inside [column 'lo', column 'hi'], but 1 of 6"),
    "nothing": (HEAD + FINE + "7,7,,8\n7,7,NaN,8\n", 1, "column 'lo' must be finite, but 2 of 7 rows break this rule; first at row 6 (line 7)"),
    "infinite": (HEAD + FINE + "1e999,7,6,8\n", 1, "column 'y' must be finite, but 1 of 6 rows breaks this rule; first at row 6 (line 7): y=inf."),
    "too large": (HEAD + "1e120,0,-1,1\n", 1, "row 1 (line 2): y=1e+120."),
    "doubled": ("y,pred,lo,lo\n1,1,0,2\n", 1, "each column must have its own name, but several are 'lo'"),
    "two that fit": ("y,y_true,lo,hi\n1,1,0,2\n", 1, "several columns could be the observations: 'y', 'y_true'. Pass --y-true y."),
    "binary": (bytes(range(256)) * 9, 3, "binary data"),
    "Latin 1": ((HEAD + FINE).encode() + b"\xe9,1,0,2\n", 3, "line 7 is not text in UTF-8. Name its encoding, such as --encoding cp1252."),
    "UTF-16": ((HEAD + FINE).encode("utf-16"), 3, "it is not in UTF-8 but looks like UTF-16. Pass --encoding utf-16."),
    "Parquet": (b"PAR1\x15 and so on PAR1", 3, "looks like Parquet. Name it so, or pass --format parquet"),
    "ragged": (HEAD + FINE + "1,1,0,2,9\n", 3, "line 7 has 5 fields, but the header has 4"),
    "open quote": (HEAD + FINE + '"1,1,0,2\n', 3, "a quotation mark in line 7 neither begins nor ends a cell"),
    "control": ("y,pred,lo,hi\n1,\x1b[31m\ta,0,2\n", 1, "must hold numbers"),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["crossed", "binary"])
def test_a_bad_file_is_refused_in_one_line_that_names_column_and_row(tmp_path, kind):
    """No partial output, and what was there before stays."""
    content, code, reason = BAD[kind]
    (tmp_path / "in.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "out.csv").write_text("before")
    line = refused("calibrate", "in.csv", "-o", "out.csv", cwd=tmp_path, code=code)
    assert line.startswith("in.csv: ")
    assert reason in line
    assert line.isprintable()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv"]
    assert (tmp_path / "out.csv").read_text() == "before"


def test_all_kinds_of_bad_files_are_refused_as_clearly(tmp_path):
    """One line each, printable, with its own reason and code."""
    for number, (content, _, _) in enumerate(BAD.values()):
        raw = content if isinstance(content, bytes) else content.encode()
        (tmp_path / f"{number}.csv").write_bytes(raw)
    done = batch([["score", f"{number}.csv"] for number in range(len(BAD))], tmp_path)
    for number, ((_, code, reason), found) in enumerate(zip(BAD.values(), done, strict=True)):
        assert found[:2] == [code, ""], found
        assert found[2].startswith(f"error: {number}.csv: ")
        assert reason in found[2]
        assert found[2].removesuffix("\n").isprintable()


@pytest.mark.parametrize("command", ["score", "report"])
def test_every_command_refuses_a_bad_row(tmp_path, command):
    """With the same words, also for machines, and writes nothing."""
    (tmp_path / "in.csv").write_text(HEAD + FINE + "7,7,8,6\n")
    line = refused(command, "in.csv", "--json", cwd=tmp_path, code=1)
    assert "first at row 6 (line 7): lo=8, hi=6. Pass --crossed sort" in line
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_other_formats_are_refused_as_clearly(tmp_path):
    """A line where there are lines, a row otherwise."""
    nan = '{"y": 1, "lo": 0, "hi": 2}\n\n{"y": NaN, "lo": 0, "hi": 2}\n'
    cases = [
        ("a.jsonl", '{"y": 1}\n{"y":\n', 3, "line 2 is not JSON"),
        (
            "b.jsonl",
            nan,
            1,
            "column 'y' must be finite, but 1 of 2 rows breaks this rule; first at row 2 (line 3): y=nan",
        ),
        ("c.parquet", "PAR1xxxxxxxxxxPAR1", 3, "is not a readable Parquet file"),
        ("d.arrow", "ARROW1xxxxxxxx", 3, "is not a readable Arrow file"),
    ]
    for name, content, _, _ in cases:
        (tmp_path / name).write_text(content)
    done = batch([["score", name] for name, *_ in cases], tmp_path)
    for (name, _, code, reason), found in zip(cases, done, strict=True):
        assert found[:2] == [code, ""]
        assert found[2].startswith(f"error: {name}: ")
        assert reason in found[2]


def test_a_file_that_disappeared_is_named(tmp_path):
    """A link to nowhere, and a folder."""
    (tmp_path / "gone.csv").symlink_to("nowhere.csv")
    assert refused("score", "gone.csv", cwd=tmp_path, code=3) == "gone.csv: there is no such file."
    assert "it is a folder" in refused("score", tmp_path, cwd=tmp_path, code=3)


def test_bad_rows_can_be_dropped_in_all_models_alike(tmp_path):
    """Counted, with reasons; models stay on the same rows."""
    (tmp_path / "in.csv").write_text(
        "y,a,lo,hi,b,s\n1,1,0,2,1,1\n2,2,1,3,9,-1\n3,3,4,2,3,1\n,4,3,5,4,1\n5,6,3,7,4,2\n"
    )
    models = ("--model", "m=a,lo,hi", "--model", "k=b,s")
    assert "k: column 's' must be >= 0" not in refused("score", "in.csv", *models, cwd=tmp_path, code=1)
    done = run("score", "in.csv", *models, "--invalid", "drop", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert [record["n"] for record in found["scores"]] == [2, 2]
    dropped = found["notes"][-1]
    assert dropped.startswith("dropped 3 of 5 rows: ")
    assert "k: column 's' must be >= 0 (1)" in dropped

"""Files that are not good: one line each, with column and row."""

from __future__ import annotations

import json
import os

import pytest
from command_runs import FINE, HEAD, HUMBLY, batch, refused, run

BAD = {
    "missing column": (HEAD.replace("lo", "below") + FINE, 1, "likeliest: 'pred', 'hi'; others: 'y', 'below'."),
    "text": (HEAD + FINE + "7,abc,6,8\n", 1, "column 'pred' must contain numbers, but 1 of 6 rows breaks this rule; first at row 6 (line 7): pred='abc'."),
    "decimal commas": ((HEAD + FINE).replace(",", ";").replace(".", ","), 1, "for decimal commas pass --decimal ','."),
    "crossed": ("\n" + HEAD + "\n" + FINE + "7,7,8,6\n", 1, "first at row 6 (line 9): lo=8, hi=6. Pass --crossed sort to swap the two. --invalid drop leaves such rows out."),
    "two that fit": ("y,y_true,lo,hi\n1,1,0,2\n", 1, "several columns could be the observations: 'y', 'y_true'. Pass --y-true y."),
    "UTF-16": ((HEAD + FINE).encode("utf-16"), 3, "line 1 is not text in UTF-8. Pass its encoding, such as --encoding cp1252 or --encoding utf-16, or its --format."),
    "Parquet": (b"PAR1\x15\xff and so on PAR1", 3, "line 1 is not text"),
    "control": ("y,pred,lo,hi\n1,\x1b[31m\ta,0,2\n", 1, "must contain numbers"),
}  # fmt: skip


def test_a_bad_file_is_refused_in_one_line_that_names_column_and_row(tmp_path):
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


def test_a_scan_advises_nothing_that_it_refuses(tmp_path):
    """Neither marks of decimals nor encodings."""
    for content, code in ((BAD["decimal commas"][0].encode(), 1), (BAD["UTF-16"][0], 3)):
        (tmp_path / "f.csv").write_bytes(content)
        told = refused("score", "f.csv", "--scan", cwd=tmp_path, code=code)
        assert told.endswith("convert the file, or read it into memory, without a scan.")


def test_what_a_scan_cannot_read_is_named(tmp_path):
    """A folder without permission, a pipe, which can be read only once, and no name at all."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "f.csv").write_text(HEAD + FINE)
    (tmp_path / "a").mkdir(mode=0)
    for pattern in ("*", "**/*.csv", "*/f.csv"):
        told = refused("score", pattern, "--scan", cwd=tmp_path, code=3, before=HUMBLY)
        assert told == "a: Permission denied."
    os.mkfifo(tmp_path / "pipe.csv")
    told = refused("sketch", "b", "pipe.csv", "-o", "f.ucc", cwd=tmp_path, code=3)
    assert told.startswith("pipe.csv: cannot be read: it is no regular file")
    for words in (["score", ""], ["score", "", "--scan"], ["score", "b", "--checkpoint", ""]):
        assert "must name a file or a folder, got ''" in refused(*words, cwd=tmp_path, code=2)


@pytest.mark.parametrize("command", ["calibrate", "report"])
def test_nothing_is_written_beside_an_error(tmp_path, command):
    """What was there before stays."""
    (tmp_path / "in.csv").write_text(HEAD + FINE + "7,7,8,6\n")
    out = tmp_path / ("out.csv" if command == "calibrate" else "out.html")
    out.write_text("before")
    assert "first at row 6" in refused(command, "in.csv", "-o", out, "--json", cwd=tmp_path, code=1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", out.name]
    assert out.read_text() == "before"


def test_a_file_that_disappeared_is_named(tmp_path):
    """A link to nowhere, and a folder."""
    (tmp_path / "gone.csv").symlink_to("nowhere.csv")
    assert refused("score", "gone.csv", cwd=tmp_path, code=3) == "gone.csv: there is no such file."
    assert "it is a folder; only --scan reads folders" in refused("score", tmp_path, cwd=tmp_path, code=3)
    assert "only --scan reads patterns" in refused("score", "*.csv", cwd=tmp_path, code=3)


def test_bad_rows_can_be_dropped_in_all_models_alike(tmp_path):
    """Counted, with reasons; models stay on the same rows."""
    (tmp_path / "in.csv").write_text(
        "y,a,lo,hi,b,s\n1,1,0,2,1,1\n2,2,1,3,9,-1\n3,3,4,2,3,1\n,4,3,5,4,1\n5,6,3,7,4,2\n"
    )
    models = ("--model", "m=a,lo,hi", "--model", "k=b,s")
    done = run("score", "in.csv", *models, "--invalid", "drop", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert [record["n"] for record in found["scores"]] == [2, 2]
    dropped = found["notes"][-1]
    assert dropped.startswith("dropped 3 of 5 rows: ")
    assert "k: column 's' must be >= 0 (1)" in dropped

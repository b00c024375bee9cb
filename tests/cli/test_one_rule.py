"""One file, one answer: rows in memory and both engines follow the same rules, in the same words."""

from __future__ import annotations

import json

import pytest
from command_runs import FINE, HEAD, batch

WAYS = ([], ["--engine", "polars"], ["--engine", "duckdb"])
MISSING = "column 'hi' must"
DROP = "--invalid drop"
ROW = '{"y": %s, "pred": 1, "lo": 0, "hi": 2}\n'

REFUSED = {
    "short.csv": (HEAD + FINE + "7,7.5,6\n", 1, MISSING, DROP),
    "quoted.csv": (HEAD + FINE + '"7",7.5,6\n', 1, MISSING, DROP),
    "first.csv": (HEAD + "7,7.5,6\n" + FINE, 1, MISSING, DROP),
    "header.csv": (HEAD, 1, "there are no rows"),
    "bare.csv": (HEAD.strip(), 1, "there are no rows"),
    "infinite.csv": (HEAD + FINE + "inf,1,0,2\n", 1, "column 'y' must be finite, but 1 of 6 rows breaks this rule", DROP),
    "negative.csv": ("y,pred,std\n1,1,1\n1,1,-1\n", 1, "column 'std' must", DROP),
    "text.jsonl": (ROW % '"1"' * 3, 1, "column 'y' must hold numbers, got text."),
    "mixed.jsonl": (ROW % 1 + ROW % '"2"', 1, "column 'y' must hold numbers, got text."),
}  # fmt: skip
"""Files by name: their text, the code, and what is said about them."""


def answers(commands, folder):
    """Code and message of each command, in memory and by both engines."""
    done = batch([[*command, *way] for command in commands for way in WAYS], folder)
    return [done[place : place + len(WAYS)] for place in range(0, len(done), len(WAYS))]


def test_files_are_refused_by_one_rule(tmp_path):
    """A number in quotes, a cell that is not there, a header without rows."""
    for name, (text, *_) in REFUSED.items():
        (tmp_path / name).write_text(text)
    found = answers([["score", name] for name in REFUSED], tmp_path)
    for (name, (_, code, *words)), ways in zip(REFUSED.items(), found, strict=True):
        for got, printed, line in ways:
            assert (got, printed) == (code, ""), (name, line)
            assert line.startswith(f"error: {name}: ")
            assert all(word in line for word in words), line
            assert "`" not in line


def test_rows_with_too_few_cells_can_be_dropped(tmp_path):
    """A cell that is not there is a missing value, also where others are quoted and run over lines."""
    (tmp_path / "plain.csv").write_text(HEAD + FINE + "7,7.5\n")
    (tmp_path / "label.csv").write_text('y,pred,lo,hi,g\n1,1,0,2,"a\nb"\n2,2,1,3,c\n1,1.5\n')
    found = answers(
        [["score", name, "--invalid", "drop", "--json"] for name in ("plain.csv", "label.csv")], tmp_path
    )
    for ways, n in zip(found, (5, 2), strict=True):
        assert [json.loads(printed)["scores"][0]["n"] for _, printed, _ in ways] == [n] * 3


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"])
def test_lines_end_in_any_of_three_ways(tmp_path, end):
    """Excel on a Mac may save lines that end with a carriage return alone."""
    (tmp_path / "f.csv").write_bytes(("\n" + HEAD + FINE).replace("\n", end).encode())
    (ways,) = answers([["score", "f.csv", "--json"]], tmp_path)
    scores = [json.loads(printed)["scores"][0] for _, printed, _ in ways]
    assert [score["n"] for score in scores] == [5] * 3
    assert scores[0]["area"] == pytest.approx(scores[1]["area"])
    assert scores[1]["area"] == scores[2]["area"]


def test_a_key_that_is_there_twice_is_refused_in_one_line(tmp_path):
    """Whoever reads the file."""
    (tmp_path / "f.jsonl").write_text((ROW % 1).replace('"y"', '"y": 2, "y"') + ROW % 1)
    (ways,) = answers([["score", "f.jsonl"]], tmp_path)
    for _, _, line in ways:
        assert line.endswith("each column must have its own name, but line 1 has several 'y'.\n")


@pytest.mark.parametrize("value", ["1", "100"])
def test_full_coverage_cannot_be_asked_for(tmp_path, value):
    """Whoever types 1 means all rows, not one per cent."""
    ((code, _, line),) = batch([["score", "f.csv", "--coverage", value]], tmp_path)
    assert code == 2
    assert "must lie between 0 and 100%" in line
    ((code, _, line),) = batch([["score", "f.csv", "--miss-rate", "1"]], tmp_path)
    assert (code, "must lie between 0 and 100%" in line) == (2, True)

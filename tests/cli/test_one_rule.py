"""One file, one answer: rows in memory and both engines follow the same rules, in the same words."""

from __future__ import annotations

import json

import pytest
from command_runs import FINE, HEAD, batch

WAYS = ([], ["--engine", "polars"], ["--engine", "duckdb"])


def answers(commands, folder):
    """Code and message of each command, in memory and by both engines."""
    done = batch([[*command, *way] for command in commands for way in WAYS], folder)
    return [done[place : place + len(WAYS)] for place in range(0, len(done), len(WAYS))]


def test_rows_with_too_few_cells_can_be_dropped(tmp_path):
    """A cell that is not there is a missing value, also where others are quoted and run over lines."""
    (tmp_path / "plain.csv").write_text(HEAD + FINE + "7,7.5\n")
    (tmp_path / "label.csv").write_text('y,pred,lo,hi,g\n1,1,0,2,"a\nb"\n2,2,1,3,c\n1,1.5\n')
    found = answers(
        [["score", name, "--invalid", "drop", "--json"] for name in ("plain.csv", "label.csv")], tmp_path
    )
    for ways, n in zip(found, (5, 2), strict=True):
        assert [json.loads(printed)["scores"][0]["n"] for _, printed, _ in ways] == [n] * 3


@pytest.mark.parametrize("value", ["1", "100"])
def test_full_coverage_cannot_be_asked_for(tmp_path, value):
    """Whoever types 1 means all rows, not one per cent."""
    ((code, _, line),) = batch([["score", "f.csv", "--coverage", value]], tmp_path)
    assert code == 2
    assert "must lie between 0 and 100%" in line
    ((code, _, line),) = batch([["score", "f.csv", "--miss-rate", "1"]], tmp_path)
    assert (code, "must lie between 0 and 100%" in line) == (2, True)

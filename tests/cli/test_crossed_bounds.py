"""Bounds of a file that cross: swapped with a note, if that is asked for."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from command_runs import FINE, HEAD, good, refused, run

import uccurve as uc


@pytest.fixture
def folder(tmp_path):
    """A file with one crossed row, the last."""
    (tmp_path / "in.csv").write_text(HEAD + FINE + "7,7,8,6\n")
    return tmp_path


def test_the_way_out_of_predictions_outside_is_a_command_that_works(folder):
    """Names that a shell or a list of columns would split are quoted."""
    (folder / "in.csv").write_text('y,my pred,"lo,w",hi\n1,1,0,2\n1,9,0,2\n2,1,0,2\n')
    columns = ("--y-pred", "my pred", "--lower", "lo,w", "--upper", "hi")
    line = refused("score", "in.csv", *columns, cwd=folder, code=1)
    assert "To use midpoints, pass --model without the prediction of model." in line
    said = json.loads(good("score", "in.csv", "--model", 'model=,"lo,w",hi', "--json", cwd=folder))
    assert said["scores"][0]["n"] == 3


def test_calibration_swaps_bounds_and_leaves_other_columns_alone(folder):
    """New bounds are made from the swapped ones; with a suffix the file keeps its own."""
    options = ("--crossed", "sort", "--suffix", "_new", "--coverage", "0.5")
    done = run("calibrate", "in.csv", "-o", "out.csv", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "1 of 6 rows had crossed bounds" in done.stderr
    out = pl.read_csv(folder / "out.csv")
    assert out["lo"].to_list()[-1] == 8
    assert (out["lo_new"] <= out["hi_new"]).all()


def test_scans_and_sketches_refuse_the_option(folder):
    """They have no rows to swap in."""
    line = refused("score", "in.csv", "--scan", "--crossed", "sort", cwd=folder, code=2)
    assert line == "--crossed and --scan cannot be combined: scans read files as they are."
    (folder / "fine.csv").write_text(HEAD + FINE)
    good("sketch", "fine.csv", "-o", "fine.ucc", cwd=folder)
    line = refused("score", "fine.ucc", "--crossed", "sort", cwd=folder, code=2)
    assert line == "fine.ucc is a sketch file, and --crossed is for data files."


@pytest.mark.parametrize("vary", ["scale", "level"])
def test_quantiles_of_a_file_are_those_of_a_frame(tmp_path, vary):
    """Sorted together, whatever is varied, refused by the same rule, and dropped alike."""
    rng = np.random.default_rng(5)
    table = np.sort(rng.normal(size=(40, 5)), axis=1)
    for row, order in {
        3: [1, 0, 2, 3, 4],
        4: [0, 1, 3, 2, 4],
        5: [4, 3, 2, 1, 0],
        6: [0, 1, 2, 4, 3],
    }.items():
        table[row] = table[row, order]
    names = ["q05", "q25", "q50", "q75", "q95"]
    frame = pl.DataFrame({"y": rng.normal(size=40), **dict(zip(names, table.T, strict=True))})
    frame.write_csv(tmp_path / "in.csv")
    command = ("score", "in.csv", "--vary", vary, "--json")
    found = json.loads(good(*command, "--crossed", "sort", cwd=tmp_path))
    with pytest.warns(uc.exceptions.SortedRowsWarning):
        rows = uc.Intervals.from_frame(frame, crossed="sort")
    assert found["scores"][0]["area"] == rows.ucc(vary=vary).area()
    assert "4 of 40 rows had crossed quantiles, which were sorted" in found["notes"][-1]
    line = refused(*command, cwd=tmp_path, code=1)
    assert "4 of 40 rows break this rule; first at row 4" in line
    assert "--crossed sort" in line
    dropped = json.loads(good(*command, "--invalid", "drop", cwd=tmp_path))
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        rows = uc.Intervals.from_frame(frame, invalid="drop")
    assert (dropped["scores"][0]["n"], dropped["scores"][0]["area"]) == (36, rows.ucc(vary=vary).area())

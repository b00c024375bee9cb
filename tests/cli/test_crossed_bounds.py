"""Bounds of a file that cross: refused with the options that help, or swapped with a note."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from command_runs import FINE, HEAD, good, refused, run

import uccurve as uc

CROSSED = HEAD + FINE + "7,7,8,6\n"


@pytest.fixture
def folder(tmp_path):
    """A file with one crossed row, the last."""
    (tmp_path / "in.csv").write_text(CROSSED)
    return tmp_path


def test_the_error_names_the_options_that_help(folder):
    """Both of them work."""
    line = refused("score", "in.csv", cwd=folder, code=1)
    assert line == (
        "in.csv: column 'lo' must not exceed column 'hi', but 1 of 6 rows breaks this rule; first at row 6 (line 7): "
        "lo=8, hi=6. Pass --crossed sort to swap the two. Pass --invalid drop to leave such rows out."
    )
    rows = {
        option: json.loads(good("score", "in.csv", f"--{option}", choice, "--json", cwd=folder))
        for option, choice in (("crossed", "sort"), ("invalid", "drop"))
    }
    assert [rows[option]["scores"][0]["n"] for option in rows] == [6, 5]


def test_swapped_rows_are_counted_and_give_the_numbers_of_the_library(folder):
    """Weights, NaN and rows to drop as before; predictions are not sorted."""
    (folder / "in.csv").write_text(CROSSED + "8,8,,9\n")
    options = ("--crossed", "sort", "--invalid", "drop", "--y-true", "y", "--sample-weight", "y", "--json")
    said = json.loads(good("score", "in.csv", *options, cwd=folder))
    assert said["notes"][-2:] == [
        "dropped 1 of 7 rows: column 'lo' must be finite (1).",
        "1 of 6 rows had crossed bounds, which were swapped; first at row 6 (line 7).",
    ]
    frame = pl.read_csv(folder / "in.csv")[:6].cast(pl.Float64)
    with pytest.warns(uc.exceptions.SortedRowsWarning):
        rows = uc.Intervals.from_frame(
            frame, y_true="y", y_pred="pred", lower="lo", upper="hi", sample_weight="y", crossed="sort"
        )
    assert said["scores"][0]["area"] == rows.ucc().area()
    without = json.loads(good("score", "in.csv", "--invalid", "drop", "--json", cwd=folder))
    assert not any("swapped" in note for note in without["notes"])


def test_the_way_out_of_predictions_outside_is_a_command_that_works(folder):
    """Names that a shell or a list of columns would split are quoted."""
    (folder / "in.csv").write_text('y,my pred,"lo,w",hi\n1,1,0,2\n1,9,0,2\n2,1,0,2\n')
    line = refused(
        "score", "in.csv", "--y-pred", "my pred", "--lower", "lo,w", "--upper", "hi", cwd=folder, code=1
    )
    assert "my pred=9, lo,w=0, hi=2. To use midpoints, pass --model without the prediction of model." in line
    said = json.loads(good("score", "in.csv", "--model", 'model=,"lo,w",hi', "--json", cwd=folder))
    assert said["scores"][0]["n"] == 3


def test_calibration_swaps_bounds_and_leaves_other_columns_alone(folder):
    """New bounds are made from the swapped ones; with a suffix the file keeps its own."""
    options = ("--crossed", "sort", "--suffix", "_new", "--coverage", "0.5")
    done = run("calibrate", "in.csv", "-o", "out.csv", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "1 of 6 rows had crossed bounds" in done.stdout + done.stderr
    out = pl.read_csv(folder / "out.csv")
    assert out["lo"].to_list()[-1] == 8
    assert (out["lo_new"] <= out["hi_new"]).all()


def test_scans_and_sketches_refuse_the_option(folder):
    """They have no rows to swap in."""
    line = refused("score", "in.csv", "--engine", "polars", "--crossed", "sort", cwd=folder, code=2)
    assert line == "--crossed and --engine exclude each other: a scan reads files as they are."
    (folder / "fine.csv").write_text(HEAD + FINE)
    good("sketch", "fine.csv", "-o", "fine.ucc", cwd=folder)
    line = refused("score", "fine.ucc", "--crossed", "sort", cwd=folder, code=2)
    assert line == "fine.ucc is a sketch file, and --crossed is for data files."


def crossed_levels():
    """Quantiles of 40 rows; inner ones beyond the bounds, a median out of order, and crossed bounds."""
    rng = np.random.default_rng(5)
    names = ["q05", "q25", "q50", "q75", "q95"]
    table = np.sort(rng.normal(size=(40, 5)), axis=1)
    table[3] = table[3, [1, 0, 2, 3, 4]]
    table[4] = table[4, [0, 1, 3, 2, 4]]
    table[5] = table[5, ::-1]
    table[6] = table[6, [0, 1, 2, 4, 3]]
    return pl.DataFrame({"y": rng.normal(size=40), **dict(zip(names, table.T, strict=True))})


@pytest.mark.parametrize("vary", ["scale", "shift", "level"])
@pytest.mark.parametrize("predicted", [False, True])
def test_quantiles_of_a_file_are_those_of_a_frame(tmp_path, vary, predicted):
    """Sorted together, whatever is varied, refused by the same rule, and dropped alike."""
    frame = crossed_levels()
    if predicted:
        frame = frame.with_columns(yhat=pl.concat_list("q05", "q95").list.mean())
    frame.write_csv(tmp_path / "in.csv")
    command = ("score", "in.csv", "--vary", vary, "--json")
    said = json.loads(good(*command, "--crossed", "sort", cwd=tmp_path))
    with pytest.warns(uc.exceptions.SortedRowsWarning):
        rows = uc.Intervals.from_frame(frame, crossed="sort")
    assert said["scores"][0]["area"] == rows.ucc(vary=vary).area()
    assert said["scores"][0]["coverage"] == rows.ucc(vary=vary).original.coverage
    assert (
        "4 of 40 rows had crossed quantiles, which were sorted; first at row 4 (line 5)" in said["notes"][-1]
    )
    line = refused(*command, cwd=tmp_path, code=1)
    assert "quantiles must rise with their levels, but 4 of 40 rows break this rule; first at row 4" in line
    assert "--crossed sort" in line
    dropped = json.loads(good(*command, "--invalid", "drop", cwd=tmp_path))
    with pytest.warns(uc.exceptions.DroppedRowsWarning):
        rows = uc.Intervals.from_frame(frame, invalid="drop")
    assert (dropped["scores"][0]["n"], dropped["scores"][0]["area"]) == (36, rows.ucc(vary=vary).area())
    frame.with_columns(q25=pl.when(pl.col("y") == frame["y"][9]).then(None).otherwise("q25")).write_csv(
        tmp_path / "in.csv"
    )
    gap = json.loads(good(*command, "--invalid", "drop", cwd=tmp_path))
    assert gap["scores"][0]["n"] == 35
    assert "column 'q25' must be finite (1)" in gap["notes"][-1]

"""Bounds of a file that cross: refused with the options that help, or swapped with a note."""

from __future__ import annotations

import json

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
        "in.csv: column 'lo' must not exceed column 'hi', but 1 of 6 rows does; first at row 6 (line 7): "
        "lo=8, hi=6. Add --crossed sort to swap the two, or --invalid drop to leave such rows out."
    )
    rows = {
        option: json.loads(good("score", "in.csv", f"--{option}", choice, "--json", cwd=folder))
        for option, choice in (("crossed", "sort"), ("invalid", "drop"))
    }
    assert [rows[option]["scores"][0]["n"] for option in rows] == [6, 5]


def test_swapped_rows_are_counted_and_give_the_numbers_of_the_library(folder):
    """Weights, NaN and rows to drop as before; predictions are not sorted."""
    (folder / "in.csv").write_text(CROSSED + "8,8,,9\n")
    said = json.loads(
        good(
            "score",
            "in.csv",
            "--crossed",
            "sort",
            "--invalid",
            "drop",
            "--y-true",
            "y",
            "--sample-weight",
            "y",
            "--json",
            cwd=folder,
        )
    )
    assert said["notes"][-2:] == [
        "dropped 1 of 7 rows: column 'lo' must be finite (1).",
        (
            "1 of 6 rows had crossed bounds, which were swapped: column 'lo' exceeded column 'hi'; "
            "first at row 6 (line 7)."
        ),
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
    hint = " Add --model 'model=,\"lo,w\",hi' to use the midpoints, or --invalid drop to leave such rows out."
    assert line.endswith(f"my pred=9, hi=2.{hint}")
    said = json.loads(good("score", "in.csv", "--model", 'model=,"lo,w",hi', "--json", cwd=folder))
    assert said["scores"][0]["n"] == 3


def test_calibration_swaps_bounds_and_leaves_other_columns_alone(folder):
    """New bounds are made from the swapped ones; with a suffix the file keeps its own."""
    done = run(
        "calibrate",
        "in.csv",
        "-o",
        "out.csv",
        "--crossed",
        "sort",
        "--suffix",
        "_new",
        "--coverage",
        "0.5",
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    assert "1 of 6 rows had crossed bounds" in done.stdout + done.stderr
    out = pl.read_csv(folder / "out.csv")
    assert out["lo"].to_list()[-1] == 8
    assert (out["lo_new"] <= out["hi_new"]).all()
    assert "--crossed sort" in refused("calibrate", "in.csv", "-o", "x.csv", cwd=folder, code=1)


def test_scans_and_sketches_refuse_the_option(folder):
    """They have no rows to swap in."""
    line = refused("score", "in.csv", "--engine", "polars", "--crossed", "sort", cwd=folder, code=2)
    assert line == "--crossed sort and --engine exclude each other: swap the bounds in the files."
    (folder / "fine.csv").write_text(HEAD + FINE)
    good("sketch", "fine.csv", "-o", "fine.ucc", cwd=folder)
    line = refused("score", "fine.ucc", "--crossed", "sort", cwd=folder, code=2)
    assert line == "fine.ucc is a sketch file, and --crossed is for data files."


def test_the_help_explains_the_option(folder):
    """For every command that reads rows."""
    for command in ("score", "compare", "report", "plot", "calibrate"):
        assert "--crossed" in good(command, "--help", cwd=folder)

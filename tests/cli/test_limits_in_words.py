"""One-sided limits on the terminal: named as such, and never called half widths."""

import json

import polars as pl
import pytest
from command_runs import batch, refused

from limited_rows import UPPER

STOCK = ["--model", "stock=p,,stock"]
BOTH_MODELS = [*STOCK, "--model", "reserve=p,,reserve"]
BOTH_SIDES = ["--model", "both=p,under,stock"]


@pytest.fixture
def rows(tmp_path):
    """A file of one prediction and two limits."""
    limits = {name: model.upper for name, model in UPPER.items()}
    first = UPPER["stock"]
    under = 2 * first.y_pred - first.upper
    frame = pl.DataFrame({"y": first.y_true, "p": first.y_pred, **limits, "under": under})
    frame.write_csv(tmp_path / "f.csv")
    return tmp_path


def test_tables_say_which_bounds_are_limits(rows):
    """Beside intervals as well; tables of intervals alone look as ever."""
    low = ["f.csv", "--model", "low=p,under,"]
    commands = [
        ["score", "f.csv", *STOCK],
        ["score", "f.csv", *STOCK, *BOTH_SIDES],
        ["score", "f.csv", *BOTH_SIDES],
        ["score", *low, "--scan"],
        ["calibrate", *low, "--vary", "shift", "-o", "new.csv"],
        ["compare", "f.csv", *BOTH_MODELS, "--n-resamples", "19"],
    ]
    done = batch(commands, rows)
    assert [code for code, _, _ in done] == [0] * len(done), done
    limit, mixed, plain, lower, moved, compared = (printed for _, printed, _ in done)
    assert ["limits" in text for text in (limit, mixed, plain, lower)] == [True, True, False, True]
    assert sorted(line.split()[1] for line in mixed.splitlines()[3:5]) == ["both", "upper"]
    for text in (limit, lower, moved, compared):
        assert "distance" in text
        assert "half-width" not in text


def test_documents_name_the_side(rows):
    """For machines."""
    commands = [
        ["score", "f.csv", *STOCK, *BOTH_SIDES, "--json"],
        ["compare", "f.csv", *BOTH_MODELS, "--n-resamples", "19", "--json"],
        ["calibrate", "f.csv", "--model", "low=p,under,", "-o", "new.csv", "--json"],
    ]
    scored, compared, moved = (json.loads(document) for _, document, _ in batch(commands, rows))
    assert [record["side"] for record in scored["scores"]] == ["upper", "both"]
    assert (compared["side"], moved["models"][0]["side"]) == ("upper", "lower")


def test_limits_and_intervals_are_not_drawn_on_the_same_axes(rows):
    """A usage error that says what to do."""
    line = refused("plot", "f.csv", *STOCK, *BOTH_SIDES, cwd=rows, code=2)
    assert "draw them in separate figures" in line

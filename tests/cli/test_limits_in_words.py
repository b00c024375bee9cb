"""One-sided limits on the terminal: named as such, and never called half widths."""

import json

import polars as pl
import pytest
from command_runs import batch, refused

from limited_rows import SENTENCE, UPPER

STOCK = ["--model", "stock=p,,stock"]
BOTH_MODELS = [*STOCK, "--model", "reserve=p,,reserve"]


@pytest.fixture
def rows(tmp_path):
    """A file of one prediction and two limits."""
    limits = {name: model.upper for name, model in UPPER.items()}
    first = UPPER["stock"]
    frame = pl.DataFrame(
        {"y": first.y_true, "p": first.y_pred, **limits, "under": 2 * first.y_pred - first.upper}
    )
    frame.write_csv(tmp_path / "f.csv")
    return tmp_path


def test_scores_have_a_column_of_bounds_where_there_are_limits(rows):
    """Beside intervals as well; scores of intervals alone look as ever."""
    interval = ["--model", "both=p,under,stock"]
    done = batch(
        [
            ["score", "f.csv", *STOCK],
            ["score", "f.csv", *STOCK, *interval],
            ["score", "f.csv", *interval],
            ["score", "f.csv", *STOCK, *interval, "--json"],
            ["score", "f.csv", "--model", "low=p,under,", "--engine", "polars"],
        ],
        rows,
    )
    assert [code for code, _, _ in done] == [0] * 5
    limit, mixed, plain, document, lower = (printed for _, printed, _ in done)
    told = "the bandwidth is the mean distance from the prediction to the limit"
    assert [told in text for text in (limit, mixed, plain, lower)] == [True, True, False, True]
    assert "upper limits" in limit
    assert "lower limits" in lower
    assert sorted(line.split()[1] for line in mixed.splitlines()[3:5]) == ["both", "upper"]
    assert "bounds" not in plain
    assert [record["side"] for record in json.loads(document)["scores"]] == ["upper", "both"]


def test_comparisons_name_the_limits(rows):
    """In the title of the scores, in the findings and in the document."""
    line = ["compare", "f.csv", *BOTH_MODELS, "--n-resamples", "19"]
    (_, shown, _), (_, document, _) = batch([[*line, "--all"], [*line, "--json"]], rows)
    assert "\nScores of upper limits, with areas on bandwidth and miss rate" in shown
    assert shown.splitlines()[-1] == SENTENCE.format("upper")
    assert json.loads(document)["side"] == "upper"
    assert json.loads(document)["findings"][-1] == SENTENCE.format("upper")


def test_calibration_moves_distances(rows):
    """Not bands, which would be on both sides, and not a bandwidth."""
    line = ["calibrate", "f.csv", "--model", "low=p,under,", "--vary", "shift", "-o", "new.csv"]
    (_, shown, _), (_, document, _) = batch([line, [*line, "--json"]], rows)
    assert "distance" in shown
    assert "half-width" not in shown
    assert json.loads(document)["models"][0]["side"] == "lower"


def test_limits_and_intervals_are_not_drawn_on_the_same_axes(rows):
    """A usage error that says what to do."""
    told = refused("plot", "f.csv", *STOCK, "--model", "both=p,under,stock", cwd=rows, code=2)
    assert told == (
        "widths of upper limits (stock) and intervals (both) do not compare: draw them in figures of their own."
    )

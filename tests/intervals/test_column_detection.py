"""Columns detected from common names, and errors that name arguments of the library."""

from __future__ import annotations

import pytest

from errors import raises
from uccurve.exceptions import ArgumentError, MissingColumnError
from uccurve.intervals._column_detection import GivenColumns, ModelColumns, detect_columns
from uccurve.intervals._column_names import bounds_at, level_of, looks_like_bound, looks_like_interval

NIXTLA = ["ds", "y", "A", "A-lo-80", "A-lo-90", "A-hi-90", "A-hi-80", "B", "B-lo-90", "B-hi-90"]
M = ModelColumns(name="m", y_pred="A", lower="A-lo-80", upper="A-hi-80")


def test_models_are_detected_with_their_widest_level():
    """Or with the level that is given; notes name the argument that chooses."""
    choice = detect_columns(NIXTLA, GivenColumns())
    assert choice.y_true == "y"
    assert [model.arguments for model in choice.models] == [
        {"y_pred": "A", "lower": "A-lo-90", "upper": "A-hi-90"},
        {"y_pred": "B", "lower": "B-lo-90", "upper": "B-hi-90"},
    ]
    assert choice.notes == (
        "A has the levels 80, 90; using 90. --level chooses another.",
        "columns: observations 'y'; A = 'A', 'A-lo-90', 'A-hi-90'; B = 'B', 'B-lo-90', 'B-hi-90'.",
    )
    only_a = [name for name in NIXTLA if not name.startswith("B")]
    assert detect_columns(only_a, GivenColumns(level=80)).models[0].lower == "A-lo-80"


def test_what_is_given_is_taken_without_a_note():
    """Weights and segments too, which are never detected."""
    given = GivenColumns(y_true="ds", models=(M,), sample_weight="B", by="y")
    choice = detect_columns(NIXTLA, given)
    assert (choice.shared, choice.by, choice.notes) == ({"y_true": "ds", "sample_weight": "B"}, "y", ())
    assert choice.used == ["ds", "B", "A", "A-lo-80", "A-hi-80", "y"]


def test_observations_may_be_absent_where_they_are_not_needed():
    """As in a file that is to be calibrated on another one."""
    choice = detect_columns(["p", "lo", "hi"], GivenColumns(y_true="load", y_pred="p"), observed=False)
    assert (choice.y_true, choice.models[0].y_pred) == (None, "p")


@pytest.mark.parametrize(
    ("present", "given", "kind", "argument"),
    [
        (NIXTLA, GivenColumns(models=(M,), std="y"), ArgumentError, "models"),
        (NIXTLA, GivenColumns(std="A", upper="B"), ArgumentError, "std"),
        (["y", "lo", "hi"], GivenColumns(by="Lo"), MissingColumnError, None),
        (["y", "y_true", "lo", "hi"], GivenColumns(), MissingColumnError, "y_true"),
        (["a", "lo", "hi"], GivenColumns(), MissingColumnError, ("y_true")),
        (["y", "a"], GivenColumns(), MissingColumnError, (None)),
        (NIXTLA, GivenColumns(level=0.9), MissingColumnError, None),
    ],
)
def test_errors_name_arguments(present, given, kind, argument):
    """In backticks, so that a command line can name its options instead."""
    with raises(kind, argument):
        detect_columns(present, given)


def test_names_of_bounds_tell_their_level():
    """And the names for another level follow from it."""
    assert level_of("A-lo-90", "A-hi-90") == 90
    assert level_of("q025", "q975") == 95
    assert level_of("A-lo-90", "A-hi-80") is None
    assert level_of("q10", "q95") is None
    assert bounds_at("A-lo-90", "A-hi-90", 97.5) == ("A-lo-97.5", "A-hi-97.5")
    assert bounds_at("q05", "q95", 80) == ("q10", "q90")
    assert bounds_at("low", "high", 80) is None


def test_names_tell_bounds_and_parts_of_intervals():
    """A deviation is no bound, and a feature no part of an interval."""
    assert [looks_like_bound(name) for name in ("p5", "lower bound", "q_lo", "lower_std", "load")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    present = ["net", "net_upper", "A", "A-lo-90", "x_pred", "hour"]
    assert [looks_like_interval(name, present) for name in present] == [True] * 5 + [False]

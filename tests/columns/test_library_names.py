"""Columns as other libraries name them: detected where they tell one thing, refused where they do not."""

from __future__ import annotations

import pytest

from uccurve.columns import ColumnChoice, ModelColumns, detect_columns, read_level
from uccurve.exceptions import MissingColumnError

PROPHET = [
    "ds", "trend", "yhat_lower", "yhat_upper", "trend_lower", "trend_upper", "additive_terms",
    "additive_terms_lower", "additive_terms_upper", "weekly", "weekly_lower", "weekly_upper", "yhat", "y",
]  # fmt: skip


def detected(present, **given):
    """The models that are detected beside what a user says about one."""
    return detect_columns(present, ColumnChoice(models=(ModelColumns(**given),) if given else ())).models


def model(present, **given):
    """The only model that is detected."""
    (found,) = detected(present, **given)
    return found


def refusal(present, **given):
    with pytest.raises(MissingColumnError) as caught:
        detected(present, **given)
    return caught.value


@pytest.mark.parametrize(
    ("present", "bounds", "level"),
    [
        (["q05", "q50", "q95"], ("q50", "q05", "q95"), 90),
        (["p5", "p50", "p95"], ("p50", "p5", "p95"), 90),
        (["p2.5", "p97.5"], (None, "p2.5", "p97.5"), 95),
        (["quantile_0.05", "quantile_0.5", "quantile_0.95"], ("quantile_0.5", "quantile_0.05", "quantile_0.95"), 90),
        (["q0.1", "q0.50", "q0.9"], ("q0.50", "q0.1", "q0.9"), 80),
        (["A-lo-90", "A-hi-90", "A-median"], ("A-median", "A-lo-90", "A-hi-90"), 90),
        (["A-lo-90", "A-hi-90.0", "A"], ("A", "A-lo-90", "A-hi-90.0"), 90),
        (["y__0.9__lower", "y__0.9__upper", "y_pred"], ("y_pred", "y__0.9__lower", "y__0.9__upper"), 90),
        (["Coverage_0.8_lower", "Coverage_0.8_upper"], (None, "Coverage_0.8_lower", "Coverage_0.8_upper"), 80),
        (["y_0.05", "y_0.5", "y_0.95"], ("y_0.5", "y_0.05", "y_0.95"), 90),
        (["gbm_p5", "gbm", "gbm_p95"], ("gbm", "gbm_p5", "gbm_p95"), 90),
        (["pred", "lower_bound", "upper_bound"], ("pred", "lower_bound", "upper_bound"), None),
    ],
)  # fmt: skip
def test_columns_of_libraries_are_detected(present, bounds, level):
    """In any order, with the level that their names tell, and the median where no prediction has a name."""
    for columns in (["ds", "y", *present], [*reversed(present), "y"]):
        found = model(columns)
        assert (found.y_pred, found.lower, found.upper) == bounds
        assert found.level == level
        assert detect_columns(columns, ColumnChoice()).y_true == "y"


@pytest.mark.parametrize(
    ("lower", "upper", "others"),
    [
        ("A-lo-90", "A-hi-90", ("A-lo-80", "A-hi-80")),
        ("q05", "q95", ("q10", "q90")),
        ("p5", "p95", ("p10", "p90")),
        ("5%", "95%", ("10%", "90%")),
        ("0.05", "0.95", ("0.1", "0.9")),
        ("A_ql0.05", "A_ql0.95", ("A_ql0.1", "A_ql0.9")),
        ("y__0.9__lower", "y__0.9__upper", ("y__0.8__lower", "y__0.8__upper")),
        ("Lower 90%", "Upper 90%", ("Lower 80%", "Upper 80%")),
        ("gbm_lo90", "gbm_hi90", ("gbm_lo80", "gbm_hi80")),
    ],
)
def test_names_for_other_levels_are_written_as_the_others_are(lower, upper, others):
    """For calibrated bounds beside the given ones."""
    columns = ModelColumns(lower=lower, upper=upper)
    assert (columns.level, columns.bounds_at(80)) == (90, others)
    assert columns.bounds_at(90) == (lower, upper)
    assert ModelColumns(lower=others[0], upper=others[1]).level == 80


@pytest.mark.parametrize(
    ("lower", "upper"), [("low", "high"), ("A-lo-90", "A-hi-80"), ("q10", "q95"), ("x_q0.05", "y_q0.95")]
)
def test_bounds_that_are_no_pair_of_levels_tell_none(lower, upper):
    columns = ModelColumns(lower=lower, upper=upper)
    assert columns.level is columns.bounds_at(80) is None


def test_of_prophet_the_forecast_is_the_model():
    """Its components have bounds as well, and are no forecasts of y; a note names them."""
    choice = detect_columns(PROPHET, ColumnChoice())
    (found,) = choice.models
    assert found.arguments == {"y_pred": "yhat", "lower": "yhat_lower", "upper": "yhat_upper"}
    assert choice.notes[0] == "Prophet's components are left out: 'trend', 'additive_terms', 'weekly'."
    beside = ["y", *(f"{name}{end}" for name in ("a", "trend") for end in ("", "_lower", "_upper"))]
    assert len(detected(beside)) == 2


@pytest.mark.parametrize(
    "present",
    [
        ["5%", "0.5", "95"],
        ["5%", "95%", "0.05", "0.95"],
        ["p5", "p95", "q10", "q90"],
        ["5", "50", "95"],
        ["p5", "p05", "p95"],
        ["A-lo-90", "A-lo-90.0", "A-hi-90"],
        ["A-lo-90", "A-hi-90", "A_ql0.05", "A_ql0.95"],
        ["obs_ci_lower", "obs_ci_upper", "lower", "upper"],
        ["p0.5", "p99.5"],
        ["freq05", "freq95", "up5", "up95"],
        ["mean", "mean_se", "mean_ci_lower", "mean_ci_upper"],
    ],
)
def test_what_could_mean_several_things_is_refused(present):
    """Levels written in several ways or twice, several bounds of one model, and names that tell nothing."""
    refusal(["y", *present])


def test_several_models_whose_names_tell_quantiles():
    """Beside other intervals such names are features, as temp_q10 may be."""
    present = ["y", "a_q05", "a_q95", "b_q10", "b_q90", "b_pred"]
    a, b = detected(present)
    assert (a.name, a.lower, a.y_pred) == ("a", "a_q05", None)
    assert (b.name, b.upper, b.y_pred) == ("b", "b_q90", "b_pred")
    refusal(present, y_pred="b_pred")
    assert model([*present, "yhat", "std"]).std == "std"
    assert model([*present, "lower", "upper"]).lower == "lower"
    both = detected(["y", "N-lo-80", "N-hi-80", "L_ql0.1", "L_ql0.9"])
    assert [each.name for each in both] == ["N", "L"]


@pytest.mark.parametrize("name", ["q" * 20_000, "-lo-" * 5_000, "_0." * 5_000])
def test_long_names_take_no_time(name):
    """A pattern that is tried again from every letter would take minutes here."""
    assert read_level(name) is None
    assert read_level(f"{name}-lo-90").share == 0.05


def test_errors_are_short_where_columns_are_many():
    present = ["y", *(f"column {number}" for number in range(500))]
    assert refusal(present).problem.endswith("'column 6' and 493 more")

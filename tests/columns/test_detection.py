"""Columns detected from common names: one model or several, one level or several, in full or by a suffix."""

from __future__ import annotations

import pytest

from errors import raises
from uccurve.columns import ColumnChoice, ModelColumns, detect_columns, suggest_roles
from uccurve.exceptions import ArgumentError, MissingColumnError

NIXTLA = ["ds", "y", "A", "A-lo-80", "A-lo-90", "A-hi-90", "A-hi-80", "B", "B-lo-90", "B-hi-90"]
LEVELS = ["ds", "y", "A", "A-median", "A-lo-80", "A-lo-50", "A-hi-50", "A-hi-80", "A-lo-97.5", "A-hi-97.5"]
M = ModelColumns(name="m", y_pred="A", lower="A-lo-80", upper="A-hi-80")
NOTHING = ColumnChoice()


def detected(*present):
    """Return the columns of each model."""
    choice = detect_columns(present, NOTHING)
    return {model.name: tuple(model.arguments.values()) for model in choice.models}


def levels(model):
    """Return the coverages of all pairs, in percent."""
    return [round(100 * (1 - 2 * share)) for share in sorted(model.quantiles, reverse=True) if share < 0.5]


def given(**columns):
    """Return what a user says about one model."""
    return ColumnChoice(models=(ModelColumns(**columns),))


def test_models_are_detected_with_their_widest_level():
    """Notes say so, and which argument chooses another."""
    choice = detect_columns(NIXTLA, NOTHING)
    assert choice.y_true == "y"
    assert [model.arguments for model in choice.models] == [
        {"y_pred": "A", "lower": "A-lo-90", "upper": "A-hi-90"},
        {"y_pred": "B", "lower": "B-lo-90", "upper": "B-hi-90"},
    ]
    assert choice.notes == (
        "A has the levels 80, 90; the widest gives the bounds. `nominal` chooses another.",
        "columns: observations 'y'; A = 'A', 'A-lo-90', 'A-hi-90'; B = 'B', 'B-lo-90', 'B-hi-90'.",
    )


def test_what_is_given_is_taken_without_a_note():
    """Weights and segments too, which are never detected."""
    said = ColumnChoice(y_true="ds", models=(M,), sample_weight="B", by="y")
    choice = detect_columns(NIXTLA, said)
    assert (choice.shared, choice.by, choice.notes) == ({"y_true": "ds", "sample_weight": "B"}, "y", ())
    assert choice.used == ["ds", "B", "A", "A-lo-80", "A-hi-80", "y"]


def test_observations_may_be_absent_where_they_are_not_needed():
    """As in a file that is to be calibrated on another one."""
    said = ColumnChoice(y_true="load", models=(ModelColumns(y_pred="p"),))
    choice = detect_columns(["p", "lo", "hi"], said, observed=False)
    assert (choice.y_true, choice.models[0].y_pred) == (None, "p")


@pytest.mark.parametrize(
    ("said", "nominal", "kind", "argument"),
    [
        (given(std="A", upper="B"), None, ArgumentError, "std"),
        (ColumnChoice(by="Y"), None, MissingColumnError, None),
        (NOTHING, 0.7, MissingColumnError, "nominal"),
    ],
)
def test_what_does_not_fit_the_columns_is_refused(said, nominal, kind, argument):
    with raises(kind, argument):
        detect_columns(NIXTLA, said, nominal=nominal)


def test_all_levels_of_a_model_belong_to_it():
    """The widest gives the bounds, as without the others; the median is their center."""
    (model,) = (choice := detect_columns(LEVELS, NOTHING).with_levels(LEVELS)).models
    assert model.arguments == detect_columns(LEVELS, NOTHING).models[0].arguments
    assert list(model.quantiles.items()) == [
        (0.0125, "A-lo-97.5"),
        (0.1, "A-lo-80"),
        (0.25, "A-lo-50"),
        (0.5, "A-median"),
        (0.75, "A-hi-50"),
        (0.9, "A-hi-80"),
        (0.9875, "A-hi-97.5"),
    ]
    assert model.nominal == 0.975
    assert set(model.quantiles.values()) < set(choice.used)
    (narrower,) = detect_columns(LEVELS, NOTHING, nominal=0.8).with_levels(LEVELS).models
    assert (levels(narrower), narrower.lower) == ([50, 80], "A-lo-80")


def test_models_keep_their_own_levels():
    """A bound without its partner is no pair, and bounds for 100% claim nothing."""
    present = ["y", "A-lo-50", "A-hi-50", "A-lo-90", "B-lo-80", "B-hi-80", "B-lo-100", "B-hi-100", "B"]
    a, b = detect_columns(present, NOTHING).with_levels(present).models
    assert (levels(a), 0.5 in a.quantiles, b.lower, b.nominal, b.quantiles) == (
        [50],
        False,
        "B-lo-100",
        None,
        {},
    )
    said = given(name="m", lower="A-lo-50", upper="A-hi-50")
    assert levels(detect_columns(present, said).with_levels(present).models[0]) == [50]


@pytest.mark.parametrize("front", ["q", "0."])
def test_quantiles_by_the_share_below_them(front):
    """In any order, with the widest pair as bounds; one without a partner is left."""
    present = ["y", *(f"{front}{digits}" for digits in ("95", "25", "05", "75", "50", "99"))]
    (model,) = detect_columns(present, NOTHING).with_levels(present).models
    assert (levels(model), model.lower, model.upper) == ([50, 90], f"{front}05", f"{front}95")
    assert model.quantiles[0.5] == f"{front}50"


@pytest.mark.parametrize("said", [{"lower": "q05"}, {"upper": "q95"}, {"lower": "q05", "y_pred": "x"}])
def test_a_quantile_that_is_given_brings_its_partner(said):
    """Also beside a given prediction: it is no one-sided limit."""
    (model,) = detect_columns(["y", "x", "q05", "q95", "q10", "q90"], given(**said)).models
    assert (model.lower, model.upper, model.nominal) == ("q05", "q95", 0.9)


@pytest.mark.parametrize(
    ("present", "said", "found"),
    [
        ("A A-lo-80 A-hi-80 high", {"lower": "A-lo-80"}, "A A-lo-80 A-hi-80"),
        ("gbm_lower gbm_upper lower pred", {"upper": "gbm_upper"}, "pred gbm_lower gbm_upper"),
        ("mean upper gbm_q05 gbm_q50 gbm_q95", {"lower": "gbm_q05"}, "gbm_q50 gbm_q05 gbm_q95"),
        ("mean gbm_pred gbm_lo gbm_hi", {"lower": "gbm_lo", "upper": "gbm_hi"}, "gbm_pred gbm_lo gbm_hi"),
        ("gbm gbm_std rf rf_std mean", {"std": "gbm_std"}, "gbm gbm_std"),
    ],
)
def test_what_is_given_brings_what_belongs_to_it_by_name(present, said, found):
    """Common names, which may belong to another model, come after; no model gets the prediction of another."""
    (model,) = detect_columns(["y", *present.split()], given(**said)).models
    assert list(model.arguments.values()) == found.split()
    with raises(MissingColumnError):
        detect_columns(["y", "rf", "gbm", "gbm_lower", "gbm_upper"], given(y_pred="rf"))


def test_given_observations_are_no_prediction():
    """Though bounds bear their name."""
    present = ["demand", "forecast", "demand_lower_90", "demand_upper_90"]
    (model,) = detect_columns(present, ColumnChoice(y_true="demand")).models
    assert model.y_pred == "forecast"


def test_levels_beside_common_names_change_nothing():
    """Unless both could be the bounds."""
    assert detected("y", "yhat", "std", "0.1", "0.9") == {"model": ("yhat", "std")}
    with raises(MissingColumnError, "lower"):
        detected("y", "lower", "q05", "upper", "q95")


@pytest.mark.parametrize(
    ("lower", "upper", "prediction"),
    [
        ("lower", "upper", "gbm"),
        ("lo", "hi", "gbm_pred"),
        ("low", "high", "gbm"),
        ("Lower", "Upper", "gbm_Pred"),
        ("LO", "HI", "gbm_PRED"),
    ],
)
def test_bounds_are_found_beside_the_prediction_of_their_model(lower, upper, prediction):
    """Whichever the suffix and its case, and whatever the order of columns."""
    bounds = f"gbm_{lower}", f"gbm_{upper}"
    assert detected("y", *bounds, prediction) == {"gbm": (prediction, *bounds)}


def test_several_models_keep_the_order_of_their_columns():
    """Short and long suffixes may stand side by side; two pairs of one model may not."""
    short = "gbm", "gbm_lo", "gbm_hi"
    assert detected("y", *short, "naive", "naive_lower", "naive_upper", "c_pred", "c_low", "c_high") == {
        "gbm": short,
        "naive": ("naive", "naive_lower", "naive_upper"),
        "c": ("c_pred", "c_low", "c_high"),
    }
    with pytest.raises(MissingColumnError):
        detected("y", *short, "gbm_lower", "gbm_upper")


@pytest.mark.parametrize("bounds", [("yhat", "lo", "hi"), ("yhat", "q05", "q95")])
def test_features_with_a_low_and_a_high_do_not_replace_bounds(bounds):
    """Where bounds have common names, the lowest and highest temperature of a day are none."""
    found = detected("y", *bounds, "temp", "temp_lo", "temp_hi")
    assert list(found.values()) == [bounds]


@pytest.mark.parametrize(
    "present",
    [("y", "y_lo", "y_hi"), ("y", "gbm_lo", "gbm_hi"), ("y", "gbm", "gbm_lo", "gbm_high")],
)
def test_half_a_pair_or_a_pair_without_a_prediction_is_no_model(present):
    """Neither are bounds beside the observations, which are no prediction."""
    with pytest.raises(MissingColumnError):
        detected(*present)


class CountedName(str):
    """A name that counts how often it is compared with another one: work is counted, not timed."""

    __slots__ = ()
    comparisons = 0

    def __eq__(self, other):
        CountedName.comparisons += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


@pytest.mark.parametrize("ends", [("", "_lower", "_upper"), ("", "-lo-90", "-hi-90")])
def test_detection_compares_each_name_a_few_times(ends):
    """Not each with each other: that would be millions of comparisons here."""
    n = 3000
    names = [CountedName(name) for name in ("y", *(f"m{i}{end}" for i in range(n // 3) for end in ends))]
    CountedName.comparisons = 0
    assert len(detect_columns(names, NOTHING).models) == n // 3
    assert CountedName.comparisons < 100 * n


def test_words_and_levels_suggest_roles():
    """A deviation of bounds is a deviation."""
    suggested = [
        suggest_roles(name) & {"lower", "std"} for name in ("p5", "lower bound", "lower_std", "wind")
    ]
    assert suggested == [{"lower"}, {"lower"}, {"std"}, set()]

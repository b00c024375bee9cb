"""Several levels of one model, told by the names of columns."""

from __future__ import annotations

import pytest

from errors import raises
from uccurve.exceptions import MissingColumnError
from uccurve.intervals._column_detection import GivenColumns, ModelColumns, detect_columns
from uccurve.intervals._column_names import bounds_at, level_of

NIXTLA = ["ds", "y", "A", "A-median", "A-lo-80", "A-lo-50", "A-hi-50", "A-hi-80", "A-lo-97.5", "A-hi-97.5"]
ALL = GivenColumns(all_levels=True)


def levels(model):
    return [pair.level for pair in model.nested]


def test_all_levels_of_a_model_belong_to_it():
    """The widest gives the bounds, as without the others; the median is their center."""
    (model,) = (choice := detect_columns(NIXTLA, ALL)).models
    assert model.arguments == detect_columns(NIXTLA, GivenColumns()).models[0].arguments
    assert (levels(model), model.median, model.nominal) == ([50, 80, 97.5], "A-median", 0.975)
    assert model.nested[0] == (50, "A-lo-50", "A-hi-50")
    assert choice.notes[0] == "A has the levels 50, 80, 97.5; using all. --level leaves out wider ones."
    assert {"A-lo-50", "A-hi-50", "A-median"} < set(choice.used)


def test_without_all_levels_one_pair_is_used():
    choice = detect_columns(NIXTLA, GivenColumns())
    assert (levels(choice.models[0]), choice.models[0].median) == ([], None)
    assert choice.notes[0] == "A has the levels 50, 80, 97.5; using 97.5. --level chooses another."


def test_a_given_level_is_the_outermost():
    (model,) = detect_columns(NIXTLA, GivenColumns(all_levels=True, level=80)).models
    assert (levels(model), model.lower) == ([50, 80], "A-lo-80")


def test_models_keep_their_own_levels():
    """A bound without its partner is no pair, and 100% is no level."""
    present = ["y", "A-lo-50", "A-hi-50", "A-lo-90", "B-lo-80", "B-hi-80", "B-lo-100", "B-hi-100", "B"]
    a, b = detect_columns(present, ALL).models
    assert (levels(a), a.median, levels(b), b.lower) == ([50], None, [80], "B-lo-100")


@pytest.mark.parametrize("front", ["q", "0."])
def test_quantiles_by_the_share_below_them(front):
    """In any order, with the widest pair as bounds; one without a partner is left."""
    present = ["y", *(f"{front}{digits}" for digits in ("95", "25", "05", "75", "50", "99"))]
    (model,) = detect_columns(present, ALL).models
    assert (levels(model), model.lower, model.upper) == ([50, 90], f"{front}05", f"{front}95")
    assert model.median == f"{front}50"


def test_ambiguous_quantiles_are_the_widest_pair():
    """Where names told too much, all of them now tell one thing."""
    choice = detect_columns(["y", "q05", "q10", "q90", "q95"], GivenColumns())
    assert choice.models[0].arguments == {"lower": "q05", "upper": "q95"}
    assert choice.notes[0] == "model has the levels 80, 90; using 90. --level chooses another."
    chosen = detect_columns(["y", "q05", "q10", "q90", "q95"], GivenColumns(level=80))
    assert chosen.models[0].arguments == {"lower": "q10", "upper": "q90"}


def test_the_widest_level_is_the_default():
    """Of all levels, not only of those with the most common names."""
    choice = detect_columns(["y", "q01", "q05", "q95", "q99"], GivenColumns())
    assert choice.models[0].arguments == {"lower": "q01", "upper": "q99"}
    assert choice.notes[0] == "model has the levels 90, 98; using 98. --level chooses another."


def test_common_names_are_taken_as_before():
    """Levels beside common names change nothing."""
    beside = detect_columns(["y", "yhat", "std", "0.1", "0.9"], GivenColumns())
    assert beside.models[0].arguments == {"y_pred": "yhat", "std": "std"}
    with raises(MissingColumnError, "lower"):
        detect_columns(["y", "lower", "q05", "upper", "q95"], GivenColumns())


def test_given_models_have_levels_too():
    given = GivenColumns(
        models=(ModelColumns(name="m", y_pred="p", lower="m_q10", upper="m_q90"),), all_levels=True
    )
    (model,) = detect_columns(["y", "p", "m_q10", "m_q25", "m_q75", "m_q90", "m_q95", "m_q05"], given).models
    assert (levels(model), model.median) == ([50, 80], None)
    plain = GivenColumns(models=(ModelColumns(name="m", lower="a", upper="b"),), all_levels=True)
    assert levels(detect_columns(["y", "a", "b"], plain).models[0]) == []


def test_decimal_names_tell_their_level():
    assert level_of("0.05", "0.95") == 90
    assert level_of("0.1", "0.9") == 80
    assert bounds_at("0.05", "0.95", 80) == ("0.1", "0.9")
    assert bounds_at("q05", "q95", 80) == ("q10", "q90")
    assert level_of("10.05", "10.95") is None


@pytest.mark.parametrize("front", ["NHITS_ql", "NHITS-ql"])
def test_quantiles_of_models_are_read_by_their_share(front):
    """Neuralforecast names quantiles by their share: with a dash if they are conformal."""
    present = ["ds", "y", *(f"{front}{share}" for share in (0.05, 0.25, 0.5, 0.75, 0.95))]
    (model,) = detect_columns(present, ALL).models
    assert (model.name, levels(model), model.median) == ("NHITS", [50, 90], f"{front}0.5")
    columns = {"y_pred": f"{front}0.5", "lower": f"{front}0.05", "upper": f"{front}0.95"}
    assert model.arguments == columns
    assert bounds_at(columns["lower"], columns["upper"], 80) == (f"{front}0.1", f"{front}0.9")


def test_shares_with_decimal_points_tell_their_level():
    """As Darts (x_q0.050) and skforecast (q_0.05) name quantiles."""
    assert level_of("x_q0.050", "x_q0.950") == 90
    assert level_of("q_0.1", "q_0.9") == 80
    assert level_of("x_q0.050", "y_q0.950") is None

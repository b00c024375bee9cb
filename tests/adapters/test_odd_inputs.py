"""Rules that all adapters share, each asked of every adapter that has it."""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import pytest
from library_outputs import MIDDLE, OUTPUTS, ROWS, Y, read
from scipy.stats import norm

from errors import raises
from uccurve import adapters
from uccurve import exceptions as ex

# Adapters that match rows by time or by their order only: an index of the observations says nothing to them.
WITHOUT_INDEX = {name for name in OUTPUTS if name.split()[0] in ("nixtla", "darts", "gluonts")}
# Those whose output has an index of pandas.
WITH_INDEX = {"catboost", "statsmodels", "prophet", "sktime", "skpro"}
WITH_INDEX |= {"skforecast", "skforecast quantiles", "skforecast draws"}

# Those that are read at any coverage, draws and distributions, and half the width at 90%.
OF_DRAWS = ("numpyro", "numpyro chains", "arviz", "skforecast draws", "darts", "gluonts")
OF_DISTRIBUTIONS = ("ngboost", "skpro distribution", "gluonts distribution")
AT_ANY_COVERAGE = dict.fromkeys(OF_DRAWS, 90 / 98) | dict.fromkeys(OF_DISTRIBUTIONS, norm.ppf(0.95))

# Those with the levels 50% and 90%, one and two to either side of the middle.
OF_LEVELS = ["mapie", "crepes percentiles", "xgboost", "catboost", "lightgbm", "sktime", "skpro"]
OF_LEVELS += ["skforecast quantiles", "darts quantiles", "gluonts quantiles"]


# Twins, whose options are those of another.
TWINS = {"catboost": "xgboost", "skpro": "sktime", "arviz": "numpyro"}


def taking(option):
    """Return the names of adapters that have an option."""
    names = {name: name.split()[0].replace("-", "_") for name in OUTPUTS}
    names = {name: TWINS.get(own, own) for name, own in names.items()}
    functions = {name: getattr(adapters, f"from_{own}") for name, own in names.items()}
    return [name for name, function in functions.items() if option in inspect.signature(function).parameters]


def test_every_adapter_is_asked():
    """A new adapter belongs into the table; a hub's table holds several models, and has tests of its own."""
    asked = {f"from_{name.split()[0].replace('-', '_')}" for name in OUTPUTS}
    assert asked | {"from_hub"} == {name for name in adapters.__all__ if name.startswith("from_")}


@pytest.mark.parametrize("name", OUTPUTS)
def test_rows_and_weights_are_kept(name):
    """Intervals around the middle, whatever the library."""
    intervals = read(name, sample_weight=[1.0, 2.0, 3.0, 4.0])
    assert np.array_equal(intervals.y_true, MIDDLE)
    assert np.allclose(intervals.y_pred, MIDDLE)
    assert np.array_equal(intervals.sample_weight, [1, 2, 3, 4])


@pytest.mark.parametrize("name", OUTPUTS)
def test_missing_observations_are_refused_or_dropped(name):
    """Which one is said; dropped rows are counted."""
    missing = Y.where(Y != 4)
    with pytest.raises(ex.NonFiniteError) as caught:
        read(name, missing)
    assert (caught.value.count, caught.value.first) == (1, 2)
    with pytest.warns(ex.DroppedRowsWarning):
        assert read(name, missing, invalid="drop").n == 3


@pytest.mark.parametrize("name", OUTPUTS)
def test_fewer_observations_than_forecasts_are_refused(name):
    """By an error of this library, also where a part is broadcast in NumPy."""
    for odd in (Y[:3], Y[:1], Y[:0]):
        if name != "nixtla":  # whose observations stand beside the forecasts
            with pytest.raises(ex.UccurveError):
                read(name, odd)


@pytest.mark.parametrize("name", sorted(set(OUTPUTS) - WITHOUT_INDEX))
def test_observations_must_be_given(name):
    """The error names them."""
    with pytest.raises(ex.UccurveError, match="y_true"):
        read(name, None)


@pytest.mark.parametrize("name", sorted(WITH_INDEX))
def test_rows_in_another_order_are_refused(name):
    """The index of the output and that of the observations must agree; arrays are taken in their order."""
    with raises(ex.IndexMismatchError, "output", count=4, first=0):
        read(name, Y[::-1])
    assert read(name, MIDDLE).n == 4


@pytest.mark.parametrize("name", sorted(set(OUTPUTS) - WITHOUT_INDEX))
def test_weights_in_another_order_are_refused(name):
    with raises(ex.IndexMismatchError, "sample_weight", count=4, first=0):
        read(name, sample_weight=pd.Series(1.0, index=ROWS[::-1]))


@pytest.mark.parametrize("claim", [90, 1.0, 0.1, "0.9", [], [0.9, 0.9], [80, 97.5], [0.05, 0.2]])
@pytest.mark.parametrize("name", [*taking("nominal"), "mapie", "uq360"])
def test_percentages_and_miss_rates_are_no_claims(name, claim):
    """90 means 90%, and 0.1 mostly a miss rate: neither is taken for the other in silence."""
    argument = "confidence_level" if name == "mapie" else "nominal"
    with raises(ex.ArgumentError, argument):
        read(name, **{argument: claim})


@pytest.mark.parametrize("name", taking("coverage"))
def test_one_coverage_is_chosen_by_its_value(name):
    """A share that the output claims, or at which it can be read."""
    chosen = read(name, coverage=1 - 0.1)
    assert (chosen.nominal, chosen.n) == (0.9, 4)
    for odd in (90, 0, "0.9"):
        with raises(ex.ArgumentError, "coverage") as caught:
            read(name, coverage=odd)
        assert "nominal" not in caught.value.rule
    if name not in AT_ANY_COVERAGE:
        with raises(ex.ArgumentError, "coverage"):
            read(name, coverage=0.33)


@pytest.mark.parametrize("name", AT_ANY_COVERAGE)
def test_draws_and_distributions_are_read_at_levels(name):
    """At those that are asked for, or at one coverage, not at both; draws by the rule of this library."""
    assert read(name, levels=[0.1, 0.9]).nominal == 0.8
    assert read(name).ucc(vary="level").reliability().levels[:2] == (0.1, 0.2)
    assert np.allclose(read(name, coverage=0.9).upper, MIDDLE + AT_ANY_COVERAGE[name])
    with raises(ex.ArgumentError, "coverage"):
        read(name, levels=[0.1, 0.9], coverage=0.9)


@pytest.mark.parametrize("name", OF_LEVELS)
def test_several_levels_are_kept(name):
    """The widest gives the bounds, and one can be chosen."""
    intervals = read(name)
    assert intervals.ucc(vary="level").reliability().levels == (0.5, 0.9)
    assert np.array_equal(intervals.lower, MIDDLE - 2)
    half = read(name, coverage=0.5)
    assert (half.nominal, half.upper[0]) == (0.5, 2)


@pytest.mark.parametrize("name", sorted(set(taking("levels")) - {*AT_ANY_COVERAGE, "xgboost", "catboost"}))
def test_levels_are_not_asked_for_twice(name):
    """The output tells them."""
    with raises(ex.ArgumentError, "levels"):
        read(name, levels=[0.1, 0.9])


ODD = [None, "intervals", [[1, 2], [3]], np.zeros((0, 2)), [{"a": 1}] * 4, np.zeros((4, 2, 2, 2)), object()]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
@pytest.mark.parametrize("name", OUTPUTS)
def test_another_thing_in_the_place_of_the_output_is_an_error_of_this_library(name, odd):
    """Never one of NumPy or Python that says nothing about the argument."""
    with pytest.raises(ex.UccurveError):
        read(name, output=odd)

"""What an output claims is stated as a share, and never guessed."""

from __future__ import annotations

import numpy as np
import pytest

from errors import raises
from uccurve import adapters
from uccurve.adapters import from_mapie
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    CrossedBoundsError,
    ShapeError,
    UccurveError,
)

Y = np.array([1.0, 2.0, 4.0, 8.0])


def bounds(*half_widths):
    """An output of MAPIE: bounds of shape (rows, 2, levels)."""
    halves = np.array(half_widths)
    return Y[:, None, None] + np.stack([-halves, halves])


@pytest.mark.parametrize("nominal", [90, [80, 97.5], 1.0, None, [0.9, 0.9], [], 0.1, [0.05, 0.2]])
def test_percentages_and_miss_rates_are_refused(nominal):
    """90 means 90%, and 0.1 mostly a miss rate: neither is taken for the other in silence."""
    with raises(ArgumentError, "nominal"):
        from_mapie(Y, bounds(1, 2), nominal=nominal)


def test_words_are_no_claims():
    """A type error, as elsewhere."""
    with raises(ArgumentTypeError, "nominal"):
        from_mapie(Y, bounds(1), nominal="0.9")


def test_several_pairs_become_levels_in_any_order():
    """The outermost bounds, and a curve by level that knows each claim, a small one among them."""
    intervals = from_mapie(Y, bounds(3, 1, 2), nominal=np.array([0.9, 0.1, 0.8]))
    assert intervals.nominal == 0.9
    assert np.array_equal(intervals.upper, Y + 3)
    curve = intervals.ucc(vary="level")
    assert [curve.at(nominal=claim).bandwidth for claim in (0.1, 0.8, 0.9)] == [1, 2, 3]


def test_one_claim_is_chosen_by_its_value():
    """Up to rounding; there is no other."""
    chosen = from_mapie(Y, bounds(3, 1), nominal=[1 - 0.1, 0.5], coverage=0.9)
    assert (chosen.nominal, chosen.lower[0]) == (0.9, -2)
    for coverage in (0.8, 90):
        with raises(ArgumentError, "coverage"):
            from_mapie(Y, bounds(3, 1), nominal=[0.9, 0.5], coverage=coverage)


def test_larger_claims_must_be_wider():
    """Levels in another order than the output, or miss rates, would be believed otherwise."""
    with raises(ArgumentError, "nominal"):
        from_mapie(Y, bounds(3, 1), nominal=[0.5, 0.9])


def test_a_column_of_observations_is_taken_and_another_shape_refused():
    assert from_mapie(Y[:, None], bounds(1, 2), nominal=[0.5, 0.9]).n == 4
    with raises(ShapeError, "lower at 0.5"):
        from_mapie(Y[:3], bounds(1, 2), nominal=[0.5, 0.9])


def test_crossed_bounds_are_refused():
    crossed = bounds(1)
    crossed[0] = crossed[0, ::-1]
    with raises(CrossedBoundsError, "lower", count=1, first=0):
        from_mapie(Y, crossed, nominal=0.9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: from_mapie(None, np.zeros((3, 2)), nominal=0.9),
        lambda: adapters.from_xgboost(None, np.zeros((3, 2)), levels=[0.1, 0.9]),
        lambda: adapters.from_numpyro(None, np.zeros((9, 3))),
        lambda: adapters.from_uncertainty_toolbox(Y, Y, None),
    ],
)
def test_observations_must_be_given(call):
    """An error of this library, which names the argument."""
    with raises(ArgumentError, "y_true"):
        call()


@pytest.mark.parametrize("output", [None, "intervals", [[1, 2], [3]], np.zeros((0, 2)), [{"a": 1}] * 4])
@pytest.mark.parametrize(
    "read",
    [
        lambda output: adapters.from_mapie(Y, output, nominal=0.9),
        lambda output: adapters.from_crepes(Y, output, nominal=0.9),
        lambda output: adapters.from_crepes(Y, output, percentiles=[5, 95]),
        lambda output: adapters.from_xgboost(Y, output, levels=[0.05, 0.95]),
        lambda output: adapters.from_catboost(Y, output, levels=[0.05, 0.95], coverage=0.9),
        lambda output: adapters.from_lightgbm(Y, output),
        lambda output: adapters.from_ngboost(Y, output),
        lambda output: adapters.from_sklearn(Y, output, Y[:, None]),
        lambda output: adapters.from_statsmodels(Y, output, nominal=0.9),
        lambda output: adapters.from_numpyro(Y, output),
        lambda output: adapters.from_arviz(Y, output),
        lambda output: adapters.from_uq360(Y, output),
        lambda output: adapters.from_uncertainty_toolbox(Y, output, Y),
    ],
)
def test_another_thing_in_the_place_of_the_output_is_an_error_of_this_library(read, output):
    """Never one of NumPy or Python that says nothing about the argument."""
    with pytest.raises(UccurveError):
        read(output)

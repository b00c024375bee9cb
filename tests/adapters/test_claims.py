"""What an output claims is stated as a share, and never guessed."""

from __future__ import annotations

import numpy as np
import pytest

from errors import raises
from uccurve import adapters
from uccurve.adapters._claims import claims_of, levels_of, place_of
from uccurve.adapters._pairs import intervals_of_pairs
from uccurve.adapters._quantile_table import intervals_of_quantiles
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    CrossedBoundsError,
    IndexMismatchError,
    NonFiniteError,
    ShapeError,
    SortedRowsWarning,
    UccurveError,
)

Y = np.array([1.0, 2.0, 4.0, 8.0])


def around(half_width):
    return Y - half_width, Y + half_width


def test_one_or_several_claims_are_shares():
    """A number, a list, an array."""
    assert claims_of(0.9) == claims_of(np.float64(0.9)) == claims_of(np.array(0.9)) == (0.9,)
    assert claims_of(np.array([0.2, 0.9])) == claims_of((0.2, 0.9)) == (0.2, 0.9)


@pytest.mark.parametrize(
    "nominal",
    [
        90,
        [80, 97.5],
        1.0,
        -0.1,
        900,
        None,
        [0.9, 0.9],
        [],
        0.1,
    ],
)
def test_percentages_and_miss_rates_are_refused(nominal):
    """90 means 90%, and 0.1 mostly a miss rate: neither is taken for the other in silence."""
    with raises(ArgumentError, "nominal"):
        claims_of(nominal)


def test_words_are_no_claims():
    """A type error, as elsewhere."""
    for nominal in ("0.9", ["0.9"], object()):
        with raises(ArgumentTypeError, "nominal"):
            claims_of(nominal)


def test_a_small_claim_may_stand_beside_a_large_one():
    """Levels of a family reach down to small coverages; only all of them small look like miss rates."""
    assert claims_of([0.1, 0.5]) == (0.1, 0.5)
    with raises(ArgumentError, "nominal"):
        claims_of([0.05, 0.1, 0.2])


def test_a_claim_is_chosen_by_its_value():
    """Up to rounding; another one is named with those there are."""
    assert place_of((0.5, 0.9), 1 - 0.1) == 1
    with raises(ArgumentError, "coverage"):
        place_of((0.5, 0.9), 0.8)
    with raises(ArgumentError, "coverage"):
        place_of((0.5, 0.9), 90)


def test_levels_are_the_decimals_that_one_would_write():
    """(1 - 0.9) / 2 is 0.04999999999999999 in floats."""
    assert [levels_of(claim) for claim in (0.9, 0.8, 0.95)] == [(0.05, 0.95), (0.1, 0.9), (0.025, 0.975)]


def test_one_pair_becomes_plain_bounds():
    """They claim what was said."""
    intervals = intervals_of_pairs(Y, {0.9: around(1)})
    assert (intervals.nominal, intervals.symmetric) == (0.9, True)
    assert np.array_equal(intervals.lower, Y - 1)


def test_several_pairs_become_levels_in_any_order():
    """The outermost bounds, and a curve by level that knows each claim."""
    intervals = intervals_of_pairs(Y, {0.9: around(3), 0.5: around(1), 0.8: around(2)})
    assert intervals.nominal == 0.9
    assert np.array_equal(intervals.upper, Y + 3)
    curve = intervals.ucc(vary="level")
    assert [curve.at(nominal=claim).bandwidth for claim in (0.5, 0.8, 0.9)] == [1, 2, 3]
    chosen = intervals_of_pairs(Y, {0.9: around(3), 0.5: around(1)}, coverage=0.5)
    assert (chosen.nominal, chosen.lower[0]) == (0.5, 0)


def test_larger_claims_must_be_wider():
    """Levels in another order than the output, or miss rates, would be believed otherwise."""
    with raises(ArgumentError, "nominal"):
        intervals_of_pairs(Y, {0.5: around(3), 0.9: around(1)})


def test_bounds_that_are_infinite_everywhere_are_no_one_sided_limit():
    """The claim is about both sides."""
    pair = (Y - 1, np.full(4, np.inf))
    for pairs in ({0.9: pair}, {0.5: around(0.5), 0.9: pair}):
        with pytest.raises(NonFiniteError):
            intervals_of_pairs(Y, pairs, y_pred=Y, hints={NonFiniteError: "More rows."})


def test_crossed_bounds_are_sorted_only_if_asked():
    """With a warning that counts them."""
    pair = (Y + np.array([1, -1, -1, -1]), Y + np.array([-1, 1, 1, 1]))
    with raises(CrossedBoundsError, "lower", count=1, first=0):
        intervals_of_pairs(Y, {0.9: pair}, crossed="raise")
    with pytest.warns(SortedRowsWarning):
        assert np.array_equal(intervals_of_pairs(Y, {0.9: pair}, crossed="sort").lower, Y - 1)
    with raises(ArgumentError, "crossed"):
        intervals_of_pairs(Y, {0.9: pair}, crossed="swap")


def test_columns_and_arrays_fit_each_other():
    """A column (n, 1) is one of (n,); other shapes are named with the claim."""
    both = {0.5: around(1), 0.9: around(2)}
    assert intervals_of_pairs(Y[:, None], both).n == 4
    assert intervals_of_pairs(Y, {c: (low[:, None], high) for c, (low, high) in both.items()}).n == 4
    with raises(ShapeError, "lower at 0.9"):
        intervals_of_pairs(Y, {0.5: around(1), 0.9: (Y[:3], Y)})


def test_an_index_that_disagrees_is_refused():
    """Also of bounds that are read one by one."""
    import pandas as pd

    y = pd.Series(Y, index=list("abcd"))
    with raises(IndexMismatchError, "upper at 0.9", count=4, first=0):
        intervals_of_pairs(y, {0.9: (y - 1, y.iloc[::-1] + 20)})
    with raises(IndexMismatchError, "output", count=4, first=0):
        intervals_of_quantiles(y, pd.DataFrame({0.1: y - 1, 0.9: y + 1}).iloc[::-1], [0.1, 0.9])


def test_a_table_of_quantiles_keeps_all_levels_or_gives_one_pair():
    """With the median as the prediction."""
    table, levels = Y[:, None] + np.array([-2, -1, 0.5, 1, 3]), [0.05, 0.25, 0.5, 0.75, 0.95]
    whole = intervals_of_quantiles(Y, table, levels)
    assert "levels=2" in repr(whole)
    assert np.array_equal(whole.y_pred, Y + 0.5)
    pair = intervals_of_quantiles(Y, table, levels, coverage=0.5)
    assert (pair.nominal, pair.upper[0], pair.y_pred[0]) == (0.5, 2.0, 1.5)
    with raises(ArgumentError, "coverage"):
        intervals_of_quantiles(Y, table, levels, coverage=0.8)
    with raises(ArgumentError, "levels"):
        intervals_of_quantiles(Y, table[:, 1:3], levels[1:3], coverage=0.8)
    with raises(ShapeError, "output"):
        intervals_of_quantiles(Y, table, [0.1, 0.9], name="alphas")


@pytest.mark.parametrize(
    "call",
    [
        lambda: adapters.from_mapie(None, np.zeros((3, 2, 2)), nominal=[0.5, 0.9]),
        lambda: adapters.from_mapie(None, np.zeros((3, 2)), nominal=0.9),
        lambda: adapters.from_crepes(None, np.zeros((3, 2)), nominal=0.9),
        lambda: adapters.from_xgboost(None, np.zeros((3, 2)), levels=[0.1, 0.9]),
        lambda: adapters.from_lightgbm(None, {0.1: Y, 0.9: Y}, coverage=0.8),
        lambda: adapters.from_numpyro(None, np.zeros((9, 3))),
        lambda: adapters.from_uq360(None, np.zeros((3, 3))),
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

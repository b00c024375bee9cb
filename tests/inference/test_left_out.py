"""Leaving groups of units out, one at a time: the quick way gives the numbers of the slow one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from strategies import cases
from uccurve.inference._estimators import estimator
from uccurve.inference._left_out import left_out
from uccurve.inference._plain_rows import plain_rows


def one_at_a_time(number, weight, blocks, groups):
    """The definition: the number of all rows but those of a group."""
    group = np.arange(blocks.n_blocks) % groups
    values = np.array([number.value(weight * (group[blocks.of_row] != g)) for g in range(groups)])
    return values.mean() - values


@given(
    cases(zero_bands=True, units=[1.0]),
    st.sampled_from(["gain_at", "bandwidth_at"]),
    st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8]),
    st.sampled_from([None, 2]),
)
@settings(max_examples=200)
def test_points_without_each_row_are_those_of_the_rows_that_stay(case, what, rate, blocks):
    """Weights, ties, zero bands and both families: the same bits, so that no interval changes."""
    try:
        rows = plain_rows({"intervals": case.intervals()}, blocks)
    except uc.exceptions.ArgumentError:  # a single unit, of which there are no others
        return
    number, _ = estimator(rows.models[0], what, {"miss_rate": rate, "vary": case.vary})
    groups = min(rows.blocks.n_blocks, 200)
    with np.errstate(all="ignore"):
        found, expected = (
            left_out([number], rows.weight, rows.blocks),
            one_at_a_time(number, rows.weight, rows.blocks, groups),
        )
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("weighted", [False, True])
def test_more_rows_than_groups_and_a_difference_of_two(weighted):
    """Two hundred groups of several rows each, for two models."""
    rng = np.random.default_rng(3)
    y, bands = rng.normal(size=700), rng.exponential(size=(2, 700))
    weight = rng.random(700) if weighted else None
    models = [uc.Intervals.from_bands(y, 0 * y, band, sample_weight=weight) for band in bands]
    rows = plain_rows({"a": models[0], "b": models[1]}, None)
    numbers = [estimator(model, "gain_at", {"coverage": 0.9})[0] for model in rows.models]
    found = left_out(numbers, rows.weight, rows.blocks)
    first, second = (one_at_a_time(number, rows.weight, rows.blocks, 200) for number in numbers)
    assert found.size == 200
    assert found == pytest.approx(first - second, abs=1e-15)

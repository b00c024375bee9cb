"""Quantiles that cross: refused with the ways out, or sorted, which is counted and warned."""

from __future__ import annotations

import warnings

import array_api_strict as strict
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex

I = uc.Intervals
NAN = float("nan")
LEVELS = [0.5, 0.1, 0.9, 0.75]
RISING = [1, 0, 3, 2]
"""The places of the levels in rising order."""


def sorted_quietly(*arguments, **options):
    """Sort, and return the warnings beside the intervals."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        intervals = I.from_quantiles(*arguments, crossed="sort", **options)
    return intervals, [warning.message for warning in caught]


@st.composite
def tables(draw):
    """Observations, quantiles in the order of `LEVELS`, and weights; ties and order by chance are likely."""
    n, outputs = draw(st.integers(1, 6)), draw(st.sampled_from([None, 1, 2]))
    shape = (n,) if outputs is None else (n, outputs)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    table = rng.integers(-3, 4, size=(*shape, len(LEVELS))) * draw(st.sampled_from([1.0, 0.5, 2.0**-300]))
    weight = rng.integers(1, 4, size=n) if draw(st.booleans()) else None
    return rng.integers(-3, 4, size=shape).astype(float), table, weight


@given(tables(), st.sampled_from([np.asarray, strict.asarray]))
@settings(max_examples=200)
def test_sorting_is_the_same_as_giving_sorted_quantiles(case, asarray):
    """With weights, ties, several outputs and any kind of array, which stays as it is; one warning counts rows."""
    y, table, weight = case
    rising = table[..., RISING]
    got, caught = sorted_quietly(asarray(y), asarray(table), LEVELS, sample_weight=weight)
    expected = I.from_quantiles(y, np.sort(rising, axis=-1), sorted(LEVELS), sample_weight=weight)
    for name in ("y_true", "y_pred", "lower", "upper", "lower_band", "upper_band"):
        np.testing.assert_array_equal(np.asarray(getattr(got, name)), getattr(expected, name))
    assert got.nominal == expected.nominal
    for name in ("parameter", "miss_rate", "bandwidth", "excess", "deficit"):
        wanted = getattr(expected.ucc(), name)
        np.testing.assert_allclose(np.asarray(getattr(got.ucc(), name)), wanted, rtol=1e-13)
    changed = (np.diff(rising, axis=-1) < 0).reshape(len(y), -1).any(axis=1)
    np.testing.assert_array_equal(table[..., RISING], rising)
    counted = [(type(warning), warning.count, warning.total, warning.first) for warning in caught]
    facts = (ex.SortedRowsWarning, changed.sum(), len(y), np.argmax(changed))
    assert counted == ([facts] if changed.any() else [])


MESSY = np.sort(np.random.default_rng(3).normal(size=(60, 5)), axis=1)
MESSY[7] = MESSY[7, [0, 2, 1, 3, 4]]
MESSY[8] = MESSY[8, [0, 1, 3, 2, 4]]
MESSY[9] = MESSY[9, ::-1]
MESSY[20:40] = MESSY[20:40, [0, 1, 2, 4, 3]]
LEVELS_OF_MESSY = [0.05, 0.25, 0.5, 0.75, 0.95]
"""Crossed inside, at the median, outside, and beside one bound: rows 7, 8, 9 and 20 to 39."""
CROSSED_ROWS = (7, 8, 9, *range(20, 40))
NAMED = [f"q{level:g}" for level in LEVELS_OF_MESSY]
SEEN = np.zeros(60)
FRAME = pd.DataFrame(MESSY, columns=NAMED).assign(y=SEEN)
DOORS = {
    "quantiles": lambda **o: I.from_quantiles(SEEN, MESSY, LEVELS_OF_MESSY, **o),
    "frame": lambda **o: I.from_frame(
        FRAME, y_true="y", quantiles=dict(zip(LEVELS_OF_MESSY, NAMED, strict=True)), **o
    ),
}


@pytest.mark.parametrize("door", DOORS)
def test_every_door_refuses_the_rows_that_sorting_sorts(door):
    """Any two neighbors, the median among them; the error and the warning count the same rows."""
    with raises(ex.CrossedBoundsError, "quantiles", count=len(CROSSED_ROWS), first=CROSSED_ROWS[0]):
        DOORS[door]()
    with pytest.warns(ex.SortedRowsWarning):
        assert DOORS[door](crossed="sort").n == 60
    with pytest.warns(ex.DroppedRowsWarning):
        kept = DOORS[door](invalid="drop")
    assert set(kept.kept.tolist()) == set(range(60)) - set(CROSSED_ROWS)
    assert kept.ucc(vary="level").area() > 0


def test_missing_inner_quantiles_are_invalid_rows():
    """Refused by their own name, or dropped and counted with the others; levels can then be varied."""
    table = np.sort(MESSY, axis=1)
    table[[3, 5], 1], table[3, 3], table[11, 4] = NAN, np.inf, NAN
    table[9] = table[9, [0, 2, 1, 3, 4]]
    y = np.where(np.arange(60) == 30, NAN, 0.0)
    with raises(ex.NonFiniteError, "quantile 0.25", count=2, first=3):
        I.from_quantiles(0 * y[:10], table[:10], LEVELS_OF_MESSY)
    with pytest.warns(ex.DroppedRowsWarning):
        rows = I.from_quantiles(y, table, LEVELS_OF_MESSY, invalid="drop")
    assert set(range(60)) - set(rows.kept.tolist()) == {3, 5, 9, 11, 30}
    assert rows.ucc(vary="level").original.nominal == 0.9


def test_missing_quantiles_keep_their_own_rule():
    """NaN is not moved to another level: the error names the one that is missing, and dropping drops it."""
    table = np.array([[2.0, 1.0, 0.0], [NAN, 1.0, 0.0], [0.0, 1.0, 2.0]])
    with pytest.warns(ex.SortedRowsWarning), raises(ex.NonFiniteError, "quantile 0.1", count=1, first=1):
        I.from_quantiles([1, 1, 1], table, [0.1, 0.5, 0.9], crossed="sort")
    with pytest.warns(ex.SortedRowsWarning), pytest.warns(ex.DroppedRowsWarning):
        kept = I.from_quantiles([1, 1, 1], table, [0.1, 0.5, 0.9], crossed="sort", invalid="drop")
    assert (kept.kept.tolist(), kept.lower.tolist()) == ([0, 2], [0, 0])


def test_given_predictions_are_not_sorted():
    """They are no quantile: outside of the sorted bounds they are refused, and None takes the median."""
    table, levels = [[2.0, 1.0, 0.0]], [0.1, 0.5, 0.9]
    assert sorted_quietly([1.0], table, levels, y_pred=[2.0])[0].y_pred.tolist() == [2]
    assert sorted_quietly([1.0], table, levels)[0].y_pred.tolist() == [1]
    with pytest.warns(ex.SortedRowsWarning), raises(ex.PredictionOutsideError, "y_pred", count=1, first=0):
        I.from_quantiles([1.0], table, levels, y_pred=[3.0], crossed="sort")


def test_crossed_columns_of_a_frame_are_swapped():
    """Only bounds, in each row and output that is crossed; predictions stay."""
    frame = pl.DataFrame({"y": [1.0, 2, 3], "p": [1.0, 2, 3], "a": [0.0, 3, 3], "b": [2.0, 1, 3]})
    names = {"y_true": "y", "lower": "a", "upper": "b"}
    with pytest.warns(ex.SortedRowsWarning) as caught:
        got = I.from_frame(frame, **names, y_pred="p", crossed="sort")
    assert str(caught[0].message) == "1 of 3 rows had crossed bounds, which were swapped; first at row 1."
    assert (got.lower.tolist(), got.upper.tolist(), got.y_pred.tolist()) == ([0, 1, 3], [2, 3, 3], [1, 2, 3])
    with pytest.warns(ex.SortedRowsWarning):
        two = I.from_frame(frame, y_true=["y", "y"], lower=["a", "b"], upper=["b", "a"], crossed="sort")
    assert two.outputs()[0].lower.tolist() == two.outputs()[1].lower.tolist() == [0, 1, 3]
    with raises(ex.CrossedBoundsError, "lower", count=1, first=1):
        I.from_frame(frame, **names)

"""Pairs that share exchanges and resamples: the same numbers as one pair at a time."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

import uccurve as uc
from uccurve._kernels import resampling
from uccurve.inference import _permutation
from uccurve.inference._blocks import Blocks
from uccurve.inference._permutation import shared_permutation_tests
from uccurve.inference._point_bootstrap import PointResamples
from uccurve.inference._point_numbers import PointEstimator, PointSpec
from uccurve.inference._presorted import Presorted

LEVELS = (0.1, 0.3, 0.5, 0.7, 0.9)


def models(n, *, weighted=False, outputs=None, ties=False, unit=1.0):
    """Three models on the same rows, with different predictions and asymmetric bands."""
    rng = np.random.default_rng(n)
    shape = n if outputs is None else (n, outputs)
    scale = rng.lognormal(sigma=0.5, size=shape)
    y = scale * rng.normal(size=shape)
    weight = rng.integers(1, 4, size=n) / 2 if weighted else None
    found = {}
    for name, power in (("flat", 0.0), ("damped", 0.5), ("sharp", 1.0)):
        columns = [y, 0.2 * rng.normal(size=shape), scale**power, scale**power * rng.uniform(0.5, 2, shape)]
        if ties:
            columns = [np.round(2 * column) / 2 + (place > 1) for place, column in enumerate(columns)]
        found[name] = uc.Intervals.from_bands(*(unit * column for column in columns), sample_weight=weight)
    return found


def pairs(**options):
    """All pairs of them."""
    flat, damped, sharp = models(**options).values()
    return {"one": (flat, damped), "two": (flat, sharp), "three": (damped, sharp)}


def assert_same(test, other):
    """Equal, the statistic up to its rounding."""
    assert test.statistic == pytest.approx(other.statistic, rel=1e-11, abs=0)
    assert replace(test, statistic=0.0) == replace(other, statistic=0.0)


AREAS = [{}, {"y": "deficit"}, {"x": "excess"}, {"vary": "shift"}]


@pytest.mark.slow
@pytest.mark.parametrize("area", AREAS, ids=str)
@pytest.mark.parametrize(
    ("rows", "blocks"),
    [
        ({"n": 150}, None),
        ({"n": 150, "weighted": True, "ties": True}, None),
        ({"n": 90, "outputs": 2}, 3),
        ({"n": 7}, None),
        ({"n": 2}, None),
        ({"n": 60, "unit": 2.0**-200}, None),
        ({"n": 60, "unit": 2.0**200}, None),
    ],
    ids=str,
)
def test_each_pair_has_the_test_that_it_has_alone(area, rows, blocks):
    """With the seed that all pairs share."""
    both = pairs(**rows)
    shared = shared_permutation_tests(both, n_resamples=199, blocks=blocks, seed=5, **area)
    for name, (a, b) in both.items():
        alone = uc.permutation_test(a, b, n_resamples=199, blocks=blocks, rng=5, **area)
        assert_same(shared[name], alone)


def test_columns_of_models_serve_all_their_pairs(monkeypatch):
    """Six pairs of four models: two columns for each model, in one product, instead of twelve."""
    widths = []
    plain = resampling.subset_sums
    monkeypatch.setattr(
        resampling,
        "subset_sums",
        lambda columns, bits: widths.append(columns.shape[1]) or plain(columns, bits),
    )
    rows = list(models(n=100).values())
    rows.append(rows[0].constant())
    both = dict(enumerate(itertools.combinations(rows, 2)))
    shared = shared_permutation_tests(both, n_resamples=99, blocks=None, seed=0)
    assert widths == [8]
    for place, (a, b) in both.items():
        assert_same(shared[place], uc.permutation_test(a, b, n_resamples=99, rng=0))
    assert widths[1:] == [2] * 6


def test_batches_of_pairs_change_nothing(monkeypatch):
    """Every batch draws the same exchanges."""
    both = pairs(n=100)
    options = {"n_resamples": 99, "blocks": None, "seed": 2}
    at_once = shared_permutation_tests(both, **options)
    monkeypatch.setattr(_permutation, "_NUMBERS_AT_ONCE", 1)
    assert shared_permutation_tests(both, **options) == at_once


def test_a_draw_that_leaves_the_window_is_computed_from_all_rows(monkeypatch):
    """The window is too short for almost every draw."""
    a, b = pairs(n=200, weighted=True)["one"]
    options = {"statistic": "gain_at", "miss_rate": 0.3, "n_resamples": 99, "rng": 2}
    expected = uc.permutation_test(a, b, **options)
    monkeypatch.setattr("uccurve.inference._point_exchange._DEVIATIONS", 0.01)
    assert uc.permutation_test(a, b, **options) == expected


def test_pairs_that_are_not_defined_are_left_out():
    """A row with no band is never captured by scaling."""
    good, other = uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], [1, 1, 2]), [1, 0, 1]
    bad = uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], other)
    fine = uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], [2, 1, 1])
    found = shared_permutation_tests(
        {"bad": (good, bad), "good": (good, fine)}, n_resamples=99, blocks=None, seed=0
    )
    assert list(found) == ["good"]


@pytest.mark.parametrize("what", ["bandwidth_at", "gain_at"])
@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("deviations", [8.0, 0.01])
@pytest.mark.parametrize("rows", [{"n": 400}, {"n": 300, "weighted": True, "ties": True}, {"n": 1}, {"n": 3}])
def test_resampled_points_are_those_of_all_rows(monkeypatch, what, rate, deviations, rows):
    """Looking at rows near the point only is a shortcut, whatever the window."""
    monkeypatch.setattr("uccurve.inference._point_bootstrap._DEVIATIONS", deviations)
    intervals = models(**rows)["sharp"]
    n = intervals.n
    weight = np.ones(n) if intervals.sample_weight is None else intervals.sample_weight
    plain = intervals._of(intervals._columns._replace(weight=None))
    number = PointEstimator(
        PointSpec(what=what, miss_rate=rate), Presorted(plain, uc.UCC(plain)._data.family)
    )
    blocks = Blocks(np.arange(n), n)
    rng = np.random.default_rng(7)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=12).astype(float)
    found = PointResamples([number], weight, blocks).values(counts)[:, 0]
    expected = [number.value(weight * count) for count in counts]
    assert found == pytest.approx(expected, rel=1e-13, nan_ok=True)


def test_rows_that_are_never_captured_leave_resampled_points_undefined():
    """As they do on all rows: the bandwidth is infinite."""
    intervals = uc.Intervals.from_bands([1.0, 2.0, 3.0, 4.0], np.zeros(4), [0.0, 1.0, 1.0, 2.0])
    number = PointEstimator(
        PointSpec(what="bandwidth_at", miss_rate=0.3), Presorted(intervals, uc.UCC(intervals)._data.family)
    )
    counts = np.array([[2.0, 1.0, 1.0, 0.0], [0.0, 2.0, 1.0, 1.0]])
    found = PointResamples([number], np.ones(4), Blocks(np.arange(4), 4)).values(counts)[:, 0]
    assert math.isnan(found[0])
    assert found[1] == number.value(counts[1])


@pytest.mark.parametrize("n", [1, 7, 8, 1023, 1024, 1025, 3000])
@pytest.mark.parametrize("subsets", [1, 127, 129])
def test_subset_sums_are_sums_over_subsets(n, subsets):
    """Whole numbers add up exactly, across the parts that are multiplied at once."""
    rng = np.random.default_rng(n)
    columns = rng.integers(-50, 50, size=(n, 3)).astype(float)
    bits = rng.integers(0, 2, size=(subsets, n), dtype=np.uint8)
    drawn = np.packbits(bits, axis=1, bitorder="little")
    assert np.array_equal(resampling.subset_sums(columns, drawn), bits.astype(float) @ columns)

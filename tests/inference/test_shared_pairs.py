"""Pairs that share exchanges and resamples: the same numbers as one pair at a time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import uccurve as uc
from uccurve.inference._permutation import shared_permutation_tests


def models(n, *, weighted=False, outputs=None, ties=False):
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
        found[name] = uc.Intervals.from_bands(*columns, sample_weight=weight)
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

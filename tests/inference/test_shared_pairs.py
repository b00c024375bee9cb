"""Pairs that share exchanges and resamples: the same numbers as one pair at a time."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import uccurve as uc
from uccurve.inference import Sample, Statistic, permutation_tests


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
    three = models(**rows)
    asked, pairs = Statistic(what="area", **area), list(combinations(three, 2))
    sample = Sample.of(three, blocks, asked.vary)
    shared = permutation_tests(sample, pairs, asked, 199, np.random.default_rng(5))
    for a, b in pairs:
        alone = uc.permutation_test(three[a], three[b], n_resamples=199, blocks=blocks, rng=5, **area)
        assert_same(shared[a, b], alone)


def test_pairs_that_are_not_defined_are_left_out():
    """A row with no band is never captured by scaling."""
    good, other = uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], [1, 1, 2]), [1, 0, 1]
    bad = uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], other)
    fine = uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], [2, 1, 1])
    sample = Sample.of({"good": good, "bad": bad, "fine": fine}, None)
    pairs = [("good", "bad"), ("good", "fine")]
    found = permutation_tests(sample, pairs, Statistic(what="area"), 99, np.random.default_rng(0))
    assert list(found) == pairs[1:]

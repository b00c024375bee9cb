"""Pairs that share exchanges and resamples: the same numbers as one pair at a time."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import uccurve as uc
from uccurve.inference import Sample, Statistic, permutation_tests


def models(n, outputs=1):
    """Three models on the same rows, with different predictions and asymmetric bands."""
    rng = np.random.default_rng(n)
    scale = rng.lognormal(sigma=0.5, size=(n, outputs))
    y = scale * rng.normal(size=(n, outputs))
    return {
        name: uc.Intervals.from_bands(
            y, 0.2 * rng.normal(size=y.shape), scale**power, scale**power * rng.uniform(0.5, 2, y.shape)
        )
        for name, power in (("flat", 0.0), ("damped", 0.5), ("sharp", 1.0))
    }


@pytest.mark.slow
@pytest.mark.parametrize("area", [{}, {"y": "deficit"}, {"x": "excess"}, {"vary": "shift"}], ids=str)
@pytest.mark.parametrize(("rows", "blocks"), [((150,), None), ((90, 2), 3), ((7,), None)])
def test_each_pair_has_the_test_that_it_has_alone(area, rows, blocks):
    """With the seed that all pairs share; the statistic up to its rounding."""
    three = models(*rows)
    asked, pairs = Statistic(what="area", **area), list(combinations(three, 2))
    sample = Sample.of(three, blocks, asked.vary)
    shared = permutation_tests(sample, pairs, asked, 199, np.random.default_rng(5))
    for a, b in pairs:
        alone = uc.permutation_test(three[a], three[b], n_resamples=199, blocks=blocks, rng=5, **area)
        assert shared[a, b].statistic == pytest.approx(alone.statistic, rel=1e-11, abs=0)
        assert replace(shared[a, b], statistic=0.0) == replace(alone, statistic=0.0)


def test_pairs_that_are_not_defined_are_left_out():
    """A row with no band is never captured by scaling."""
    good, other = uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], [1, 1, 2]), [1, 0, 1]
    bad = uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], other)
    fine = uc.Intervals.from_bands([1, 2, 3], [0, 0, 0], [2, 1, 1])
    sample = Sample.of({"good": good, "bad": bad, "fine": fine}, None)
    pairs = [("good", "bad"), ("good", "fine")]
    found = permutation_tests(sample, pairs, Statistic(what="area"), 99, np.random.default_rng(0))
    assert list(found) == pairs[1:]

"""Measures of one model's intervals: ratios, cross-overs, and their spread over seeds."""

from __future__ import annotations

import math

import numpy as np
import pytest

import uccurve as uc
from casestudies import measures


def test_a_cross_over_is_clear_only_if_the_curves_swap_once_and_not_by_chance():
    """The page claims no other; a number comes out in any case."""
    rng = np.random.default_rng(13)
    n = 400
    large = np.arange(n) < n / 4
    error = np.where(large, 1 + 0.2 * rng.normal(size=n), 0.1 * rng.normal(size=n))
    noise = 1 + np.abs(rng.normal(size=n))
    size, band = np.repeat([[1.0, 0.05, 0.001], [0.8, 0.1, 0.5]], (80, 120, 200), axis=1)
    cases = {
        "once": (error, np.where(large, 0.6, 0.1)),
        "by chance": (noise, 1 + 0.02 * rng.uniform(size=n)),
        "twice": (size * noise, band),
        "the other way round": (np.linspace(1, 4, n), np.linspace(1, 4, n) ** -2.0),
    }
    found = {
        name: measures.measure(uc.Intervals.from_bands(y, 0 * y, band), rates=(0.2,), n_resamples=99)
        for name, (y, band) in cases.items()
    }
    assert [name for name, one in found.items() if one["clear"]] == ["once"]
    once = found["once"]
    assert 0.1 < once["crossover"]["low"] <= once["crossover"]["value"] <= once["crossover"]["high"] < 0.5
    assert once["below"]["low"] > 0 > once["above"]["high"]
    reverse = found["the other way round"]
    assert [reverse[name] for name in ("crossover", "below", "above")] == [None] * 3


def test_seeds_without_a_number_are_left_out_of_the_spread():
    """Seeds are a sample; one without a cross-over has no place for it."""
    found = measures.summarize([1.0, 2.0, 6.0])
    assert found == {"mean": 3.0, "sd": pytest.approx(math.sqrt(7)), "low": 1.0, "high": 6.0}
    records = [{"at": {"value": 1.0, "low": 0.0}}, {"at": None}, {"at": {"value": 3.0, "low": 0.0}}]
    assert measures.summarize_seeds(records) == {"at": measures.summarize([1.0, 3.0])}
    assert measures.summarize_seeds([{"at": None}, {"at": None}]) == {"at": None}

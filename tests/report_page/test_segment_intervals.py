"""Intervals of a segment's coverage, against what defines them."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from uccurve.report_page._segments import segments

RATES = np.array([0.05, 0.1, 0.3, 0.6])


def compared(n=600, **options):
    """Constant bands where one region is noisier, and a tiny one that is far off by chance."""
    rng = np.random.default_rng(7)
    noise = np.repeat([0.6, 1.8], n // 2)
    y = noise * rng.normal(size=n)
    y[:3] = [9.0, 0.1, 0.1]
    region = np.repeat(["calm", "wild"], n // 2)
    region[:3] = "tiny"
    rows = uc.Intervals.from_bands(y, 0 * y, np.ones(n), sample_weight=rng.integers(1, 3, size=n))
    return uc.compare({"m": rows}, by=region, n_resamples=9, rng=0, **options)


def flags(comparison):
    """The flags of each segment, in the order of the labels."""
    return [part["curves"][0]["flag"] for part in segments(comparison, RATES)]


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_flags_are_those_of_conditional_coverage(vary):
    """One rule, at every operating point that the page can show."""
    comparison = compared(vary=vary)
    found = flags(comparison)
    for place, rate in enumerate(RATES):
        asked = uc.conditional_coverage(comparison.models["m"], by=comparison.options.by, coverage=1 - rate)
        assert [flag[place] == "1" for flag in found] == [part.significant for part in asked.segments]
    assert found[2][0] == "1"


def test_an_operating_point_that_no_scale_reaches_is_not_flagged():
    """Where bands of zero keep rows missed, there is no point to fall short of."""
    y = np.array([1.0, 0.0, 0.0, 0.0, 2.0, 0.0])
    rows = uc.Intervals.from_bands(y, 0 * y, [0.0, 1, 1, 1, 0, 1])
    comparison = uc.compare({"m": rows}, by=list("aaabbb"), n_resamples=9, rng=0)
    assert flags(comparison) == ["0000", "0000"]

"""The mark of segments that fall short: significance, not a number of points."""

from __future__ import annotations

import numpy as np
import pytest

import uccurve as uc
from uccurve.report_page import _payload

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


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_marks_are_those_of_conditional_coverage(vary):
    """One rule, at every operating point that the page can show."""
    comparison = compared(vary=vary)
    parts = _payload._segments(comparison, RATES)
    assert [part["model"] for part in parts] == ["m"] * 3
    for place, rate in enumerate(RATES):
        found = uc.conditional_coverage(comparison.models["m"], by=comparison.options.by, coverage=1 - rate)
        expected = [part.significant and part.difference < 0 for part in found.segments]
        assert [part["short"][place] == "1" for part in parts] == expected
    assert parts[2]["short"][0] == "1"


def test_few_rows_far_off_are_not_marked():
    """One of three rows missed where 95 % are covered: 28 points off, and nothing is known."""
    calm, tiny, wild = (part["short"] for part in _payload._segments(compared(), RATES))
    assert (calm, tiny[:3]) == ("0000", "000")
    assert wild[:2] == "11"


def test_blocks_make_marks_rarer():
    """Rows that depend on each other tell less."""
    alone, together = (_payload._segments(compared(blocks=blocks), RATES) for blocks in (None, 150))
    assert sum(part["short"].count("1") for part in together) < sum(p["short"].count("1") for p in alone)
    assert [part["coverage"] for part in alone] == [part["coverage"] for part in together]


def test_an_operating_point_that_no_scale_reaches_is_not_marked():
    """Where bands of zero keep rows missed, there is no point to fall short of."""
    y = np.array([1.0, 0.0, 0.0, 0.0, 2.0, 0.0])
    rows = uc.Intervals.from_bands(y, 0 * y, [0.0, 1, 1, 1, 0, 1])
    comparison = uc.compare({"m": rows}, by=list("aaabbb"), n_resamples=9, rng=0)
    assert [part["short"] for part in _payload._segments(comparison, RATES)] == ["0000", "0000"]

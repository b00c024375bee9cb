"""Intervals of a segment's coverage, against what defines them."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

from uccurve.report_page._packed import packed_shares
from uccurve.report_page._segment_intervals import coverage_intervals, wilson


@pytest.mark.parametrize(("share", "n"), [(0.9, 40), (0.5, 7), (0.0, 12), (1.0, 3), (0.73, 1000.5)])
def test_the_ends_of_wilson_s_interval_are_where_the_score_test_turns(share, n):
    """At each end p, the distance from the share is z standard errors under p."""
    z = NormalDist().inv_cdf(0.975)
    for end in wilson(np.array([share]), n, 0.95):
        if 0 < end[0] < 1:
            assert abs(share - end[0]) == pytest.approx(z * math.sqrt(end[0] * (1 - end[0]) / n))


def test_a_flag_allows_for_the_number_of_segments():
    """What is significant alone need not be so among a hundred, and a missing coverage never is."""
    coverage, chosen = np.array([0.8, 0.6, np.nan]), np.full(3, 0.9)
    few, many = (
        coverage_intervals(coverage, chosen, 60, confidence_level=0.95, n_tests=tests) for tests in (1, 100)
    )
    assert few.flag.tolist() == [True, True, False]
    assert many.flag.tolist() == [False, True, False]
    assert few.low.tolist()[:2] == many.low.tolist()[:2]


@pytest.mark.parametrize(("bits", "size"), [(16, 2), (32, 4)])
def test_packed_shares_keep_their_ends_and_what_is_missing(bits, size):
    """0, 1 and NaN exactly, everything else to one part in as many."""
    import base64

    values = np.array([0.0, 1.0, np.nan, 0.123456789])
    found = np.frombuffer(base64.b64decode(packed_shares(values, bits)), f"<u{size}")
    top = 2**bits - 1
    assert found[:3].tolist() == [0, top - 1, top]
    assert found[3] / (top - 1) == pytest.approx(values[3], abs=1 / top)

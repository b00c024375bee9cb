"""What segments of a comparison cover at its point, marked where that is significant."""

from __future__ import annotations

import math

import numpy as np
import pytest

import uccurve as uc


def regions(n=400, *, bands=None):
    """A calm and a wild region under bands of one width."""
    rng = np.random.default_rng(3)
    y = np.repeat([0.6, 1.8], n // 2) * rng.normal(size=n)
    rows = uc.Intervals.from_bands(y, 0 * y, np.ones(n) if bands is None else bands)
    return {"m": rows}, np.repeat(["calm", "wild"], n // 2)


@pytest.mark.parametrize("blocks", [None, 5])
def test_segments_are_judged_by_conditional_coverage(blocks):
    """The same numbers, at the coverage of the comparison; constant bands are not judged."""
    models, region = regions()
    options = {"blocks": blocks, "confidence_level": 0.9}
    found = uc.compare(models, by=region, coverage=0.8, n_resamples=9, rng=0, **options).segments
    expected = uc.conditional_coverage(models["m"], by=region, coverage=0.8, **options)
    judged = [row for row in found if row.score.model == "m"]
    for row, part in zip(judged, expected.segments, strict=True):
        assert row.segment == part.segment
        found_there = row.coverage_at
        assert (found_there.value, found_there.low, found_there.high) == (part.coverage, part.low, part.high)
        assert found_there.significant == part.significant
    assert [row.coverage_at.significant for row in judged] == [True, True]
    others = [row for row in found if row.score.model != "m"]
    assert others
    assert all(math.isnan(row.coverage_at.value) and not row.coverage_at.significant for row in others)


def test_the_printed_table_marks_what_is_significant():
    """A star behind the interval, explained in the title."""
    models, region = regions()
    text = repr(uc.compare(models, by=region, n_resamples=9, rng=0).segments)
    assert text.startswith("Segments; ✱ covers significantly more or less than all rows\n")
    assert text.count("] ✱") == 2
    assert "coverage at 90%" in text
    assert "significant" not in text.splitlines()[1]
    even = repr(uc.compare(models, by=np.tile(["a", "b"], 200), n_resamples=9, rng=0).segments)
    assert "] ✱" not in even


def test_a_point_out_of_reach_leaves_segments_without_a_coverage():
    """Bands of zero keep rows missed at any scale."""
    models, region = regions(bands=np.tile([0.0, 1.0], 200))
    found = uc.compare(models, by=region, n_resamples=9, rng=0).segments
    assert all(math.isnan(row.coverage_at.value) for row in found)

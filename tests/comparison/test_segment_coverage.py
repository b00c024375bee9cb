"""What segments of a comparison cover at its point, marked where that is significant."""

from __future__ import annotations

import math
import re

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


def spread(below, above, n=300):
    """Two models in ten regions, of which some have larger errors than the widths say, and some smaller ones."""
    rng = np.random.default_rng(0)
    scale = np.concatenate([np.full(below, 2.0), np.full(above, 0.4), np.ones(10 - below - above)])
    y = np.repeat(scale, n) * rng.normal(size=10 * n)
    widths = {"constant": np.ones(10 * n), "better": np.repeat(np.sqrt(scale), n)}
    models = {name: uc.Intervals.from_bands(y, 0 * y, band) for name, band in widths.items()}
    return models, np.repeat([f"region {place}" for place in range(10)], n)


def test_segments_that_are_off_are_named_with_the_evidence():
    """Of the recommended model in the verdict, below first, by how far the interval ends from 90%; three of them."""
    models, region = spread(4, 1, n=800)
    found = uc.compare(models, by=region, n_resamples=199, rng=0)
    assert found.recommendation.best == "better"
    below, above = re.split(r"(?<=\.) (?=\d of)", found.recommendation.segments)
    assert below.startswith("4 of 10 segments are significantly below 90%: region ")
    assert below.endswith("; and 1 more.")
    assert above.startswith("6 of 10 segments are significantly above 90%: region 4, better 99.9% (")
    named = re.findall(r"region \d, (\w+) [\d.]+% \(95% CI [\d.]+–([\d.]+)%", below)
    assert [model for model, _ in named] == ["better"] * 3
    highs = [float(high) for _, high in named]
    assert highs == sorted(highs)
    assert max(highs) < 90
    others = [line for line in found.findings if "segments" in line and ", constant " in line]
    assert [line.partition(" 90%")[0].split()[-1] for line in others] == ["below", "above"]
    alone = uc.compare({"m": models["better"]}, by=region, n_resamples=9, rng=0).recommendation.segments
    assert re.match(r"4 of 10 segments are significantly below 90%: region \d \d+% \(", alone)


def test_parts_are_held_against_what_all_rows_cover():
    """75% where 70% are asked for: many rows are tied."""
    place = np.arange(200)
    y = np.concatenate([1.5 * (place >= 120), 2.0 * (place >= 100) + 7.0 * (place >= 180)])
    rows = uc.Intervals.from_bands(y, 0 * y, np.repeat([1.0, 2.0], 200) + 1e-5 * (np.arange(400) % 2))
    found = uc.compare({"m": rows}, by=np.repeat(["calm", "wild"], 200), coverage=0.7, n_resamples=9, rng=0)
    assert "At 75% overall, m covers 90% of" in found.verdict
    assert "significantly below the 75% of all rows: calm 60% (" in found.verdict


def test_segments_that_are_not_off_are_counted():
    """One segment, or none, is not worth a word."""
    models, region = spread(0, 0)
    comparison = uc.compare(models, by=region, n_resamples=9, rng=0)
    sentence = "None of the 10 segments differs significantly from 90%."
    assert comparison.recommendation.segments == sentence
    assert comparison.findings.count(sentence) == comparison.verdict.count(sentence) == 1
    truth, other = (uc.compare(models, by=by, n_resamples=9, rng=0) for by in (np.zeros(3000), None))
    assert truth.recommendation.segments == other.recommendation.segments == ""

"""What intervals cover in every segment: shares, bins, labels, weights, outputs and bad arguments."""

from __future__ import annotations

import dataclasses
import itertools
import math
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest

import uccurve as uc


def covered_or_not(covered, half_width=1.0, **options):
    """Intervals around 0 that cover as asked for, whatever their width."""
    covered = np.asarray(covered, dtype=bool)
    band = np.broadcast_to(np.asarray(half_width, dtype=float), covered.shape)
    return uc.Intervals.from_bands(np.where(covered, 0.5, 2.0) * band, 0 * band, band, **options)


def exact_shares(covered, weight, labels):
    """The weighted share of each label, in fractions."""
    return {
        label: sum(Fraction(w) for c, w, k in zip(covered, weight, labels, strict=True) if k == label and c)
        / sum(Fraction(w) for w, k in zip(weight, labels, strict=True) if k == label)
        for label in sorted(set(labels))
    }


@pytest.mark.parametrize("seed", range(5))
def test_coverages_are_weighted_shares(seed):
    """Against fractions, with whole weights, zeros among them, and labels in no order."""
    rng = np.random.default_rng(seed)
    covered, weight = rng.random(60) < 0.7, rng.integers(0, 4, size=60)
    labels = rng.choice(["c", "a", "b"], size=60).tolist()
    found = uc.conditional_coverage(covered_or_not(covered, sample_weight=weight), by=labels)
    exact = exact_shares(covered.tolist(), weight.tolist(), labels)
    assert [part.segment for part in found.segments] == list(exact)
    for part, share in zip(found.segments, exact.values(), strict=True):
        assert part.coverage == pytest.approx(float(share), rel=1e-14)
        assert part.low <= part.coverage <= part.high
        rows = [
            (w, c) for w, c, k in zip(weight, covered, labels, strict=True) if k == part.segment and w > 0
        ]
        assert part.n == len(rows)
        off = sum((w * (c - share)) ** 2 for w, c in rows) / (share * (1 - share))
        squares = max(sum(w * w for w, _ in rows), off)
        assert part.effective_n == pytest.approx(float(sum(w for w, _ in rows) ** 2 / squares))
    assert found.lowest_coverage == min(part.coverage for part in found.segments)


def test_heavy_rows_that_are_missed_more_often_count_as_fewer():
    """Kish's number holds where misses do not depend on the weights; the linearized variance knows better."""
    missed, weight = np.zeros(1000), np.ones(1000)
    missed[:10] = missed[20:30] = 2.0  # of 20 heavy rows 10, of 980 light ones 10
    weight[:20] = 10
    rows = uc.Intervals.from_bands(missed, np.zeros(1000), 1.0, sample_weight=weight)
    (part,) = uc.conditional_coverage(rows, by=np.zeros(1000, dtype=int)).segments
    share = 1 - 110 / 1180
    variance = np.sum((weight * ((missed == 0) - share)) ** 2) / 1180**2
    assert part.effective_n == pytest.approx(share * (1 - share) / variance)
    found = uc.confidence_interval(rows, "coverage")
    assert (part.low, part.high) == pytest.approx((found.low, found.high))
    pairs = np.append(np.arange(999), 998)  # one block of two rows, all others of one
    (blocked,) = uc.conditional_coverage(rows, by=np.zeros(1000, dtype=int), blocks=pairs).segments
    assert blocked.effective_n == pytest.approx(part.effective_n, rel=0.02)
    assert uc.confidence_interval(rows[20:], "coverage").reliable
    assert not uc.confidence_interval(rows[np.r_[7:12, 20:1000]], "coverage").reliable


def test_intervals_know_the_number_of_rows_and_of_segments():
    """Nine of ten is a hint, 900 of 1000 is knowledge; with more segments each interval is wider."""
    few, many = [True] * 9 + [False], [True] * 900 + [False] * 100
    (small,) = uc.conditional_coverage(covered_or_not(few), by=[0] * len(few)).segments
    (large,) = uc.conditional_coverage(covered_or_not(many), by=[0] * len(many)).segments
    assert small.high - small.low > 5 * (large.high - large.low)
    assert (small.low, small.high) == pytest.approx((0.5549839, 0.9974714), abs=1e-6)  # published tables
    ten = uc.conditional_coverage(covered_or_not(10 * few), by=np.repeat(np.arange(10), 10))
    assert ten.segments[0].low < small.low


def test_a_mark_means_significant_not_far_off():
    """Two of four are 40 points off and may be chance; 85% of 2000 rows are 5 off and are not."""
    few, many = [True, True, False, False], np.arange(2000) % 20 < 17
    found = uc.conditional_coverage(
        covered_or_not([*few, *many], nominal=0.9), by=[0] * 4 + [1] * 2000, name="site"
    )
    assert [part.significant for part in found.segments] == [False, True]
    assert found.largest_shortfall == pytest.approx(0.05)
    assert found.lowest_coverage == 0.5
    assert found.significant == found.segments[1:]
    assert repr(found).splitlines() == [
        "Coverage by site, 90.0% expected: 1 of 2 segments significantly below, 0 above",
        "segment      n  coverage         95% CI  half-width  significant",
        "      0      4     50.0%   4.7 to 95.3%           1  no",
        "      1  2,000     85.0%  83.1 to 86.7%           1  below",
    ]


def test_a_difference_that_prints_as_none_is_not_marked():
    """Many rows make the least difference significant; below 0.05 percentage points it is none."""
    covered = np.ones(40_000)
    for claim, marked in ((0.9997, False), (0.999, True)):
        (found,) = uc.conditional_coverage(covered_or_not(covered, nominal=claim), by=[0] * 40_000).segments
        assert claim < found.low
        assert found.significant is marked


def test_what_is_expected_is_the_claim_or_the_coverage_of_all_rows():
    """Intervals that claim nothing are held against themselves."""
    rows = [True] * 70 + [False] * 30
    assert uc.conditional_coverage(covered_or_not(rows, nominal=0.95)).expected == 0.95
    assert uc.conditional_coverage(covered_or_not(rows)).expected == pytest.approx(0.7)
    moved = uc.conditional_coverage(covered_or_not(rows, nominal=0.95), coverage=0.9)
    assert (moved.expected, moved.parameter) == (1.0, 2.0)  # rows are captured at 0.5 and at 2


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_moved_intervals_cover_what_the_curve_says(vary):
    """Weighted segments add up to the operating point, and so do the mean half widths."""
    rng = np.random.default_rng(3)
    y, weight = rng.normal(size=200), rng.integers(1, 4, size=200)
    bands = rng.uniform(0.2, 2, size=(2, 200))
    rows = uc.Intervals.from_bands(y, 0 * y, *bands, sample_weight=weight)
    found = uc.conditional_coverage(rows, by="prediction", bins=1, coverage=0.8, vary=vary)
    point = rows.ucc(vary=vary).at(coverage=0.8)
    (part,) = found.segments
    assert (found.parameter, found.coverage) == (point.parameter, pytest.approx(point.coverage))
    assert part.half_width == pytest.approx(point.bandwidth)
    by_curve = uc.conditional_coverage(rows.ucc(vary=vary), by="prediction", bins=1, coverage=0.8)
    assert by_curve == found


def test_equal_widths_share_a_bin():
    """Ties are never split, so that there are fewer bins; labels say what is in each."""
    width = np.repeat([1.0, 2.0, 4.0], [50, 3, 47])
    found = uc.conditional_coverage(covered_or_not(np.ones(100), width), bins=10)
    assert [(part.segment, part.n) for part in found.segments] == [("1", 50), ("2", 3), ("4", 47)]
    assert found.by == "half-width"


def test_widths_that_differ_by_rounding_are_equal():
    """A constant width around predictions of any size is one segment, though its bounds are rounded."""
    y_pred = np.random.default_rng(0).normal(size=500) * 1000
    rows = uc.Intervals.from_bounds(y_pred, y_pred - 0.1, y_pred + 0.1)
    assert len(set((rows.upper - rows.lower).tolist())) > 1
    assert len(uc.conditional_coverage(rows).segments) == 1


def expected_bins(values, weight, bins):
    """Smallest and largest value and rows of each bin: a run of equal values goes where its middle falls."""
    total, before, found = sum(map(Fraction, weight)), Fraction(0), {}
    for value, run in itertools.groupby(sorted(zip(values, weight, strict=True)), key=lambda pair: pair[0]):
        own = [Fraction(w) for _, w in run]
        place = math.floor(bins * (before + sum(own) / 2) / total)
        found.setdefault(place, []).extend([value] * len(own))
        before += sum(own)
    return [(members[0], members[-1], len(members)) for members in found.values()]


@pytest.mark.parametrize("bins", [1, 2, 3, 7])
@pytest.mark.parametrize("n", [1, 2, 3, 10, 40])
def test_bins_follow_their_formula(n, bins):
    """Against fractions: ties, weights, more bins than values."""
    rng = np.random.default_rng(10 * n + bins)
    for _ in range(10):
        values, weight = rng.integers(0, 12, size=n).astype(float), rng.integers(1, 5, size=n) / 4
        rows = covered_or_not(np.ones(n), sample_weight=weight)
        found = uc.conditional_coverage(rows, by=values, bins=bins)
        assert [(part.lowest, part.highest, part.n) for part in found.segments] == expected_bins(
            values.tolist(), weight.tolist(), bins
        )


def test_one_sided_limits_are_divided_by_their_distance():
    """A limit has no width."""
    rows = uc.Intervals.from_bounds([0, 3, 0, 9], upper=[1, 2, 5, 8], y_pred=[0, 0, 0, 0])
    found = uc.conditional_coverage(rows, bins=2)
    assert found.by == "distance to the limit"
    assert [(p.segment, p.coverage, p.half_width) for p in found.segments] == [
        ("1 to 2", 0.5, 1.5),
        ("5 to 8", 0.5, 6.5),
    ]


def test_several_outputs_have_widths_of_their_own():
    """Each output of a row falls into its own bin; outputs of one row count for less than as many rows."""
    covered = np.array([[True, False]] * 10 + [[True, True]] * 10)
    width = np.tile([1.0, 3.0], (20, 1))
    found = uc.conditional_coverage(covered_or_not(covered, width))
    assert [(p.segment, p.n, p.effective_n, p.coverage) for p in found.segments] == [
        ("1", 20, 20, 1.0),
        ("3", 20, 20, 0.5),
    ]
    alike = np.repeat(np.arange(40) % 10 < 9, 3).reshape(40, 3)
    (labeled,) = uc.conditional_coverage(covered_or_not(alike), by=["all"] * 40).segments
    assert labeled.n == 120
    assert 35 < labeled.effective_n <= 40


def test_blocks_that_are_covered_together_count_once():
    """Rows of a block that are all alike are one row; blocks of one row each change nothing."""
    covered, label = np.repeat(np.arange(40) % 10 < 9, 5), np.repeat([0, 1], 100)
    rows = covered_or_not(covered)
    together = uc.conditional_coverage(rows, by=label, blocks=5)
    single = uc.conditional_coverage(rows, by=label, blocks=np.arange(200))
    assert all(17 < part.effective_n <= 20 for part in together.segments)
    assert single == uc.conditional_coverage(rows, by=label)
    (one_block,) = uc.conditional_coverage(rows, by=[0] * 200, blocks=200).segments
    assert one_block.effective_n == 1


SEGMENTS, BLOCKS_OF_EACH, ROWS_OF_EACH = 16, 4, 7


def in_blocks(rng, *, crossed, shared, poor=0.9):
    """Intervals that claim 90%, their segments and blocks; errors of a block are shared to a part.

    The blocks lie in one segment each, or run through all of them. The first segment covers ``poor``.
    """
    segment = np.repeat(np.arange(SEGMENTS), BLOCKS_OF_EACH * ROWS_OF_EACH)
    cell = np.repeat(np.arange(SEGMENTS * BLOCKS_OF_EACH), ROWS_OF_EACH)
    block = cell % BLOCKS_OF_EACH if crossed else cell
    noise = np.sqrt(shared) * rng.normal(size=cell[-1] + 1)[block]
    noise += np.sqrt(1 - shared) * rng.normal(size=segment.size)
    limit = np.where(segment == 0, NormalDist().inv_cdf(poor), NormalDist().inv_cdf(0.9))
    return covered_or_not(noise <= limit, nominal=0.9), segment, block


@pytest.mark.parametrize("crossed", [False, True], ids=["nested", "crossed"])
@pytest.mark.parametrize("shared", [0.0, 0.3, 0.9])
def test_few_false_marks_with_and_without_shared_errors(crossed, shared):
    """All segments at once, at 5%: exact intervals of shares are cautious, and none is far off."""
    rng = np.random.default_rng(1)
    marked = 0
    for _ in range(50):
        rows, segment, block = in_blocks(rng, crossed=crossed, shared=shared)
        marked += bool(uc.conditional_coverage(rows, by=segment, blocks=block).significant)
    assert marked <= 6  # at a size of 5% more have a probability of 1%


def test_a_poor_segment_of_few_blocks_is_found():
    rng = np.random.default_rng(2)
    found = 0
    for _ in range(40):
        rows, segment, block = in_blocks(rng, crossed=False, shared=0.0, poor=0.5)
        found += uc.conditional_coverage(rows, by=segment, blocks=block).segments[0].significant
    assert found >= 30


def test_frames_come_back_in_the_library_of_the_rows():
    """The name of a column of labels is kept."""
    frame = pl.DataFrame({"y": [0.0, 3.0, 0.0], "pred": [0.0] * 3, "std": [1.0] * 3, "site": ["a", "b", "b"]})
    rows = uc.Intervals.from_frame(frame, y_true="y", y_pred="pred", std="std")
    found = uc.conditional_coverage(rows, by=frame["site"])
    assert found.by == "site"
    assert isinstance(found.to_frame(), pl.DataFrame)
    table = found.to_frame("pandas")
    assert table["segment"].tolist() == ["a", "b"]
    assert table["coverage"].tolist() == [1.0, 0.5]
    assert list(table) == [column.name for column in dataclasses.fields(uc.SegmentCoverage)]

"""Costs and proper scores of single rows, against their definitions in fractions."""

from __future__ import annotations

import itertools
from fractions import Fraction as F

import numpy as np
import pytest

import oracle
from uccurve._base.arrays import namespace
from uccurve._kernels import costs, scores

xp = namespace(np.empty(0))
BOUNDS = np.array([row for row in itertools.product(range(-3, 4), repeat=3) if row[1] <= row[2]], dtype=float)
Y, LOWER, UPPER = np.moveaxis(BOUNDS, 1, 0)


def test_costs_of_all_small_intervals_are_those_of_their_definitions():
    """Observations below, on, between and above the bounds, which may meet."""
    room = costs.room(xp, Y, LOWER, UPPER)
    found = zip(
        costs.missed(Y, LOWER, UPPER),
        costs.half_width(LOWER, UPPER),
        room,
        costs.excess(xp, room),
        costs.deficit(xp, room),
        strict=True,
    )
    for (y, lower, upper), (missed, width, distance, excess, deficit) in zip(BOUNDS, found, strict=True):
        hit = lower <= y <= upper
        assert missed == (not hit)
        assert width == (upper - lower) / 2
        assert distance == min(y - lower, upper - y)
        assert excess == (min(y - lower, upper - y) if hit else 0)
        assert deficit == (0 if hit else max(lower - y, y - upper))


def test_room_in_bands_is_that_of_the_bounds():
    """On either side of the prediction; the far bound may be the nearer one."""
    inside = (LOWER <= 0) & (UPPER >= 0)  # bounds around a prediction of 0
    y, lower, upper = Y[inside], LOWER[inside], UPPER[inside]
    active, passive = np.where(y >= 0, upper, -lower), np.where(y >= 0, -lower, upper)
    room = costs.room_in_bands(xp, np.abs(y), active, passive)
    assert np.array_equal(room, costs.room(xp, y, lower, upper))
    assert (
        room[active > passive + 2 * np.abs(y)] < (active - np.abs(y))[active > passive + 2 * np.abs(y)]
    ).all()


def test_room_to_a_limit_is_what_the_band_leaves():
    """More than the residual: inside."""
    assert costs.room_to_limit(3.0, 5.0) == 2.0
    assert costs.room_to_limit(5.0, 3.0) == -2.0


@pytest.mark.parametrize("side", ["both", "upper", "lower"])
def test_the_interval_score_counts_tails(side):
    """Twice for two bounds; both is the default."""
    score = costs.interval_score(3.0, 5.0, 0.25, side)
    assert score == (2 if side == "both" else 1) * 23.0
    assert costs.interval_score(3.0, 5.0, 0.25) == 46.0


@pytest.mark.parametrize("median", [True, False])
def test_the_parts_of_the_weighted_interval_score_are_those_of_its_definition(median):
    """One, two or three pairs, in columns of any order; observations everywhere."""
    for pairs in (1, 2, 3):
        tails = [F(1, 8), F(1, 4), F(3, 8)][:pairs]
        offsets = [-5, -3, -2][:pairs] + [1] * median + [2, 3, 7][-pairs:]
        levels = tails + [F(1, 2)] * median + [1 - tail for tail in reversed(tails)]
        table = np.array([offsets, [2 * offset for offset in offsets]], dtype=float)
        order = list(range(len(levels)))[::-1]  # the table holds falling levels
        columns = scores.Pairs(
            lower=np.array([order.index(place) for place in range(pairs)]),
            upper=np.array([order.index(len(levels) - 1 - place) for place in range(pairs)]),
            tails=np.array([float(tail) for tail in tails]),
            median=order.index(pairs) if median else None,
        )
        for y in range(-12, 16):
            terms = scores.wis_terms(xp, np.array([y, y], dtype=float), table[:, order], columns)
            for row in range(2):
                expected = oracle.wis_parts(F(y), dict(zip(levels, map(F, table[row]), strict=True)))
                assert [float(part[row]) for part in terms] == pytest.approx(
                    [float(e) for e in expected], rel=1e-14
                )


@pytest.mark.parametrize("level", [0.125, 0.5, 0.75])
def test_pinball_loss_is_that_of_its_definition(level):
    """Above, on and below the quantile; alone and as a mean over a table of levels."""
    for y, quantile in itertools.product(range(-2, 3), repeat=2):
        expected = float(oracle.pinball(F(y), F(quantile), F(level)))
        assert scores.pinball(xp, np.array([float(y - quantile)]), level)[0] == expected
    table, levels = np.array([[-1.0, 0.0, 3.0], [2.0, 2.0, 5.0]]), np.array([level, 0.25, 0.5])
    found = scores.mean_pinball(xp, np.array([1.0, 2.0]), table, levels)
    for row, y in enumerate((1, 2)):
        losses = [oracle.pinball(F(y), F(q), F(t)) for q, t in zip(table[row], levels, strict=True)]
        assert found[row] == pytest.approx(float(sum(losses) / 3), rel=1e-15)


@pytest.mark.parametrize("m", [1, 2, 3, 6])
def test_the_crps_of_draws_is_that_of_all_pairs(m):
    """With ties; the fair one takes the unfairness off."""
    rng = np.random.default_rng(m)
    draws = np.sort(rng.integers(-4, 5, size=(20, m)), axis=1).astype(float)
    y = rng.integers(-6, 7, size=20).astype(float)
    i = np.arange(1, m + 1)
    found = scores.crps_of_draws(xp, y, draws, (i - 0.5) / m)
    expected = [oracle.crps(F(a), [F(x) for x in row]) for a, row in zip(y, draws, strict=True)]
    np.testing.assert_allclose(found, [float(e) for e in expected], rtol=1e-13, atol=1e-14)
    if m > 1:
        steps = (i * (m - i))[:-1] / (m * m * (m - 1))
        fair = [oracle.crps(F(a), [F(x) for x in row], fair=True) for a, row in zip(y, draws, strict=True)]
        less = found - scores.unfairness(xp, draws, steps)
        np.testing.assert_allclose(less, [float(e) for e in fair], rtol=1e-13, atol=1e-13)


def test_scores_of_several_outputs_are_those_of_each():
    """Levels and draws lie along the last axis, whatever is in front of it."""
    rng = np.random.default_rng(0)
    table = np.sort(rng.integers(-9, 10, size=(2, 4, 5)), axis=-1).astype(float)
    y, levels = rng.integers(-9, 10, size=(2, 4)).astype(float), np.array([0.1, 0.25, 0.5, 0.75, 0.9])
    pairs = scores.Pairs(np.array([0, 1]), np.array([4, 3]), np.array([0.1, 0.25]), 2)
    flat = y.reshape(-1), table.reshape(-1, 5)
    whole = [scores.mean_pinball(xp, y, table, levels), *scores.wis_terms(xp, y, table, pairs)]
    whole.append(scores.unfairness(xp, table, levels[:-1]))
    each = [scores.mean_pinball(xp, *flat, levels), *scores.wis_terms(xp, *flat, pairs)]
    each.append(scores.unfairness(xp, flat[1], levels[:-1]))
    for one, other in zip(whole, each, strict=True):
        assert one.reshape(-1).tolist() == other.tolist()

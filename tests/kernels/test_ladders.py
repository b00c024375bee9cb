"""Nested pairs of bounds, and their costs as sums of hinges, against definitions in fractions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction as F

import array_api_strict
import numpy as np
import pytest

from level_oracle import LevelOracle, Row
from uccurve._base.arrays import namespace
from uccurve._kernels import ladder_hinges, ladders
from uccurve._kernels.ladders import Ladder
from uccurve._kernels.rows import Rows

xp = namespace(np.empty(0))
KNOTS = {1: (1.0,), 2: (0.25, 1.0), 3: (0.25, 0.75, 1.0)}
GRID = [F(k, 32) for k in range(97)]
BANDS = [0.0, 1.0, 2.0, 4.0, 16.0]


class Case:
    """Rows with nested pairs, as arrays and in fractions."""

    def __init__(self, pairs, n, *, tails, weighted, zero_bands=False, seed=0, asarray=np.asarray, unit=1.0):
        rng = np.random.default_rng(100 * pairs + n + 1000 * seed)
        floor = 0 if zero_bands else 1
        lower, upper = np.sort(rng.choice(BANDS[floor:], size=(2, n, pairs)), axis=2)
        center, error = (
            rng.integers(-4, 5, size=n),
            rng.choice([-20, -6, -4, -2, -1, 0, 1, 2, 3, 5, 16, 24], size=n),
        )
        weight = rng.integers(1, 5, size=n) / 4 if weighted else np.ones(n)
        levels = tuple(map(F, KNOTS[pairs]))
        self.oracle = LevelOracle(
            tuple(
                Row(F(int(c + e)), F(int(c)), tuple(map(F, low)), tuple(map(F, high)), F(w))
                for c, e, low, high, w in zip(center, error, lower, upper, weight, strict=True)
            ),
            levels,
            tails,
        )
        self.tails = tails
        self.error = asarray(np.abs(error) * unit)
        c = center * unit
        self.ladder = Ladder(
            namespace(self.error),
            KNOTS[pairs],
            asarray(c),
            asarray(error >= 0),
            tuple(asarray(c - low * unit) for low in lower.T),
            tuple(asarray(c + high * unit) for high in upper.T),
        )
        self.weight = asarray(weight) if weighted else None

    @property
    def critical(self):
        """The critical values of the kernel."""
        return ladders.critical(namespace(self.error), self.error, self.ladder, tails=self.tails)


def cases(**options):
    """All small shapes, with tails and without."""
    return [
        Case(pairs, n, tails=tails, seed=seed, **options)
        for pairs, n, tails, seed in itertools.product(KNOTS, [2, 12], [False, True], [0, 1])
    ]


@pytest.mark.parametrize("unit", [1.0, 2.0**-300, 2.0**300])
def test_critical_values_are_those_of_the_definition(unit):
    """At knots exactly; before, between and beyond them; bands that do not grow; errors of 0; never captured."""
    for case in cases(weighted=False, zero_bands=True, unit=unit):
        expected = [case.oracle.critical(row) for row in case.oracle.rows]
        found = case.critical.tolist()
        for got, exact in zip(found, expected, strict=True):
            if exact is None:
                assert got == math.inf
            elif exact in case.oracle.knots:
                assert got == exact
            else:
                assert got == pytest.approx(float(exact), rel=1e-14)


def test_sides_face_the_observation_or_away():
    """A row above its center faces the upper bounds."""
    for case in cases(weighted=False):
        for place, row in enumerate(case.oracle.rows):
            above = row.y >= row.center
            facing, away = (row.upper, row.lower) if above else (row.lower, row.upper)
            assert [float(band[place]) for band in case.ladder.active] == list(facing)
            assert [float(band[place]) for band in case.ladder.passive] == list(away)


def test_bands_between_pairs_are_linear():
    """At one parameter for all rows, or one for each; at knots, between and beyond them."""
    for case in cases(weighted=False):
        ladder, oracle = case.ladder, case.oracle
        facing = [row.upper if row.y >= row.center else row.lower for row in oracle.rows]
        for t in GRID[::8]:
            expected = [oracle.band(bands, t) for bands in facing]
            found = ladders.band_at(xp, ladder.knots, ladder.active, float(t), tails=case.tails)
            np.testing.assert_allclose(found, [float(band) for band in expected], rtol=1e-15)
            if t in oracle.knots[1:]:
                assert found.tolist() == expected
            if case.tails:
                each = ladders.band_at_each(xp, ladder.knots, ladder.active, np.full(len(facing), float(t)))
                np.testing.assert_allclose(each, [float(band) for band in expected], rtol=1e-15)
                if t in oracle.knots[1:]:
                    assert each.tolist() == expected


def test_each_row_has_a_parameter_of_its_own():
    """Rows in different segments, at knots, and beyond the last, in one call."""
    bands = (np.full(7, 3.0), np.full(7, 4.0), np.full(7, 16.0))
    parameter = np.array([0.0, 0.125, 0.25, 0.5, 0.75, 0.875, 2.0])
    found = ladders.band_at_each(xp, (0.25, 0.75, 1.0), bands, parameter)
    assert found.tolist() == [0.0, 1.5, 3.0, 3.5, 4.0, 10.0, 32.0]


@pytest.mark.parametrize("tails", [False, True])
def test_a_last_knot_other_than_one_scales_from_there(tails):
    """The outermost pair belongs to the last knot."""
    bands = (np.array([1.0]), np.array([3.0]))
    for parameter, expected in (
        (0.25, 0.5),
        (0.5, 1.0),
        (1.0, 1.5),
        (2.5, 3.0),
        (5.0, 6.0 if tails else 3.0),
    ):
        assert ladders.band_at(xp, (0.5, 2.5), bands, parameter, tails=tails)[0] == expected


@pytest.mark.parametrize("tails", [False, True])
def test_segments_lead_from_knot_to_knot(tails):
    """With the slope of each; behind the last the band is scaled, or stays."""
    bands = (np.array([1.0, 0.0]), np.array([3.0, 4.0]))
    found = [
        (begin, end, slope.tolist()) for begin, end, slope in ladders.segments((0.5, 1.0), bands, tails=tails)
    ]
    last = [3.0, 4.0] if tails else [0.0, 0.0]
    assert found == [(0.0, 0.5, [2.0, 0.0]), (0.5, 1.0, [4.0, 8.0]), (1.0, math.inf, last)]


@pytest.mark.parametrize("asarray", [np.asarray, array_api_strict.asarray])
@pytest.mark.parametrize("tails", [False, True])
def test_interpolation_takes_parameters_in_any_order(tails, asarray):
    """Below 0, at and between knots, and beyond; none of a segment; all behind the last."""
    knots, values = (0.25, 0.75, 1.0), (2.0, 3.0, 7.0)
    row = Row(F(0), F(0), tuple(map(F, values)), tuple(map(F, values)), F(1))
    oracle = LevelOracle((row,), tuple(map(F, knots)), tails)
    for given in (
        GRID[::4],
        GRID[::-4],
        [F(2), F(0), F(1, 2)],
        [F(3), F(5)],
        [F(1, 8)],
        [F(1, 4), F(1, 4), F(1)],
    ):
        parameter = asarray(np.array([float(t) for t in given]))
        found = ladders.interpolate(namespace(parameter), knots, values, parameter, tails=tails)
        assert [float(value) for value in found] == [oracle.band(row.upper, t) for t in given]
    negative = asarray(np.array([-1.0, 0.5]))
    assert [
        float(v) for v in ladders.interpolate(namespace(negative), knots, values, negative, tails=tails)
    ] == [0, 2.5]


def test_interpolated_values_do_not_exceed_those_of_the_next_knot():
    """Rounding adds nothing: bandwidths rise along the curve."""
    knots, values = (0.3, 0.7, 1.0), (0.1, 0.7, 0.9)
    for knot, value in zip(knots, values, strict=True):
        near = np.array([np.nextafter(knot, 0), knot])
        assert ladders.interpolate(xp, knots, values, near, tails=True)[1] <= value
    parameter = np.sort(np.random.default_rng(0).random(2000))
    assert np.all(np.diff(ladders.interpolate(xp, knots, values, parameter, tails=True)) >= 0)


def evaluated(hinges, t):
    """The costs at a parameter, from the hinges: rising sums, and a falling one."""
    knots, excess, pulse, deficit = (
        np.asarray(getattr(hinges, name)) for name in ("knots", "excess", "pulse", "deficit")
    )
    up, down = np.maximum(t - knots, 0.0), np.maximum(knots - t, 0.0)
    bandwidth = 0.0 if hinges.bandwidth is None else up @ np.asarray(hinges.bandwidth)
    return {"bandwidth": bandwidth, "excess": up @ (excess + pulse), "deficit": down @ deficit}


@pytest.mark.parametrize("asarray", [np.asarray, array_api_strict.asarray])
@pytest.mark.parametrize("by_row", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("tails", [False, True])
@pytest.mark.parametrize(("pairs", "n"), [(1, 1), (1, 3), (2, 2), (3, 3), (3, 14)])
def test_hinges_add_up_to_the_costs(pairs, n, tails, by_row, weighted, asarray, monkeypatch):
    """At every parameter, for what rows share and for each on its own; blocks of four rows."""
    monkeypatch.setattr(ladder_hinges, "_BLOCK", 4)
    case = Case(pairs, n, tails=tails, weighted=weighted, asarray=asarray)
    rows = Rows(case.error, case.ladder.active[-1], None, case.weight, case.ladder)
    index = asarray(np.arange(n)) if by_row else None
    critical = case.critical
    found = ladder_hinges.hinges(namespace(critical), rows, case.ladder, critical, index, tails=tails)
    finite = [float(k) for k in critical if math.isfinite(float(k))]
    assert [float(k) for k in found.knots][: len(finite)] == finite
    assert (found.bandwidth is not None) == by_row
    total = sum(row.weight for row in case.oracle.rows)
    remains = sum(row.weight * max(row_deficit(row), 0) for row in case.oracle.rows) if not tails else 0
    for t in GRID[::7]:
        expected = case.oracle.costs(t)
        costs = evaluated(found, float(t))
        assert costs["excess"] == pytest.approx(float(expected["excess"] * total), abs=1e-12)
        assert costs["deficit"] + float(remains) == pytest.approx(
            float(expected["deficit"] * total), abs=1e-12
        )
        if by_row:
            assert costs["bandwidth"] == pytest.approx(float(expected["bandwidth"] * total), abs=1e-12)
    if by_row:
        rows_own_their_hinges(found, case)


def row_deficit(row):
    """What the outermost pair leaves of an error."""
    return abs(row.y - row.center) - (row.upper if row.y >= row.center else row.lower)[-1]


def rows_own_their_hinges(found, case):
    """Assert that the hinges of one row are its own costs, and that changes of 0 make no knot of their own."""
    owners = np.asarray(found.row)
    for place, row in enumerate(case.oracle.rows):
        columns = ("knots", "bandwidth", "excess", "deficit", "pulse")
        mine = found._replace(**{name: np.asarray(getattr(found, name))[owners == place] for name in columns})
        alone = LevelOracle((row,), case.oracle.levels, case.tails)
        for t in GRID[::16]:
            expected, costs = alone.costs(t), evaluated(mine, float(t))
            for name in ("excess", "bandwidth"):
                assert costs[name] == pytest.approx(float(expected[name] * row.weight), abs=1e-12)
    changes = [np.asarray(getattr(found, name)) for name in ("bandwidth", "excess", "deficit", "pulse")]
    own = sum(math.isfinite(float(k)) for k in case.critical)
    assert np.any(changes, axis=0)[own:].all()


def test_deficits_of_rows_that_are_never_captured_bend_at_knots():
    """They fall with the bands, down to what no parameter closes."""
    center, zero = np.zeros(2), np.zeros(2, dtype=bool)
    ladder = Ladder(
        xp, (0.5, 1.0), center, ~zero, (center - 1, center - 1), (np.array([1.0, 2.0]), np.array([3.0, 2.0]))
    )
    error = np.array([8.0, 1.0])
    critical = ladders.critical(xp, error, ladder, tails=False)
    assert critical.tolist() == [math.inf, 0.25]
    rows = Rows(error, ladder.active[-1], None, None, ladder)
    found = ladder_hinges.hinges(xp, rows, ladder, critical, None, tails=False)
    for t, band in ((0.0, 0.0), (0.25, 0.5), (0.5, 1.0), (0.75, 2.0), (1.0, 3.0), (2.0, 3.0)):
        expected = 8 - band + max(1 - min(t / 0.25, 2.0), 0)
        assert 5 + evaluated(found, t)["deficit"] == pytest.approx(expected, abs=1e-14)

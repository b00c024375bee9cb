"""Families: what each promises the curve, and that the order of questions changes no answer."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import uccurve as uc
from uccurve._kernels import rows
from uccurve.curve.families import FAMILIES

COSTS = ("miss_rate", "coverage", "bandwidth", "excess", "deficit", "parameter")


def intervals(seed=0, n=40):
    """Asymmetric bands with ties, exact predictions, zero bands and weights."""
    rng = np.random.default_rng(seed)
    y = rng.integers(-4, 5, size=n) / 2
    lower, upper = rng.integers(0, 5, size=(2, n)) / 4
    return uc.Intervals.from_bands(y, 0 * y, lower, upper, sample_weight=rng.integers(1, 4, size=n) / 2)


def quantiles(seed=0, n=40):
    """Three pairs of quantiles around a median off their middle, with ties and weights."""
    rng = np.random.default_rng(seed)
    y = rng.integers(-4, 5, size=n) / 2
    steps = rng.integers(0, 4, size=(n, 7)) / 4
    table = steps.cumsum(axis=1) - steps[:, :4].sum(axis=1, keepdims=True)
    levels = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
    return uc.Intervals.from_quantiles(y, table, levels, sample_weight=rng.integers(1, 4, size=n) / 2)


def rows_for(family, **options):
    """Rows that the family can move, as it sees them."""
    return quantiles(**options)._centered() if family.nested else intervals(**options)


@pytest.fixture(params=FAMILIES.values(), ids=FAMILIES)
def family(request):
    return request.param


def test_a_row_is_captured_from_its_critical_value_on(family):
    """Just below it the moved interval misses the observation, at it and above it does not."""
    given = rows_for(family)
    curve = given.ucc(vary=family.name)
    start = curve._data.start
    (whole,) = given._blocks(whole=True, nested=family.nested)
    critical = family.critical(np, whole, start)
    for k in np.unique(critical[np.isfinite(critical)]):
        for parameter in (k, k + 1 / 64, k - 1 / 64):
            if parameter < start:
                continue
            active, _ = family.row_bands(np, whole, float(parameter))
            captured = critical <= parameter
            assert np.array_equal(captured, active >= whole.abs_error - 1e-15), (k, parameter)


def test_every_band_is_zero_at_the_start_and_as_given_at_its_parameter(family):
    """The curve begins without any interval, and passes through the one that was given."""
    given = rows_for(family)
    start = family.start(given._summary.widest)
    assert not family.bands(np, given.upper_band, start).any()
    assert np.array_equal(family.bands(np, given.upper_band, family.as_given), given.upper_band)
    moved = family.moved(given, family.as_given)
    assert np.array_equal(moved.lower_band, given.lower_band)


def test_a_band_of_one_follows_the_constant_band(family):
    """A range of parameters means the same widths for the reference."""
    width, parameter = 2.5, 1.25
    wanted = family.bands(np, np.array([width]), parameter)
    unit = family.bands(np, np.ones(1), family.for_unit_band(parameter, width))
    assert unit == pytest.approx(wanted)


def test_hinges_of_bands_alone_need_no_errors():
    """The promise that lets symmetric bands skip a gather."""
    for family in FAMILIES.values():
        if not family.hinges_follow_from_bands:
            continue
        k, band = np.array([0.5, 1.5, 2.0]), np.array([1.0, 2.0, 4.0])
        real = family.hinges(np, rows.Rows(k * band, band, None, None), k)
        other = family.hinges(np, rows.Rows(k * np.nan, band, None, None), k)
        for mine, theirs in zip(real[:4], other[:4], strict=True):
            assert (mine is None and theirs is None) or np.array_equal(mine, theirs)


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_no_answer_depends_on_which_was_asked_first(family, symmetric, weighted):
    """Costs are computed when first needed; in whichever order, to the last bit."""
    rng = np.random.default_rng(3)
    n = 50
    bands = rng.exponential(size=(1 if symmetric else 2, n)) + 0.1
    weight = rng.uniform(0.1, 1, size=n) if weighted else None
    y = rng.normal(size=n)
    given = uc.Intervals.from_bands(y, np.zeros(n), *bands, sample_weight=weight)
    if family.nested:
        lower, upper = bands[0], bands[-1]
        table = np.stack([-lower, -lower / 3, 0 * y, upper / 3, upper], axis=1)
        given = uc.Intervals.from_quantiles(y, table, (0.1, 0.3, 0.5, 0.7, 0.9), sample_weight=weight)
    answers = []
    for order in itertools.permutations(COSTS, 3):
        curve = given.ucc(vary=family.name)
        for cost in order:
            getattr(curve, cost)
        answers.append([getattr(curve, cost) for cost in COSTS])
    for other in answers[1:]:
        for mine, theirs in zip(answers[0], other, strict=True):
            assert np.array_equal(mine, theirs)

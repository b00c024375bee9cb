"""The CRPS of draws: definitions, laws, arrays of all kinds, and what is refused."""

from __future__ import annotations

import itertools
from fractions import Fraction as F

import array_api_strict as strict
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
import uccurve as uc
from errors import check_error
from strategies import UNITS
from uccurve import exceptions as ex


@st.composite
def ensembles(draw):
    """Rows with draws in any order, ties likely, in any unit."""
    n, m, unit = draw(st.integers(1, 4)), draw(st.integers(1, 7)), draw(st.sampled_from(UNITS))
    value = st.integers(-5, 5).map(lambda number: number * unit)
    y = draw(st.lists(value, min_size=n, max_size=n))
    samples = [draw(st.lists(value, min_size=n, max_size=n)) for _ in range(m)]
    weight = draw(st.lists(st.sampled_from([0.25, 1.0, 2.0]), min_size=n, max_size=n))
    return y, samples, weight, unit


@given(ensembles())
@settings(max_examples=200)
def test_both_estimators_follow_their_definitions(case):
    """In fractions, over all pairs of draws, and by the integral of the squared distance of distributions."""
    y, samples, weight, unit = case
    rows = [(F(a), list(map(F, draws))) for a, *draws in zip(y, *samples, strict=True)]
    weights = list(map(F, weight))
    assert all(oracle.crps(*row) == oracle.crps_by_integral(*row) for row in rows)
    for estimator in ("empirical", "fair")[: min(len(samples), 2)]:
        each = [oracle.crps(*row, fair=estimator == "fair") for row in rows]
        exact = sum(w * v for w, v in zip(weights, each, strict=True)) / sum(weights)
        found = uc.crps(y, samples, axis=0, estimator=estimator, sample_weight=weight)
        assert found == pytest.approx(float(exact), rel=1e-12, abs=1e-13 * unit), estimator


def random_rows(seed=0, n=60, m=9):
    rng = np.random.default_rng(seed)
    return rng.standard_t(3, size=n), rng.normal(size=(m, n)), rng.exponential(size=n)


@pytest.mark.parametrize("m", [1, 2, 9])
def test_draws_are_quantiles_in_the_middle_of_their_shares(m):
    """The i-th of m sorted draws at the level (i - ½)/m: the CRPS is their weighted interval score."""
    y, samples, weight = random_rows(m=m)
    levels = (np.arange(m) + 0.5) / m
    score = uc.weighted_interval_score(y, np.sort(samples, axis=0).T, levels, sample_weight=weight)
    assert uc.crps(y, samples, sample_weight=weight) == pytest.approx(score, rel=1e-13)


def test_the_fair_estimator_is_on_average_the_score_of_what_was_drawn_from():
    """All pairs and triples from four values, with replacement; the empirical one is too large."""
    values, y = [-2.0, 0.0, 1.0, 5.0], [0.5]
    whole = uc.crps(y, [[value] for value in values])
    for m in (2, 3):
        samples = [[[value] for value in drawn] for drawn in itertools.product(values, repeat=m)]
        fair, empirical = (
            np.mean([uc.crps(y, drawn, estimator=estimator) for drawn in samples])
            for estimator in ("fair", "empirical")
        )
        assert fair == pytest.approx(whole, rel=1e-13)
        assert empirical > whole * 1.1


def test_draws_along_any_axis_and_several_outputs():
    """As `Intervals.from_samples` takes them; raw values are the outputs' own, whatever the blocks."""
    rng = np.random.default_rng(1)
    y, samples = rng.normal(size=(20_000, 2)), rng.normal(size=(11, 20_000, 2))
    raw = uc.crps(y, samples, multioutput="raw_values")
    alone = [uc.crps(y[:, j], samples[:, :, j]) for j in range(2)]
    assert raw.tolist() == pytest.approx(alone, rel=1e-13)
    assert uc.crps(y, samples) == pytest.approx(np.mean(alone), rel=1e-13)
    assert uc.crps(y, np.moveaxis(samples, 0, 2), axis=-1) == pytest.approx(np.mean(alone))


@pytest.mark.slow  # as it imports torch
def test_arrays_of_all_kinds_are_left_as_they_are():
    """The strict namespace, lists, and tensors; nobody's draws are sorted in place."""
    import torch

    y, samples, weight = random_rows()
    before = samples.copy()
    expected = uc.crps(y, samples, sample_weight=weight)
    for columns in (
        (strict.asarray(y), strict.asarray(samples)),
        (list(y), samples.tolist()),
        (y, torch.tensor(samples, requires_grad=True)),
    ):
        got = uc.crps(*columns, sample_weight=list(weight))
        assert type(got) is float
        assert got == pytest.approx(expected, rel=1e-13)
    np.testing.assert_array_equal(samples, before)


Y = [1.0, 2.0, 4.0]
CASES = {
    "draws last": (lambda: uc.crps(Y, np.zeros((3, 5))), ex.ShapeError, "samples"),
    "one fair draw": (lambda: uc.crps(Y, np.zeros((1, 3)), estimator="fair"), ex.ShapeError, "samples"),
    "nan": (lambda: uc.crps(Y, [[0, 0, 0], [0, np.nan, 0]]), ex.NonFiniteError, "samples"),
    "estimator": (lambda: uc.crps(Y, np.zeros((2, 3)), estimator="unbiased"), ex.ArgumentError, "estimator"),
}


@pytest.mark.parametrize("name", CASES)
def test_each_error_names_its_argument(name):
    """Argument, rule, what breaks it, and what to do."""
    check_error(*CASES[name])

"""Pinball loss and weighted interval score: definitions, laws, arrays of all kinds, and what is refused."""

from __future__ import annotations

import dataclasses
from fractions import Fraction as F

import array_api_strict as strict
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
import uccurve as uc
from errors import check_error
from strategies import UNITS
from uccurve import exceptions as ex

PARTS = ("width", "underprediction", "overprediction")
LOWER = [F(1, 16), F(1, 8), F(1, 4), F(3, 8)]


@st.composite
def tables(draw):
    """Rows whose arithmetic is exact: quantiles in any order, crossed or not, weights, pairs of levels."""
    n, unit = draw(st.integers(1, 5)), draw(st.sampled_from(UNITS))
    lower = draw(st.lists(st.sampled_from(LOWER), unique=True, max_size=4))
    median = [F(1, 2)] if draw(st.booleans()) or not lower else []
    levels = draw(st.permutations([*lower, *(1 - level for level in lower), *median]))
    value = st.integers(-6, 6).map(lambda number: number * unit)
    y = draw(st.lists(value, min_size=n, max_size=n))
    table = [draw(st.lists(value, min_size=len(levels), max_size=len(levels))) for _ in y]
    weight = draw(st.none() | st.lists(st.sampled_from([0.25, 1.0, 2.0, 0.0]), min_size=n, max_size=n))
    if weight is not None and not any(weight):
        weight[0] = 1.0
    return y, table, levels, weight, unit


def mean(values, weight):
    weight = [F(1)] * len(values) if weight is None else [F(w) for w in weight]
    return sum(w * v for w, v in zip(weight, values, strict=True)) / sum(weight)


@given(tables())
@settings(max_examples=200)
def test_scores_follow_their_definitions(case):
    """In fractions: crossed quantiles, touching and exact predictions, huge and tiny units, weights."""
    y, table, levels, weight, unit = case
    floats = [float(level) for level in levels]
    close = {"rel": 1e-12, "abs": 1e-13 * unit}
    rows = [(F(a), dict(zip(levels, map(F, row), strict=True))) for a, row in zip(y, table, strict=True)]
    losses = [sum(oracle.pinball(a, q, level) for level, q in row.items()) / len(row) for a, row in rows]
    loss = uc.pinball_loss(y, table, floats, sample_weight=weight)
    assert loss == pytest.approx(float(mean(losses, weight)), **close)
    found = uc.weighted_interval_score(y, table, floats, sample_weight=weight, decompose=True)
    exact = [mean(parts, weight) for parts in zip(*(oracle.wis_parts(*row) for row in rows), strict=True)]
    for name, part in zip(PARTS, exact, strict=True):
        assert getattr(found, name) == pytest.approx(float(part), **close), name
    assert found.score == pytest.approx(float(sum(exact)), **close)
    assert found.score == uc.weighted_interval_score(y, table, floats, sample_weight=weight)


def random_rows(seed=0, n=300, outputs=()):
    rng = np.random.default_rng(seed)
    y = rng.standard_t(3, size=(n, *outputs))
    levels = [0.95, 0.5, 0.025, 0.2, 0.05, 0.8, 0.975]
    return y, rng.normal(size=(n, *outputs, 7)), levels, rng.exponential(size=n)


def test_the_score_is_twice_the_pinball_loss():
    """Two formulas for one number, also where quantiles cross, for decimal levels."""
    y, table, levels, weight = random_rows()
    score = uc.weighted_interval_score(y, table, levels, sample_weight=weight)
    assert score == pytest.approx(2 * uc.pinball_loss(y, table, levels, sample_weight=weight), rel=1e-13)


def test_one_pair_is_the_interval_score_and_the_median_the_absolute_error():
    """The two ends of the family: α/2 of the interval score, and |y - m|."""
    y, table, _, weight = random_rows()
    table = np.sort(table, axis=1)
    pair = uc.weighted_interval_score(y, table[:, [0, 6]], [0.1, 0.9], sample_weight=weight)
    score = uc.interval_score(y, table[:, 0], table[:, 6], miss_rate=0.2, sample_weight=weight)
    assert pair == pytest.approx(0.1 * score, rel=1e-13)
    error = np.average(np.abs(y - table[:, 3]), weights=weight)
    assert uc.weighted_interval_score(y, table[:, [3]], [0.5], sample_weight=weight) == pytest.approx(error)


@pytest.mark.parametrize("function", [uc.pinball_loss, uc.weighted_interval_score])
def test_several_outputs_and_many_rows(function):
    """Raw values are the outputs' own, whatever the blocks that rows are taken in."""
    y, table, levels, weight = random_rows(n=50_000, outputs=(2,))
    raw = function(y, table, levels, sample_weight=weight, multioutput="raw_values")
    alone = [function(y[:, j], table[:, j], levels, sample_weight=weight) for j in range(2)]
    assert raw.tolist() == pytest.approx(alone, rel=1e-13)
    average = function(y, table, levels, sample_weight=weight)
    assert type(average) is float
    assert average == pytest.approx(np.mean(alone), rel=1e-13)


def test_parts_of_several_outputs_are_arrays():
    """One value for each output, adding up to the score."""
    y, table, levels, _ = random_rows(outputs=(3,))
    parts = uc.weighted_interval_score(y, table, levels, decompose=True, multioutput="raw_values")
    assert [getattr(parts, field.name).shape for field in dataclasses.fields(parts)] == [(3,)] * 4
    added = parts.width + parts.underprediction + parts.overprediction
    np.testing.assert_allclose(parts.score, added, rtol=1e-13)


@pytest.mark.slow  # as it imports torch
def test_arrays_of_all_kinds():
    """The strict namespace, a frame of quantiles, lists, tensors that require gradients, one output as (n, 1)."""
    import torch

    y, table, levels, weight = random_rows(n=40)
    for function in (uc.pinball_loss, uc.weighted_interval_score):
        expected = function(y, table, levels, sample_weight=weight)
        for columns in (
            (strict.asarray(y), strict.asarray(table), list(weight)),
            (list(y), pd.DataFrame(table), pd.Series(weight)),
            (y.tolist(), torch.tensor(table, requires_grad=True), torch.tensor(weight)),
            (y[:, None], table, weight),
            (y, table[:, None, :], weight),
        ):
            got = function(*columns[:2], levels, sample_weight=columns[2])
            assert type(got) is float
            assert got == pytest.approx(expected, rel=1e-13)


Y, Q, L = [1.0, 2.0], [[0.0, 3.0]] * 2, [0.1, 0.9]
THREE, LONELY = [[0, 1, 3]] * 2, [0.1, 0.3, 0.9]
CASES = {
    "a lonely level": (lambda: uc.weighted_interval_score(Y, THREE, LONELY), ex.ArgumentError, "levels"),
    "the same level twice": (lambda: uc.pinball_loss(Y, Q, [0.1, 0.1]), ex.ArgumentError, "levels"),
    "no level": (lambda: uc.pinball_loss(Y, np.empty((2, 0)), []), ex.ArgumentError, "levels"),
    "one number": (lambda: uc.pinball_loss(Y, Q, 0.5), ex.ArgumentTypeError, "levels"),
    "levels first": (lambda: uc.pinball_loss(Y, [Y] * 3, [0.1, 0.5, 0.9]), ex.ShapeError, "quantiles"),
    "nan": (lambda: uc.pinball_loss(Y, [[0, 3], [0, np.nan]], L), ex.NonFiniteError, "quantile 0.9"),
    "an infinite observation": (lambda: uc.pinball_loss([np.inf, 1], Q, L), ex.NonFiniteError, "y_true"),
    "decompose": (
        lambda: uc.weighted_interval_score(Y, Q, L, decompose=np.ones(2)),
        ex.ArgumentTypeError,
        "decompose",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_error_names_its_argument(name):
    """Argument, rule, what breaks it, and what to do."""
    check_error(*CASES[name])

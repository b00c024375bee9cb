"""Quantiles that intervals hold: what keeps them, how they are shown, stored and copied."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import uccurve as uc

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


def rows(n=80, *, outputs=1, weighted=False, seed=0):
    rng = np.random.default_rng(seed)
    shape = (n,) if outputs == 1 else (n, outputs)
    steps = rng.exponential(size=(*shape, 5))
    table = steps.cumsum(axis=-1) - 3
    weight = rng.integers(1, 4, size=n) / 2 if weighted else None
    unit = 10.0 ** np.arange(outputs)
    y = rng.normal(size=shape)
    if outputs > 1:
        y, table = y * unit, table * unit[:, None]
    return uc.Intervals.from_quantiles(y, table, LEVELS, sample_weight=weight)


@pytest.mark.parametrize("weighted", [False, True])
def test_another_unit_keeps_the_quantiles(weighted):
    """Areas take the unit, gains and miss rates stay."""
    given = rows(weighted=weighted)
    other = given.standardized()
    deviation = np.sqrt(np.cov(given.y_true, aweights=given.sample_weight, ddof=0))
    level, same = given.ucc(vary="level"), other.ucc(vary="level")
    assert same.area() == pytest.approx(level.area() / deviation, rel=1e-12)
    assert same.gain() == pytest.approx(level.gain(), rel=1e-9)
    assert np.allclose(same.parameter, level.parameter, rtol=1e-9)
    assert other.nominal == given.nominal == 0.9


def test_each_output_takes_its_own_unit():
    given = rows(outputs=2)
    for alone, together in zip(given.outputs(), given.standardized().outputs(), strict=True):
        assert together.ucc(vary="level").gain() == pytest.approx(alone.ucc(vary="level").gain(), rel=1e-9)
        assert together.ucc(vary="level").area() == pytest.approx(
            alone.ucc(vary="level").area() / alone.y_true.std(), rel=1e-9
        )


def test_the_number_of_levels_is_shown():
    """Only where there is a choice: one pair is what the bandwidth says."""
    given = rows(5, weighted=True)
    assert repr(given).startswith("Intervals(n=5, bandwidth=")
    assert repr(given).endswith("asymmetric, levels=2, weighted)")
    assert "levels" not in repr(uc.Intervals.from_quantiles([1.0, 2.0], [[0, 3], [1, 4]], (0.1, 0.9)))
    assert "levels" not in repr(given.scaled(2))


@pytest.mark.parametrize(
    "through",
    [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))],  # noqa: S301 - our own bytes
)
def test_copies_hold_the_same_quantiles(through):
    given = rows(weighted=True)
    assert through(given).ucc(vary="level").area() == given.ucc(vary="level").area()
    curve = given.ucc(vary="level")
    assert through(curve).at(nominal=0.5) == curve.at(nominal=0.5)

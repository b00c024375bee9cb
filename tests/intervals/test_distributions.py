"""Distributions of other libraries, read at levels: scipy, torch, and objects shaped like others."""

from __future__ import annotations

import statistics
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import uccurve as uc
from errors import raises
from uccurve import exceptions as ex

N = 60
RNG = np.random.default_rng(0)
CENTER, SPREAD = RNG.normal(size=N), np.exp(RNG.normal(size=N) / 2)
NORMAL = stats.norm(CENTER, SPREAD)
Y = CENTER + SPREAD * RNG.standard_t(4, size=N)


class Skpro:
    """A table of distributions whose quantiles are a frame of one column, as in skpro."""

    def ppf(self, p):
        shape = np.broadcast_to(np.array(p), (N, 1))
        return pd.DataFrame(stats.norm(CENTER[:, None], SPREAD[:, None]).ppf(shape), columns=["y"])


class NumPyro:
    """A distribution with `icdf` in single precision, as in NumPyro."""

    def icdf(self, q):
        return np.asarray(NORMAL.ppf(q), dtype=np.float32)


def test_quantiles_are_those_of_the_distribution():
    """The outermost pair gives bounds and claim, the median the prediction, and all pairs the levels."""
    rows = uc.Intervals.from_distribution(Y, NORMAL)
    assert rows.nominal == 0.99
    assert np.array_equal(rows.lower, NORMAL.ppf(0.005))
    assert np.array_equal(rows.upper, NORMAL.ppf(0.995))
    assert np.array_equal(rows.y_pred, NORMAL.ppf(0.5))
    curve = rows.ucc(vary="level")
    for nominal in (0.1, 0.5, 0.9, 0.95, 0.99):
        low, high = NORMAL.ppf(0.5 - nominal / 2), NORMAL.ppf(0.5 + nominal / 2)
        point = curve.at(nominal=nominal)
        assert point.coverage == pytest.approx(np.mean((low <= Y) & (high >= Y)))
        assert point.bandwidth == pytest.approx(np.mean(high - low) / 2, rel=1e-12)


@pytest.mark.parametrize("kind", [Skpro, NumPyro, lambda: stats.Normal(mu=CENTER, sigma=SPREAD)])
def test_other_libraries_give_the_same(kind):
    """By the name of their method, whatever they return quantiles in."""
    wanted = uc.Intervals.from_distribution(Y, NORMAL).ucc(vary="level")
    found = uc.Intervals.from_distribution(Y, kind()).ucc(vary="level")
    assert found.area() == pytest.approx(wanted.area(), rel=1e-6)
    assert found.gain(y="deficit") == pytest.approx(wanted.gain(y="deficit"), abs=1e-5)


@pytest.mark.parametrize("torch_y", [True, False])
def test_torch_distributions_stay_tensors(torch_y):
    """Also of parameters that require gradients."""
    torch = pytest.importorskip("torch")
    loc = torch.tensor(CENTER, requires_grad=True)
    normal = torch.distributions.Normal(loc, torch.tensor(SPREAD))
    rows = uc.Intervals.from_distribution(torch.tensor(Y) if torch_y else Y, normal)
    assert isinstance(rows.lower, torch.Tensor)
    wanted = uc.Intervals.from_distribution(Y, NORMAL).ucc(vary="level").area()
    assert float(rows.ucc(vary="level").area()) == pytest.approx(wanted, rel=1e-9)


def test_several_outputs_weights_and_frames():
    """In the shape of the observations; a column in takes its library along."""
    both = stats.norm(np.stack([CENTER, 2 * CENTER], axis=1), SPREAD[:, None])
    rows = uc.Intervals.from_distribution(np.stack([Y, Y], axis=1), both)
    assert (rows.n_outputs, rows.ucc(vary="level").n) == (2, N)
    weight = np.arange(N, dtype=float)
    weighted = uc.Intervals.from_distribution(pd.Series(Y), NORMAL, sample_weight=weight)
    inside = (NORMAL.ppf(0.005) <= Y) & (NORMAL.ppf(0.995) >= Y)
    assert weighted.ucc(vary="level").original.coverage == pytest.approx(np.average(inside, weights=weight))
    assert type(weighted.ucc().to_frame()).__module__.startswith("pandas")


def test_one_level_is_a_limit_around_the_median():
    """No prediction is needed, as the median is known."""
    rows = uc.Intervals.from_distribution(Y, NORMAL, levels=[0.9])
    assert (rows.side, rows.nominal) == ("upper", 0.9)
    assert np.array_equal(rows.y_pred, NORMAL.ppf(0.5))


def test_the_center_is_the_median_also_where_it_is_not_a_level():
    """A given prediction serves scale and shift only."""
    skewed = stats.gamma(2.0, CENTER, SPREAD)
    with_median = uc.Intervals.from_distribution(Y, skewed, levels=[0.05, 0.25, 0.5, 0.75, 0.95])
    without = uc.Intervals.from_distribution(Y, skewed, levels=[0.05, 0.25, 0.75, 0.95], y_pred=skewed.mean())
    assert without.ucc(vary="level").area() == with_median.ucc(vary="level").area()
    assert without.ucc().area() != pytest.approx(with_median.ucc().area(), rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "largest"), [(stats.expon, 0.02), (partial(stats.lognorm, 1.5), 0.035)])
def test_default_levels_come_close_to_many_levels(kind, largest):
    """The errors that the documentation states, against 199 levels."""
    rng = np.random.default_rng(0)
    center, spread = rng.normal(size=1500), np.exp(rng.normal(size=1500) / 2)
    skewed = kind(center, spread)
    y = skewed.rvs(random_state=rng)
    few = uc.Intervals.from_distribution(y, skewed).ucc(vary="level")
    many = uc.Intervals.from_distribution(y, skewed, levels=np.arange(1, 200) / 200).ucc(vary="level")
    assert 0 <= few.area() / many.area() - 1 < 0.006
    assert few.area(y="deficit") == pytest.approx(many.area(y="deficit"), rel=1e-3)

    def wider(**point):
        return few.at(**point).bandwidth / many.at(**point).bandwidth - 1

    assert max(abs(wider(coverage=level)) for level in (0.5, 0.8, 0.9, 0.95, 0.98)) < 0.01
    at_nominal = [wider(nominal=level) for level in np.arange(1, 100) / 100]
    assert -1e-9 < min(at_nominal) <= max(at_nominal) < largest


class Broken:
    """Distributions that fail in their own way."""

    def __init__(self, quantile):
        self.ppf = quantile


def failing(_level):
    raise NotImplementedError


@pytest.mark.parametrize(
    ("distribution", "kind", "argument"),
    [
        (statistics.NormalDist(), ex.ArgumentTypeError, "distribution"),
        (Broken(failing), ex.ArgumentError, "distribution"),
        (Broken(lambda level: np.full(N, -level)), ex.CrossedBoundsError, "quantiles"),
        (Broken(lambda level: np.full(N - 1, level)), ex.ShapeError, "distribution"),
        (Broken(lambda _: ["a"] * N), ex.NotNumericError, "quantile 0.005"),
        (stats.norm(CENTER, np.where(np.arange(N) == 7, -1, SPREAD)), ex.NonFiniteError, "quantile 0.5"),
    ],
)
def test_what_is_no_distribution_of_the_rows_is_refused(distribution, kind, argument):
    """In words that name the argument, never as an error of another library."""
    with raises(kind, argument):
        uc.Intervals.from_distribution(Y, distribution)

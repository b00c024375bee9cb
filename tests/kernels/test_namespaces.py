"""One suite for all kinds of arrays: the same curve to the last digits, and arrays of the kind that came in."""

from __future__ import annotations

import array_api_strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import uccurve as uc

KINDS = {"numpy": np.asarray, "strict": array_api_strict.asarray, "torch": torch.asarray, "jax": jnp.asarray}


@pytest.fixture(params=KINDS)
def kind(request):
    """A function that makes arrays of one kind."""
    with jax.enable_x64(new_val=True):
        yield KINDS[request.param]


def columns(seed, n=60, unit=1.0):
    """Integers and powers of two, so that sums are exact; ties, zero bands where asked, exact predictions."""
    rng = np.random.default_rng(seed)
    y_pred = rng.integers(-8, 9, size=n).astype(float)
    error = rng.integers(-6, 7, size=n).astype(float)
    low, high = 2.0 ** rng.integers(-2, 4, size=(2, n))
    return [unit * column for column in (y_pred + error, y_pred, low, high)]


def both(given, kind, **options):
    return (
        uc.Intervals.from_bands(*(kind(column) for column in given), **options),
        uc.Intervals.from_bands(*given, **options),
    )


CASES = {
    "symmetric": lambda: columns(0)[:3],
    "asymmetric": lambda: columns(1),
    "tiny unit": lambda: columns(2, unit=2.0**-60),
    "huge unit": lambda: columns(3, unit=2.0**40),
    "one row": lambda: columns(4, n=1),
    "two rows": lambda: columns(5, n=2),
    "three rows": lambda: columns(6, n=3)[:3],
}


def pairs():
    """Every kind with every case; JAX, which compiles for each length, with one of them."""
    return [(kind, case) for kind in KINDS for case in CASES if kind != "jax" or case == "asymmetric"]


@pytest.fixture(params=pairs(), ids="-".join)
def rows_and_expected(request):
    """Intervals of arrays of one kind, and of NumPy."""
    name, case = request.param
    with jax.enable_x64(new_val=True):
        yield both(CASES[case](), KINDS[name])


@pytest.mark.parametrize("vary", ["scale", "shift"])
def test_points_and_costs_are_the_same(rows_and_expected, vary):
    """Every operating point, and all four costs there."""
    rows, expected = rows_and_expected
    curve, reference = rows.ucc(vary=vary), expected.ucc(vary=vary)
    for name in ("parameter", "miss_rate", "coverage", "bandwidth", "excess", "deficit"):
        found = getattr(curve, name)
        assert type(found) is type(rows.y_true), name
        scale = np.max(np.abs(getattr(reference, name)))
        np.testing.assert_allclose(
            np.asarray(found), getattr(reference, name), rtol=1e-13, atol=1e-14 * scale
        )


@pytest.mark.parametrize("vary", ["scale", "shift"])
@pytest.mark.parametrize("x", ["bandwidth", "excess"])
@pytest.mark.parametrize("y", ["miss_rate", "deficit"])
def test_areas_and_optima_are_the_same(rows_and_expected, vary, x, y):
    """Whole and in part, by both definitions; and the cheapest point."""
    curve, reference = (rows.ucc(vary=vary) for rows in rows_and_expected)
    assert curve.area(x=x, y=y) == pytest.approx(reference.area(x=x, y=y), rel=1e-13)
    if y == "miss_rate" and reference.miss_rate[0] > 0.5:
        for partial in ("mean", "strip"):
            part = {"x": x, "partial": partial, "miss_rate": (0.2, 0.6)}
            assert curve.area(**part) == pytest.approx(reference.area(**part), rel=1e-12, nan_ok=True)
    mine, theirs = (c.minimize_cost(0.4, x=x, y=y) for c in (curve, reference))
    assert mine.cost == pytest.approx(theirs.cost, rel=1e-13)


def test_weights_and_sketches_are_the_same(kind):
    """Weighted rows, zero weights among them."""
    weight = np.arange(60) % 4 / 2
    rows, expected = both(columns(7), kind, sample_weight=weight)
    assert rows.ucc().area() == pytest.approx(expected.ucc().area(), rel=1e-13)
    np.testing.assert_allclose(
        np.asarray(rows.ucc().miss_rate), expected.ucc().miss_rate, rtol=1e-13, atol=1e-15
    )
    assert uc.UCCSketch.of(rows) == uc.UCCSketch.of(expected)


def test_limits_are_the_same(kind):
    """One-sided ones, from bounds."""
    y, y_pred, _, high = columns(8)
    limit = uc.Intervals.from_bounds(kind(y), upper=kind(y_pred + high), y_pred=kind(y_pred))
    expected = uc.Intervals.from_bounds(y, upper=y_pred + high, y_pred=y_pred)
    assert limit.ucc().area() == pytest.approx(expected.ucc().area(), rel=1e-13)


@pytest.mark.parametrize("name", ["strict", "torch"])
def test_levels_are_the_same(name):
    """The family of several quantiles. JAX, which compiles each of its many steps, is left out."""
    kind = KINDS[name]
    y, y_pred, low, high = columns(8)
    quantiles = np.stack([y_pred - 2 * low, y_pred - low, y_pred, y_pred + high, y_pred + 3 * high], axis=1)
    levels = [0.05, 0.25, 0.5, 0.75, 0.95]
    mine = uc.Intervals.from_quantiles(kind(y), kind(quantiles), levels).ucc(vary="level")
    theirs = uc.Intervals.from_quantiles(y, quantiles, levels).ucc(vary="level")
    for axis in ("miss_rate", "deficit"):
        assert mine.area(y=axis) == pytest.approx(theirs.area(y=axis), rel=1e-12)
    assert mine.at(coverage=0.8).bandwidth == pytest.approx(theirs.at(coverage=0.8).bandwidth, rel=1e-13)


def test_one_number_metrics_are_the_same(kind):
    """Arrays of any kind in, a float out."""
    y, y_pred, low, high = columns(9)
    bounds = [y, y_pred - low, y_pred + high]
    for metric in (uc.miss_rate, uc.coverage, uc.bandwidth, uc.excess, uc.deficit):
        take = bounds[1:] if metric is uc.bandwidth else bounds
        found = metric(*(kind(column) for column in take))
        assert type(found) is float
        assert found == pytest.approx(metric(*take), rel=1e-14)

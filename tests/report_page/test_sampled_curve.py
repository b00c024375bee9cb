"""The curve at fixed miss rates, and the sums that partial gains follow from, against the curve itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import uccurve as uc
from uccurve.curve._curve_data import line
from uccurve.exceptions import UnreachableError
from uccurve.report_page import _sampled_curve
from uccurve.report_page._sampled_curve import PAIRS, RATES


def made(seed, n, *, kind="asymmetric", weights=False, unit=1.0, vary="scale"):
    """Rows with ties and exact predictions; zero bands where asked for."""
    rng = np.random.default_rng(seed)
    y = rng.integers(-6, 7, size=n) / 2.0 if seed % 2 else rng.normal(size=n)
    lower, upper = rng.exponential(size=(2, n)) + 0.1
    if kind == "floor":
        lower[: n // 4 + 1] = upper[: n // 4 + 1] = 0.0
    bands = (lower,) if kind == "symmetric" else (lower, upper)
    weight = rng.integers(0, 4, size=n) + 0.25 if weights else None
    rows = uc.Intervals.from_bands(
        y * unit, np.zeros(n), *(band * unit for band in bands), sample_weight=weight
    )
    return rows.ucc(vary=vary)


CURVES = st.builds(
    made,
    st.integers(0, 10**6),
    st.sampled_from([1, 2, 3, 7, 40, 333]),
    kind=st.sampled_from(["asymmetric", "symmetric", "floor"]),
    weights=st.booleans(),
    unit=st.sampled_from([1.0, 2.0**-300, 2.0**300]),
    vary=st.sampled_from(["scale", "shift"]),
)


def or_nan(ask):
    try:
        return ask()
    except UnreachableError:
        return math.nan


@given(CURVES, st.integers(0, RATES.size - 1))
def test_a_sampled_point_is_the_curve_s_own(curve, place):
    """What the page shows at a rate is what `at` returns for it."""
    points = _sampled_curve.points(curve)
    rate = float(RATES[place])
    found = {name: float(values[place]) for name, values in points.items()}
    try:
        point = curve.at(miss_rate=rate)
    except UnreachableError:
        assert all(math.isnan(value) for value in found.values())
        return
    assert found["parameter"] == point.parameter
    for name in _sampled_curve.COSTS:
        assert found[name] == pytest.approx(
            getattr(point, name), rel=1e-9, abs=1e-12 * curve.original.bandwidth
        )


@pytest.mark.parametrize(("x", "y"), PAIRS)
@given(curve=CURVES, ends=st.lists(st.integers(0, RATES.size - 1), min_size=2, max_size=2, unique=True))
def test_partial_areas_follow_from_two_looks_at_the_sums(x, y, curve, ends):
    """Both definitions, for any range of the grid, floors included."""
    low, high = sorted(ends)
    sums = _sampled_curve.partials(curve, x, y)
    unit = curve._data.summary.error or 1.0
    unit = unit * unit if y == "deficit" else unit
    span = {"miss_rate": (float(RATES[low]), float(RATES[high]))}
    if unit in (0.0, math.inf):
        return
    strip = sums.strip_end[low] - sums.strip_begin[high]
    wanted = or_nan(lambda: curve.area(x=x, y=y, **span, partial="strip")) / unit
    assert strip == pytest.approx(wanted, rel=1e-7, abs=1e-9, nan_ok=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (sums.mean_begin[high] - sums.mean_end[low]) / (sums.height_begin[high] - sums.height_end[low])
    wanted = or_nan(lambda: curve.area(x=x, y=y, partial="mean", **span)) / (curve._data.summary.error or 1.0)
    if sums.height_begin[high] - sums.height_end[low] > 1e-6:
        assert mean == pytest.approx(wanted, rel=1e-6, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(("x", "y"), PAIRS)
@given(curve=CURVES, place=st.integers(0, 400), factor=st.sampled_from([1.0, 0.01, 7.0]))
def test_the_optimum_of_every_cost_is_among_the_cheapest_points(x, y, curve, place, factor):
    """In each of the units asked for, and for every weight on the slider."""
    unit = factor / (curve._data.summary.error or 1.0)
    weights = _sampled_curve.weights(factor)
    found = _sampled_curve.cheapest(curve, x, y, [(_sampled_curve.weights(), 1.0), (weights, unit)])
    c = weights[place]
    scale = {"bandwidth": unit, "excess": unit, "deficit": unit, "miss_rate": 1.0}
    best = float(np.min(c * found[x] * scale[x] + (1 - c) * found[y] * scale[y]))
    data = curve._data
    xs, ys = (line(data, x), line(data, y)) if y == "deficit" else (getattr(curve, x), curve.miss_rate)
    wanted = float(np.min(c * xs * scale[x] + (1 - c) * ys * scale[y]))
    assert best == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@given(CURVES, st.sampled_from([0.0, 0.05, 0.2, 0.5]))
def test_the_limit_line_is_the_curve_s_own(curve, rate):
    """The cheapest point with at most that miss rate."""
    place = int(np.searchsorted(RATES, rate))
    limit = curve.frontier
    first = int(np.argmax(np.asarray(limit.miss_rate) <= rate + 1e-12))
    assert _sampled_curve.frontier(curve)["bandwidth"][place] == limit.bandwidth[first]


def test_the_cheapest_points_of_a_long_curve_are_few():
    """So that a page can carry it."""
    curve = made(2, 50_000)
    for x, y in PAIRS:
        assert (
            _sampled_curve.cheapest(curve, x, y, [(_sampled_curve.weights(), 1.0)])["parameter"].size <= 401
        )


def test_weights_are_centered_on_the_size_of_the_errors():
    """A slider in euros and one in thousands of euros reach the same operating points."""
    assert _sampled_curve.weights()[200] == 0.5
    for size in (1e-7, 1.0, 2e4, 1e12):
        weights = _sampled_curve.weights(size)
        assert weights[200] / (1 - weights[200]) == pytest.approx(1 / size, rel=0.01)
        assert np.all(np.diff(weights) > 0)
        assert 0 < weights[0] < weights[-1] < 1

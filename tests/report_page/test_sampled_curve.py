"""The curve at fixed miss rates, and the sums that partial gains follow from, against the curve itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import uccurve as uc
from uccurve.exceptions import UnreachableError
from uccurve.report_page import _sampled_curve
from uccurve.report_page._sampled_curve import RATES


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


@given(CURVES, st.sampled_from([0.0, 0.05, 0.2, 0.5]))
def test_the_limit_line_is_the_curve_s_own(curve, rate):
    """The cheapest point with at most that miss rate."""
    place = int(np.searchsorted(RATES, rate))
    limit = curve.frontier
    first = int(np.argmax(np.asarray(limit.miss_rate) <= rate + 1e-12))
    assert _sampled_curve.frontier(curve)["bandwidth"][place] == limit.bandwidth[first]

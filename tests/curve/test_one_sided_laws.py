"""One-sided limits, further numbers: exact fractions, the mirror, and the symmetric rows around e+.

A limit has the numbers of symmetric bands around the residuals that point to it, which other tests compare with
the definitions; and turning all signs changes none of them. Both are asked of everything that a model can answer.
"""

from __future__ import annotations

import math
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import uccurve as uc
from one_sided_cases import COSTS, PAIRS, SIDES, close, limit, oracle
from strategies import cases
from uccurve.exceptions import UccurveError

UNITS = [1.0, 2.0**-40, 2.0**40]


def around_zero(case, side):
    """The same rows as symmetric bands around the residuals that point to the limit."""
    exact = oracle(case, side)
    toward = [float(exact.toward(row)) for row in case.oracle().rows]
    bands = [float(exact.band(row)) for row in case.oracle().rows]
    weight = None if case.weight is None else [w for w in case.weight if w > 0]
    return uc.Intervals.from_bands(toward, 0 * np.array(toward), bands, sample_weight=weight)


@given(cases(zero_bands=True, units=UNITS), SIDES, st.integers(0, 16))
@settings(max_examples=200)
def test_points_at_a_miss_rate(case, side, sixteenths):
    """The first operating point that misses no more, the gain there, or no such point."""
    rate, exact, rows = F(sixteenths, 16), oracle(case, side), limit(case, side)
    found = next((t for t in exact.points if exact.costs(t)["miss_rate"] <= rate), None)
    if found is None:
        with pytest.raises(uc.exceptions.UnreachableError):
            rows.ucc(vary=case.vary).at(miss_rate=float(rate))
        return
    curve = rows.ucc(vary=case.vary)
    assert curve.at(miss_rate=float(rate)).parameter == float(found)
    mean = exact.mean(map(exact.band, exact.rows))
    if case.vary == "scale" and mean > 0:
        constant = exact.constant().needed("bandwidth", rate)
        if constant > 0:
            gain = 1 - exact.costs(found)["bandwidth"] / constant
            assert close(curve.gain_at(miss_rate=float(rate)), gain, 1)
    if 0 < rate < 1:
        assert math.isclose(curve.score_at(miss_rate=float(rate)), exact.score_at(rate), rel_tol=1e-12)


@given(cases(zero_bands=True, units=UNITS), SIDES, st.integers(1, 15))
@settings(max_examples=200)
def test_conformal_calibration_takes_the_right_rank(case, side, sixteenths):
    """The critical value of rank (n + 1)(1 - alpha), rounded up, in exact arithmetic; infinite beyond n."""
    assume(case.weight is None)
    exact = oracle(case, side)
    critical = sorted(math.inf if t is None else t for t in map(exact.critical, exact.rows))
    rank = math.ceil((len(critical) + 1) * F(16 - sixteenths, 16))
    expected = float(critical[rank - 1]) if rank <= len(critical) else math.inf
    scaler = uc.ConformalScaler(miss_rate=sixteenths / 16, vary=case.vary)
    if math.isinf(expected):
        with pytest.warns(uc.exceptions.InfiniteParameterWarning):
            scaler.fit(limit(case, side))
    else:
        scaler.fit(limit(case, side))
    assert scaler.parameter_ == expected


def answers(rows, vary, scale_of_rows=1.0):
    """Everything that a model answers by a number; an error by its kind."""
    curve = rows.ucc(vary=vary)
    asked = {
        f"{what} {x} {y} {sorted(span)}": (
            lambda x=x, y=y, span=span, what=what: getattr(curve, what)(x=x, y=y, **span)
        )
        for x, y in PAIRS
        for what in ("area", "gain")
        for span in (
            {},
            {"miss_rate": (0.1, 0.6)},
            {"parameter": (0.25 * scale_of_rows, 2.0 * scale_of_rows)},
        )
    }
    asked |= {f"ceiling {x} {y}": (lambda x=x, y=y: curve.ceiling(x=x, y=y)) for x, y in PAIRS}
    asked |= {f"cost {x} {y}": (lambda x=x, y=y: curve.minimize_cost(0.5, x=x, y=y).cost) for x, y in PAIRS}
    asked["gain at"] = lambda: curve.gain_at(miss_rate=0.25)
    return {name: _asked(ask) for name, ask in asked.items()} | _arrays(curve)


def _asked(ask):
    try:
        return ask()
    except UccurveError as error:
        return type(error).__name__


def _arrays(curve):
    band, frontier = curve.confidence_band(confidence_level=0.9), curve.frontier
    found = {name: getattr(curve, name) for name in ("parameter", *COSTS)}
    found |= {f"band {name}": getattr(band, name) for name in ("low", "high")}
    return found | {
        f"frontier {name}": getattr(frontier, name) for name in ("miss_rate", "bandwidth", "deficit")
    }


def assert_same(found, expected):
    """Equal up to rounding, NaN and errors in the same places."""
    assert list(found) == list(expected)
    for name, value in found.items():
        if isinstance(value, str) or isinstance(expected[name], str):
            assert value == expected[name], name
        else:
            np.testing.assert_allclose(value, expected[name], rtol=1e-11, atol=1e-12, err_msg=name)


@given(cases(zero_bands=True, units=[1.0]), SIDES)
@settings(max_examples=80)
def test_a_limit_and_its_mirror_answer_like_symmetric_bands(case, side):
    """Costs, areas, gains, ceilings, least costs, limits and bands, of both families."""
    expected = answers(around_zero(case, side), case.vary)
    assert_same(answers(limit(case, side), case.vary), expected)
    assert_same(answers(limit(case, side, mirrored=True), case.vary), expected)

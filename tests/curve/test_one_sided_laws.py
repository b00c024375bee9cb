"""One-sided limits, further numbers: exact fractions, the mirror, and the symmetric rows around e+.

A limit has the numbers of symmetric bands around the residuals that point to it, which other tests compare with
the definitions; and turning all signs changes none of them. Both are asked of everything that a model can answer.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

import uccurve as uc
from one_sided_cases import COSTS, PAIRS, SIDES, limit, oracle
from strategies import cases
from uccurve.exceptions import UccurveError


def around_zero(case, side):
    """The same rows as symmetric bands around the residuals that point to the limit."""
    exact = oracle(case, side)
    toward = [float(exact.toward(row)) for row in case.oracle().rows]
    bands = [float(exact.band(row)) for row in case.oracle().rows]
    weight = None if case.weight is None else [w for w in case.weight if w > 0]
    return uc.Intervals.from_bands(toward, 0 * np.array(toward), bands, sample_weight=weight)


SPANS = ({}, {"miss_rate": (0.1, 0.6)}, {"parameter": (0.25, 2.0)})


def answers(rows, vary):
    """Everything that a model answers by a number; an error by its kind."""
    curve = rows.ucc(vary=vary)
    asked = {
        f"{what} {x} {y} {sorted(span)}": (
            lambda x=x, y=y, span=span, what=what: getattr(curve, what)(x=x, y=y, **span)
        )
        for x, y in PAIRS
        for what in ("area", "gain")
        for span in SPANS
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

"""Draws of NumPyro, and groups of them as ArviZ holds them."""

from __future__ import annotations

import numpy as np
import pytest
from library_outputs import DRAWS, MIDDLE, Array, Y, arviz

from errors import raises
from uccurve.adapters import from_arviz, from_numpyro
from uccurve.exceptions import ArgumentError, ArgumentTypeError, ShapeError


def test_draws_are_read_as_far_as_they_reach():
    """99 draws reach 98%: levels beyond are not asked for, so that nothing warns."""
    assert from_numpyro(Y, DRAWS).nominal == 0.98
    assert from_numpyro(Y, DRAWS[:3]).nominal == 0.5


def test_draws_of_another_shape_are_named():
    """Never turned around in silence."""
    for odd in (DRAWS.T, MIDDLE, DRAWS[:1], DRAWS[:0]):
        with raises(ShapeError, "output"):
            from_numpyro(Y, odd)
    for variable in (None, "mu"):
        with raises(ArgumentError, "variable"):
            from_numpyro(Y, {"obs": DRAWS, "mean": DRAWS}, variable=variable)
    with raises(ArgumentError, "variable"):
        from_numpyro(Y, DRAWS, variable="obs")


@pytest.mark.parametrize("dims", [("chain", "draw", "row"), ("row", "draw", "chain")])
def test_groups_of_draws_are_read_by_their_dimensions(dims):
    """Chains and draws together, in whatever order the dimensions are."""
    intervals = from_arviz(Y, arviz(dims=dims), coverage=0.9)
    assert np.allclose(intervals.upper, from_numpyro(Y, DRAWS, coverage=0.9).upper)


def test_groups_without_draws_of_observations_are_refused():
    """A posterior holds parameters and means."""
    data = arviz()
    with raises(ArgumentError, "group"):
        from_arviz(Y, data, group="posterior")
    with raises(ArgumentError, "variable"):
        from_arviz(Y, data, variable="z")
    data["posterior_predictive"]["y"] = Array(MIDDLE, ("row",))
    with raises(ShapeError, "output"):
        from_arviz(Y, data)
    for wrong in (DRAWS, {"posterior_predictive": DRAWS}, {"posterior": data["posterior"]}):
        with raises(ArgumentTypeError, "output"):
            from_arviz(Y, wrong)

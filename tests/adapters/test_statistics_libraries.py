"""statsmodels, NumPyro, ArviZ, uncertainty-toolbox and UQ360, by objects of the documented shape."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from errors import raises
from uccurve.adapters import (
    from_arviz,
    from_numpyro,
    from_statsmodels,
    from_uncertainty_toolbox,
    from_uq360,
)
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    IndexMismatchError,
    NegativeBandError,
    ShapeError,
)

Y = np.array([1.0, 2.0, 4.0])
DRAWS = Y + np.linspace(-1, 1, 99)[:, None]


class Prediction:
    """A result with the names that statsmodels gives its columns."""

    def __init__(self, *kinds, index=None):
        self.kinds, self.index = kinds, index

    def summary_frame(self, alpha):
        half = 2 - 2 * alpha
        columns = {"mean": Y}
        for kind in self.kinds:
            columns |= {f"{kind}_lower": Y - half, f"{kind}_upper": Y + half}
        return pd.DataFrame(columns, index=self.index)


class Forecast(Prediction):
    """One of a model of time series."""


Forecast.__module__ = "statsmodels.tsa.statespace.mlemodel"


@pytest.mark.parametrize(
    "output",
    [Prediction("mean_ci", "obs_ci"), Prediction("pi"), Forecast("mean_ci")],
    ids=["ols", "ets", "arima"],
)
def test_results_are_read_at_every_coverage(output):
    """By alpha, 1 - coverage, as it is written."""
    intervals = from_statsmodels(Y, output, nominal=[0.5, 0.9])
    assert np.array_equal(intervals.upper, Y + (2 - 2 * 0.1))
    assert intervals.ucc(vary="level").at(nominal=0.5).bandwidth == 1
    assert np.array_equal(intervals.y_pred, Y)


def test_intervals_of_the_mean_are_refused_with_the_reason():
    """They are not meant to cover observations."""
    for output in (Prediction("mean_ci"), Prediction("ci"), Forecast("mean_ci").summary_frame(0.1)):
        with raises(ArgumentError, "output"):
            from_statsmodels(Y, output, nominal=0.9)
    with raises(ArgumentError, "output"):
        from_statsmodels(Y, Prediction(), nominal=0.9)
    with raises(ArgumentTypeError, "output"):
        from_statsmodels(Y, np.ones((3, 2)), nominal=0.9)
    with raises(ArgumentError, "nominal"):
        from_statsmodels(Y, Prediction("obs_ci").summary_frame(0.1), nominal=[0.8, 0.9])


def test_the_index_of_a_prediction_must_agree():
    """It keeps the labels of the inputs."""
    y = pd.Series(Y, index=["a", "b", "c"])
    assert from_statsmodels(y, Prediction("obs_ci", index=y.index), nominal=0.9).n == 3
    with raises(IndexMismatchError, "output", count=2, first=0):
        from_statsmodels(y, Prediction("obs_ci", index=["c", "b", "a"]), nominal=0.9)


def test_draws_are_read_as_far_as_they_reach():
    """99 draws reach 98%: levels beyond are not asked for, so that nothing warns."""
    intervals = from_numpyro(Y, {"obs": DRAWS})
    assert intervals.nominal == pytest.approx(0.98)
    assert np.allclose(intervals.y_pred, Y)
    assert intervals.ucc(vary="level").at(nominal=0.8).bandwidth == pytest.approx(0.8, rel=0.03)
    assert from_numpyro(Y, DRAWS.reshape(3, 33, 3), coverage=0.9).nominal == pytest.approx(0.9)
    assert from_numpyro(Y, DRAWS, levels=[0.1, 0.9]).nominal == pytest.approx(0.8)


def test_draws_of_another_shape_are_named():
    """Never turned around in silence."""
    with raises(ShapeError, "output"):
        from_numpyro(Y, DRAWS.T)
    with raises(ShapeError, "output"):
        from_numpyro(Y, Y)
    with raises(ArgumentError, "coverage"):
        from_numpyro(Y, DRAWS, levels=[0.1, 0.9], coverage=0.9)
    for variable in (None, "mu"):
        with raises(ArgumentError, "variable"):
            from_numpyro(Y, {"obs": DRAWS, "mean": DRAWS}, variable=variable)


class Array:
    """A variable with named dimensions."""

    def __init__(self, values, dims):
        self.values, self.dims = values, dims

    def transpose(self, *dims):
        order = [d for d in dims if d is not ...]
        order += [d for d in self.dims if d not in order]
        return Array(np.transpose(self.values, [self.dims.index(d) for d in order]), tuple(order))


class Group(dict):
    """Variables by name."""

    @property
    def data_vars(self):
        return list(self)


class InferenceData(dict):
    """Groups by name, which a method lists, as of ArviZ; newer trees have a tuple of paths."""

    def groups(self):
        return list(self)


class Tree(dict):
    @property
    def groups(self):
        return ("/", *(f"/{name}" for name in self))


def predictive(dims=("chain", "draw", "row")):
    array = Array(DRAWS.reshape(3, 33, 3), ("chain", "draw", "row")).transpose(*dims)
    return {"posterior": Group(), "posterior_predictive": Group(y=array)}


@pytest.mark.parametrize("kind", [InferenceData, Tree])
@pytest.mark.parametrize("dims", [("chain", "draw", "row"), ("row", "draw", "chain")])
def test_groups_of_draws_are_read_by_their_dimensions(kind, dims):
    """Chains and draws together, in whatever order the dimensions are."""
    intervals = from_arviz(Y, kind(predictive(dims)), coverage=0.9)
    assert np.allclose(intervals.y_pred, Y)
    assert np.allclose(intervals.upper, from_numpyro(Y, DRAWS, coverage=0.9).upper)


def test_groups_without_draws_of_observations_are_refused():
    """A posterior holds parameters and means."""
    data = InferenceData(predictive())
    with raises(ArgumentError, "group"):
        from_arviz(Y, data, group="posterior")
    with raises(ArgumentError, "group"):
        from_arviz(Y, data, group="predictions")
    with raises(ArgumentError, "variable"):
        from_arviz(Y, data, variable="z")
    data["posterior_predictive"]["y"] = Array(Y, ("row",))
    with raises(ShapeError, "output"):
        from_arviz(Y, data)
    for wrong in (DRAWS, {"posterior_predictive": DRAWS}):
        with raises(ArgumentTypeError, "output"):
            from_arviz(Y, wrong)


def test_the_order_of_uncertainty_toolbox_is_its_own():
    """Prediction, deviation, observation."""
    intervals = from_uncertainty_toolbox(Y + 1, [1.0, 2.0, 3.0], Y)
    assert np.array_equal(intervals.y_true, Y)
    assert np.array_equal(intervals.upper_band, [1, 2, 3])
    with pytest.raises(NegativeBandError):
        from_uncertainty_toolbox(Y, -Y, Y)


def test_the_table_of_uq360_holds_bands_not_bounds():
    """Prediction, lower band, upper band; the claim may be said."""
    table = np.stack([Y, Y * 0 + 1, Y * 0 + 2], axis=1)
    intervals = from_uq360(Y, table, nominal=0.9)
    assert np.array_equal(intervals.lower, Y - 1)
    assert np.array_equal(intervals.upper, Y + 2)
    assert (intervals.nominal, from_uq360(Y, table).nominal) == (0.9, None)
    with raises(ShapeError, "output"):
        from_uq360(Y, table[:, :2])
    with raises(ArgumentError, "output"):
        from_uq360(Y, [table, table])

"""Frames and distributions as the methods of sktime and skpro return them."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import uccurve as uc
from errors import raises
from uccurve.adapters import from_skpro, from_sktime
from uccurve.exceptions import (
    ArgumentError,
    ArgumentTypeError,
    IndexMismatchError,
    NegativeBandError,
    ShapeError,
)

TIMES = pd.period_range("2024-01", periods=24, freq="M")
RNG = np.random.default_rng(0)
Y = pd.Series(RNG.normal(size=24), index=TIMES, name="sales")
POINT = pd.Series(RNG.normal(size=24), index=TIMES, name="sales")
STD = RNG.uniform(0.5, 2, size=24)


def interval_frame(coverages=(0.5, 0.9), variables=("sales",)):
    """What ``predict_interval`` returns: variable, coverage, and lower or upper."""
    columns = pd.MultiIndex.from_product([variables, coverages, ["lower", "upper"]])
    frame = pd.DataFrame(index=TIMES, columns=columns, dtype=float)
    for number, (variable, coverage, side) in enumerate(columns):
        step = norm.ppf(0.5 + coverage / 2) * (-1 if side == "lower" else 1.2)
        frame.iloc[:, number] = POINT + step * STD + list(variables).index(variable)
    return frame


def quantile_frame(levels=(0.05, 0.25, 0.5, 0.75, 0.95)):
    """What ``predict_quantiles`` returns: variable and level."""
    columns = pd.MultiIndex.from_product([["sales"], levels])
    return pd.DataFrame(
        POINT.to_numpy()[:, None] + np.outer(STD, norm.ppf(levels)), index=TIMES, columns=columns
    )


class Normal:
    """A distribution of skpro, as far as it is used: ``ppf`` returns a frame."""

    def ppf(self, level):
        return pd.DataFrame({"sales": POINT + norm.ppf(level) * STD}, index=TIMES)


@pytest.mark.parametrize("read", [from_sktime, from_skpro])
def test_all_coverages_of_predict_interval_are_read(read):
    """The widest gives the bounds and the claim; coverages in columns are shares."""
    output = interval_frame()
    rows = read(Y, output)
    np.testing.assert_array_equal(rows.lower, output["sales", 0.9, "lower"])
    np.testing.assert_array_equal(rows.upper, output["sales", 0.9, "upper"])
    assert rows.nominal == 0.9
    assert rows.ucc(vary="level").reliability().levels == (0.5, 0.9)
    assert read(Y, output, y_pred=POINT).y_pred.tolist() == POINT.tolist()


def test_quantiles_with_their_median():
    output = quantile_frame()
    rows = from_sktime(Y, output)
    assert rows.nominal == 0.9
    np.testing.assert_array_equal(rows.y_pred, output["sales", 0.5])
    one = from_sktime(Y, output, coverage=0.5)
    np.testing.assert_array_equal(one.y_pred, output["sales", 0.5])
    np.testing.assert_array_equal(one.upper, output["sales", 0.75])


def test_variances_are_not_taken_for_deviations():
    """Their root is the band; a plain frame does not tell what it holds, so it must be said."""
    variance = pd.DataFrame({0: STD**2}, index=TIMES)
    rows = from_sktime(Y, variance, kind="variance", y_pred=POINT)
    np.testing.assert_allclose(rows.upper_band, STD, rtol=1e-15)
    assert rows.nominal == 0.6827
    with raises(ArgumentTypeError, "output"):
        from_sktime(Y, variance, y_pred=POINT)
    with raises(ArgumentError, "y_pred"):
        from_sktime(Y, variance, kind="variance")
    with raises(ArgumentTypeError, "output"):
        from_sktime(Y, interval_frame(), kind="variance", y_pred=POINT)
    with raises(NegativeBandError, "output", count=1, first=3):
        from_sktime(Y, variance.where(np.arange(24)[:, None] != 3, -1.0), kind="variance", y_pred=POINT)
    with raises(ArgumentError, "kind"):
        from_sktime(Y, variance, kind="std", y_pred=POINT)
    with raises(ArgumentError, "coverage"):
        from_sktime(Y, variance, kind="variance", y_pred=POINT, coverage=0.9)


def test_distributions_are_read_at_levels():
    """At the usual ones, at those asked for, or at one coverage."""
    rows = from_skpro(Y.to_frame(), Normal())
    assert rows.nominal == 0.99
    np.testing.assert_allclose(from_skpro(Y, Normal(), coverage=0.9).upper, POINT + norm.ppf(0.95) * STD)
    assert from_skpro(Y, Normal(), levels=(0.1, 0.9)).nominal == 0.8
    with raises(ArgumentError, "levels"):
        from_skpro(Y, quantile_frame(), levels=(0.1, 0.9))


def test_a_frame_of_one_column_is_a_column():
    """Both libraries hand out observations and predictions as frames."""
    variance = pd.DataFrame({0: STD**2}, index=TIMES)
    for observed in (Y.to_frame(), Y.to_numpy()[:, None]):
        for rows in (
            from_sktime(observed, interval_frame(), y_pred=POINT.to_frame()),
            from_sktime(observed, variance, kind="variance", y_pred=POINT.to_frame()),
            from_skpro(observed, Normal()),
        ):
            assert rows.upper_band.shape == rows.y_true.shape == (24,)


def test_several_variables_are_outputs():
    """Their columns must come in the same order, since they are matched by position."""
    output = interval_frame(variables=("sales", "returns"))
    both = pd.DataFrame({"sales": Y, "returns": Y + 1})
    rows = from_sktime(both, output)
    assert rows.n_outputs == 2
    np.testing.assert_array_equal(rows.lower[:, 1], output["returns", 0.9, "lower"])
    with raises(ArgumentError, "y_true"):
        from_sktime(both[["returns", "sales"]], output)
    half = output.drop(columns=[("returns", 0.9, "lower")])
    with raises(ArgumentError, "output"):
        from_sktime(both, half)


def test_times_that_disagree_are_refused():
    """In another order, or none in common: the message says which, and what to do."""
    output = interval_frame()
    with raises(IndexMismatchError, "output", count=24, first=0):
        from_sktime(Y[::-1], output)
    with raises(IndexMismatchError, "output", count=24, first=0):
        from_sktime(Y.set_axis(TIMES + 24), output)
    longer = pd.concat([Y.set_axis(TIMES - 24), Y])
    with raises(ShapeError, "y_true"):
        from_sktime(longer, output)
    assert from_sktime(longer.loc[output.index], output).n == 24
    assert from_sktime(Y.to_numpy(), output).n == 24
    with pytest.raises(IndexMismatchError):
        from_sktime(Y, output, y_pred=POINT[::-1])


def test_series_of_a_panel_are_rows():
    """The index has the series in front of the time."""
    index = pd.MultiIndex.from_product([["a", "b"], TIMES])
    output = pd.concat([interval_frame(), interval_frame()]).set_axis(index)
    rows = from_sktime(pd.concat([Y, Y]).set_axis(index), output)
    compared = uc.compare({"one": rows}, blocks=index.get_level_values(0), n_resamples=99, rng=0)
    assert len(compared.scores) == 2


def test_columns_of_another_meaning_are_refused():
    output = interval_frame()
    with raises(ArgumentError, "output"):
        from_sktime(Y, output.rename(columns={"lower": "low"}, level=2))
    percent = output.rename(columns={0.9: 90.0}, level=1)
    with raises(ArgumentError, "coverage"):
        from_sktime(Y, percent)
    with raises(ArgumentTypeError, "output"):
        from_sktime(Y, output.to_numpy())


class Regressor:
    """A fitted regressor of skpro: what it predicts has the index of the inputs."""

    def predict(self, X):  # noqa: N803
        return POINT.loc[X.index].to_frame()

    def predict_interval(self, X=None, coverage=0.9):  # noqa: N803
        return interval_frame((coverage,)).loc[X.index]


class Forecaster:
    """A fitted forecaster of sktime: the times to forecast come first."""

    def predict(self, fh=None, X=None):  # noqa: N803
        assert X is None or isinstance(X, str)
        return POINT.loc[fh]

    def predict_interval(self, fh=None, X=None, coverage=0.9):  # noqa: N803
        assert X is None or isinstance(X, str)
        return interval_frame((coverage,)).loc[fh]


def test_fitted_estimators_are_drawn():
    """Regressors by their inputs, forecasters for the times of the observations; both claim 90%."""
    inputs = pd.DataFrame({"x": 1.0}, index=TIMES)
    for estimator, given in ((Regressor(), inputs), (Forecaster(), None), (Forecaster(), "exogenous")):
        (curve,) = uc.UCCDisplay.from_estimator(estimator, given, Y.to_frame()).curves.values()
        np.testing.assert_array_equal(curve.intervals.y_pred, POINT)
        assert curve.intervals.nominal == 0.9
    plt.close("all")

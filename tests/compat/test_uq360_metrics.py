"""The metrics beside the curve, against SciPy's, scikit-learn's and this library's own numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import r2_score, root_mean_squared_error

import uccurve as uc
from uccurve import exceptions as ex
from uccurve.compat import uq360


def made_rows(n=50):
    rng = np.random.default_rng(2)
    mean, band = rng.normal(size=n), rng.lognormal(size=n)
    return mean + band * rng.normal(size=n), mean, mean - band, mean + 1.5 * band


def test_each_number_is_that_of_the_usual_library():
    """All of them at once, one, or some; a column is taken as such."""
    true, mean, lower, upper = rows = made_rows()
    std = (upper - lower) / 4
    wanted = {
        "rmse": root_mean_squared_error(true, mean),
        "nll": float(np.mean(-norm.logpdf(true, mean, std))),
        "auucc_gain": uc.auucc_gain(true, lower, upper, y_pred=mean, x="excess"),
        "picp": uc.coverage(true, lower, upper),
        "mpiw": 2 * uc.bandwidth(lower, upper),
        "r2": r2_score(true, mean),
    }
    found = uq360.compute_regression_metrics(*rows)
    assert list(found) == list(wanted)
    assert found == pytest.approx(wanted, rel=1e-12)
    assert all(type(value) is float for value in found.values())
    assert uq360.compute_regression_metrics(*(row[:, None] for row in rows)) == pytest.approx(wanted)
    assert list(uq360.compute_regression_metrics(*rows, option=["r2", "picp"])) == ["picp", "r2"]
    given = uq360.compute_regression_metrics(*rows, option="nll", nll_fn=lambda y: y**2)
    assert given == {"nll": pytest.approx(np.mean(true**2))}


def test_several_outputs_are_averaged_as_scikit_learn_does():
    """Points and squares; the curve takes one output."""
    true, mean, lower, upper = rows = [np.stack([row, 3 * row], axis=1) for row in made_rows()]
    found = uq360.compute_regression_metrics(*rows, option=["rmse", "r2", "picp", "mpiw"])
    assert found["rmse"] == pytest.approx(root_mean_squared_error(true, mean))
    assert found["r2"] == pytest.approx(r2_score(true, mean))
    assert found["picp"] == pytest.approx(np.mean((true >= lower) & (true <= upper)))
    with pytest.raises(ex.ShapeError):
        uq360.auucc_gain(*rows)


@pytest.mark.parametrize(("mean", "r2"), [([1.0, 1.0], 1.0), ([1.0, 2.0], 0.0)])
def test_observations_that_do_not_vary_have_the_r2_of_scikit_learn(mean, r2):
    """No division by zero."""
    found = uq360.compute_regression_metrics([1.0, 1.0], mean, [0.0, 0.0], [2.0, 2.0], option="r2")
    assert found == {"r2": r2 == r2_score([1.0, 1.0], mean) and r2}


def test_shapes_must_agree():
    """A column beside rows would be compared with all of them."""
    true, mean, lower, upper = made_rows()
    for call in (
        lambda: uq360.picp(true[:, None], lower, upper),
        lambda: uq360.mpiw(lower, upper[:5]),
        lambda: uq360.auucc_gain(true, mean[:, None], lower, upper),
        lambda: uq360.compute_regression_metrics(true[:, None], mean, lower, upper),
    ):
        with pytest.raises(ex.ShapeError):
            call()


def test_bad_values_are_refused_or_counted():
    """NaN and masked values are no miss, and crossed bounds are no silent width."""
    true, mean, lower, upper = made_rows()
    masked = np.ma.array(true, mask=np.arange(50) == 3)
    true[3] = np.nan
    for bad in (true, masked):
        for call in (
            lambda bad=bad: uq360.picp(bad, lower, upper),
            lambda bad=bad: uq360.mpiw(lower, bad),
            lambda bad=bad: uq360.form_D_for_auucc(mean, bad, upper),
            lambda bad=bad: uq360.negative_log_likelihood_Gaussian(bad, mean, lower, upper),
            lambda bad=bad: uq360.auucc_gain(bad, mean, lower, upper),
            lambda bad=bad: uq360.compute_regression_metrics(bad, mean, lower, upper),
        ):
            with pytest.raises(ex.NonFiniteError) as caught:
                call()
            assert (caught.value.count, caught.value.first) == (1, 3)
            assert caught.value.argument in ("y_true", "y_upper", "zhatl")
    with pytest.warns(ex.RepairedInputWarning):
        assert uq360.mpiw(upper, lower) == pytest.approx(np.mean(upper - lower))
    assert np.isnan(uq360.negative_log_likelihood_Gaussian(mean, mean, mean, mean))
    with pytest.raises(ex.ArgumentError):
        uq360.compute_regression_metrics(mean, mean, lower, upper, option="PICP")
    with pytest.raises(ex.NotNumericError):
        uq360.picp(["a"], [1], [2])
    with pytest.raises(ex.ShapeError):
        uq360.picp([], [], [])


def test_the_null_reference_is_a_constant_band_around_the_same_predictions():
    """Its size is UQ360's, and no obstacle where predictions do not vary."""
    true, mean, lower, upper = made_rows()
    ucc = uq360.fitted_ucc_w_nullref(true, mean, lower, upper)
    assert np.array_equal(ucc.ub[1], np.full(50, np.std(mean)))
    assert np.array_equal(ucc.d[0], ucc.d[1])
    for level in (0.0, 21.781):
        still = uq360.fitted_ucc_w_nullref(
            true - mean, 0 * mean + level, lower - mean + level, upper - mean + level
        )
        assert np.allclose(still.lb[1], np.mean(upper - lower) / 2)


def test_a_perfect_model_has_no_gain():
    """Nothing to save."""
    mean = np.arange(5.0)
    assert np.isnan(uq360.auucc_gain(mean, mean, mean - 1, mean + 1))

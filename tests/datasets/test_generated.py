"""Generated data: what is drawn, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from errors import raises
from uccurve import exceptions as ex
from uccurve.datasets import make_crossing, make_gap, make_heteroscedastic


def test_the_truth_about_the_noise_is_the_truth():
    """Standardized by the true mean and scale, observations are normal."""
    data = make_heteroscedastic(20_000, spread=0.8, rng=0)
    z = (data.y_true - data.y_pred) / data.std
    assert abs(z.mean()) < 0.03
    assert abs(z.std() - 1) < 0.02
    assert abs(np.log(data.std).std() - 0.8) < 0.02
    np.testing.assert_array_equal(make_heteroscedastic(9, spread=0, rng=0).std, 1)


def test_each_of_two_crossing_models_is_narrower_somewhere():
    """With one that wins everywhere there would be nothing to cross."""
    data = make_crossing(2000, rng=0)
    sharp, damped = (data.models[name].ucc() for name in ("sharp", "damped"))
    assert sharp.at(miss_rate=0.02).bandwidth < damped.at(miss_rate=0.02).bandwidth
    assert sharp.at(miss_rate=0.4).bandwidth > damped.at(miss_rate=0.4).bandwidth
    assert set(data.segment[data.x < 0.3]) == {"low"}
    assert set(data.segment[data.x > 0.7]) == {"high"}


def test_training_inputs_leave_the_gap_that_test_inputs_fill():
    """Otherwise there is nothing that a model should be unsure about."""
    data = make_gap(4000, 2000, rng=0)
    assert np.abs(data.x_train).min() >= 1
    assert np.abs(data.x_train).max() <= 3
    assert abs(np.mean(data.x_train > 0) - 0.5) < 0.05
    assert 0.25 < np.mean(np.abs(data.x) < 1) < 0.42
    assert (np.diff(data.x) >= 0).all()


def test_the_truth_about_a_gap_is_the_truth():
    """Mean and noise are what the observations scatter about, and with."""
    data = make_gap(5000, 5000, noise=0.5, function=np.square, rng=1)
    np.testing.assert_array_equal(data.y_mean, data.x**2)
    np.testing.assert_array_equal(data.std, 0.5)
    assert abs(np.std(data.y_true - data.y_mean) - 0.5) < 0.02
    assert abs(np.std(data.y_train - data.x_train**2) - 0.5) < 0.02
    exact = make_gap(noise=0, rng=2)
    np.testing.assert_array_equal(exact.y_true, np.cos(2 * exact.x))


def test_a_gap_may_lie_anywhere_in_the_domain():
    """Also at its edge, which leaves one side."""
    data = make_gap(3000, gap=(0, 0.1), domain=(0, 0.3), rng=0)
    assert 0.1 <= data.x_train.min() < 0.11
    assert 0.29 < data.x_train.max() <= 0.3
    data = make_gap(3000, gap=(-0.7, 0.1), domain=(-0.9, 1e6), rng=0)
    assert not ((data.x_train > -0.7) & (data.x_train < 0.1)).any()


def test_a_seed_draws_the_same_gap_again():
    """Randomness is an argument, and a function that writes into its input changes nothing."""

    def spoiling(x):
        x *= 2
        return np.cos(x)

    one, two = make_gap(rng=3), make_gap(function=spoiling, rng=3)
    np.testing.assert_array_equal(one.x_train, two.x_train)
    np.testing.assert_array_equal(one.y_true, two.y_true)


@pytest.mark.parametrize(
    ("options", "error", "argument"),
    [
        ({"n_train": 0}, ex.ArgumentError, "n_train"),
        ({"n_test": 2.5}, ex.ArgumentError, "n_test"),
        ({"noise": -1}, ex.ArgumentError, "noise"),
        ({"function": 3}, ex.ArgumentError, "function"),
        ({"gap": 1}, ex.ArgumentError, "gap"),
        ({"gap": (1, -1)}, ex.ArgumentError, "gap"),
        ({"n_test": 10**20}, ex.ArgumentError, "n_test"),
        ({"noise": float("inf")}, ex.ArgumentError, "noise"),
        ({"gap": {-1: 0, 1: 0}}, ex.ArgumentError, "gap"),
        ({"gap": {-1, 1}}, ex.ArgumentError, "gap"),
        ({"domain": (0, float("inf"))}, ex.ArgumentError, "domain[1]"),
        ({"gap": (-4, 1)}, ex.ArgumentError, "gap"),
        ({"gap": (-3, 3)}, ex.ArgumentError, "gap"),
        ({"function": lambda _: 0.0}, ex.ShapeError, "function(x)"),
        (
            {
                "function": lambda x: np.where(x > 3, np.nan, x),
                "n_test": 3,
                "domain": (2, 4),
                "gap": (2, 3),
            },
            ex.NonFiniteError,
            "function",
        ),
    ],
)
def test_a_gap_that_cannot_be_drawn_is_refused(options, error, argument):
    """The text names argument and rule."""
    with raises(error, argument):
        make_gap(rng=0, **options)

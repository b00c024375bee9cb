"""Generated data: the truth about it."""

from __future__ import annotations

import numpy as np

from uccurve.datasets import make_crossing, make_heteroscedastic


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

"""The traffic models: losses, training of networks, boosted trees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from casestudies.traffic import assessment, boosting, networks, training
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Train on one thread, as the study does; several wait for each other on a busy machine."""
    with threadpool_limits(limits=1):
        yield


def test_losses_are_least_where_they_should_be():
    """Each loss defines what the bands mean: the mean size of an error, its parts, its deviation, a quantile."""
    generator = torch.Generator().manual_seed(0)
    y = torch.randn(20_000, generator=generator) * 2 + 1
    error = y - 1

    def best(loss):
        grid = torch.linspace(0.05, 6, 120)
        return grid[min(range(120), key=lambda i: float(loss(grid[i]).mean()))]

    def bands(volume, lower, upper):
        return networks.Bands(
            torch.full_like(y, volume), lower * torch.ones_like(y), upper * torch.ones_like(y)
        )

    assert best(lambda z: networks.JointMeta.loss(bands(1.0, z, z), y)) == pytest.approx(
        float(error.abs().mean()), abs=0.06
    )
    above = float(error.clamp(min=0).mean())
    assert best(
        lambda z: networks.AsymmetricJointMeta.loss(bands(1.0, torch.tensor(0.3), z), y)
    ) == pytest.approx(above, abs=0.06)
    assert best(lambda z: networks.Gaussian.loss(bands(1.0, z, z), y)) == pytest.approx(2, abs=0.06)
    assert best(lambda z: networks.Quantiles.loss(bands(1.0, torch.tensor(1.0), z), y)) == pytest.approx(
        1.645 * 2, abs=0.1
    )
    assert best(lambda z: networks.Quantiles.loss(bands(1.0, z, torch.tensor(1.0)), y)) == pytest.approx(
        1.645 * 2, abs=0.1
    )


@pytest.mark.parametrize("name", training.NETWORKS)
def test_a_network_learns_a_plain_day_and_its_bands_are_positive(name, parts):
    """The made volumes repeat every day, so a network that trains at all is far better than the mean."""
    schedule = training.Schedule(epochs=5, batch=32, rate=0.02)
    trained = training.train(name, parts, schedule, 0)
    rows = assessment.scored(parts, parts.test, trained.test).intervals
    assert np.mean(np.abs(rows.residual)) < 0.5 * np.mean(np.abs(rows.y_true - parts.center))
    assert np.min(rows.lower_band) > 0 < np.min(rows.upper_band)
    assert rows.symmetric == (name in {"joint symmetric", "Gaussian likelihood"})
    assert trained.losses[trained.epoch - 1][1] == min(outside for _, outside in trained.losses)


def test_training_repeats_itself_for_a_seed(parts):
    """Every number of the page is one that its command finds again."""
    first, second, other = (
        training.train("joint symmetric", parts, training.Schedule(epochs=1), seed).test.volume
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, second)
    assert np.any(first != other)


@pytest.fixture(scope="module")
def other_test(parts):
    """The same parts, but for what happened in the test hours."""
    return replace(parts, test=replace(parts.test, volume=parts.test.volume[::-1] + 1))


def test_what_happened_in_the_test_hours_has_no_part_in_training(parts, other_test):
    """Neither in fitting nor in the choice of the epoch."""
    schedule = training.Schedule(epochs=3, batch=64)
    one, other = (training.train("joint asymmetric", given, schedule, 0) for given in (parts, other_test))
    assert one.losses == other.losses
    np.testing.assert_array_equal(one.test.volume, other.test.volume)
    np.testing.assert_array_equal(one.calibrate.upper_band, other.calibrate.upper_band)


def test_what_happened_in_the_test_hours_has_no_part_in_the_trees(parts, other_test):
    """The same for the baseline."""
    settings = boosting.Boosting(every=2, rounds=3)
    one, other = (boosting.boost(given, settings, 0)[1] for given in (parts, other_test))
    np.testing.assert_array_equal(one.volume, other.volume)
    np.testing.assert_array_equal(one.lower_band, other.lower_band)


def test_hours_that_were_not_recorded_have_no_part_in_the_loss(parts):
    """Their volume is a guess of ours."""
    torch.manual_seed(0)
    network = networks.Gaussian(parts.test.past.shape[2], parts.test.ahead.shape[2])
    past, ahead, volume, scored = training._tensors(parts.test)
    guessed = torch.where(scored, volume, 1e6)
    assert not bool(scored.all())
    with torch.no_grad():
        one, other = (training._loss(network, past, ahead, y, scored) for y in (volume, guessed))
    assert float(one) == float(other)


def test_a_gaussian_forecast_reaches_as_far_as_its_quantiles(parts):
    """The others say their bands themselves; a standard deviation is not an interval yet."""
    torch.manual_seed(0)
    network = networks.Gaussian(parts.test.past.shape[2], parts.test.ahead.shape[2])
    forecast = training._forecast(network, parts, parts.test)
    with torch.no_grad():
        found = network(torch.from_numpy(parts.test.past), torch.from_numpy(parts.test.ahead))
    np.testing.assert_allclose(forecast.upper_band, 1.6448536 * parts.scale * found.upper.numpy(), rtol=1e-6)
    np.testing.assert_allclose(forecast.volume, parts.vehicles(found.volume.numpy()), rtol=1e-6)


def test_crossed_quantiles_of_trees_change_places(parts):
    """The lowest is the lower bound, and bands stay above zero where two of them meet."""
    shape = parts.test.volume.shape
    levels = np.array([0.5, 0.1, 0.1])[:, None] * np.ones(shape).ravel()
    found = boosting._forecast(parts, parts.test, levels)
    np.testing.assert_allclose(found.volume, parts.vehicles(np.full(shape, 0.1)))
    np.testing.assert_allclose(found.upper_band, 0.4 * parts.scale)
    np.testing.assert_allclose(found.lower_band, networks.SMALLEST * parts.scale)


def test_trees_learn_a_plain_day(parts):
    """With quantiles that mostly keep their order."""
    _, test, crossed = boosting.boost(parts, boosting.Boosting(every=2, rounds=30), 0)
    rows = assessment.scored(parts, parts.test, test)
    assert np.mean(np.abs(rows.intervals.residual)) < 0.2 * parts.scale
    assert 0 <= crossed < 0.5
    narrow = boosting.narrow(rows)
    thin = np.minimum(test.lower_band, test.upper_band)[parts.test.scored] < boosting.NARROW
    assert narrow["narrow"] == np.mean(thin) > 0
    assert narrow["widened_gain"] != rows.intervals.ucc().gain()

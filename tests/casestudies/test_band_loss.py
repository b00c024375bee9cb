"""The trial of losses that learn bands: its tasks, its losses, its networks."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from casestudies.band_loss import losses, results, study

import uccurve as uc


@pytest.mark.parametrize(("noise", "shape"), list(zip(study.NOISES, study.SHAPES, strict=True)))
def test_the_truth_is_the_standard_deviation(noise, shape):
    """Residuals over σ have the standard deviation 1, so that the true band is the best one."""
    rows = study.make_rows(noise, shape, 200_000, np.random.default_rng(0))
    unit = rows.error / rows.sigma
    assert np.mean(np.clip(unit, -20, 20) ** 2) == pytest.approx(1, abs=0.05)
    truth = uc.Intervals.from_bands(rows.error, 0 * rows.error, rows.sigma)
    expected = 1 - rows.sigma.mean() ** 2 / np.mean(rows.sigma**2)
    assert truth.ucc().gain(y="deficit") == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("name", [name for name in losses.LOSSES if name != losses.PINBALL])
def test_each_loss_of_the_best_constant_has_no_gradient(name):
    """Each loss is what its name says; areas do not depend on a constant's size."""
    error = torch.tensor([-4.0, -1.0, 0.5, 1.0, 2.0, 3.5] * 20, dtype=torch.float64)[:, None]
    squares, absolute = error.square().mean().sqrt(), error.abs().mean()
    best = dict.fromkeys((losses.ADDITIVE, losses.GAUSSIAN, losses.BETA_GAUSSIAN), squares)
    best |= dict.fromkeys((losses.LAPLACE, losses.META), absolute)
    z = best.get(name, torch.tensor(1.7)).double().clone().requires_grad_()
    losses.LOSSES[name](error, z.expand(error.shape), z.expand(error.shape)).backward()
    assert z.grad.item() == pytest.approx(0, abs=1e-12)


def test_networks_learn_the_scale_of_the_errors():
    """Every loss from the same start, with batches and bands of its own."""
    rng = np.random.default_rng(0)
    rows = study.make_rows("Gaussian", "step", 2000, rng)
    x, error = (torch.tensor(values[None], dtype=torch.float32) for values in (rows.x[:, None], rows.error))
    found = losses.train(x, error, losses.Schedule(epochs=20), 0).predict(x)
    assert found.shape == (len(losses.LOSSES), 1, 2000, 2)
    bands = found[:, 0, :, 0].numpy()
    assert all(np.corrcoef(band, rows.sigma)[0, 1] > 0.8 for band in bands)


def test_losses_are_ranked_on_the_same_data_sets():
    """Differences are paired, and a tie is no win."""
    gains = dict.fromkeys(losses.LOSSES, (0.0, 0.0)) | {losses.AREA: (0.3, 0.0), losses.META: (0.1, 0.1)}
    tasks = {
        "t": {
            name: {"seeds": [{number: {"value": gain} for number in results.RANKED} for gain in pair]}
            for name, pair in gains.items()
        }
    }
    found = results.rank(tasks)["gain"]
    assert found["order"][:2] == [losses.AREA, losses.META]
    assert found["pair"]["mean"] == pytest.approx(0.05)
    assert (found["pair"]["larger"], found["pair"]["sets"]) == (1, 2)

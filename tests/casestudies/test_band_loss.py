"""The trial of losses that learn bands: its tasks, its networks, and a light run from file to page."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from casestudies.__main__ import read_results
from casestudies.band_loss import __main__ as program
from casestudies.band_loss import ensemble, losses, made_tasks, results, study, traffic_rows

import uccurve as uc

COMPARED = [name for name in losses.LOSSES if name != losses.MISS_RATE]
SCHEDULE = ensemble.Schedule(epochs=30, batch=50, hidden=8)


def small_sets(sets=2, rows=200):
    generator = torch.Generator().manual_seed(3)
    x = torch.rand((sets, rows, 1), generator=generator) * 2 - 1
    return x, (0.2 + x[..., 0].abs()) * torch.randn((sets, rows), generator=generator)


def bands_of(names, x, error):
    chosen = [losses.LOSSES[name] for name in names]
    networks = ensemble.trained_bands(x, error, chosen, SCHEDULE, seed=0)
    return ensemble.bands(ensemble.applied(networks, x))


@pytest.mark.parametrize("noise", made_tasks.NOISES)
@pytest.mark.parametrize("shape", made_tasks.SHAPES)
def test_the_truth_is_the_standard_deviation(noise, shape):
    """Residuals over σ have the standard deviation 1, so that the true band is the best one."""
    rows = made_tasks.made(noise, shape, 200_000, np.random.default_rng(0))
    unit = rows.error / rows.sigma
    assert np.mean(np.clip(unit, -20, 20) ** 2) == pytest.approx(1, abs=0.05)
    assert rows.sigma.min() > 0.05
    truth = uc.Intervals.from_bands(rows.error, np.zeros(rows.error.size), rows.sigma)
    expected = 1 - rows.sigma.mean() ** 2 / np.mean(rows.sigma**2)
    assert truth.ucc().gain(y="deficit") == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("name", losses.LOSSES)
def test_each_loss_of_the_best_constant_has_no_gradient(name):
    """Each loss is what its name says: its best constant band is known in closed form."""
    error = torch.tensor([-4.0, -1.0, 0.5, 1.0, 2.0, 3.5] * 20, dtype=torch.float64)[:, None]
    absolute = error.abs()
    best = {
        losses.ADDITIVE: error.square().mean().sqrt(),
        losses.GAUSSIAN: error.square().mean().sqrt(),
        losses.BETA_GAUSSIAN: error.square().mean().sqrt(),
        losses.LAPLACE: absolute.mean(),
        losses.META: absolute.mean(),
    }
    z = best.get(name, torch.tensor(1.7)).double().clone().requires_grad_()
    sides = z.expand(error.shape)
    if name == losses.PINBALL:  # more than a twentieth lies at either end, which is the best bound there
        value = losses.LOSSES[name](error, torch.full_like(error, 4.0), torch.full_like(error, 3.5))
        assert value < losses.LOSSES[name](error, torch.full_like(error, 3.9), torch.full_like(error, 3.6))
        return
    losses.LOSSES[name](error, sides, sides).backward()
    assert z.grad.item() == pytest.approx(0, abs=1e-12)  # areas do not depend on a constant's size


def test_networks_do_not_influence_each_other():
    """All losses and data sets train at once, as if each had been alone."""
    x, error = small_sets()
    together = bands_of([losses.LOG, losses.LAPLACE, losses.PINBALL], x, error)
    alone = bands_of([losses.LAPLACE], x, error)
    assert torch.allclose(together[1], alone[0], rtol=1e-3)
    one_set = bands_of([losses.LAPLACE], x[:1], error[:1])
    assert one_set.shape == (1, 1, 200, 2)
    assert not torch.allclose(together[0], together[1], rtol=0.05)


def test_losses_of_bands_do_not_pull_the_prediction():
    """Trained together, the prediction's own gradient is that of half its squared error, whatever the loss."""
    target = small_sets(rows=10)[1].double()
    chosen = list(losses.LOSSES.values())
    outputs = torch.randn((len(chosen), *target.shape, 3), generator=torch.Generator().manual_seed(1))
    outputs = outputs.double().requires_grad_()
    ensemble.joint_loss(chosen, outputs, target).backward()
    expected = (outputs[..., 0] - target) / target.shape[1]
    assert torch.allclose(outputs.grad[..., 0], expected.detach())
    assert outputs.grad[..., 1].abs().amin(dim=(1, 2)).min() > 0


def test_prediction_and_bands_are_learned_together():
    """The prediction finds the mean, and the bands the scale around it."""
    x, error = small_sets(rows=2000)
    networks = ensemble.trained_together(x, 2 * x[..., 0] + error, [losses.gaussian], SCHEDULE, seed=0)
    outputs = ensemble.applied(networks, x)[0, 0]
    assert (outputs[:, 0] - 2 * x[0, :, 0]).square().mean().sqrt() < 0.1
    band = ensemble.bands(outputs[:, 1])
    assert torch.corrcoef(torch.stack([band, x[0, :, 0].abs().double()]))[0, 1] > 0.8


def test_bands_of_traffic_learn_from_hours_that_the_forecast_did_not_see(parts):
    """Residuals of hours that it was fitted to would be too small."""
    schedule = ensemble.Schedule(epochs=1, batch=64, hidden=4)
    hours = traffic_rows.forecasts(parts, (0, 1), schedule)
    n = int(traffic_rows.FOR_FORECASTS * len(parts.train.past))
    assert len(hours.learn.y_true) == int(parts.train.scored[n:].sum())
    assert hours.test.forecast.shape == (2, len(hours.test.y_true))
    assert not np.array_equal(hours.test.forecast[0], hours.test.forecast[1])
    expected = parts.vehicles(parts.test.volume.astype(float))[parts.test.scored]
    assert hours.test.y_true == pytest.approx(expected)


def test_losses_are_ranked_on_the_same_data_sets():
    """Differences are paired, and a tie is no win."""
    made = {"t": {name: [{"gain": {"value": 0.0}}, {"gain": {"value": 0.0}}] for name in losses.LOSSES}}
    made["t"][losses.AREA] = [{"gain": {"value": 0.3}}, {"gain": {"value": 0.0}}]
    made["t"][losses.META] = [{"gain": {"value": 0.1}}, {"gain": {"value": 0.1}}]
    found = results.ranked(made, ["t"], "gain")
    assert (found["best"], found["second"]) == (losses.AREA, losses.META)
    assert found["pair"]["mean"] == pytest.approx(0.05)
    assert (found["pair"]["larger"], found["pair"]["sets"]) == (1, 2)


@pytest.fixture(scope="module")
def settings(file):
    return replace(study.LIGHT, data=str(file))


@pytest.fixture(scope="module")
def light(settings, tmp_path_factory):
    output = tmp_path_factory.mktemp("cases")
    program.run(output, settings, 1, light=True)
    return output


def results_in(output):
    return json.loads((output / "band-loss" / "results.json").read_text())


def test_a_light_run_writes_page_figure_and_results(light):
    """The whole path from the file to the page, in seconds."""
    assert sorted(path.name for path in (light / "band-loss").iterdir()) == ["gains.png", "results.json"]
    page = (light / "band-loss.md").read_text()
    assert "A light run" in page
    for mark in ("{{", "{%", "nan", "None"):
        assert mark not in page
    for name in study.METHODS:
        assert f"| {name} |" in page


def test_results_hold_every_loss_and_every_seed(light):
    """Whoever wins."""
    found = results_in(light)
    assert list(found["tasks"]) == ["Gaussian, waves", "t3, waves"]
    both = [found, found["together"]]
    for by_loss in [
        *(one for trial in both for one in (*trial["tasks"].values(), trial["traffic"]["losses"]))
    ]:
        assert set(losses.LOSSES) <= set(by_loss)
        assert all(len(one["seeds"]) == len(study.LIGHT.seeds) for one in by_loss.values())
    record = found["tasks"]["t3, waves"][losses.LOG]["seeds"][0]
    assert record["deficit_gain"]["low"] < record["deficit_gain"]["value"] < record["deficit_gain"]["high"]


def test_what_the_page_says_in_words_is_what_the_results_say():
    """Words cannot be filled in by a template: a new run that changes them must change the page."""
    found = read_results("band-loss")
    ranked, traffic = found["ranked"], found["traffic"]
    for noise in ("Gaussian", "Laplace"):
        behind = ranked[noise]["deficit_gain"]["behind"]
        assert max(gap for name, gap in behind.items() if name != losses.MISS_RATE) < 0.0075
    assert ranked["t3"]["deficit_gain"]["order"][:3] == [losses.LAPLACE, losses.META, losses.LOG]
    heavy = found["pairs"]["t3"]
    assert all(abs(heavy[name]["mean"]) < heavy[name]["sd"] for name in (losses.LAPLACE, losses.META))
    assert all(heavy[name]["larger"] > 10 for name in (losses.ADDITIVE, losses.AREA, losses.GAUSSIAN))
    order = [name for name in traffic["ranked"]["deficit_gain"]["order"] if name != losses.BETA_GAUSSIAN]
    assert set(order[:3]) == {losses.LOG, losses.ADDITIVE, losses.AREA}
    assert order[3:6] == [losses.GAUSSIAN, losses.LAPLACE, losses.META]
    assert order[-1] == losses.PINBALL
    spread = traffic["losses"][losses.GAUSSIAN]["spread"]["deficit_gain"]
    assert traffic["ranked"]["deficit_gain"]["behind"][losses.GAUSSIAN] < spread["sd"]
    for by_number in [*ranked.values(), traffic["ranked"]]:
        assert by_number["gain"]["best"] == losses.MISS_RATE
        assert by_number["gain"]["pair"]["larger"] == by_number["gain"]["pair"]["sets"]
    assert all(one[losses.MISS_RATE]["last_fifth"]["mean"] < 0.85 for one in found["by_noise"].values())


def test_what_the_page_says_of_joint_training_is_what_the_results_say():
    """The same for the second trial."""
    found = read_results("band-loss")["together"]
    for by_loss in found["by_noise"].values():
        scores = [1 + one["score"]["mean"] for name, one in by_loss.items() if name in COMPARED]
        assert max(scores) / min(scores) < 1.015
    ranked, spreads = found["traffic"]["ranked"], found["traffic"]["losses"]
    assert ranked["interval_score"]["best"] == ranked["deficit_gain"]["best"] == losses.PINBALL
    assert ranked["interval_score"]["pair"]["larger"] == 0
    errors = {name: one["spread"]["rmse"]["mean"] for name, one in spreads.items()}
    assert set(sorted(errors, key=errors.get)[-3:]) == {losses.LOG, losses.LAPLACE, losses.GAUSSIAN}
    for name in (losses.ADDITIVE, losses.AREA, losses.META):
        assert errors[name] < 1.02 * min(errors.values())

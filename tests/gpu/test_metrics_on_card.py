"""Metrics of training loops on an NVIDIA card: the values of the CPU, also after moves between devices."""

from __future__ import annotations

import pytest
import torch

from uccurve.torch import AUUCC, AUUCCGain, Bandwidth, IntervalScore, MissRate, auucc_loss

METRICS = {
    "area": AUUCC,
    "deficit area": lambda: AUUCC(y="deficit"),
    "gain": AUUCCGain,
    "miss rate": MissRate,
    "bandwidth": Bandwidth,
    "interval score": lambda: IntervalScore(coverage=0.9),
}


def batches(device, dtype=torch.float32, n=4):
    generator = torch.Generator().manual_seed(0)
    for _ in range(n):
        y, p = torch.randn(2, 1000, generator=generator, dtype=torch.float64)
        low, high = torch.rand(2, 1000, generator=generator, dtype=torch.float64) + 0.2
        yield [column.to(device=device, dtype=dtype) for column in (y, p - low, p + high, p)]


def value(metric, device, dtype=torch.float32):
    metric = metric.to(device)
    for y, lower, upper, p in batches(device, dtype):
        metric.update(y, lower, upper, y_pred=p)
    return float(metric.compute())


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_card_gives_the_values_of_the_cpu(name, dtype):
    bound = 1e-12 if dtype == torch.float64 else 2e-6
    on_cpu, on_card = (value(METRICS[name](), device, dtype) for device in ("cpu", "cuda"))
    assert on_card == pytest.approx(on_cpu, rel=bound, abs=bound)


@pytest.mark.parametrize("name", METRICS)
def test_states_move_between_devices(name):
    metric = METRICS[name]()
    expected = value(METRICS[name](), "cpu")
    for number, (y, lower, upper, p) in enumerate(batches("cpu")):
        device = ("cuda", "cpu")[number % 2]
        metric = metric.to(device)
        metric.update(*(column.to(device) for column in (y, lower, upper)), y_pred=p.to(device))
    assert float(metric.compute()) == pytest.approx(expected, rel=2e-6, abs=2e-6)


@pytest.mark.parametrize("form", ["area", "log", "additive"])
def test_the_loss_has_its_gradient_on_the_card(form):
    y, lower, upper, p = next(iter(batches("cuda", torch.float64)))
    low, high = (p - lower).requires_grad_(), (upper - p).requires_grad_()
    auucc_loss(y, y_pred=p, band=low, upper_band=high, form=form).backward()
    on_cpu = [column.detach().cpu().requires_grad_() for column in (low, high)]
    auucc_loss(y.cpu(), y_pred=p.cpu(), band=on_cpu[0], upper_band=on_cpu[1], form=form).backward()
    for mine, theirs in zip((low, high), on_cpu, strict=True):
        torch.testing.assert_close(mine.grad.cpu(), theirs.grad, rtol=1e-10, atol=1e-12)

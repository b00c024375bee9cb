"""Training of one network: Adam with one cycle of the learning rate; the best state is kept."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from casestudies.traffic.networks import AsymmetricJointMeta, Gaussian, JointMeta, Quantiles

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor, nn

    from casestudies.traffic.windows import Part, Parts


NETWORKS: dict[str, Callable[[int, int], Any]] = {
    "joint symmetric": JointMeta,
    "joint asymmetric": AsymmetricJointMeta,
    "Gaussian likelihood": Gaussian,
    "quantile loss": Quantiles,
}
"""Networks by their names in tables and figures."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Schedule:
    """Settings of the training."""

    epochs: int = 12
    batch: int = 128
    rate: float = 5e-3
    """Highest learning rate of the cycle."""
    stride: int = 2
    """Hours between the starts of training windows."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Forecast:
    """A forecast in vehicles per hour, shape (windows, hours)."""

    volume: np.ndarray
    lower_band: np.ndarray
    upper_band: np.ndarray


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Trained:
    """A network's forecasts, and the course of its training."""

    calibrate: Forecast
    test: Forecast
    epoch: int
    """The epoch whose state was kept."""
    losses: list[tuple[float, float]]
    """Loss of each epoch in training, and on the weeks for early stopping."""
    weights: int


def train(name: str, parts: Parts, schedule: Schedule, seed: int) -> Trained:
    """Train a network and forecast with the state that was best on the weeks for early stopping."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    network = NETWORKS[name](parts.train.past.shape[2], parts.train.ahead.shape[2])
    data, stop = _tensors(parts.train), _tensors(parts.stop)
    n = len(parts.train.past)
    steps = schedule.epochs * math.ceil(n / schedule.batch)
    optimizer = torch.optim.Adam(network.parameters())
    cycle = torch.optim.lr_scheduler.OneCycleLR(optimizer, schedule.rate, total_steps=steps)
    losses, best, kept, epoch = [], math.inf, network.state_dict(), 0
    for number in range(1, schedule.epochs + 1):
        total = 0.0
        for chosen in torch.split(torch.randperm(n), schedule.batch):
            loss = _loss(network, *(column[chosen] for column in data))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            cycle.step()
            total += float(loss.detach()) * len(chosen) / n
        with torch.no_grad():
            stop_loss = float(_loss(network, *stop))
        losses.append((total, stop_loss))
        if stop_loss < best:
            best, kept, epoch = stop_loss, copy.deepcopy(network.state_dict()), number
    network.load_state_dict(kept)
    return Trained(
        calibrate=_forecast(network, parts, parts.calibrate),
        test=_forecast(network, parts, parts.test),
        epoch=epoch,
        losses=losses,
        weights=sum(weight.numel() for weight in network.parameters()),
    )


def _tensors(part: Part) -> tuple[Tensor, ...]:
    return tuple(map(torch.from_numpy, (part.past, part.ahead, part.volume, part.scored)))


def _loss(network: nn.Module, past: Tensor, ahead: Tensor, volume: Tensor, scored: Tensor) -> Tensor:
    """Return the mean loss of the hours that were recorded."""
    losses: Tensor = network.loss(network(past, ahead), volume)  # type: ignore[operator]
    return losses[scored].mean()


def _forecast(network: nn.Module, parts: Parts, part: Part) -> Forecast:
    with torch.no_grad():
        forecast = network(torch.from_numpy(part.past), torch.from_numpy(part.ahead))
    volume, lower, upper = (values.numpy().astype(np.float64) for values in forecast)
    scale = parts.scale * getattr(network, "reach", 1.0)
    return Forecast(volume=parts.vehicles(volume), lower_band=lower * scale, upper_band=upper * scale)

"""The models: LSTM encoder–decoders with their losses and training."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import uccurve as uc

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    from casestudies.traffic.hours import Part, Parts

HIDDEN, META_HIDDEN = 48, 24
TAIL = 0.05
"""Levels of the quantiles are TAIL, 0.5 and 1 - TAIL."""
SMALLEST = 1e-3
"""Smallest band, in standard deviations of the volume: above zero, so that every band can be scaled."""


class Bands(NamedTuple):
    """A forecast with its two bands, all of shape (windows, hours), in standard deviations of the volume."""

    volume: Any
    lower: Any
    upper: Any


class EncoderDecoder(nn.Module):
    """Reads the past, then follows the calendar of the day ahead and forecasts volume and bands of each hour.

    The bands come from the decoder's states, or from a meta network of their own, which reads what the
    decoder reads, the decoder's states and its forecast.
    """

    def __init__(self, past: int, ahead: int, *, bands: int, meta: bool) -> None:
        super().__init__()
        self.encoder = nn.LSTM(past, HIDDEN, batch_first=True)
        self.decoder = nn.LSTM(ahead, HIDDEN, batch_first=True)
        self.out = nn.Linear(HIDDEN, 1 if meta else 1 + bands)
        self.meta = nn.LSTM(ahead + HIDDEN + 1, META_HIDDEN, batch_first=True) if meta else None
        self.band = nn.Linear(META_HIDDEN, bands) if meta else None

    def forward(self, past: Tensor, ahead: Tensor) -> Bands:
        """Forecast the volume and its bands."""
        _, state = self.encoder(past)
        states, _ = self.decoder(ahead, state)
        volume, band = self.out(states).split([1, self.out.out_features - 1], dim=-1)
        if self.meta is not None and self.band is not None:
            meta, _ = self.meta(torch.cat([ahead, states, volume], dim=-1))
            band = self.band(meta)
        band = functional.softplus(band) + SMALLEST
        return Bands(volume[..., 0], band[..., 0], band[..., -1])


def joint_loss(forecast: Bands, y: Tensor) -> Tensor:
    """Half the squared error, plus half the squared error of the predicted absolute error."""
    residual = y - forecast.volume
    loss: Tensor = 0.5 * residual.square() + 0.5 * (residual.abs() - forecast.upper).square()
    return loss


def asymmetric_joint_loss(forecast: Bands, y: Tensor) -> Tensor:
    """Half the squared error, plus half those of its parts above and below, of which one is always zero."""
    residual = y - forecast.volume
    above, below = residual.clamp(min=0), (-residual).clamp(min=0)
    parts = (above - forecast.upper).square() + (below - forecast.lower).square()
    loss: Tensor = 0.5 * residual.square() + 0.5 * parts
    return loss


def gaussian_loss(forecast: Bands, y: Tensor) -> Tensor:
    """Negative log likelihood with the band as standard deviation, up to a constant."""
    loss: Tensor = ((y - forecast.volume) / forecast.upper).square() / 2 + forecast.upper.log()
    return loss


def quantile_loss(forecast: Bands, y: Tensor) -> Tensor:
    """Sum of the pinball losses of the median and of both ends."""
    volume, lower, upper = forecast
    return (
        _pinball(y - volume, 0.5)
        + _pinball(y - volume + lower, TAIL)
        + _pinball(y - volume - upper, 1 - TAIL)
    )


def _pinball(error: Tensor, level: float) -> Tensor:
    return torch.maximum(level * error, (level - 1) * error)


class Kind(NamedTuple):
    """What makes a network."""

    loss: Callable[[Bands, Tensor], Tensor]
    bands: int
    """1 if both sides have the same band."""
    meta: bool
    reach: float = 1.0
    """How many bands from the forecast to either end of the interval."""


NETWORKS = {
    "joint symmetric": Kind(joint_loss, bands=1, meta=True),
    "joint asymmetric": Kind(asymmetric_joint_loss, bands=2, meta=True),
    "Gaussian likelihood": Kind(gaussian_loss, bands=1, meta=False, reach=NormalDist().inv_cdf(1 - TAIL)),
    "quantile loss": Kind(quantile_loss, bands=2, meta=False),
}
"""Networks by their names in tables and figures."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Schedule:
    """Settings of the training of a network."""

    epochs: int = 12
    batch: int = 128
    rate: float = 5e-3
    """Highest learning rate of the cycle."""
    stride: int = 2
    """Hours between the starts of training windows."""


class Trained(NamedTuple):
    """A network's intervals of the scored hours, in vehicles per hour, and the course of its training."""

    calibrate: uc.Intervals
    test: uc.Intervals
    record: dict[str, int]


def train(name: str, parts: Parts, schedule: Schedule, seed: int) -> Trained:
    """Train a network, and forecast with the state that was best on the weeks for early stopping."""
    torch.manual_seed(seed)
    loss, bands, meta, reach = NETWORKS[name]
    features = parts.train.past.shape[2], parts.train.ahead.shape[2]
    network = EncoderDecoder(*features, bands=bands, meta=meta)

    def mean_loss(past: Tensor, ahead: Tensor, volume: Tensor, scored: Tensor) -> Tensor:
        """Return the mean over the hours that were recorded."""
        return loss(network(past, ahead), volume)[scored].mean()

    @torch.no_grad()
    def forecast(part: Part) -> uc.Intervals:
        outputs = network(torch.from_numpy(part.past), torch.from_numpy(part.ahead))
        volume, lower, upper = (values.numpy().astype(np.float64)[part.scored] for values in outputs)
        y_true = parts.to_vehicles(part.volume.astype(np.float64))[part.scored]
        scale = parts.scale * reach
        return uc.Intervals.from_bands(y_true, parts.to_vehicles(volume), lower * scale, upper * scale)

    columns = to_tensors(parts.train)
    n = len(parts.train.past)
    steps = schedule.epochs * math.ceil(n / schedule.batch)
    optimizer = torch.optim.Adam(network.parameters())
    cycle = torch.optim.lr_scheduler.OneCycleLR(optimizer, schedule.rate, total_steps=steps)
    best, kept, epoch = math.inf, network.state_dict(), 0
    for number in range(1, schedule.epochs + 1):
        for chosen in torch.split(torch.randperm(n), schedule.batch):
            optimizer.zero_grad()
            torch.autograd.backward(mean_loss(*(column[chosen] for column in columns)))
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            cycle.step()
        with torch.no_grad():
            stop_loss = float(mean_loss(*to_tensors(parts.stop)))
        if stop_loss < best:
            best, kept, epoch = stop_loss, copy.deepcopy(network.state_dict()), number
    network.load_state_dict(kept)
    weights = sum(weight.numel() for weight in network.parameters())
    record = {"epoch": epoch, "weights": weights}
    return Trained(forecast(parts.calibrate), forecast(parts.test), record)


def to_tensors(part: Part) -> tuple[Tensor, ...]:
    """Return the columns of a part that a loss is made of."""
    return tuple(map(torch.from_numpy, (part.past, part.ahead, part.volume, part.scored)))

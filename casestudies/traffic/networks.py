"""LSTM encoder–decoders, and the losses of their bands."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import nn
from torch.nn import functional

if TYPE_CHECKING:
    from torch import Tensor

HIDDEN, META_HIDDEN = 48, 24
TAIL = 0.05
"""Levels of the quantiles are TAIL, 0.5 and 1 - TAIL."""
SMALLEST = 1e-3
"""Smallest band, in standard deviations of the volume: above zero, so that every band can be scaled."""


class Bands(NamedTuple):
    """A forecast with its two bands, all of shape (windows, hours)."""

    volume: Tensor
    lower: Tensor
    upper: Tensor


class EncoderDecoder(nn.Module):
    """Reads the past, then follows the calendar of the day ahead: one state per hour."""

    def __init__(self, past: int, ahead: int) -> None:
        super().__init__()
        self.encoder = nn.LSTM(past, HIDDEN, batch_first=True)
        self.decoder = nn.LSTM(ahead, HIDDEN, batch_first=True)

    def forward(self, past: Tensor, ahead: Tensor) -> Tensor:
        """Return the decoder's state at each hour, shape (windows, hours, HIDDEN)."""
        _, state = self.encoder(past)
        states: Tensor = self.decoder(ahead, state)[0]
        return states


class JointMeta(nn.Module):
    """A base network for the volume and a meta network for its absolute error, trained together.

    The meta network reads what the decoder reads, the decoder's states and its forecast.
    """

    outputs = 1

    def __init__(self, past: int, ahead: int) -> None:
        super().__init__()
        self.base = EncoderDecoder(past, ahead)
        self.volume = nn.Linear(HIDDEN, 1)
        self.meta = nn.LSTM(ahead + HIDDEN + 1, META_HIDDEN, batch_first=True)
        self.band = nn.Linear(META_HIDDEN, self.outputs)

    def forward(self, past: Tensor, ahead: Tensor) -> Bands:
        """Forecast the volume and its bands."""
        states = self.base(past, ahead)
        volume = self.volume(states)
        meta, _ = self.meta(torch.cat([ahead, states, volume], dim=-1))
        band = functional.softplus(self.band(meta)) + SMALLEST
        return Bands(volume[..., 0], band[..., 0], band[..., -1])

    @staticmethod
    def loss(forecast: Bands, y: Tensor) -> Tensor:
        """Half the squared error, plus half the squared error of the predicted absolute error."""
        residual = y - forecast.volume
        return 0.5 * residual.square() + 0.5 * (residual.abs() - forecast.upper).square()


class AsymmetricJointMeta(JointMeta):
    """The same with two bands, for the parts of the residual above and below the forecast."""

    outputs = 2

    @staticmethod
    def loss(forecast: Bands, y: Tensor) -> Tensor:
        """Half the squared error, plus half those of the two parts, of which one is always zero."""
        residual = y - forecast.volume
        above, below = residual.clamp(min=0), (-residual).clamp(min=0)
        parts = (above - forecast.upper).square() + (below - forecast.lower).square()
        return 0.5 * residual.square() + 0.5 * parts


class Gaussian(nn.Module):
    """One network for mean and standard deviation, trained by the Gaussian likelihood."""

    reach = NormalDist().inv_cdf(1 - TAIL)
    """Standard deviations from the mean to either end of its interval."""

    def __init__(self, past: int, ahead: int) -> None:
        super().__init__()
        self.base = EncoderDecoder(past, ahead)
        self.out = nn.Linear(HIDDEN, 2)

    def forward(self, past: Tensor, ahead: Tensor) -> Bands:
        """Forecast the mean, with one standard deviation on either side."""
        mean, raw = self.out(self.base(past, ahead)).unbind(-1)
        std = functional.softplus(raw) + SMALLEST
        return Bands(mean, std, std)

    @staticmethod
    def loss(forecast: Bands, y: Tensor) -> Tensor:
        """Negative log likelihood, up to a constant."""
        return ((y - forecast.volume) / forecast.upper).square() / 2 + forecast.upper.log()


class Quantiles(nn.Module):
    """One network for a lower quantile, the median and an upper quantile, which cannot cross."""

    def __init__(self, past: int, ahead: int) -> None:
        super().__init__()
        self.base = EncoderDecoder(past, ahead)
        self.out = nn.Linear(HIDDEN, 3)

    def forward(self, past: Tensor, ahead: Tensor) -> Bands:
        """Forecast the median, with the distances to the two other quantiles."""
        median, below, above = self.out(self.base(past, ahead)).unbind(-1)
        return Bands(median, functional.softplus(below) + SMALLEST, functional.softplus(above) + SMALLEST)

    @staticmethod
    def loss(forecast: Bands, y: Tensor) -> Tensor:
        """Sum of the three pinball losses."""
        volume, lower, upper = forecast
        return (
            _pinball(y - volume, 0.5)
            + _pinball(y - volume + lower, TAIL)
            + _pinball(y - volume - upper, 1 - TAIL)
        )


def _pinball(error: Tensor, level: float) -> Tensor:
    return torch.maximum(level * error, (level - 1) * error)

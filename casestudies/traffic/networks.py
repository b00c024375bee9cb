"""LSTM encoder–decoders, and what their extra outputs are trained for."""

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
"""The quantile network predicts this quantile, the median, and the quantile as far from the top."""
SMALLEST = 1e-3
"""Smallest band, in standard deviations of the volume: none is zero, so that any can be scaled."""


class Bands(NamedTuple):
    """A forecast with its two bands, all of shape (windows, hours)."""

    volume: Tensor
    lower: Tensor
    upper: Tensor


class EncoderDecoder(nn.Module):
    """Reads the past, then writes the day ahead from its calendar: one state an hour."""

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
    """A base network for the volume and a meta network for the size of its residual, trained together.

    The meta network reads what the decoder reads, the decoder's states and its forecast.
    """

    outputs = 1

    def __init__(self, past: int, ahead: int) -> None:
        super().__init__()
        self.base = EncoderDecoder(past, ahead)
        self.volume = nn.Linear(HIDDEN, 1)
        self.meta = nn.LSTM(ahead + HIDDEN + 1, META_HIDDEN, batch_first=True)
        self.size = nn.Linear(META_HIDDEN, self.outputs)

    def forward(self, past: Tensor, ahead: Tensor) -> Bands:
        """Forecast the volume and its bands."""
        states = self.base(past, ahead)
        volume = self.volume(states)
        seen, _ = self.meta(torch.cat([ahead, states, volume], dim=-1))
        size = functional.softplus(self.size(seen)) + SMALLEST
        return Bands(volume[..., 0], size[..., 0], size[..., -1])

    @staticmethod
    def loss(found: Bands, y: Tensor) -> Tensor:
        """Half the squared error, half the squared error of the predicted size of the error."""
        residual = y - found.volume
        return 0.5 * residual.square() + 0.5 * (residual.abs() - found.upper).square()


class AsymmetricJointMeta(JointMeta):
    """The same with two bands: the parts of the residual above and below the forecast."""

    outputs = 2

    @staticmethod
    def loss(found: Bands, y: Tensor) -> Tensor:
        """Half the squared error, half those of the two parts, of which one is always zero."""
        residual = y - found.volume
        above, below = residual.clamp(min=0), (-residual).clamp(min=0)
        sizes = (above - found.upper).square() + (below - found.lower).square()
        return 0.5 * residual.square() + 0.5 * sizes


class Gaussian(nn.Module):
    """One network for mean and standard deviation, trained by the Gaussian likelihood."""

    shown = NormalDist().inv_cdf(1 - TAIL)
    """Standard deviations that its interval reaches to either side."""

    def __init__(self, past: int, ahead: int) -> None:
        super().__init__()
        self.base = EncoderDecoder(past, ahead)
        self.out = nn.Linear(HIDDEN, 2)

    def forward(self, past: Tensor, ahead: Tensor) -> Bands:
        """Forecast the mean, with one standard deviation on either side."""
        mean, size = self.out(self.base(past, ahead)).unbind(-1)
        std = functional.softplus(size) + SMALLEST
        return Bands(mean, std, std)

    @staticmethod
    def loss(found: Bands, y: Tensor) -> Tensor:
        """Negative log likelihood, but for a constant."""
        return ((y - found.volume) / found.upper).square() / 2 + found.upper.log()


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
    def loss(found: Bands, y: Tensor) -> Tensor:
        """Sum of the three pinball losses."""
        volume, lower, upper = found
        return (
            _pinball(y - volume, 0.5)
            + _pinball(y - volume + lower, TAIL)
            + _pinball(y - volume - upper, 1 - TAIL)
        )


def _pinball(error: Tensor, level: float) -> Tensor:
    return torch.maximum(level * error, (level - 1) * error)

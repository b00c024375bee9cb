"""Many small networks trained at once: one for each loss and data set, as batches of matrices."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from casestudies.band_loss.losses import Loss

SMALLEST = 1e-3
"""Smallest band, in units of the targets: above zero, so that every band can be scaled."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Schedule:
    """Settings of the training."""

    epochs: int
    batch: int
    hidden: int = 32
    rate: float = 5e-3
    """Learning rate of Adam at the start; it falls to 0 along half a cosine."""


class Networks(nn.Module):
    """Networks with two hidden layers, for each loss and each data set; those of a data set begin alike."""

    def __init__(self, losses: int, sets: int, sizes: Sequence[int], generator: torch.Generator) -> None:
        super().__init__()
        self.weights, self.biases = nn.ParameterList(), nn.ParameterList()
        for inputs, outputs in itertools.pairwise(sizes):
            start = (torch.rand((sets, inputs, outputs), generator=generator) * 2 - 1) * math.sqrt(3 / inputs)
            self.weights.append(nn.Parameter(start.expand(losses, -1, -1, -1).clone()))
            self.biases.append(nn.Parameter(torch.zeros(losses, sets, 1, outputs)))

    def forward(self, x: Tensor) -> Tensor:
        """Return outputs of shape (losses, sets, rows, outputs) for inputs of shape (sets, rows, inputs)."""
        layers = list(zip(self.weights, self.biases, strict=True))
        state = x.unsqueeze(0)
        for weight, bias in layers[:-1]:
            state = functional.silu(state @ weight + bias)
        weight, bias = layers[-1]
        outputs: Tensor = state @ weight + bias
        return outputs


def bands(outputs: Tensor) -> Tensor:
    """Return positive bands."""
    return functional.softplus(outputs) + SMALLEST


def trained_bands(
    x: Tensor, error: Tensor, losses: Sequence[Loss], schedule: Schedule, seed: int
) -> Networks:
    """Train bands by each loss; inputs have the shape (sets, rows, inputs), residuals (sets, rows).

    All losses see the same batches in the same order.
    """

    def total(outputs: Tensor, target: Tensor) -> Tensor:
        lower, upper = bands(outputs).unbind(-1)
        parts = [loss(target.T, lower[i].T, upper[i].T) for i, loss in enumerate(losses)]
        return torch.stack(parts).sum()

    return _trained(x, error, len(losses), 2, total, schedule, seed)


def trained_together(
    x: Tensor, target: Tensor, losses: Sequence[Loss], schedule: Schedule, seed: int
) -> Networks:
    """Train networks whose first output is the prediction and whose others are its bands."""
    return _trained(x, target, len(losses), 3, partial(joint_loss, losses), schedule, seed)


def joint_loss(losses: Sequence[Loss], outputs: Tensor, target: Tensor) -> Tensor:
    """Return half the squared error of predictions, plus each loss of their bands.

    Bands take the residuals as given: the prediction learns from the squared error alone, though both shape
    the same hidden layers.
    """
    error = target - outputs[..., 0]
    lower, upper = bands(outputs[..., 1:]).unbind(-1)
    given = error.detach()
    parts = [loss(given[i].T, lower[i].T, upper[i].T) for i, loss in enumerate(losses)]
    return torch.stack(parts).sum() + error.square().mean(dim=-1).sum() / 2


def trained_means(x: Tensor, target: Tensor, schedule: Schedule, seed: int) -> Networks:
    """Train predictions by the squared error."""

    def total(outputs: Tensor, target: Tensor) -> Tensor:
        return (outputs[0, ..., 0] - target).square().mean(dim=1).sum()

    return _trained(x, target, 1, 1, total, schedule, seed)


def _trained(
    x: Tensor,
    target: Tensor,
    losses: int,
    outputs: int,
    total: Callable[[Tensor, Tensor], Tensor],
    schedule: Schedule,
    seed: int,
) -> Networks:
    generator = torch.Generator().manual_seed(seed)
    sets, rows, inputs = x.shape
    sizes = (inputs, schedule.hidden, schedule.hidden, outputs)
    networks = Networks(losses, sets, sizes, generator)
    steps = rows // schedule.batch
    adam = torch.optim.Adam(networks.parameters(), lr=schedule.rate)
    course = torch.optim.lr_scheduler.CosineAnnealingLR(adam, schedule.epochs * steps)
    for _ in range(schedule.epochs):
        order = torch.randperm(rows, generator=generator)[: steps * schedule.batch]
        for batch in order.reshape(steps, schedule.batch):
            adam.zero_grad()
            torch.autograd.backward(total(networks(x[:, batch]), target[:, batch]))
            adam.step()
            course.step()
    return networks


@torch.no_grad()
def applied(networks: Networks, x: Tensor, rows: int = 2048) -> Tensor:
    """Return outputs in float64, block by block."""
    return torch.cat([networks(x[:, at : at + rows]) for at in range(0, x.shape[1], rows)], dim=2).double()

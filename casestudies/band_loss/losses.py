"""The losses under trial, and many small networks trained by them at once, as batches of matrices."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from uccurve.torch import auucc_loss

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Loss = Callable[[Tensor, Tensor, Tensor], Tensor]
    """Takes residuals and two bands, of shape (rows, networks), and adds up."""

TAIL = 0.05
"""Levels of the two quantiles are TAIL and 1 - TAIL."""
BETA = 0.5
SMALLEST = 1e-3
"""Smallest band, in units of the targets: above zero, so that every band can be scaled."""


def area_loss(error: Tensor, lower: Tensor, upper: Tensor, **options: Any) -> Tensor:
    """Area of the curve of symmetric bands around predictions of 0, in one of its forms."""
    del upper
    return auucc_loss(error, y_pred=torch.zeros_like(error), band=lower, reduction="sum", **options)


def additive(error: Tensor, lower: Tensor, upper: Tensor) -> Tensor:
    """Mean over the rows of the additive bound."""
    return area_loss(error, lower, upper, form="additive") / len(error)


def gaussian(error: Tensor, lower: Tensor, _: Tensor) -> Tensor:
    """Negative log likelihood of a Gaussian with the band as standard deviation, up to a constant."""
    return _sum_means((error / lower).square() / 2 + lower.log())


def beta_gaussian(error: Tensor, lower: Tensor, _: Tensor) -> Tensor:
    """Gaussian likelihood with rows weighted by the band to the power of 2β (Seitzer et al. 2022)."""
    weight = lower.detach() ** (2 * BETA)
    return _sum_means(weight * ((error / lower).square() / 2 + lower.log()))


def laplace(error: Tensor, lower: Tensor, _: Tensor) -> Tensor:
    """Negative log likelihood of a Laplace distribution with the band as scale, up to a constant."""
    return _sum_means(error.abs() / lower + lower.log())


def meta_model(error: Tensor, lower: Tensor, _: Tensor) -> Tensor:
    """Squared error of a band that predicts the absolute error, as in Navrátil et al. 2020."""
    return _sum_means((error.abs() - lower).square() / 2)


def pinball(error: Tensor, lower: Tensor, upper: Tensor) -> Tensor:
    """Sum of the losses of two quantiles, one on either side of the prediction."""
    below, above = error + lower, error - upper
    return _sum_means(
        torch.maximum(TAIL * below, (TAIL - 1) * below) + torch.maximum((1 - TAIL) * above, -TAIL * above)
    )


def _sum_means(rows: Tensor) -> Tensor:
    """Return the mean over rows, added up over networks."""
    return rows.mean(dim=0).sum()


LOG, ADDITIVE, AREA, MISS_RATE = "log area", "additive bound", "area", "log area (miss rate)"
GAUSSIAN, BETA_GAUSSIAN, LAPLACE = "Gaussian NLL", f"β-NLL ({BETA:g})", "Laplace NLL"
PINBALL, META = "pinball pair", "meta-model"
LOSSES: dict[str, Loss] = {
    LOG: partial(area_loss, form="log"),
    ADDITIVE: additive,
    AREA: partial(area_loss, form="area"),
    MISS_RATE: partial(area_loss, form="log", y="miss_rate"),
    GAUSSIAN: gaussian,
    BETA_GAUSSIAN: beta_gaussian,
    LAPLACE: laplace,
    PINBALL: pinball,
    META: meta_model,
}
"""Losses by their names in tables and figures."""
OURS = (LOG, ADDITIVE, AREA, MISS_RATE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Schedule:
    """Settings of the training."""

    epochs: int = 100
    batch: int = 128
    hidden: int = 32
    rate: float = 5e-3
    """Learning rate of Adam at the start; it falls to 0 along half a cosine."""


class Networks(nn.Module):
    """Networks for two bands, with two hidden layers: one for each loss and data set.

    Those of a data set begin alike.
    """

    def __init__(self, sets: int, sizes: Sequence[int], generator: torch.Generator) -> None:
        super().__init__()
        self.weights, self.biases = nn.ParameterList(), nn.ParameterList()
        for inputs, outputs in itertools.pairwise(sizes):
            start = (torch.rand((sets, inputs, outputs), generator=generator) * 2 - 1) * math.sqrt(3 / inputs)
            self.weights.append(nn.Parameter(start.expand(len(LOSSES), -1, -1, -1).clone()))
            self.biases.append(nn.Parameter(torch.zeros(len(LOSSES), sets, 1, outputs)))

    def forward(self, x: Tensor) -> Tensor:
        """Return outputs of shape (losses, sets, rows, 2) for inputs of shape (sets, rows, inputs)."""
        *hidden, last = zip(self.weights, self.biases, strict=True)
        state = x.unsqueeze(0)
        for weight, bias in hidden:
            state = functional.silu(state @ weight + bias)
        outputs: Tensor = state @ last[0] + last[1]
        return outputs

    @torch.no_grad()
    def predict(self, x: Tensor, rows: int = 2048) -> Tensor:
        """Return bands in float64, block by block."""
        blocks = [self(x[:, at : at + rows]) for at in range(0, x.shape[1], rows)]
        return to_bands(torch.cat(blocks, dim=2).double())


def to_bands(outputs: Tensor) -> Tensor:
    """Return positive bands."""
    return functional.softplus(outputs) + SMALLEST


def train(x: Tensor, error: Tensor, schedule: Schedule, seed: int) -> Networks:
    """Train networks by every loss of given residuals; all losses see the same batches in the same order.

    Inputs have the shape (sets, rows, inputs), residuals (sets, rows).
    """
    generator = torch.Generator().manual_seed(seed)
    sets, rows, inputs = x.shape
    networks = Networks(sets, (inputs, schedule.hidden, schedule.hidden, 2), generator)
    steps = rows // schedule.batch
    adam = torch.optim.Adam(networks.parameters(), lr=schedule.rate)
    course = torch.optim.lr_scheduler.CosineAnnealingLR(adam, schedule.epochs * steps)
    for _ in range(schedule.epochs):
        order = torch.randperm(rows, generator=generator)[: steps * schedule.batch]
        for batch in order.reshape(steps, schedule.batch):
            adam.zero_grad()
            lower, upper = to_bands(networks(x[:, batch])).unbind(-1)
            chosen = error[:, batch].T
            totals = [loss(chosen, lower[i].T, upper[i].T) for i, loss in enumerate(LOSSES.values())]
            torch.autograd.backward(torch.stack(totals).sum())
            adam.step()
            course.step()
    return networks

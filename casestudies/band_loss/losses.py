"""The losses under trial. Each takes residuals and two bands, of shape (rows, networks), and adds up."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import torch

from uccurve.torch import auucc_loss

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    Loss = Callable[[Tensor, Tensor, Tensor], Tensor]

TAIL = 0.05
"""Levels of the two quantiles are TAIL and 1 - TAIL."""
BETA = 0.5


def area_loss(error: Tensor, lower: Tensor, upper: Tensor, **options: Any) -> Tensor:
    """Area of the curve of symmetric bands around predictions of 0, in one of its forms."""
    del upper
    return auucc_loss(error, y_pred=torch.zeros_like(error), band=lower, reduction="sum", **options)


def additive(error: Tensor, lower: Tensor, upper: Tensor) -> Tensor:
    """Mean over the rows of the additive bound."""
    return area_loss(error, lower, upper, form="additive") / len(error)


def gaussian(error: Tensor, lower: Tensor, _: Tensor) -> Tensor:
    """Negative log likelihood of a Gaussian with the band as standard deviation, up to a constant."""
    return _summed((error / lower).square() / 2 + lower.log())


def beta_gaussian(error: Tensor, lower: Tensor, _: Tensor) -> Tensor:
    """Gaussian likelihood with rows weighted by the band to the power of 2β (Seitzer et al. 2022)."""
    weight = lower.detach() ** (2 * BETA)
    return _summed(weight * ((error / lower).square() / 2 + lower.log()))


def laplace(error: Tensor, lower: Tensor, _: Tensor) -> Tensor:
    """Negative log likelihood of a Laplace distribution with the band as scale, up to a constant."""
    return _summed(error.abs() / lower + lower.log())


def meta_model(error: Tensor, lower: Tensor, _: Tensor) -> Tensor:
    """Squared error of a band that predicts the absolute error, as in Navrátil et al. 2020."""
    return _summed((error.abs() - lower).square() / 2)


def pinball(error: Tensor, lower: Tensor, upper: Tensor) -> Tensor:
    """Sum of the losses of two quantiles, one on either side of the prediction."""
    below, above = error + lower, error - upper
    return _summed(
        torch.maximum(TAIL * below, (TAIL - 1) * below) + torch.maximum((1 - TAIL) * above, -TAIL * above)
    )


def _summed(rows: Tensor) -> Tensor:
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

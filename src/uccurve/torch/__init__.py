"""Metrics for training loops, and a loss that learns bands; needs the extra ``torch``.

The metrics are those of torchmetrics: they take batches, add up over processes, and go into a
``MetricCollection``. ``import uccurve`` does not load them.

>>> import torch
>>> from uccurve.torch import AUUCC, MissRate
>>> metric = AUUCC(y="deficit")
>>> for batch in torch.arange(24.0).reshape(4, 6):
...     metric.update(batch, lower=batch - 1, upper=batch + 2, y_pred=batch + 0.5)
>>> metric.compute()
tensor(0.1250, dtype=torch.float64)
"""

from uccurve._base.arguments import needed

with needed("torch", extra="torch"):
    import torch as _torch  # noqa: F401
with needed("torchmetrics", extra="torch"):
    import torchmetrics as _torchmetrics  # noqa: F401

from uccurve.torch.curve_metrics import AUUCC, AUUCCGain
from uccurve.torch.loss import auucc_loss
from uccurve.torch.point_metrics import Bandwidth, IntervalScore, MissRate

__all__ = [
    "AUUCC",
    "AUUCCGain",
    "Bandwidth",
    "IntervalScore",
    "MissRate",
    "auucc_loss",
]

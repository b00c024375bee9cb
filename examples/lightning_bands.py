"""Train a prediction and its band with Lightning: python examples/lightning_bands.py.

The prediction learns by the squared error, the band by the area of its curve. Metrics of the validation
rows are logged each epoch; at the end the band is scaled to 90% coverage.
"""

from __future__ import annotations

import argparse
import logging
import warnings
from typing import Any

import lightning
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, TensorDataset
from torchmetrics import Metric, MetricCollection

import uccurve as uc
from uccurve.torch import AUUCC, AUUCCGain, MissRate, auucc_loss


class BandModel(lightning.LightningModule):
    """Two small networks: one for the prediction, one for the band around it."""

    def __init__(self) -> None:
        super().__init__()
        self.mean, self.spread = (
            nn.Sequential(nn.Linear(1, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, 1))
            for _ in range(2)
        )
        metrics: dict[str, Metric | MetricCollection] = {
            "area": AUUCC(y="deficit"),
            "gain": AUUCCGain(y="deficit"),
            "miss_rate": MissRate(),
        }
        self.metrics = MetricCollection(metrics)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return prediction and band."""
        return self.mean(x)[:, 0], functional.softplus(self.spread(x)[:, 0]) + 1e-3

    def training_step(self, batch: list[Tensor], _: int) -> Tensor:
        """Return the loss: the band learns from residuals, and does not pull at the prediction."""
        x, y = batch
        prediction, band = self(x)
        return functional.mse_loss(prediction, y) + auucc_loss(
            y, y_pred=prediction.detach(), band=band, form="log"
        )

    def validation_step(self, batch: list[Tensor], _: int) -> None:
        """Add a batch to the metrics."""
        x, y = batch
        prediction, band = self(x)
        self.metrics.update(y, prediction - band, prediction + band, prediction)

    def on_validation_epoch_end(self) -> None:
        """Log the metrics of all batches, and of all processes."""
        self.log_dict({name: value.float() for name, value in self.metrics.compute().items()})
        self.metrics.reset()

    def configure_optimizers(self) -> torch.optim.Optimizer:
        """Return Adam."""
        return torch.optim.Adam(self.parameters(), lr=5e-3)


def main() -> None:
    """Train, and print what the validation rows say."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--epochs", type=int, default=20)
    options.add_argument("--rows", type=int, default=4000)
    chosen = options.parse_args()
    warnings.filterwarnings("ignore", module="lightning")  # advice about workers and devices
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    lightning.seed_everything(0, verbose=False)
    x = torch.rand(chosen.rows, 1) * 6 - 3
    y = (x.cos() + (0.2 + 0.8 * x.sin().abs()) * torch.randn_like(x))[:, 0]
    train, valid = (TensorDataset(x[part], y[part]) for part in (slice(0, None, 2), slice(1, None, 2)))
    model = BandModel()
    quiet: dict[str, Any] = dict.fromkeys(("logger", "enable_checkpointing", "enable_progress_bar"), False)
    trainer = lightning.Trainer(
        max_epochs=chosen.epochs, accelerator="cpu", enable_model_summary=False, **quiet
    )
    trainer.fit(model, DataLoader(train, 128, shuffle=True), DataLoader(valid, 512))
    found = {name: float(value) for name, value in trainer.callback_metrics.items()}
    print(f"deficit gain {found['gain']:.1%}, where the true scale would gain 9%; area {found['area']:.3f}")
    with torch.no_grad():
        prediction, band = model.eval()(valid.tensors[0])
    print(f"as given {found['miss_rate']:.1%} missed: the area leaves the common factor of the bands free")
    rows = uc.Intervals.from_bands(valid.tensors[1], prediction, band)
    scaler = uc.ConformalScaler(coverage=0.9).fit(rows[::2])
    print(f"scaled to 90%: {scaler.transform(rows[1::2]).ucc().original.coverage:.1%} covered")


if __name__ == "__main__":
    main()

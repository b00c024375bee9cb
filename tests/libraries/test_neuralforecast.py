"""neuralforecast: real fits, read by `from_nixtla`."""

from __future__ import annotations

import numpy as np
import pytest
from library_series import made_long
from neuralforecast import NeuralForecast
from neuralforecast.losses.pytorch import MAE, DistributionLoss, MQLoss
from neuralforecast.models import MLP
from neuralforecast.utils import PredictionIntervals

from uccurve.adapters import from_nixtla

LONG = made_long()
QUIET = {"enable_progress_bar": False, "logger": False, "enable_model_summary": False}


def network(name, loss):
    return MLP(h=7, input_size=14, max_steps=30, loss=loss, alias=name, accelerator="cpu", **QUIET)


def test_quantiles_and_distributions_are_read():
    """Levels that were asked for, and quantiles, whose levels have a decimal point in their names."""
    shares = [0.05, 0.25, 0.5, 0.75, 0.95]
    losses = {
        "levels": MQLoss(level=[50, 90]),
        "shares": MQLoss(quantiles=shares),
        "normal": DistributionLoss("Normal", level=[50, 90]),
    }
    engine = NeuralForecast([network(name, loss) for name, loss in losses.items()], freq="D")
    output = engine.cross_validation(df=LONG, n_windows=2, step_size=7)
    assert "shares-lo-90.0" in output
    models = from_nixtla(output, y_pred=None, crossed="sort")  # networks cross quantiles
    assert list(models) == list(losses)
    for name, rows in models.items():
        suffix = ".0" if name == "shares" else ""
        assert rows.nominal == 0.9
        told = ("lo-90", "lo-50", "hi-50", "hi-90")
        columns = [f"{name}-median", *(f"{name}-{which}{suffix}" for which in told)]
        ordered = np.sort(output[columns].to_numpy(float), axis=1)
        np.testing.assert_array_equal(
            np.stack([rows.lower, rows.y_pred, rows.upper], axis=1), ordered[:, ::2]
        )
        assert rows.ucc(vary="level").reliability().levels == (0.5, 0.9)
    assert len(set(models.blocks.tolist())) == 6


@pytest.mark.parametrize(
    ("loss", "front"), [(DistributionLoss("Normal", level=[90]), "mine_ql"), (MAE(), "mine-ql")]
)
def test_quantiles_that_are_asked_for_later_are_read(loss, front):
    """Their names have the share below them; those of conformal intervals in another form."""
    engine = NeuralForecast([network("mine", loss)], freq="D")
    past = LONG.groupby("unique_id").head(143)
    engine.fit(past, prediction_intervals=PredictionIntervals(n_windows=2) if front == "mine-ql" else None)
    output = engine.predict(quantiles=[0.05, 0.5, 0.95])
    rows = from_nixtla(output, y_true=LONG, y_pred=None, crossed="sort")["mine"]
    assert rows.nominal == 0.9
    np.testing.assert_allclose(rows.upper, output[f"{front}0.95"])

"""Two models around the same predictions whose order depends on the miss rate."""

from __future__ import annotations

import numpy as np

import uccurve as uc
from uccurve.datasets import make_heteroscedastic

N = 1500


def models(kind=np.asarray):
    data = make_heteroscedastic(N, spread=0.8, rng=1)
    noise = np.random.default_rng(2).lognormal(sigma=0.2, size=N)
    bands = {"sharp": data.std * noise, "damped": (data.std * noise) ** 0.25}
    return {
        name: uc.Intervals.from_bands(kind(data.y_true), kind(data.y_pred), kind(band))
        for name, band in bands.items()
    }

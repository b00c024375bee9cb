"""Time the drop-in for UQ360: what its users call, from raw arrays to the figure."""

from __future__ import annotations

from functools import partial

import matplotlib as mpl
import numpy as np
from measure import Result, ratio

from uccurve.compat.uq360 import UncertaintyCharacteristicsCurve

ROWS = 100_000


def results(rows: int, repeats: int) -> list[Result]:
    """Fit, area, least cost over both families and figure, in sorts of as many numbers."""
    mpl.use("agg")
    from matplotlib import pyplot as plt

    rng = np.random.default_rng(0)
    pred, band, other = rng.normal(size=rows), rng.lognormal(size=rows), rng.lognormal(size=rows)
    y = pred + band * rng.normal(size=rows)
    k = np.abs(y - pred) / band

    def everything(upper: np.ndarray) -> object:
        ucc = UncertaintyCharacteristicsCurve().fit(np.stack([pred, band, upper], axis=1), y)
        found = ucc.get_AUUCC(), ucc.minimize_cost(), ucc.plot_UCC()
        plt.close("all")
        return found

    return [
        Result(
            work=f"UQ360's fit, get_AUUCC, minimize_cost and plot_UCC, {rows:,} rows, {kind} bands",
            against="np.argsort of one k",
            value=ratio(partial(everything, upper), lambda: np.argsort(k), repeats + 5),
            target=50,
        )
        for kind, upper in (("symmetric", band), ("asymmetric", other))
    ]

"""The series that every forecasting library is fitted to: a weekly pattern, with noise that grows with the size."""

from __future__ import annotations

import numpy as np
import pandas as pd

DAYS = pd.date_range("2024-01-01", periods=150, freq="D")
SIZES = {"small": 1.0, "middle": 3.0, "large": 9.0}


def made_series() -> pd.DataFrame:
    """Return one column for each series, 150 days long."""
    rng = np.random.default_rng(0)
    pattern = 10 + 4 * np.sin(2 * np.pi * np.arange(len(DAYS)) / 7)
    return pd.DataFrame(
        {name: size * (pattern + rng.normal(size=len(DAYS))) for name, size in SIZES.items()}, index=DAYS
    )


def made_long() -> pd.DataFrame:
    """Return the same in one column, as Nixtla's libraries have it."""
    long = (
        made_series().rename_axis(index="ds").reset_index().melt("ds", var_name="unique_id", value_name="y")
    )
    return long.sort_values(["unique_id", "ds"], ignore_index=True)[["unique_id", "ds", "y"]]

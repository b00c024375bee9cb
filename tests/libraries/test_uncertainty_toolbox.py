"""uncertainty-toolbox: its own data and metrics beside `from_uncertainty_toolbox`."""

from __future__ import annotations

import numpy as np
import pytest
import uncertainty_toolbox as uct

from uccurve.adapters import from_uncertainty_toolbox


def test_its_order_of_arguments_gives_its_numbers():
    """Sharpness is the root mean square of the bands; coverage at one deviation is the same count."""
    y_pred, y_std, y_true, _ = uct.data.synthetic_sine_heteroscedastic(300)
    intervals = from_uncertainty_toolbox(y_pred, y_std, y_true)
    assert np.sqrt(np.mean(intervals.upper_band**2)) == pytest.approx(uct.sharpness(y_std))
    counted = uct.metrics_calibration.get_proportion_in_interval(y_pred, y_std, y_true, intervals.nominal)
    assert intervals.ucc().original.coverage == pytest.approx(counted, abs=0.004)

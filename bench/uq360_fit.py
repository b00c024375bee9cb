"""Time the reference implementation's fit; runs in the peers' environment. Prints seconds."""

from __future__ import annotations

import sys
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")
from uq360.metrics.uncertainty_characteristics_curve import UncertaintyCharacteristicsCurve  # noqa: E402

columns = np.load(sys.argv[1])
curve = UncertaintyCharacteristicsCurve(normalize=False, precompute_bias_data=False)
begin = time.perf_counter()
curve.fit(np.stack([columns["y_pred"], columns["band"], columns["band"]], axis=1), columns["y_true"])
print(time.perf_counter() - begin)

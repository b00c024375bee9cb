"""A way out of UQ360: its names, arguments and return types, on the exact core.

Change ``from uq360.metrics import …`` to ``from uccurve.compat.uq360 import …``. What differs in the numbers,
and why, is in the documentation.
"""

from uccurve.compat.uq360.curve import UncertaintyCharacteristicsCurve
from uccurve.compat.uq360.metrics import (
    UCCRecalibration,
    auucc_gain,
    compute_regression_metrics,
    fitted_ucc_w_nullref,
    form_D_for_auucc,
    mpiw,
    negative_log_likelihood_Gaussian,
    picp,
)

__all__ = [
    "UCCRecalibration",
    "UncertaintyCharacteristicsCurve",
    "auucc_gain",
    "compute_regression_metrics",
    "fitted_ucc_w_nullref",
    "form_D_for_auucc",
    "mpiw",
    "negative_log_likelihood_Gaussian",
    "picp",
]

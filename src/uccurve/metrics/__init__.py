"""Metrics in the manner of scikit-learn: arrays in, a number out.

All of them take ``sample_weight`` (one weight per row) and ``multioutput``: "uniform_average" (a float,
the mean over outputs) or "raw_values" (an array, one value for each output).
"""

from uccurve.metrics._areas import auucc, auucc_gain, of_outputs
from uccurve.metrics._operating_point import bandwidth, coverage, deficit, excess, interval_score, miss_rate
from uccurve.metrics._scores import WISParts, crps, pinball_loss, weighted_interval_score

__all__ = [
    "WISParts",
    "auucc",
    "auucc_gain",
    "bandwidth",
    "coverage",
    "crps",
    "deficit",
    "excess",
    "interval_score",
    "miss_rate",
    "of_outputs",
    "pinball_loss",
    "weighted_interval_score",
]

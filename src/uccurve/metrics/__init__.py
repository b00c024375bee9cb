"""Metrics in the manner of scikit-learn: arrays in, a number out.

All of them take ``sample_weight`` (one weight per row) and ``multioutput``: "uniform_average" (a float,
the mean over outputs), "raw_values" (an array, one value for each output), or weights of the outputs.
"""

from uccurve.metrics.areas import auucc, auucc_gain, compute_by_output
from uccurve.metrics.operating_point import (
    average_outputs,
    bandwidth,
    coverage,
    deficit,
    excess,
    interval_score,
    miss_rate,
)
from uccurve.metrics.scores import WISParts, crps, pinball_loss, weighted_interval_score

__all__ = [
    "WISParts",
    "auucc",
    "auucc_gain",
    "average_outputs",
    "bandwidth",
    "compute_by_output",
    "coverage",
    "crps",
    "deficit",
    "excess",
    "interval_score",
    "miss_rate",
    "pinball_loss",
    "weighted_interval_score",
]

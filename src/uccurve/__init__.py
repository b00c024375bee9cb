"""Assess regression prediction intervals over their whole operating range.

>>> import uccurve as uc
>>> intervals = uc.Intervals.from_std([1.0, 2.0, 4.0], y_pred=[1.5, 2.0, 3.0], std=[0.5, 0.5, 2.0])
>>> curve = uc.UCC(intervals)
>>> curve.at(miss_rate=0.1).parameter
1.0
"""

from uccurve import exceptions
from uccurve.calibration import ConformalScaler
from uccurve.comparison import Comparison, compare
from uccurve.curve import UCC, CostOptimum, Crossing, CurveBand, Frontier, OperatingPoint, Reliability
from uccurve.engines import Columns, scan
from uccurve.inference import ConfidenceInterval, PermutationTest, confidence_interval, permutation_test
from uccurve.intervals import Intervals
from uccurve.metrics import (
    auucc,
    auucc_gain,
    bandwidth,
    coverage,
    deficit,
    excess,
    interval_score,
    miss_rate,
)
from uccurve.plotting import UCCDisplay
from uccurve.report import report
from uccurve.sketch import Drift, SketchedUCC, UCCSketch

__version__ = "0.1.0"

__all__ = [
    "UCC",
    "Columns",
    "Comparison",
    "ConfidenceInterval",
    "ConformalScaler",
    "CostOptimum",
    "Crossing",
    "CurveBand",
    "Drift",
    "Frontier",
    "Intervals",
    "OperatingPoint",
    "PermutationTest",
    "Reliability",
    "SketchedUCC",
    "UCCDisplay",
    "UCCSketch",
    "auucc",
    "auucc_gain",
    "bandwidth",
    "compare",
    "confidence_interval",
    "coverage",
    "deficit",
    "exceptions",
    "excess",
    "interval_score",
    "miss_rate",
    "permutation_test",
    "report",
    "scan",
]

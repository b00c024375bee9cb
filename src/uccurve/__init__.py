"""Assess regression prediction intervals over their whole operating range.

>>> import uccurve as uc
>>> intervals = uc.Intervals.from_std([1.0, 2.0, 4.0], y_pred=[1.5, 2.0, 3.0], std=[0.5, 0.5, 2.0])
>>> curve = uc.UCC(intervals)
>>> curve.at(miss_rate=0.1).parameter
1.0
"""

from uccurve import exceptions
from uccurve.bands import CurveBand
from uccurve.calibration import ConformalScaler
from uccurve.comparison import Comparison, compare
from uccurve.confidence import ConfidenceInterval, confidence_interval
from uccurve.curve import UCC
from uccurve.engines import Columns, scan
from uccurve.intervals import Intervals
from uccurve.metrics import bandwidth, coverage, deficit, excess, interval_score, miss_rate
from uccurve.permutation import PermutationTest, permutation_test
from uccurve.plotting import UCCDisplay
from uccurve.reliability import Reliability
from uccurve.report import report
from uccurve.results import CostOptimum, Crossing, Drift, Frontier, OperatingPoint
from uccurve.scores import auucc, auucc_gain
from uccurve.sketch import SketchedUCC, UCCSketch

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

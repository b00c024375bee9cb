"""The Uncertainty Characteristics Curve, and what it answers.

`areas` integrates any curve data, `ranges` turns values on any axis into parameters.
"""

from uccurve.curve import areas, ranges
from uccurve.curve.areas import check_pair
from uccurve.curve.curve import Curve
from uccurve.curve.ranges import DEFAULT_MISS_RATE, ask_curve, choose_miss_rate
from uccurve.curve.reliability import Reliability
from uccurve.curve.results import CostOptimum, Crossing, CurveBand, Frontier, OperatingPoint, OperatingPoints
from uccurve.curve.sorted_rows import CurveData, SortedRows
from uccurve.curve.ucc import UCC, family_of

__all__ = [
    "DEFAULT_MISS_RATE",
    "UCC",
    "CostOptimum",
    "Crossing",
    "Curve",
    "CurveBand",
    "CurveData",
    "Frontier",
    "OperatingPoint",
    "OperatingPoints",
    "Reliability",
    "SortedRows",
    "areas",
    "ask_curve",
    "check_pair",
    "choose_miss_rate",
    "family_of",
    "ranges",
]
